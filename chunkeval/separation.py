"""Where good values and bad ones part: AUROC, the best limit of labelled values, the likeliest of mixed ones.

Low values are the bad ones; negate where high ones are. A limit lies between values that were seen, at 6 decimals as
scores are written: values strictly below it are bad.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkeval.results import Floats, Ints

DECIMALS = 6
"""Decimals of scores, and of limits."""


def auroc(good: Floats, bad: Floats) -> float:
    """Probability that a good value is higher than a bad one, ties counted half.

    Parameters
    ----------
    good, bad
        Values without NaN, none of them empty.

    Examples
    --------
    >>> auroc(np.array([0.4, 0.9]), np.array([0.1, 0.4]))
    0.875
    """
    return float(placements(good, bad).mean())


def best_limit(good: Floats, bad: Floats) -> tuple[float, float, float]:
    """Find the limit that separates labelled values best, where low values are bad (negate both where high ones are).

    Parameters
    ----------
    good, bad
        Values in one column; NaN is left out.

    Returns
    -------
    tuple of float
        The limit (of equally good ones the lowest), its balanced accuracy, and the AUROC.

    Raises
    ------
    ValueError
        One of the two has no value.

    Examples
    --------
    >>> best_limit(np.array([0.5, 0.6, 0.7]), np.array([0.1, 0.2]))
    (0.35, 1.0, 1.0)
    """
    good, bad = np.sort(good[np.isfinite(good)]), np.sort(bad[np.isfinite(bad)])
    if not good.size or not bad.size:
        raise ValueError(f"{good.size} good and {bad.size} bad values: both are needed")
    seen = np.unique(np.concatenate([good, bad]))
    found = np.searchsorted(bad, seen, "right") / bad.size
    false = np.searchsorted(good, seen, "right") / good.size
    best = int(np.argmax(found - false))
    accuracy = float(found[best] + 1 - false[best]) / 2
    return limit_above(seen, best), round(accuracy, DECIMALS), round(auroc(good, bad), DECIMALS)


def best_range(good: Floats, bad: Floats) -> tuple[float | None, float | None]:
    """Find the range that separates labelled values best, where values on both sides of it are bad.

    Parameters
    ----------
    good, bad
        Values without NaN, none of them empty.

    Returns
    -------
    tuple of float or None
        Values strictly below the first or above the second are bad; None where no value that was seen lies there. Of
        ranges with equal balanced accuracy the one that holds most values.

    Examples
    --------
    >>> best_range(np.array([5.0, 6, 7]), np.array([1.0, 2, 9]))
    (3.5, 8.0)
    """
    seen = np.unique(np.concatenate([good, bad]))
    counts = [np.bincount(np.searchsorted(seen, kind), minlength=seen.size) for kind in (good, bad)]
    # whole numbers, so that ties are exact: a value is worth its share of the good less its share of the bad
    worth = np.concatenate([[0], np.cumsum(counts[0] * bad.size - counts[1] * good.size)])
    least = np.minimum.accumulate(worth[:-1])
    gains = worth[1:] - least
    last = int(np.flatnonzero(gains == gains.max())[-1])
    first = int(np.flatnonzero(worth[: last + 1] == least[last])[0])
    low = limit_above(seen, first - 1) if first > 0 else None
    high = -limit_above(-seen[::-1], seen.size - last - 2) if last + 1 < seen.size else None
    return low, high


def placements(values: Floats, others: Floats) -> Floats:
    """Share of the others below each value, ties counted half; its mean is the AUROC.

    Examples
    --------
    >>> placements(np.array([0.4, 0.9]), np.array([0.1, 0.4]))
    array([0.75, 1.  ])
    """
    ordered = np.sort(others)
    below, upto = np.searchsorted(ordered, values, "left"), np.searchsorted(ordered, values, "right")
    return (below + upto) / (2.0 * ordered.size)


def likely_limit(corpus: Floats, kinds: Sequence[tuple[float, Floats]], certainty: float = 0.5) -> float | None:
    """Find the limit below which a value of the corpus is more likely of one of the bad kinds than ``certainty``.

    That is where the sum of ``share * f_kind / f_corpus`` is above it, each density ratio made falling by isotonic
    regression.

    Parameters
    ----------
    corpus
        ``(n,)`` values of good and bad chunks together.
    kinds
        For each bad kind its share of the corpus, 0 to 1, and values like those it has.

    Returns
    -------
    float or None
        None where no value is.

    Examples
    --------
    >>> corpus = np.array([0.0, 0.1, 0.6, 0.7, 0.8, 0.9])
    >>> likely_limit(corpus, [(1 / 3, np.array([0.0, 0.05, 0.1]))])
    0.35
    """
    seen, counts = np.unique(corpus, return_counts=True)
    bad = np.zeros(seen.size)
    for share, kind in kinds:
        bad += share * _density_ratio(seen, counts, kind)
    worse = np.flatnonzero(bad > certainty)
    return limit_above(seen, int(worse[-1])) if worse.size else None


def _density_ratio(seen: Floats, counts: Ints, kind: Floats) -> Floats:
    """Density of a kind over the corpus' at each of the corpus' distinct values, falling."""
    from scipy.optimize import isotonic_regression

    own, own_counts = np.unique(kind, return_counts=True)
    points = np.union1d(seen, own)
    mass = np.zeros((2, points.size))
    mass[0, np.searchsorted(points, seen)] = counts / counts.sum()
    mass[1, np.searchsorted(points, own)] = own_counts / kind.size
    total = mass.sum(axis=0)
    part = isotonic_regression(mass[1] / total, weights=total, increasing=False).x
    part = part[np.searchsorted(points, seen)]
    # a block that holds a corpus value has corpus mass, so its part is below 1 but for rounding
    ratio: Floats = part / np.maximum(1 - part, np.finfo(np.float64).tiny)
    return ratio


def limit_above(ordered: Floats, last: int) -> float:
    """Place a limit of 6 decimals above ``ordered[last]`` and not above the next value.

    Examples
    --------
    >>> limit_above(np.array([0.1, 0.4]), 0)
    0.25
    """
    low = float(ordered[last])
    high = float(ordered[last + 1]) if last + 1 < ordered.size else low + 2 * 10.0**-DECIMALS
    limit = round(float(np.ceil(round((low + high) / 2 * 10**DECIMALS, 3))) / 10**DECIMALS, DECIMALS)
    return limit if low < limit <= high else high
