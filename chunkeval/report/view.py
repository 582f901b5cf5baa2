"""What a report is drawn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from chunkeval.flags import INERT
from chunkeval.results import TRAITS

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.report.lanes import Changed
    from chunkeval.results import Mark, Recombined

Lang = Literal["ko", "en"]
Embed = Literal["none", "worst", "all"]

SUGGESTIONS = ("drop", "split", "merge", "review")
"""What can be suggested, in the order in which the page lists it."""

NOTICED = (frozenset(TRAITS) - {"blank"}) | {"over_context", *INERT}
"""Reason codes that are said about a chunk but do not flag it."""


@dataclass(frozen=True)
class View:
    """One audit as the report sees it; nothing here is computed again, and nothing is changed.

    Examples
    --------
    >>> import pandas as pd
    >>> summary = {"chunks": 0, "documents": 0, "flagged": 0, "flagged_share": 0.0, "analyzers": {}}
    >>> view = View(summary, pd.DataFrame(), {}, pd.DataFrame(), lambda rows: [], lambda row: [], "en")
    >>> view.summary["chunks"]
    0
    """

    summary: Mapping[str, Any]
    """As in ``summary.json``."""
    frame: pd.DataFrame
    """One row a chunk in the input's order: scores and flag columns."""
    recombined: Mapping[str, Recombined]
    """Judged column to the scores of recombined chunks."""
    documents: pd.DataFrame
    """As in ``documents.csv``: doc_id, chunks, flagged, worst, worst_severity; empty where the table names none."""
    texts: Callable[[Sequence[int]], list[str]]
    """Texts of the chunks in these rows of ``frame`` (by place, from 0), in the order asked."""
    sentences: Callable[[int], list[tuple[int, int]]]
    """Sentence spans of the chunk in this row: code points ``[start, end)`` in its text, in order."""
    lang: Lang = "ko"
    earlier: frozenset[str] | None = None
    """chunk_ids flagged in the earlier run that this one is compared with; None where it is compared with none."""
    metadata: Callable[[Sequence[int]], Sequence[Mapping[str, Any]]] = lambda rows: [{} for _ in rows]
    """The other columns of the chunks in these rows, in the order asked."""
    reasons: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Analyzer to its reason codes by side, ``low`` and ``high``: what moving its limit changes."""
    marks: Mapping[str, Sequence[Mark]] = field(default_factory=dict)
    """Analyzer to its reasons besides that of its limit."""
    percentiles: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Column to its sample's 1st and 99th percentile, on which severity stands."""
    decisions: Mapping[str, str] = field(default_factory=dict)
    """What a person decided already, by chunk_id."""
    embed: Embed = "worst"
    """Texts that the page holds: of the worst flagged chunks, of all flagged ones, or none but those on the first screen."""
    redact: bool = False
    """Leave out every text and all metadata."""
    lanes: Changed | None = None
    """What cutting again changed in each document, where the table came of it."""


def worst_rows(view: View, limit: int) -> list[int]:
    """Places in the frame of the worst flagged chunks, worst first: by severity, then in input order.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"flagged": [True, False, True], "severity": [0.2, 0.0, 0.9]})
    >>> worst_rows(View({}, frame, {}, pd.DataFrame(), lambda rows: [], lambda row: []), 5)
    [2, 0]
    """
    import numpy as np

    if "flagged" not in view.frame:
        return []
    flagged = np.flatnonzero(view.frame["flagged"].to_numpy(dtype=bool))
    severity = view.frame["severity"].to_numpy(dtype=float)[flagged]
    return [int(row) for row in flagged[np.argsort(-severity, kind="stable")][:limit]]


def suggestion_counts(view: View) -> dict[str, int]:
    """Count flagged chunks by what is suggested for them; taken from the summary where it says so."""
    counts = view.summary.get("suggestions")
    if counts is None:
        counts = Counter(name for name in _flagged(view, "suggestion") if isinstance(name, str))
    return {name: int(counts[name]) for name in _ordered(counts, SUGGESTIONS) if counts[name]}


def reason_counts(view: View) -> dict[str, int]:
    """Count flagged chunks by the reasons that flag, most frequent first; one with two reasons counts under both."""
    counts = Counter(reason for reasons in _flagged(view, "reasons") for reason in reasons)
    return _most_first({name: count for name, count in counts.items() if name not in NOTICED})


def noticed_counts(view: View) -> dict[str, int]:
    """Count all chunks by what was noticed about them without flagging them, most frequent first."""
    counts = view.summary.get("reasons")
    if counts is None:
        counts = Counter(reason for reasons in view.frame.get("reasons", ()) for reason in reasons)
    return _most_first({name: count for name, count in counts.items() if name in NOTICED})


def stated(view: View) -> dict[str, Any]:
    """Give the summary as ``wording`` wants it: suggestions and reasons counted, limits that say whether they include."""
    inclusive = bool(view.summary.get("settings", {}).get("inclusive"))
    analyzers = {name: _inclusive(facts, inclusive) for name, facts in view.summary["analyzers"].items()}
    counts = {"suggestions": suggestion_counts(view), "reasons": reason_counts(view)}
    return {**view.summary, **counts, "analyzers": analyzers}


def _inclusive(facts: Mapping[str, Any], inclusive: bool) -> dict[str, Any]:
    limits = {name: facts[name] for name in ("limit", "card", "calibrated") if facts.get(name)}
    return {**facts, **{name: {**limit, "inclusive": inclusive} for name, limit in limits.items()}}


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: int(counts[name]) for name in sorted(counts, key=lambda name: (-counts[name], name))}


def _flagged(view: View, column: str) -> list[Any]:
    if column not in view.frame or "flagged" not in view.frame:
        return []
    return list(view.frame.loc[view.frame["flagged"].to_numpy(dtype=bool), column])


def _ordered(names: Mapping[str, Any], first: Sequence[str]) -> list[str]:
    return [name for name in first if name in names] + sorted(name for name in names if name not in first)
