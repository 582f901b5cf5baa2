"""How many topics a corpus has: the number under which words that the fit did not see are least surprising."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.analyzers import lda

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Arrays, Floats

MOST = 5_000
"""Chunks that the search looks at."""

EVERY = 10
"""One chunk of so many is held out."""

FACTORS = (0.25, 0.5, 1, 2, 4)
"""Numbers that are tried, times the usual one."""

FEWEST, LARGEST = 5, 400
"""Numbers between which they stay."""


def candidates(usual: int) -> list[int]:
    """Numbers of topics that are tried.

    Examples
    --------
    >>> candidates(46)
    [12, 23, 46, 92, 184]
    """
    return sorted({min(max(round(usual * factor), FEWEST), LARGEST) for factor in FACTORS} | {usual})


def surprise(bows: lda.Bows, usual: int, fit: Callable[[lda.Bows, int], Arrays]) -> dict[int, float]:
    """Try several numbers of topics.

    A held-out chunk's topics are inferred from every other one of its distinct words, and the rest is predicted by them: document
    completion (Wallach, Murray, Salakhutdinov and Mimno 2009, "Evaluation Methods for Topic Models", section 5).

    Parameters
    ----------
    bows
        Bags of words of n chunks, in random order.
    usual
        Number that the corpus' size suggests.
    fit
        Fits so many topics on bags.

    Returns
    -------
    dict
        Number of topics to the bits that a held-out word costs on average, lower is better; nothing where no chunk can be held out.
    """
    rows = np.arange(min(len(bows), MOST))
    distinct = np.diff(bows.offsets)[rows]
    held = rows[distinct >= 2][::EVERY]
    seen = np.setdiff1d(rows, held)
    if not len(held) or not len(seen):
        return {}
    known, asked = bows.take(seen), bows.take(held)
    place = np.arange(len(asked.ids)) - np.repeat(asked.offsets[:-1], np.diff(asked.offsets))
    # A word that no fit saw says nothing of their number.
    fair = np.isin(asked.ids, known.ids)
    shown, hidden = _where(asked, fair & (place % 2 == 0)), _where(asked, fair & (place % 2 == 1))
    if not len(hidden.ids):
        return {}
    return {number: _bits(fit(known, number), shown, hidden) for number in candidates(usual)}


def updates(chunks: int, usual: int) -> int:
    """Give at least the number of updates that a search makes."""
    return len(candidates(usual)) * lda.updates(min(chunks, MOST))


def _where(bows: lda.Bows, keep: NDArray[np.bool_]) -> lda.Bows:
    kept = np.concatenate([[0], np.cumsum(keep)])
    return lda.Bows(kept[bows.offsets], bows.ids[keep], bows.counts[keep])


def _bits(topics: Arrays, shown: lda.Bows, asked: lda.Bows) -> float:
    weights: Floats = lda.infer(shown, topics)
    chunk = np.repeat(np.arange(len(asked)), np.diff(asked.offsets))
    likely = np.einsum("ik,ki->i", weights[chunk], topics["words"][:, asked.ids].astype(np.float64))
    return float(-(asked.counts * np.log2(likely)).sum() / asked.counts.sum())
