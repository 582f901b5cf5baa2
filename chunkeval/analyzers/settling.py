"""What a corpus' own chunks and recombined ones teach: heads, what their logits say of a chunk, and the share of bad chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.analyzers.heads import Head, fit_head, fit_ratio, odds
from chunkeval.shares import Kind, Mixture, Reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.analyzers.base import Groups
    from chunkeval.analyzers.spaces import Measuring
    from chunkeval.results import Floats, Ints

LEAST_SHARE = 0.005
"""Share that each kind is taken to have at least: no corpus is free of it, and a share of 0 could not flag anything."""

ROUNDS = 10
"""Times the heads are fitted at most, each time without what the last head of its kind took for the corpus' worst chunks."""

BEYOND = 1.5
"""So many times the share of bad chunks are left out where a head is fitted: a bad chunk that stays in teaches that what looks like
it is good, a good one that is left out costs little. With 1 instead, 40 % passages of two documents are read as 33 instead of 36 %
of 964 Korean paragraphs.

Each head leaves out what it takes for the worst itself. Were both to leave out the same, splices would look like mixes to a head
that has not seen them: KorQuAD's 40 % would be read as 35 %, LibreOffice's as 35 instead of 36 %, a handbook's as 34 instead of 38 %.
"""

_STAYS = 1e-3
"""Change of the share from which another round brings nothing."""

TAILS = 0.5, 0.3
"""Part of each kind that must lie below a threshold for its share to be read there.

Bad chunks are seldom as bad as recombined ones: further down, at `shares.TAIL_MIX` and `shares.TAIL_SPLICE`, which fit one
overlapping score, 20 % passages of two documents planted among 825 sections of documentation are read as 16 %; here as 20 %. Among
964 Korean paragraphs it makes no difference.
"""

TOGETHER = 0.6
"""The same for both kinds together, which bounds their shares: without it 20 % passages of four documents planted among the sections
of Python's documentation are read as 27 %, 10 % of them as splices; with it as 24 %."""

MOST_LEFT_OUT = 0.9
_NEXT_TO_NOTHING = 1e-6


@dataclass(frozen=True)
class Taught:
    """The measured ones of some chunks."""

    signals: Floats
    folds: Ints
    """As of which fold each is judged."""
    seen: NDArray[np.bool_]
    """(n, folds) Whether it is judged as of the fold, or has a sentence of it."""

    @staticmethod
    def of(groups: Groups, folds: Ints, of_sentence: Ints, measuring: Measuring) -> Taught:
        """Measure chunks as of these folds; ``of_sentence`` are the folds of their sentences' own documents."""
        rows, signals = measuring.measured(groups, folds)
        seen = np.zeros((len(groups), int(of_sentence.max()) + 1), dtype=bool)
        seen[np.repeat(np.arange(len(groups)), np.diff(groups.offsets)), of_sentence[groups.members]] = True
        seen[np.arange(len(groups)), folds] = True
        return Taught(signals, folds[rows], seen[rows])

    def logits(self, heads: list[tuple[Head, Head]]) -> Floats:
        """(n, 2); see `logits_of`."""
        return logits_of(self.signals, self.folds, heads)


def logits_of(signals: Floats, folds: Ints, heads: list[tuple[Head, Head]]) -> Floats:
    """(n, 2) by the heads that did not see their folds."""
    found = np.empty((len(signals), 2))
    for fold, both in enumerate(heads):
        at = folds == fold
        found[at] = np.stack([head.logit(signals[at]) for head in both], axis=1)
    return found


@dataclass(frozen=True)
class Settled:
    """What was learned in the last round."""

    heads: list[tuple[Head, Head]]
    """By fold, those that did not see it."""
    ratios: list[tuple[float, float]]
    """By head, slope and intercept; see `fit_ratio`."""
    mixture: Mixture
    read: Reading

    @property
    def shares(self) -> list[float]:
        """Of mixes and of splices, as they count in a verdict."""
        return _counting(self.read)

    def odds(self, kind: Taught) -> Floats:
        """(n, 2) that each chunk is of either kind rather than good."""
        return odds_of(kind.logits(self.heads), self.ratios, self.shares)


def _counting(read: Reading) -> list[float]:
    return [max(share, LEAST_SHARE) for share in (read.share_mix, read.share_splice)]


def settle(kinds: list[Taught], alone: list[Taught]) -> Settled:
    """Fit heads and read the shares, then again without the chunks that were taken for bad.

    Parameters
    ----------
    kinds
        The corpus, mixes, splices.
    alone
        Mixes and splices that only teach heads; or none.
    """
    every = np.ones(len(kinds[0].folds))
    learned = _round(kinds, alone, (every, every), every)
    before = 0.0
    for _ in range(ROUNDS - 1):
        odds_of_bad = np.round(learned.odds(kinds[0]), 9)
        share = learned.read.share_mix + learned.read.share_splice
        if abs(share - before) < _STAYS:
            break
        before = share
        mixed, spliced = (_without(odds_of_bad[:, k], share * BEYOND) for k in range(2))
        learned = _round(kinds, alone, (mixed, spliced), _without(odds_of_bad.sum(axis=1), share))
    return learned


def _without(odds_of_bad: Floats, share: float) -> Floats:
    """Weights of the corpus' chunks, next to nothing for this share of the worst."""
    most = np.quantile(odds_of_bad, 1 - min(share, MOST_LEFT_OUT))
    return np.where(odds_of_bad > most, _NEXT_TO_NOTHING, 1.0)


def _round(kinds: list[Taught], alone: list[Taught], teaching: tuple[Floats, Floats], weights: Floats) -> Settled:
    """Fit heads, by chunks that weigh so much for each, and what their logits say of a chunk, by chunks that weigh so much."""
    heads = [_fit(kinds, alone, teaching, fold) for fold in range(kinds[0].seen.shape[1])]
    logits = [kind.logits(heads) for kind in kinds]
    ratios = [fit_ratio(logits[0][:, k], weights, logits[1 + k][:, k]) for k in range(2)]
    mix, splice = (Kind(*(-values[:, k] for values in logits)) for k in range(2))
    mixture, all_alike = Mixture.of(mix, splice, TAILS), np.ones(len(weights))
    read = mixture.read(all_alike)
    both = Kind(*(-np.log(odds_of(values, ratios, _counting(read)).sum(axis=1)) for values in logits))
    mixture = mixture.at_most(both, read, TOGETHER)
    return Settled(heads, ratios, mixture, mixture.read(all_alike))


def _fit(kinds: list[Taught], alone: list[Taught], weights: tuple[Floats, Floats], fold: int) -> tuple[Head, Head]:
    corpus, mixes, splices, *more = (kind.signals[~kind.seen[:, fold]] for kind in (*kinds, *alone))
    if more:
        mixes, splices = np.vstack([mixes, more[0]]), np.vstack([splices, more[1]])
    # Mixes teach the second head too: what is of three documents must not escape between the two.
    bad, left = (mixes, np.vstack([splices, mixes])), ~kinds[0].seen[:, fold]
    mixed, spliced = (fit_head(corpus, own[left], each) for own, each in zip(weights, bad, strict=True))
    return mixed, spliced


def odds_of(logits: Floats, ratios: Any, shares: Any) -> Floats:
    """(n, 2) by logits, and the ratios and shares that were learned; see `Settled`."""
    return odds([slope * logits[:, k] + intercept for k, (slope, intercept) in enumerate(ratios)], list(shares))
