"""Whether the new chunks are better: against the old ones, against random cuts, by a judge that cut nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chunkeval.rechunk.changes import Change
from chunkeval.rechunk.trial import Judged, Trial, flagging, mass, plain
from chunkeval.results import Flags


def fates(
    before: Mapping[str, Judged],
    after: Mapping[str, Judged],
    origin: Mapping[str, Sequence[str]],
    wanted: Collection[str],
) -> dict[str, dict[str, int]]:
    """Say for each reason what became of the chunks flagged for it.

    Parameters
    ----------
    before
        Flagged chunks of the first table, by chunk_id.
    after
        All chunks of the last table.
    origin
        For each of those, the chunks of the first table that it is from.
    wanted
        Those of which something was to be done.

    Returns
    -------
    dict
        Reason to counts: ``cured`` (no chunk made of it is flagged), ``not_measurable`` (none is, but of one the similarity
        cannot be measured any more), ``still`` (one is flagged), ``dropped``, ``taken_back`` (there as it was, since
        nothing that was tried made it better), ``left`` (nothing was to be done).
    """
    made: dict[str, list[str]] = {}
    for name, parents in origin.items():
        for parent in parents:
            made.setdefault(parent, []).append(name)
    counts: dict[str, Counter[str]] = {}
    for name, judged in before.items():
        children = made.get(name, [])
        fate = (
            ("taken_back" if name in wanted else "left")
            if name in children
            else _fate(judged, [after[child] for child in children])
        )
        for reason in sorted(judged.reasons):
            counts.setdefault(reason, Counter())[fate] += 1
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


def _fate(before: Judged, after: Sequence[Judged]) -> str:
    if not after:
        return "dropped"
    if any(part.reasons for part in after):
        return "still"
    return "not_measurable" if before.measurable and not all(part.measurable for part in after) else "cured"


def compared(
    texts: Mapping[int, str],
    homes: Sequence[str],
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
    homes
        Document of each row.
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
        ``severity``, by weight, of the chunks to split: before, after, and of the draws the mean and the extremes;
        ``gain``: how much lower it is than with random cuts; ``flagged``: chunks among those that were to be split or
        took a part; ``judge``: mean similarity by weight of their texts to the other embedder.
    """
    region = _Region(texts, homes, targets, trial, judge)
    before, after = region.measured([]), region.measured(real)
    draws = [region.measured(changes) for changes in random]
    found: dict[str, Any] = {
        "chunks": len(targets),
        "draws": len(random),
        "changed": len(real),
        "severity": {
            "before": round(before.severity, 6),
            "after": round(after.severity, 6),
            "random": spread([draw.severity for draw in draws]),
        },
        "gain": round(float(np.mean([draw.severity for draw in draws])) - after.severity, 6) if draws else 0.0,
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
    severity: float
    flagged: int
    similarity: float | None


@dataclass(frozen=True)
class _Region:
    """The chunks that were to be split, and whatever a change touches besides."""

    texts: Mapping[int, str]
    homes: Sequence[str]
    targets: Sequence[int]
    trial: Trial
    judge: Trial | None

    def measured(self, changes: Sequence[Change]) -> _Measured:
        gone = {row for change in changes for row in change.rows}
        there = [(self.texts[row], self.homes[row]) for row in self.targets if row not in gone]
        there += [(piece.text, self.homes[change.rows[0]]) for change in changes for piece in change.pieces]
        besides = [(self.texts[row], self.homes[row]) for row in sorted(gone.difference(self.targets))]
        # What was bad about a neighbour before is no fault of the part that it took.
        judged, extra = (_judged(self.trial, each) for each in (there, besides))
        weight = sum(one.weight for one in judged) - sum(one.weight for one in extra)
        severity = (mass(judged) - mass(extra)) / max(weight, 1)
        return _Measured(severity, sum(bool(one.reasons) for one in judged), self._similarity(there))

    def _similarity(self, there: Sequence[tuple[str, str]]) -> float | None:
        every = _judged(self.judge, there) if self.judge else []
        judged = [one for one in every if one.similarity == one.similarity]
        if not judged:
            return None
        weights = [one.weight for one in judged]
        return round(float(np.average([one.similarity for one in judged], weights=weights)), 6)


def _judged(trial: Trial, there: Sequence[tuple[str, str]]) -> list[Judged]:
    return trial([text for text, _ in there], [home for _, home in there])


def spread(values: Sequence[float | None]) -> dict[str, float | None]:
    """Give mean, min and max of what is known; nulls where nothing is."""
    known = [float(value) for value in values if value is not None]
    if not known:
        return {"mean": None, "min": None, "max": None}
    return {"mean": round(float(np.mean(known)), 6), "min": round(min(known), 6), "max": round(max(known), 6)}
