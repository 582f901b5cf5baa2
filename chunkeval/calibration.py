"""Limits learned from a corpus without labels: its own sentences, recombined, show what bad looks like.

The corpus is taken as good chunks plus a share of *mixes* and a share of *splices* (positive-unlabelled learning).
Inside, a low value is always the bad one; a measure whose high side is bad is negated first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.results import Calibration, Measure, Recombined
from chunkeval.separation import DECIMALS, auroc, likely_limit, placements

if TYPE_CHECKING:
    from chunkeval.results import Floats, Ints

MIN_CHUNKS = 200
"""Measured chunks below which nothing is learned."""

MIN_DOCUMENTS = 5
"""Documents below which nothing is learned: recombinations need others to borrow from."""

MIN_RECOMBINED = 100
"""Measured recombinations of each kind below which nothing is learned."""

MIN_AUROC = 0.7
"""Corrected AUROC against mixes below which the measure does not tell good from bad here."""

MIN_OBSERVED = 0.75
"""AUROC of the corpus as it is against mixes, below which the share cannot be read.

The share is an upper bound that is tight only where the measure parts good chunks from mixes: where they overlap, the worst
good chunks look like mixes, the share is too high, and the correction by it makes a useless measure look good (topics of
3,269 chunks of 280 characters: AUROC 0.66 as they are, share 0.63, corrected 0.94). A measure that tells apart stays above
it while less than half of the corpus is bad.
"""

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


def calibrate(values: Floats, documents: Ints, recombined: Recombined, measure: Measure, *, seed: int) -> Calibration:
    """Learn from recombined chunks which values of a column are bad.

    The share of mixes is the minimum of ``F_corpus / F_mix`` over thresholds with at least a quarter of the mixes
    below, then the share of splices, with 15 % of the splices below, the minimum of ``(F_corpus - share_mix * F_mix)
    / F_splice`` likewise. A value is bad where a chunk is more likely one of them than not: ``(share_mix * f_mix +
    share_splice * f_splice) / f_corpus > 1/2``, each density ratio made monotone by isotonic regression. Intervals
    are percentiles of a bootstrap over documents.

    Parameters
    ----------
    values
        ``(n,)`` scores of the corpus in ``measure.column``, rounded to 6 decimals, NaN where not measured.
    documents
        ``(n,)`` document codes. Given in the order of sorted document ids, they make the result the same in any row
        order.
    recombined
        Scores of recombined chunks in the same column.
    measure
        Its ``side`` says which values are bad; ``low`` or ``high``.
    seed
        Seed of the bootstrap.

    Returns
    -------
    Calibration
        ``limit``: values strictly beyond it are bad, None where it flags nothing. ``why`` is set where it cannot tell:
        under 200 measured chunks, under 5 documents, a corrected AUROC under 0.7 or an uncorrected one under 0.75, and
        the like; the limit is then None.

    Raises
    ------
    ValueError
        The measure is bad on both sides: recombinations tell of one side only.

    Notes
    -----
    Mixture proportion from the ratio of distribution functions: Blanchard, Lee, Scott, "Semi-supervised novelty
    detection", JMLR 11 (2010).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> good, mixes, splices = rng.normal(0.5, 0.1, 1000), rng.normal(0.0, 0.1, 3000), rng.normal(0.2, 0.1, 3000)
    >>> corpus = np.concatenate([good[:800], rng.normal(0.0, 0.1, 200)])
    >>> measure = Measure("similarity", "similarity_centred", "low", {"low": "incoherent"})
    >>> learned = calibrate(corpus, np.arange(1000) // 10, Recombined(mixes, splices), measure, seed=42)
    >>> learned.tells, 0.15 < learned.share < 0.25, 0.1 < learned.limit < 0.4
    (True, True, True)
    """
    if measure.side == "both":
        raise ValueError(f"{measure.column}: recombined chunks can set a limit on one side only")
    sign = -1.0 if measure.side == "high" else 1.0
    corpus = _corpus(sign * values, documents)
    mixes, splices = _kind(sign * recombined.mixes), _kind(sign * recombined.splices)
    why = _too_little(corpus, mixes, splices)
    if why is not None:
        return Calibration(measure.column, None, corpus.values.size, corpus.documents, why=why)

    model = _Model.of(corpus, mixes, splices)
    estimate = model.read(np.ones(corpus.values.size))
    rng = np.random.default_rng(seed)
    resamples = [model.read(_weights(rng, corpus)) for _ in range(RESAMPLES)]
    share_mix, share_splice = estimate.share_mix, estimate.share_splice
    share = share_mix + share_splice
    why = None
    observed = float(model.places_mix.mean())
    if share > MAX_SHARE:
        why = f"{share:.0%} of the corpus cannot be told from its own shuffled sentences"
    elif observed < MIN_OBSERVED:
        why = f"AUROC of the corpus as it is against mixes is {observed:.2f}, {MIN_OBSERVED} is needed"
    elif estimate.auroc < MIN_AUROC:
        why = f"AUROC against mixes is {estimate.auroc:.2f}, {MIN_AUROC} is needed"
    limit = None if why else likely_limit(corpus.values, [(share_mix, mixes), (share_splice, splices)])
    return Calibration(
        column=measure.column,
        limit=None if limit is None else sign * limit,
        measured=corpus.values.size,
        documents=corpus.documents,
        auroc=round(estimate.auroc, DECIMALS),
        auroc_observed=round(observed, DECIMALS),
        auroc_ci=_interval([r.auroc for r in resamples], estimate.auroc),
        auroc_splice=round(estimate.auroc_splice, DECIMALS),
        share=round(share, DECIMALS),
        share_ci=_interval([r.share_mix + r.share_splice for r in resamples], share),
        share_mix=round(share_mix, DECIMALS),
        share_splice=round(share_splice, DECIMALS),
        why=why,
    )


@dataclass(frozen=True)
class _Corpus:
    """Measured values, sorted by document, then value: sums do not depend on the rows' order."""

    values: Floats
    codes: Ints
    """Document of each value, 0 … documents - 1."""
    documents: int


@dataclass(frozen=True)
class _Reading:
    share_mix: float
    share_splice: float
    auroc: float
    auroc_splice: float


@dataclass(frozen=True)
class _Model:
    """What does not change from resample to resample."""

    thresholds: int
    """How many there are."""
    cells: Ints
    """Cell of each corpus value: the number of thresholds below it."""
    mix: tuple[Ints, Floats]
    """Thresholds (their place among all) at which the mixes are read, and F_mix there."""
    splice: tuple[Ints, Floats, Floats]
    """Thresholds at which the splices are read, F_splice and F_mix there."""
    places_mix: Floats
    """Each corpus value's place among the mixes, 0 to 1."""
    places_splice: Floats
    splice_against_mix: float
    """AUROC of splices against mixes."""

    @staticmethod
    def of(corpus: _Corpus, mixes: Floats, splices: Floats) -> _Model:
        at_mix, at_splice = _thresholds(mixes, TAIL_MIX), _thresholds(splices, TAIL_SPLICE)
        thresholds = np.union1d(at_mix, at_splice)
        return _Model(
            thresholds=thresholds.size,
            cells=np.searchsorted(thresholds, corpus.values, "left"),
            mix=(np.searchsorted(thresholds, at_mix), _share_below(mixes, at_mix)),
            splice=(
                np.searchsorted(thresholds, at_splice),
                _share_below(splices, at_splice),
                _share_below(mixes, at_splice),
            ),
            places_mix=placements(corpus.values, mixes),
            places_splice=placements(corpus.values, splices),
            splice_against_mix=auroc(splices, mixes),
        )

    def read(self, weights: Floats) -> _Reading:
        """Shares and corrected AUROCs of a weighted corpus; a weight says how often the chunk is drawn."""
        total = float(weights.sum())
        below = np.cumsum(np.bincount(self.cells, weights, minlength=self.thresholds)) / total
        at, f_mix = self.mix
        share_mix = min(float(np.min(below[at] / f_mix)), 1.0)
        at, f_splice, f_mix = self.splice
        share_splice = float(np.min((below[at] - share_mix * f_mix) / f_splice))
        share_splice = min(max(share_splice, 0.0), 1.0 - share_mix)
        against_mix = float(weights @ self.places_mix) / total
        against_splice = float(weights @ self.places_splice) / total
        return _Reading(
            share_mix,
            share_splice,
            _corrected(against_mix, share_mix, share_splice, self.splice_against_mix),
            _corrected(against_splice, share_splice, share_mix, 1 - self.splice_against_mix),
        )


def _corpus(values: Floats, documents: Ints) -> _Corpus:
    measured = np.isfinite(values)
    values, documents = values[measured].astype(np.float64), documents[measured]
    order = np.lexsort((values, documents))
    known, codes = np.unique(documents[order], return_inverse=True)
    return _Corpus(values[order], codes.astype(np.int64), known.size)


def _kind(values: Floats) -> Floats:
    return np.sort(values[np.isfinite(values)].astype(np.float64))


def _too_little(corpus: _Corpus, mixes: Floats, splices: Floats) -> str | None:
    if corpus.values.size < MIN_CHUNKS:
        return f"{corpus.values.size} chunks could be measured, {MIN_CHUNKS} are needed"
    if corpus.documents < MIN_DOCUMENTS:
        return f"documents with measured chunks: {corpus.documents}, {MIN_DOCUMENTS} are needed"
    for name, kind in (("mixes", mixes), ("splices", splices)):
        if kind.size < MIN_RECOMBINED:
            return f"{kind.size} {name} of its sentences could be measured, {MIN_RECOMBINED} are needed"
    if corpus.values.min() == corpus.values.max():
        return "all measured chunks have the same value"
    return None


def _thresholds(kind: Floats, tail: float) -> Floats:
    return np.unique(np.quantile(kind, np.linspace(tail, 1, GRID)))


def _share_below(ordered: Floats, thresholds: Floats) -> Floats:
    return np.searchsorted(ordered, thresholds, "right") / ordered.size


def _corrected(observed: float, share: float, other: float, other_against: float) -> float:
    good = 1 - share - other
    if good < 1 - MAX_SHARE:
        return 0.5
    return float(np.clip((observed - share / 2 - other * other_against) / good, 0, 1))


def _weights(rng: np.random.Generator, corpus: _Corpus) -> Floats:
    drawn = np.bincount(rng.integers(corpus.documents, size=corpus.documents), minlength=corpus.documents)
    return drawn[corpus.codes].astype(np.float64)


def _interval(resampled: Sequence[float], estimate: float) -> tuple[float, float]:
    low, high = np.quantile(resampled, [0.025, 0.975])
    # a minimum of noisy ratios is lower in resamples: the interval always holds the estimate itself
    return round(min(float(low), estimate), DECIMALS), round(max(float(high), estimate), DECIMALS)
