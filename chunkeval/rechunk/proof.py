"""Whether the new chunks are better: against the old ones, against random cuts, by a judge that cut nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chunkeval.rechunk.changes import Change
from chunkeval.rechunk.splitting import accepted, at_random, parts_of
from chunkeval.rechunk.trial import Judged, Trial, together

DRAWS = 5
"""Times the cuts are drawn at random."""


def fates(
    before: Mapping[int, Judged], changes: Sequence[tuple[Change, Sequence[Judged]]], undone: Sequence[int]
) -> dict[str, dict[str, int]]:
    """Say for each reason what became of the chunks flagged for it.

    Parameters
    ----------
    before
        Flagged rows of the earlier table.
    changes
        What was changed, with the new pieces' judgement.
    undone
        Rows whose change was taken back.

    Returns
    -------
    dict
        Reason to counts: ``cured`` (no new piece is flagged), ``not_measurable`` (none is, but of one the similarity
        cannot be measured any more), ``still`` (some piece is flagged), ``dropped``, ``taken_back``, ``left``.
    """
    fate: dict[int, str] = dict.fromkeys(undone, "taken_back")
    for change, after in changes:
        for row in change.rows:
            fate[row] = _fate(change, before.get(row), after)
    counts: dict[str, Counter[str]] = {}
    for row, judged in before.items():
        for reason in sorted(judged.reasons):
            counts.setdefault(reason, Counter())[fate.get(row, "left")] += 1
    names = ("cured", "not_measurable", "still", "dropped", "taken_back", "left")
    return {reason: {name: found[name] for name in names} for reason, found in sorted(counts.items())}


def _fate(change: Change, before: Judged | None, after: Sequence[Judged]) -> str:
    if change.kind == "drop":
        return "dropped"
    if any(part.reasons for part in after):
        return "still"
    lost = before is not None and before.measurable and not all(part.measurable for part in after)
    return "not_measurable" if lost else "cured"


def placebo(
    texts: Sequence[str],
    cuts: Sequence[Sequence[int]],
    borders: Sequence[Sequence[int]],
    trial: Trial,
    judge: Trial | None,
    *,
    seed: int,
    keep_worse: bool,
) -> dict[str, Any]:
    """Compare cuts with as many at random sentence borders of the same chunks, under the same rule of taking back.

    Parameters
    ----------
    texts
        Chunks that were to be split.
    cuts
        Where each was cut; empty where it was not, or where that was taken back.
    borders
        Code points at which sentences of each begin, the first left out.
    trial
        Judges by the run's limits.
    judge
        Judges by another embedder; None where there is none.

    Returns
    -------
    dict
        ``severity`` by tokens and ``flagged`` chunks: before, after, and of the random cuts the mean and the extremes of
        `DRAWS` draws; ``gain``: how much lower the severity is than that of random cuts. ``judge``: mean centred
        similarity by tokens of the same texts to the other embedder.
    """
    real = [part for text, places in zip(texts, cuts, strict=True) for part in parts_of(text, places)]
    counts = [len(places) for places in cuts]
    drawn = []
    for draw in range(DRAWS):
        random = at_random(texts, borders, counts, draw, seed)
        if not keep_worse:
            random = [places if ok else [] for places, ok in zip(random, accepted(texts, random, trial), strict=True)]
        drawn.append([part for text, places in zip(texts, random, strict=True) for part in parts_of(text, places)])
    severity = {"before": _severity(trial, texts), "after": _severity(trial, real)}
    by_chance = [_severity(trial, parts) for parts in drawn]
    found: dict[str, Any] = {
        "chunks": len(texts),
        "cuts": sum(counts),
        "severity": {**severity, "random": _spread(by_chance)},
        "gain": round(float(np.mean(by_chance)) - severity["after"], 6),
        "flagged": {
            "before": _flagged(trial, texts),
            "after": _flagged(trial, real),
            "random": _spread([_flagged(trial, parts) for parts in drawn]),
        },
    }
    if judge is not None:
        found["judge"] = {
            "before": _similarity(judge, texts),
            "after": _similarity(judge, real),
            "random": _spread([_similarity(judge, parts) for parts in drawn]),
        }
    return found


def _severity(trial: Trial, texts: Sequence[str]) -> float:
    return round(together(trial(texts)), 6) if texts else 0.0


def _flagged(trial: Trial, texts: Sequence[str]) -> int:
    return sum(bool(judged.reasons) for judged in trial(texts))


def _similarity(judge: Trial, texts: Sequence[str]) -> float | None:
    """Mean similarity by tokens of the texts that have sentences enough."""
    judged = [one for one in judge(texts) if one.similarity == one.similarity]
    if not judged:
        return None
    return round(float(np.average([one.similarity for one in judged], weights=[one.tokens for one in judged])), 6)


def _spread(values: Sequence[float | None]) -> dict[str, float | None]:
    known = [float(value) for value in values if value is not None]
    if not known:
        return {"mean": None, "min": None, "max": None}
    return {"mean": round(float(np.mean(known)), 6), "min": min(known), "max": max(known)}
