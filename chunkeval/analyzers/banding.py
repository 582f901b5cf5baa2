"""Pairs of signatures that may be alike, found without comparing all: those that agree in a band of values are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Floats, Ints

BANDS, WIDTH = 32, 4
"""Of a signature's 128 values. A pair of similarity s is looked at with probability 1 - (1 - s⁴)³²: .87 at .5, .99 at .6."""
NEIGHBOURS = 8
"""Signatures of a band's bucket that each is compared with, those just before it, and the bucket's first: a thousand that are
all alike must not make half a million pairs."""
_AT_ONCE = 65_536


def candidates(signatures: NDArray[np.uint32], least: float) -> tuple[Ints, Ints, Floats]:
    """Find pairs that may be alike.

    Parameters
    ----------
    signatures
        (u, 128), on disk or in memory, in the order that says what comes first.
    least
        Pairs whose estimated similarity is below are left out.

    Returns
    -------
    first, second : (k,)
        Pairs of signatures, each once, ``first < second``.
    estimate : (k,)
        Share of equal values.
    """
    rows = np.uint64(len(signatures))
    codes, estimates = np.zeros(0, np.uint64), np.zeros(0)
    for band in range(BANDS):
        first, second = _bucketed(np.ascontiguousarray(signatures[:, band * WIDTH : (band + 1) * WIDTH]))
        fresh = np.setdiff1d(first * rows + second, codes)
        alike = _estimated(signatures, (fresh // rows).astype(np.int64), (fresh % rows).astype(np.int64))
        good = alike >= least
        codes, estimates = np.r_[codes, fresh[good]], np.r_[estimates, alike[good]]
    order = np.argsort(codes)
    return (codes[order] // rows).astype(np.int64), (codes[order] % rows).astype(np.int64), estimates[order]


def _bucketed(values: NDArray[np.uint32]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    order = np.lexsort(values.T)  # stable: within a bucket they keep their order
    sorted_values = values[order]
    fresh = np.r_[True, (sorted_values[1:] != sorted_values[:-1]).any(axis=1)]
    starts = np.maximum.accumulate(np.where(fresh, np.arange(len(order)), 0))
    inside = np.arange(len(order)) - starts
    pairs = []
    for back in range(1, NEIGHBOURS + 1):
        at = np.flatnonzero(inside >= back)
        pairs.append((order[at - back], order[at]))
    at = np.flatnonzero(inside > NEIGHBOURS)
    pairs.append((order[starts[at]], order[at]))
    first, second = (np.concatenate([pair[side] for pair in pairs]).astype(np.uint64) for side in (0, 1))
    return first, second


def _estimated(signatures: NDArray[np.uint32], first: Ints, second: Ints) -> Floats:
    found = np.zeros(len(first))
    for a in range(0, len(first), _AT_ONCE):
        b = a + _AT_ONCE
        found[a:b] = (signatures[first[a:b]] == signatures[second[a:b]]).mean(axis=1)
    return found
