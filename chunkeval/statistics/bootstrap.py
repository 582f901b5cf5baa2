"""The bootstrap clustered by document: resampled documents as weights, differences studentised, all pairs at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import t as student

if TYPE_CHECKING:
    from chunkeval.results import Floats

_AT_ONCE = 2_000_000
"""Weights drawn at a time."""
_NOTHING = 1e-12
"""Variance below this share of what it is made of is rounding."""
FEWEST_DIFFERING = 6
"""Documents that must differ: with fewer, signs alone would fall like this by chance in more than 5 % of cases."""


@dataclass(frozen=True)
class Intervals:
    """Differences of pairs with what is known of them together."""

    differences: Floats
    """(p,): mean of the first less mean of the second."""
    errors: Floats
    """(p,): standard errors."""
    low: Floats
    high: Floats
    critical: float
    """Standard errors to each side."""
    best: Floats
    """(s,): share of resamples in which a strategy's mean is the highest."""


def weights(documents: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Draw documents with replacement: how often each is drawn, some resamples at a time.

    Examples
    --------
    >>> drawn = np.concatenate(list(weights(3, 5, 0)))
    >>> drawn.shape, set(drawn.sum(axis=1).tolist())
    ((5, 3), {3.0})
    """
    rng = np.random.default_rng(seed)
    at_once = max(1, _AT_ONCE // documents)
    for first in range(0, resamples, at_once):
        drawn = rng.multinomial(documents, np.full(documents, 1 / documents), min(at_once, resamples - first))
        yield drawn.astype(np.float64)


def intervals(
    sums: Floats, counts: Floats, pairs: Sequence[tuple[int, int]], *, level: float, resamples: int, seed: int
) -> Intervals:
    """Give simultaneous intervals of pairs' differences in means over questions.

    Cameron, Gelbach and Miller 2008, "Bootstrap-Based Improvements for Inference with Clustered Errors"; Romano and Wolf
    2005 for the greatest statistic over pairs. Each side reaches at least as far as Student's t for one pair. Where
    fewer than `FEWEST_DIFFERING` documents tell two strategies apart, the interval holds 0.

    Parameters
    ----------
    sums : (n, s)
        Of the metric over a document's questions, by strategy; at least one document.
    counts : (n,)
        Questions of each document.
    pairs
        Columns of ``sums``.
    level
        Of all intervals together.
    resamples, seed
        Of the bootstrap.

    Examples
    --------
    >>> sums = np.array([[2.0, 1.0], [3.0, 1.5], [1.0, 0.0]] * 8)
    >>> found = intervals(sums, np.full(24, 4.0), [(0, 1)], level=0.95, resamples=1000, seed=0)
    >>> round(float(found.differences[0]), 4), bool(found.low[0] > 0)
    (0.2917, True)
    """
    n, total = len(counts), counts.sum()
    first, second = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    apart = sums[:, first] - sums[:, second]
    differences = apart.sum(axis=0) / total
    residuals = apart - differences * counts[:, None]
    residuals[np.abs(residuals) <= _NOTHING * np.abs(apart).max(axis=0, initial=0.0)] = 0.0
    correction = n / (n - 1) if n > 1 else np.inf
    errors = np.sqrt(correction * (residuals**2).sum(axis=0)) / total if n > 1 else np.full(len(pairs), np.inf)
    told = (apart != 0).sum(axis=0) >= FEWEST_DIFFERING
    greatest = []
    best = np.zeros(sums.shape[1])
    for drawn in weights(n, resamples, seed):
        best += _shares_best(drawn @ sums)
        greatest.append(_greatest(drawn, residuals[:, told], counts, correction))
    quantile = float(np.quantile(np.concatenate(greatest), level, method="higher"))
    least = float(student.ppf((1 + level) / 2, n - 1)) if n > 1 else np.inf
    critical = max(quantile, least)
    reach = np.where(errors > 0, critical * np.where(errors > 0, errors, 1.0), 0.0)
    reach = np.where(told, reach, np.maximum(reach, np.abs(differences)))
    return Intervals(differences, errors, differences - reach, differences + reach, critical, best / resamples)


def _greatest(drawn: Floats, residuals: Floats, counts: Floats, correction: float) -> Floats:
    """Give the greatest studentised deviation over pairs, for each resample."""
    total = (drawn @ counts)[:, None]
    deviation = (drawn @ residuals) / total
    squares = drawn @ residuals**2
    variance = (
        squares - 2 * deviation * (drawn @ (residuals * counts[:, None])) + deviation**2 * (drawn @ counts**2)[:, None]
    )
    flat = variance <= _NOTHING * squares
    error = np.sqrt(correction * np.where(flat, 1.0, variance)) / total
    statistic = np.where(flat, np.where(np.abs(deviation) > 0, np.inf, 0.0), np.abs(deviation) / error)
    return np.asarray(statistic.max(axis=1, initial=0.0))


def _shares_best(means: Floats) -> Floats:
    """Count for each strategy the rows in which it is highest; those that tie share one."""
    highest = means.max(axis=1, keepdims=True)
    first = means >= highest - 1e-9 * np.maximum(1.0, np.abs(highest))
    return np.asarray((first / first.sum(axis=1, keepdims=True)).sum(axis=0))
