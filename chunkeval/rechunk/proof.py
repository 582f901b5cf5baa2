"""Whether the new chunks are better: against the old ones, against random cuts, by a judge that cut nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chunkeval.rechunk.changes import Change
from chunkeval.rechunk.trial import Judged, Trial, flagging, mass, plain
from chunkeval.results import Flags


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


def counted(before: Flags, after: Flags) -> dict[str, dict[str, int]]:
    """Count the chunks flagged for each reason in either table; those with several reasons count under each."""
    sides = [_counts(flags) for flags in (before, after)]
    names = sorted({name for side in sides for name in side})
    return {name: {"before": sides[0][name], "after": sides[1][name]} for name in names}


def _counts(flags: Flags) -> Counter[str]:
    frame = flags.frame
    codes = flagging(flags.judgements)
    flagged = frame.loc[frame["flagged"].to_numpy(dtype=bool), "reasons"]
    return Counter(code for reasons in flagged for code in codes.intersection(map(plain, reasons)))


def _fate(change: Change, before: Judged | None, after: Sequence[Judged]) -> str:
    if change.kind == "drop":
        return "dropped"
    if any(part.reasons for part in after):
        return "still"
    lost = before is not None and before.measurable and not all(part.measurable for part in after)
    return "not_measurable" if lost else "cured"


def compared(
    texts: Mapping[int, str],
    targets: Sequence[int],
    real: Sequence[Change],
    random: Sequence[Sequence[Change]],
    trial: Trial,
    judge: Trial | None,
) -> dict[str, Any]:
    """Compare changes with those that come of cuts at random sentence borders, found and taken back by the same rules.

    Parameters
    ----------
    texts
        Row to text.
    targets
        Rows that were to be split.
    real, random
        Changes made, and those of each random draw.
    trial
        Judges by the run's limits.
    judge
        Judges by another embedder; None where there is none.

    Returns
    -------
    dict
        ``severity``, times tokens, over the tokens of the chunks to split: before, after, and of the draws the mean and
        the extremes; ``gain``: how much lower it is than with random cuts; ``flagged``: chunks among those that were to be
        split or took a part; ``judge``: mean similarity by tokens of their texts to the other embedder.
    """
    tokens = sum(one.tokens for one in trial([texts[row] for row in targets])) or 1
    region = _Region(texts, targets, trial, judge)
    before, after = region.measured([]), region.measured(real)
    draws = [region.measured(changes) for changes in random]
    found: dict[str, Any] = {
        "chunks": len(targets),
        "draws": len(random),
        "changed": len(real),
        "severity": {
            "before": round(before.mass / tokens, 6),
            "after": round(after.mass / tokens, 6),
            "random": spread([draw.mass / tokens for draw in draws]),
        },
        "gain": round((float(np.mean([draw.mass for draw in draws])) - after.mass) / tokens, 6) if draws else 0.0,
        "flagged": {
            "before": before.flagged,
            "after": after.flagged,
            "random": spread([draw.flagged for draw in draws]),
        },
    }
    if judge is not None:
        found["judge"] = {
            "before": before.similarity,
            "after": after.similarity,
            "random": spread([draw.similarity for draw in draws]),
        }
    return found


@dataclass(frozen=True)
class _Measured:
    mass: float
    flagged: int
    similarity: float | None


@dataclass(frozen=True)
class _Region:
    """The chunks that were to be split, and whatever a change touches besides."""

    texts: Mapping[int, str]
    targets: Sequence[int]
    trial: Trial
    judge: Trial | None

    def measured(self, changes: Sequence[Change]) -> _Measured:
        gone = {row for change in changes for row in change.rows}
        there = [self.texts[row] for row in self.targets if row not in gone]
        there += [piece.text for change in changes for piece in change.pieces]
        besides = [self.texts[row] for row in sorted(gone.difference(self.targets))]
        # What was bad about a neighbour before is no fault of the part that it took.
        judged = self.trial(there)
        extra = mass(self.trial(besides)) if besides else 0.0
        flagged = sum(bool(one.reasons) for one in judged)
        return _Measured(mass(judged) - extra, flagged, self._similarity(there))

    def _similarity(self, texts: Sequence[str]) -> float | None:
        judged = [one for one in self.judge(texts) if one.similarity == one.similarity] if self.judge else []
        if not judged:
            return None
        weights = [one.tokens for one in judged]
        return round(float(np.average([one.similarity for one in judged], weights=weights)), 6)


def spread(values: Sequence[float | None]) -> dict[str, float | None]:
    """Give mean, min and max of what is known; nulls where nothing is."""
    known = [float(value) for value in values if value is not None]
    if not known:
        return {"mean": None, "min": None, "max": None}
    return {"mean": round(float(np.mean(known)), 6), "min": round(min(known), 6), "max": round(max(known), 6)}
