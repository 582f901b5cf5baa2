"""Limits learned from a corpus without labels: its own sentences, recombined, show what bad looks like.

The corpus is taken as good chunks plus a share of *mixes* and a share of *splices* (positive-unlabelled learning).
Inside, a low value is always the bad one; a measure whose high side is bad is negated first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.results import Calibration, Measure, Recombined
from chunkeval.separation import DECIMALS, likely_limit
from chunkeval.shares import MAX_SHARE, MIN_AUROC, MIN_CHUNKS, MIN_DOCUMENTS, Kind, Mixture, interval, too_few

if TYPE_CHECKING:
    from chunkeval.results import Floats, Ints

MIN_RECOMBINED = 100
"""Measured recombinations of each kind below which nothing is learned."""

MIN_OBSERVED = 0.75
"""AUROC of the corpus as it is against mixes, below which the share cannot be read.

The share is an upper bound that is tight only where the measure parts good chunks from mixes: where they overlap, the worst
good chunks look like mixes, the share is too high, and the correction by it makes a useless measure look good (topics of
3,269 chunks of 280 characters: AUROC 0.66 as they are, share 0.63, corrected 0.94). A measure that tells apart stays above
it while less than half of the corpus is bad.
"""


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

    model = Mixture.of(Kind(corpus.values, mixes, splices), Kind(corpus.values, mixes, splices))
    estimate = model.read(np.ones(corpus.values.size))
    resamples = model.resampled(corpus.codes, corpus.documents, seed)
    share_mix, share_splice = estimate.share_mix, estimate.share_splice
    share = share_mix + share_splice
    why = None
    observed = float(model.places[0].mean())
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
        auroc_ci=interval([r.auroc for r in resamples], estimate.auroc),
        auroc_splice=round(estimate.auroc_splice, DECIMALS),
        share=round(share, DECIMALS),
        share_ci=interval([r.share_mix + r.share_splice for r in resamples], share),
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
        return too_few(corpus.documents, corpus.documents)
    for name, kind in (("mixes", mixes), ("splices", splices)):
        if kind.size < MIN_RECOMBINED:
            return f"{kind.size} {name} of its sentences could be measured, {MIN_RECOMBINED} are needed"
    if corpus.values.min() == corpus.values.max():
        return "all measured chunks have the same value"
    return None
