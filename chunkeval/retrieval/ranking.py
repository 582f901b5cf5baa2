"""The best k of many, for many queries at once: equal scores in the table's order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from chunkeval.results import Floats, Ints

DECIMALS = 6
"""To which scores are rounded before they are compared: the last bits of a sum depend on how it was added up."""

NONE = -1
"""Row that stands where a query has fewer results than others."""


class Ranking(NamedTuple):
    """Results of q queries, best first."""

    rows: Ints
    """(q, k) rows of the table; `NONE` at the end of a query that has fewer than k."""
    scores: Floats
    """(q, k); 0 where the row is `NONE`."""


def best(scores: NDArray[np.floating], k: int) -> Ranking:
    """Rank the rows of a table by their scores.

    Parameters
    ----------
    scores : (q, n)
        One row a query.
    k
        Results of each; all where the table has fewer.

    Examples
    --------
    >>> best(np.array([[0.1, 0.5, 0.5, 0.2]]), 3).rows.tolist()
    [[1, 2, 3]]
    """
    rounded = np.round(scores.astype(np.float64), DECIMALS)
    return padded(((rows := _first(row, k)), row[rows]) for row in rounded)


def padded(found: Iterable[tuple[Ints, Floats]]) -> Ranking:
    """Join the rows and scores of single queries.

    Examples
    --------
    >>> padded([(np.array([7]), np.array([1.0])), (np.array([3, 4]), np.array([2.0, 1.0]))]).rows.tolist()
    [[7, -1], [3, 4]]
    """
    single = list(found)
    width = max((len(rows) for rows, _ in single), default=0)
    rows = np.full((len(single), width), NONE, np.int64)
    scores = np.zeros((len(single), width), np.float64)
    for query, (its_rows, its_scores) in enumerate(single):
        rows[query, : len(its_rows)] = its_rows
        scores[query, : len(its_scores)] = its_scores
    return Ranking(rows, scores)


def summed(rows: Sequence[Ints], scores: Sequence[Floats], k: int) -> tuple[Ints, Floats]:
    """Add up what several lists give to rows, and give the k best rows of one query.

    Examples
    --------
    >>> rows, scores = summed([np.array([2, 5]), np.array([5])], [np.array([3.0, 1.0]), np.array([4.0])], 2)
    >>> rows.tolist(), scores.tolist()
    ([5, 2], [5.0, 3.0])
    """
    every, which = np.unique(np.concatenate([np.zeros(0, np.int64), *rows]), return_inverse=True)
    added = np.bincount(which, np.concatenate([np.zeros(0), *scores]), len(every))
    total: Floats = np.round(added, DECIMALS)
    order = np.argsort(-total, kind="stable")[:k]
    return every[order].astype(np.int64), total[order]


def _first(scores: Floats, k: int) -> Ints:
    """Give the places of the k highest scores, equal ones by place."""
    if k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k] if k > 0 else np.inf
        candidates = np.flatnonzero(scores >= least)
    else:
        candidates = np.arange(len(scores))
    order = np.argsort(-scores[candidates], kind="stable")[:k]
    return candidates[order]
