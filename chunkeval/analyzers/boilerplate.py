"""Openings and closings that many chunks share: footers, notices, navigation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Floats, Ints

MANY = 10
"""Different texts that must open or close so."""


def shared_ends(hashes: NDArray[np.uint64], shares: NDArray[np.float32]) -> tuple[Floats, Ints]:
    """Say how much of each text is an opening or closing that many share.

    Parameters
    ----------
    hashes, shares
        (u, 2 × k) of distinct texts: k candidates of the opening, then of the closing, as `text.rims` gives them.

    Returns
    -------
    share : (u,)
        Of the text's visible characters, opening and closing together; 0 where it shares neither.
    texts : (u,)
        How many open or close so, the larger number where both do; 0 where none does.
    """
    texts, width = hashes.shape
    share, most = np.zeros(texts), np.zeros(texts, np.int64)
    for side in (range(width // 2), range(width // 2, width)):
        # A sentence may be another text's line: what counts is that it opens or closes it.
        counts = _counts(hashes[:, side])
        usable = np.where(counts >= MANY, shares[:, side], 0)
        best = usable.argmax(axis=1)
        longest = np.take_along_axis(usable, best[:, None], axis=1)[:, 0].astype(np.float64)
        share += longest
        most = np.maximum(most, np.where(longest > 0, np.take_along_axis(counts, best[:, None], axis=1)[:, 0], 0))
    return np.minimum(share, 1.0), most


def _counts(hashes: NDArray[np.uint64]) -> Ints:
    """How many rows hold each hash, whatever the column; 0 for no hash."""
    # In a row a hash may stand twice, as a sentence and as a line: it is counted once.
    ordered = np.sort(hashes, axis=1)
    again = np.zeros(ordered.shape, bool)
    again[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
    values, counts = np.unique(np.where(again, 0, ordered), return_counts=True)
    found: Ints = counts[np.searchsorted(values, hashes)] if len(values) else np.zeros(hashes.shape, np.int64)
    return np.where(hashes == 0, 0, found)
