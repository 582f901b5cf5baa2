"""Parts of texts: halves of halves and what is joined of them, judged, and those that are best left of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from chunkeval.rechunk.trial import Judged, Trial

JOINED = 3
"""Neighbours that a smallest part is joined with at most."""

Part = tuple[int, int, int]
"""Number of a text, and the code points at which a part of it begins and ends."""


class Parts:
    """Parts of texts, those of all texts judged together."""

    def __init__(self, texts: Sequence[str], homes: Sequence[str], trial: Trial) -> None:
        self._texts, self._homes, self._trial = texts, homes, trial
        self.judged: list[dict[tuple[int, int], Judged]] = [{} for _ in texts]
        """Of each text, begin and end of a part to what it was found to be."""

    def judge(self, parts: Sequence[Part]) -> list[Judged]:
        """Judge parts, and keep what they are found to be."""
        texts = [self._texts[which][start:end] for which, start, end in parts]
        found = self._trial(texts, [self._homes[which] for which, *_ in parts])
        for (which, start, end), judged in zip(parts, found, strict=True):
            self.judged[which][start, end] = judged
        return found

    def join(self, allowed: Sequence[AbstractSet[str]]) -> None:
        """Judge smallest parts together with neighbours, where they have a reason that their text is not allowed."""
        borders = [sorted({place for span in judged for place in span}) for judged in self.judged]
        # Text, and the numbers of the borders at which a run of smallest parts begins and ends.
        runs = [(which, at, at + 1) for which, places in enumerate(borders) for at in range(len(places) - 1)]
        for _ in range(JOINED):
            found = self.judge([(which, borders[which][first], borders[which][last]) for which, first, last in runs])
            bad = [run for run, one in zip(runs, found, strict=True) if not one.reasons <= allowed[run[0]]]
            runs = sorted(
                {(which, first - 1, last) for which, first, last in bad if first > 0}
                | {(which, first, last + 1) for which, first, last in bad if last + 1 < len(borders[which])}
            )
        self.judge([(which, borders[which][first], borders[which][last]) for which, first, last in runs])


def best(judged: Mapping[tuple[int, int], Judged], allowed: AbstractSet[str]) -> list[tuple[int, int]]:
    """Give the parts, one behind the other, that are least bad together; the fewest where several are; none where none are allowed.

    Parameters
    ----------
    judged
        Begin and end of a part to what it was found to be.
    allowed
        Reasons that a part may have.

    Examples
    --------
    >>> fine, bad = (Judged(1, bad, frozenset(), 0.0, True, False, None) for bad in (0.0, 1.0))
    >>> best({(0, 3): bad, (0, 1): fine, (1, 3): fine, (1, 2): fine, (2, 3): fine}, frozenset())
    [(0, 1), (1, 3)]
    """
    good = [span for span, one in judged.items() if one.reasons <= allowed]
    # Where a part ends: how bad what is before is at best, how many parts that are, and where the last of them begins.
    reached = {0: (0.0, 0, 0)}
    for start, end in sorted(good, key=lambda span: (span[1], span[0])):
        if start in reached:
            bad, count, _ = reached[start]
            one = judged[start, end]
            # Sums that differ by their last bits are equal.
            way = (round(bad + one.weight * one.severity, 6), count + 1, start)
            reached[end] = min(reached.get(end, way), way)
    place = max((end for _, end in judged), default=0)
    if place not in reached:
        return []
    cuts = [place]
    while cuts[-1]:
        cuts.append(reached[cuts[-1]][2])
    return list(pairwise(reversed(cuts)))
