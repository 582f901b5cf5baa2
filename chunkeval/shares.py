"""What share of a corpus reads like its own recombined sentences: mixes first, then splices, without a label.

Low scores are the bad ones.

Notes
-----
Mixture proportion from the ratio of distribution functions: Blanchard, Lee, Scott, "Semi-supervised novelty detection",
JMLR 11 (2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkeval.separation import DECIMALS, auroc, placements

if TYPE_CHECKING:
    from chunkeval.results import Floats, Ints

MIN_CHUNKS = 200
"""Measured chunks below which nothing is learned."""

MIN_DOCUMENTS = 5
"""Documents below which nothing is learned: recombinations need others to borrow from."""

MIN_AUROC = 0.7
"""Corrected AUROC against mixes below which a measure does not tell good from bad here."""

MAX_SHARE = 0.95
"""Share of bad chunks above which too few good ones are left to learn from."""

TAIL_MIX, TAIL_SPLICE = 0.25, 0.15
"""Part of a kind that must lie below a threshold for the threshold to be read.

At a tenth the minimum follows the noise of a dozen chunks: the mixes are understated, the rest is taken for splices,
and of 1,000 Korean paragraphs with 20 % mixes planted the share comes out up to 0.12 too high instead of 0.02.
"""

GRID = 60
"""Thresholds read per kind."""

RESAMPLES = 200
"""Bootstrap resamples of documents."""


class Kind(NamedTuple):
    """Scores that tell one kind of recombined chunks from good ones, of all there is."""

    corpus: Floats
    """(n,)"""
    mixes: Floats
    splices: Floats


class Reading(NamedTuple):
    """Shares of a corpus, and how well each kind is told from its good chunks."""

    share_mix: float
    share_splice: float
    auroc: float
    """Good chunks against mixes: the corpus' own, corrected for the shares."""
    auroc_splice: float


@dataclass(frozen=True)
class Mixture:
    """A corpus of good chunks, mixes and splices; what does not change from resample to resample."""

    cells: tuple[Ints, Ints]
    """By kind, each corpus score's cell: the number of thresholds below it."""
    below_mix: Floats
    """F_mix at the thresholds at which the mixes are read."""
    below_splice: tuple[Floats, Floats]
    """F_splice and F_mix at those at which the splices are read."""
    places: tuple[Floats, Floats]
    """Each corpus score's place among the mixes, and among the splices, 0 to 1."""
    others: tuple[float, float]
    """AUROC of splices against mixes, and of mixes against splices."""
    together: tuple[Ints, Floats] | None = None
    """Cells, and the share below, of a score that tells both kinds; see `at_most`."""

    @staticmethod
    def of(mix: Kind, splice: Kind, tails: tuple[float, float] = (TAIL_MIX, TAIL_SPLICE)) -> Mixture:
        """Read each kind by the scores that tell it (both may be the same), where that part of it lies below."""
        at_mix, at_splice = _thresholds(mix.mixes, tails[0]), _thresholds(splice.splices, tails[1])
        return Mixture(
            cells=(np.searchsorted(at_mix, mix.corpus, "left"), np.searchsorted(at_splice, splice.corpus, "left")),
            below_mix=_share_below(mix.mixes, at_mix),
            below_splice=(_share_below(splice.splices, at_splice), _share_below(splice.mixes, at_splice)),
            places=(placements(mix.corpus, mix.mixes), placements(splice.corpus, splice.splices)),
            others=(auroc(mix.splices, mix.mixes), auroc(splice.mixes, splice.splices)),
        )

    def at_most(self, both: Kind, read: Reading, tail: float) -> Mixture:
        """Bound the shares together by a score that tells both kinds.

        What is between the two kinds, as passages of four documents are that were cut anywhere, is counted by the first of
        them in part and again by the second. Where as many are of each kind as was read, no more than the minimum of
        ``F_corpus / F_both`` can be of either.

        Parameters
        ----------
        both
            Scores by which both kinds are told.
        read
            Shares that say how many of ``F_both`` are of each kind.
        tail
            Part of the two that must lie below a threshold for it to be read.
        """
        share = read.share_mix + read.share_splice
        if share <= 0:
            return self
        weights = np.concatenate(
            [
                np.full(len(kind), part / share / len(kind))
                for kind, part in ((both.mixes, read.share_mix), (both.splices, read.share_splice))
            ]
        )
        scores = np.concatenate([both.mixes, both.splices])
        order = np.argsort(scores, kind="stable")
        scores, below = scores[order], np.cumsum(weights[order])
        last = np.searchsorted(scores, scores[np.searchsorted(below, np.linspace(tail, 1 - 1e-9, GRID))], "right") - 1
        at = np.unique(last)
        return replace(self, together=(np.searchsorted(scores[at], both.corpus, "left"), below[at]))

    def read(self, weights: Floats) -> Reading:
        """Shares and corrected AUROCs of the weighted corpus; a weight says how often the chunk is drawn.

        The share of mixes is the minimum of ``F_corpus / F_mix`` over thresholds with enough of the mixes below, then the
        share of splices the minimum of ``(F_corpus - share_mix * F_mix) / F_splice`` likewise; never negative. Both are
        smaller by the same part where they are more together than `at_most` allows.
        """
        total = float(weights.sum())
        of_mix, of_splice = (
            _below(cells, below, weights)
            for cells, below in zip(self.cells, (self.below_mix, self.below_splice[0]), strict=True)
        )
        share_mix = min(float(np.min(of_mix / self.below_mix)), 1.0)
        splices, mixes = self.below_splice
        share_splice = float(np.min((of_splice - share_mix * mixes) / splices))
        share_splice = min(max(share_splice, 0.0), 1.0 - share_mix)
        if self.together is not None and share_mix + share_splice > 0:
            most = float(np.min(_below(*self.together, weights) / self.together[1]))
            part = min(most / (share_mix + share_splice), 1.0)
            share_mix, share_splice = part * share_mix, part * share_splice
        against_mix, against_splice = (float(weights @ places) / total for places in self.places)
        return Reading(
            share_mix,
            share_splice,
            _corrected(against_mix, share_mix, share_splice, self.others[0]),
            _corrected(against_splice, share_splice, share_mix, self.others[1]),
        )

    def resampled(self, codes: Ints, documents: int, seed: int) -> list[Reading]:
        """Read bootstrap resamples of the documents.

        Parameters
        ----------
        codes
            (n,) document of each corpus score, 0 to ``documents`` - 1.
        """
        rng = np.random.default_rng(seed)
        found = []
        for _ in range(RESAMPLES):
            drawn = np.bincount(rng.integers(documents, size=documents), minlength=documents)
            found.append(self.read(drawn[codes].astype(np.float64)))
        return found


