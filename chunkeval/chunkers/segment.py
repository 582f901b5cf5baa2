"""Optimal segmentation of a row of sentence vectors: where to cut so that each segment speaks of one thing.

Kernel change-point detection (Harchaoui and Cappé 2007, "Retrospective Multiple Change-Point Estimation with Kernels";
Arlot, Celisse and Harchaoui 2019, "A Kernel Multiple Change-Point Algorithm via Model Selection") minimises, by dynamic
programming, what the segments do not explain plus a penalty a segment. Plain scatter around a segment's mean, with a
constant penalty, cuts noise into crumbs where sentences have little in common. Here a segment of L unit vectors with sum
S is worth the evidence that they share a mean, in a Gaussian model with that mean integrated out:

    evidence(L, S) = strength · (ρ‖S‖² / (σ²(1 + Lρ)) − log(1 + Lρ)),    ρ = within / (1 − within),  σ² = 1 − within

``within``, the mean cosine of sentences of one segment, and ``strength`` are read off the document (`coherence`), so that
the penalty is its own: where neighbours have next to nothing in common there is little evidence, and little is cut. A
segment's length adds log L, as if lengths were drawn from a gamma distribution of shape 2: neither very short nor
exponentially spread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.chunkers.coherence import Coherence, coherence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Floats, Ints

_TIE = 6
"""Decimals to which two segmentations are equally good; a sentence's vector differs by 1e-7 with the batch it is computed in."""
_BLOCK = 256
"""Segment ends whose costs are computed at a time."""


@dataclass(frozen=True)
class Segmentation:
    """The best segmentation."""

    cuts: tuple[int, ...]
    """First rows of the segments but the first."""
    missed: int
    """Segments below the soft minimum."""


class Prices:
    """What each segment that fits the maximum costs, computed anew in blocks whenever it is iterated over.

    Gives for each end from 1 to n the first row that such a segment may start at, and for the starts from there to the
    row before the end the costs, (m,) float64, and whether the segment is below the soft minimum, (m,) bool.

    Parameters
    ----------
    vectors : (n, d)
        As `centred` gives them.
    sizes : (n,) int64
        What each row adds to its segment's size.
    max_size
        Hard: a segment of several rows is never larger.
    min_size
        Soft: segments below it are marked.
    document
        `coherence` of the vectors where None.
    """

    def __init__(
        self,
        vectors: NDArray[np.float32],
        sizes: Ints,
        *,
        max_size: int,
        min_size: int,
        document: Coherence | None = None,
    ) -> None:
        self._vectors, self._min_size = vectors, min_size
        self.document = coherence(vectors) if document is None else document
        self._places = np.concatenate([[0], np.cumsum(sizes)])
        ends = np.arange(1, len(vectors) + 1)
        self._first = np.minimum(np.searchsorted(self._places, self._places[1:] - max_size), ends - 1)

    def __iter__(self) -> Iterator[tuple[int, Floats, NDArray[np.bool_]]]:
        within, strength = self.document.within, self.document.strength
        rho = within / (1 - within)
        for a in range(1, len(self._vectors) + 1, _BLOCK):
            b = min(a + _BLOCK, len(self._vectors) + 1)
            base = int(self._first[a - 1])
            sums = np.zeros((b - base, self._vectors.shape[1]))
            np.cumsum(self._vectors[base : b - 1], axis=0, dtype=np.float64, out=sums[1:])
            squares = np.einsum("ij,ij->i", sums, sums)
            products = sums @ sums[a - base :].T
            for end in range(a, b):
                first = int(self._first[end - 1])
                length = np.arange(end - first, 0, -1)
                rows = slice(first - base, end - base)
                whole = squares[rows] + squares[end - base] - 2 * products[rows, end - a]
                held = rho * whole / ((1 - within) * (1 + length * rho)) - np.log1p(length * rho)
                small = self._places[end] - self._places[first:end] < self._min_size
                yield first, -strength * held - np.log(length), small


def centred(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale rows to length 1, take their mean away, scale again; rows without a direction become zero.

    Parameters
    ----------
    vectors : (n, d)
        A document's sentence vectors.
    """
    if not len(vectors):
        return vectors
    scaled = _unit(vectors)
    return _unit(scaled - scaled.mean(axis=0, keepdims=True))


def segment(prices: Prices, penalties: Floats) -> Segmentation:
    """Find the segmentation with the fewest missed minima, and among these the cheapest.

    Exact, by dynamic programming: O(n · most rows a segment). On ties the segment that begins first wins, from the end on.

    Parameters
    ----------
    prices
        Of n rows.
    penalties : (n,) float64
        What a segment that begins at a row costs besides; the first row's counts too.

    Returns
    -------
    Segmentation

    Examples
    --------
    >>> import numpy as np
    >>> topics = np.eye(3, 30, dtype=np.float32).repeat([4, 5, 3], axis=0)
    >>> prices = Prices(centred(topics), np.full(12, 10), max_size=60, min_size=20)
    >>> segment(prices, np.full(12, 2.0))
    Segmentation(cuts=(4, 9), missed=0)
    """
    n = len(penalties)
    best, missed, before = np.zeros(n + 1), np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    for end, (start, cost, small) in enumerate(prices, 1):
        misses = missed[start:end] + small
        total = np.round(best[start:end] + cost + penalties[start:end], _TIE)
        total[misses > misses.min()] = np.inf
        chosen = int(np.argmin(total))
        before[end], best[end], missed[end] = start + chosen, total[chosen], misses[chosen]
    return Segmentation(tuple(_path(before.tolist()))[::-1], int(missed[n]))


def _path(before: list[int]) -> Iterator[int]:
    row = before[-1]
    while row > 0:
        yield row
        row = before[row]


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))[:, None]
    scaled: NDArray[np.float32] = np.where(norms > 1e-6, vectors / np.maximum(norms, 1e-6), 0.0).astype(np.float32)
    return scaled
