"""Semantic search: a query against every sentence; a chunk is as near as the nearest of its sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.retrieval.ranking import Ranking, best

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Ints

    Vectors = NDArray[np.float32]

_SENTENCES = 65_536
"""Sentences multiplied at a time: their scores then stay where the processor finds them again."""
_QUERIES = 64
"""Queries answered together, which reads the sentences once for all of them."""

NOTHING = -1.0
"""Score of a chunk without a sentence: the lowest cosine."""


def unit(vectors: Vectors) -> Vectors:
    """Bring vectors to length 1; a zero stays zero.

    Examples
    --------
    >>> unit(np.array([[3.0, 4.0], [0.0, 0.0]], np.float32)).tolist() == [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    True
    """
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return scaled


def chunk_scores(vectors: Vectors, offsets: Ints, queries: Vectors) -> Vectors:
    """Give every chunk's score for every query: the highest cosine among its sentences.

    Parameters
    ----------
    vectors : (m, d)
        Of the sentences, of length 1, chunk by chunk; may be mapped from disk.
    offsets : (n + 1,)
        Sentences of chunk i are ``offsets[i]`` to ``offsets[i + 1]``.
    queries : (q, d)
        Of length 1.

    Returns
    -------
    (q, n) float32
        `NOTHING` for a chunk without a sentence.

    Examples
    --------
    >>> e = np.eye(2, dtype=np.float32)
    >>> chunk_scores(e[[0, 1, 1]], np.array([0, 2, 2, 3]), e[:1]).tolist()
    [[1.0, -1.0, 0.0]]
    """
    scores = np.full((len(queries), len(offsets) - 1), NOTHING, np.float32)
    turned = np.ascontiguousarray(queries.T)
    for first, last in _blocks(offsets):
        spoken = first + np.flatnonzero(np.diff(offsets[first : last + 1]))
        if not len(spoken):
            continue
        start = offsets[first]
        cosines = vectors[start : offsets[last]] @ turned
        scores[:, spoken] = np.maximum.reduceat(cosines, offsets[spoken] - start, axis=0).T
    return scores


def search(vectors: Vectors, offsets: Ints, queries: Vectors, k: int) -> Ranking:
    """Rank chunks by their nearest sentence, for each of many queries; k chunks whenever there are k.

    Parameters
    ----------
    vectors, offsets, queries
        As `chunk_scores` takes them.
    k
        Results of each query; equal scores come in the table's order.

    Examples
    --------
    >>> e = np.eye(2, dtype=np.float32)
    >>> search(e[[0, 1, 1]], np.array([0, 1, 2, 3]), e[1:], 2).rows.tolist()
    [[1, 2]]
    """
    width = min(k, len(offsets) - 1)
    rows, scores = np.zeros((len(queries), width), np.int64), np.zeros((len(queries), width))
    for first in range(0, len(queries), _QUERIES):
        here = slice(first, first + _QUERIES)
        rows[here], scores[here] = best(chunk_scores(vectors, offsets, queries[here]), width)
    return Ranking(rows, scores)


def _blocks(offsets: Ints) -> Iterator[tuple[int, int]]:
    """Part the chunks into runs of about `_SENTENCES` sentences."""
    first, chunks = 0, len(offsets) - 1
    while first < chunks:
        last = int(np.searchsorted(offsets, offsets[first] + _SENTENCES, side="right")) - 1
        last = min(max(last, first + 1), chunks)
        yield first, last
        first = last
