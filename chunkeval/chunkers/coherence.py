"""What a document's own sentence vectors say about its segments: how alike, how telling, how long.

Two sentences of one segment have cosine ``within`` in the mean, others none, so the mean cosine of sentences ``lag`` apart is
``within`` times the share of such pairs that a segment holds: it falls off over the lags as fast as segments are short. This
autocorrelation is the only thing about lengths that can be read before anything is cut. Neighbours are alike for being
neighbours as well, so that lengths are read from the second lag on; and as likeness also fades within a segment, segments are
longer than it seems.

Mean cosines over few pairs are rough: a document is believed to have short segments only where its likelihood, as a function
of the length (Gaussian errors of known variance, the height and the level far away profiled out), excludes the usual length,
and then it is given the longest one that is not excluded. Long segments are told by a lack of evidence for cuts, not here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.chunkers.borders import SEGMENT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Floats

_LAGS = 3
"""Sentences up to this far apart mostly belong to one segment."""
_LEAST = 0.01
"""Mean cosine that is assumed of a segment where the vectors do not tell."""
_MOST = 0.9
_ERRORS = 1.5
"""Standard errors, of the mean cosine of unrelated sentences, that a segment is believed to have at least."""
_DIMENSIONS = 300.0
"""Most effective dimensions: sparse vectors seem to have more, and then every accident were evidence."""
_TEMPER = 0.5
"""Share of the evidence that counts: neighbouring sentences are not independent."""
_ROWS = 2_000
"""Rows from which the effective dimension is read."""
_ENOUGH = 20
"""Rows under which nothing is read about lengths."""
_FURTHEST = 15
"""Lags up to which lengths are read."""
_LENGTHS = np.geomspace(2.0, 40.0, 31)
"""Mean lengths that are tried, before fading is allowed for."""
_FADING = 2.0
"""Length of segments against what the fall of likeness over the lags shows."""
_EXCLUDED = 1.5
"""Nats of likelihood below the best length that exclude another: an interval of 92 %."""


@dataclass(frozen=True)
class Coherence:
    """What a document's own sentences say about its segments."""

    within: float
    """Mean cosine of two sentences of one segment, in (0, 0.9]."""
    strength: float
    """Evidence of one unit of likelihood, at least 0: half the vectors' effective dimension, tempered."""
    length: float = SEGMENT
    """Sentences that a segment is expected to have, at most `borders.SEGMENT`."""


def coherence(vectors: NDArray[np.float32]) -> Coherence:
    """Read off a document how much its neighbouring sentences have in common, and how much a cosine tells.

    Parameters
    ----------
    vectors : (n, d)
        Of length 1 (or 0), centred.

    Examples
    --------
    >>> import numpy as np
    >>> from chunkeval.chunkers.segment import centred
    >>> found = coherence(centred(np.eye(2, 40, dtype=np.float32).repeat(12, axis=0)))
    >>> round(found.within, 2), found.length
    (0.82, 10.0)
    """
    n = len(vectors)
    if n < 2:
        return Coherence(_LEAST, 0.0)
    rows = vectors[np.unique(np.linspace(0, n - 1, min(n, _ROWS)).astype(np.int64))].astype(np.float64)
    products = rows.T @ rows
    own = np.einsum("ij,ij->i", rows, rows)
    square = ((products**2).sum() - (own**2).sum()) / (len(rows) * (len(rows) - 1))
    if square < 1e-9:
        return Coherence(_LEAST, 0.0)
    near = np.array([_mean_cosine(vectors, lag) for lag in range(1, min(_LAGS, n - 1) + 1)])
    # Cosines of unrelated vectors have a mean square of one over the effective dimension.
    least = _ERRORS * np.sqrt(square / (len(near) * n))
    dimensions = min(1 / square, _DIMENSIONS)
    length = _length(vectors, dimensions)
    crossing = _together(SEGMENT)[:_LAGS].mean() / _together(length)[:_LAGS].mean()
    within = min(max(float(near.mean()), float(least)) * float(crossing), _MOST)
    return Coherence(within, float(_TEMPER * dimensions / 2), length)


def _length(vectors: NDArray[np.float32], dimensions: float) -> float:
    n = len(vectors)
    if n < _ENOUGH:
        return SEGMENT
    lags = np.arange(2, min(_FURTHEST, n // 2) + 1)
    means = np.array([_mean_cosine(vectors, int(lag)) for lag in lags])
    weights = dimensions * (n - lags)  # one over the variance of each mean
    shapes = np.stack([_together(float(length))[lags - 1] for length in _LENGTHS])
    shapes -= np.average(shapes, axis=1, weights=weights)[:, None]
    # What a height of at least 0 explains of the means, at each length: their likelihood but for a constant.
    explained = np.maximum(shapes @ (weights * means), 0) ** 2 / ((shapes**2) @ weights) / 2
    longest = float(_LENGTHS[explained >= explained.max() - _EXCLUDED].max())
    return min(_FADING * longest, SEGMENT)


@cache
def _together(length: float) -> Floats:
    """Share of the pairs 1, 2, … apart that a segment holds, where lengths have a gamma distribution of shape 2."""
    sizes = np.arange(1, 401)
    odds = sizes * np.exp(-2 * sizes / length)
    lags = np.arange(1, _FURTHEST + 1)[:, None]
    shares: Floats = (np.maximum(sizes - lags, 0) * odds).sum(axis=1) / (sizes * odds).sum()
    return shares


def _mean_cosine(vectors: NDArray[np.float32], lag: int) -> np.float64:
    found: np.float64 = np.einsum("ij,ij->i", vectors[lag:], vectors[:-lag]).mean(dtype=np.float64)
    return found
