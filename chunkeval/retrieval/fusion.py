"""Reciprocal rank fusion: several rankings to one, without comparing their scores.

Cormack, Clarke and Büttcher 2009, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.retrieval.ranking import NONE, Ranking, padded, summed

if TYPE_CHECKING:
    from chunkeval.results import Floats, Ints

CONSTANT = 60
"""Of the paper: how little the first ranks stand out."""

DEPTH = 100
"""Results of each search that are fused."""


def fuse(rankings: Sequence[Ranking], k: int, constant: int = CONSTANT) -> Ranking:
    """Rank by Σ over rankings of 1 / (constant + rank), ranks from 1; what a ranking lacks gets nothing from it.

    Parameters
    ----------
    rankings
        Of the same queries over the same table.
    k
        Results of each query at most; equal scores come in the table's order.
    constant
        Above 0.

    Examples
    --------
    >>> first = Ranking(np.array([[4, 2]]), np.array([[9.0, 1.0]]))
    >>> second = Ranking(np.array([[2, 7]]), np.array([[0.8, 0.7]]))
    >>> fused = fuse([first, second], 3)
    >>> fused.rows.tolist(), fused.scores.tolist()
    ([[2, 4, 7]], [[0.032522, 0.016393, 0.016129]])
    """

    def one(query: int) -> tuple[Ints, Floats]:
        listed = [ranking.rows[query] for ranking in rankings]
        listed = [rows[rows != NONE] for rows in listed]
        return summed(listed, [1 / (constant + 1 + np.arange(len(rows))) for rows in listed], k)

    return padded(one(query) for query in range(len(rankings[0].rows)))