def interval(resampled: Sequence[float], estimate: float) -> tuple[float, float]:
    """95 % interval of an estimate from its resamples.

    Examples
    --------
    >>> interval([0.1, 0.2, 0.3], 0.05)
    (0.05, 0.295)
    """
    low, high = np.quantile(resampled, [0.025, 0.975])
    # a minimum of noisy ratios is lower in resamples: the interval always holds the estimate itself
    return round(min(float(low), estimate), DECIMALS), round(max(float(high), estimate), DECIMALS)


def too_few(documents: int, before: int) -> str:
    """Say that there are too few documents to learn from.

    Parameters
    ----------
    documents
        With measured chunks; those that share most of their sentences count as one.
    before
        As they are named in the table.

    Examples
    --------
    >>> too_few(4, 4)
    'documents with measured chunks: 4, 5 are needed'
    """
    if documents == before:
        return f"documents with measured chunks: {documents}, {MIN_DOCUMENTS} are needed"
    return (
        f"{before} documents count as {documents}, since those that share most of their sentences go together "
        f"(leave out copies, and any document that holds the others); {MIN_DOCUMENTS} are needed"
    )


def _thresholds(kind: Floats, tail: float) -> Floats:
    return np.unique(np.quantile(kind, np.linspace(tail, 1, GRID)))


def _below(cells: Ints, thresholds: Floats, weights: Floats) -> Floats:
    """Share of the weighted corpus below each threshold."""
    found: Floats = np.cumsum(np.bincount(cells, weights, minlength=len(thresholds) + 1)) / float(weights.sum())
    return found[: len(thresholds)]


def _share_below(kind: Floats, thresholds: Floats) -> Floats:
    return np.searchsorted(np.sort(kind), thresholds, "right") / kind.size


def _corrected(observed: float, share: float, other: float, other_against: float) -> float:
    good = 1 - share - other
    if good < 1 - MAX_SHARE:
        return 0.5
    return float(np.clip((observed - share / 2 - other * other_against) / good, 0, 1))
