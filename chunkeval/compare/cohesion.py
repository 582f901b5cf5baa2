"""Cohesion within chunks against cohesion across the cuts between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.analyzers.similarity import unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Floats, Ints

REACH = 3
"""Sentences on either side of a border that are looked at."""

TOGETHER = 20_000
"""Sentences whose vectors are in memory at once."""


def contrast(
    chunk: Ints,
    document: Ints,
    vectors: Callable[[slice], NDArray[np.float32]],
    mean: Floats,
    documents: int,
) -> tuple[Floats, Floats]:
    """Compare the sentences before a border with those behind it, inside chunks and where they were cut.

    A side is the sum of up to three centred unit vectors of one chunk, so that both kinds of borders are measured alike.

    Parameters
    ----------
    chunk, document
        (m,) chunk and document of each sentence, in reading order; documents from 0, without gaps in a document's rows.
    vectors
        Gives the vectors of a slice of the sentences.
    mean
        (d,) mean unit vector of the corpus.
    documents
        How many there are.

    Returns
    -------
    within, across
        (documents,) mean cosine; NaN where a document has no such border.
    """
    sums, counts = np.zeros((2, documents)), np.zeros((2, documents))
    for first, after in _blocks(document):
        at = slice(first, after)
        inner, cosines, where = _borders(chunk[at], document[at], unit(unit(vectors(at).astype(np.float64)) - mean))
        for kind, mask in enumerate((inner, ~inner)):
            np.add.at(sums[kind], where[mask], cosines[mask])
            np.add.at(counts[kind], where[mask], 1)
    with np.errstate(invalid="ignore"):
        means: Floats = sums / np.where(counts > 0, counts, np.nan)
    return means[0], means[1]


def _borders(chunk: Ints, document: Ints, vectors: Floats) -> tuple[NDArray[np.bool_], Floats, Ints]:
    """Whether each border lies inside a chunk, the cosine of its sides, and its document."""
    n = len(chunk)
    at = np.arange(1, n)
    at = at[document[1:] == document[:-1]]
    starts = np.flatnonzero(np.r_[True, chunk[1:] != chunk[:-1]])
    begin = starts[np.searchsorted(starts, np.arange(n), "right") - 1]
    end = np.r_[starts, n][np.searchsorted(starts, np.arange(n), "right")]
    total = np.vstack([np.zeros(vectors.shape[1]), np.cumsum(vectors, axis=0)])
    left = total[at] - total[np.maximum(begin[at - 1], at - REACH)]
    right = total[np.minimum(end[at], at + REACH)] - total[at]
    cosines = np.einsum("ij,ij->i", unit(left), unit(right))
    return chunk[at] == chunk[at - 1], cosines, document[at]


def _blocks(document: Sequence[int] | Ints) -> list[tuple[int, int]]:
    """Stretches of whole documents, about `TOGETHER` sentences each."""
    edges = np.r_[np.flatnonzero(np.r_[True, np.diff(document) != 0]), len(document)] if len(document) else np.zeros(1)
    found: list[tuple[int, int]] = []
    first = 0
    for edge in edges[1:].astype(int).tolist():
        if edge - first >= TOGETHER or edge == len(document):
            found.append((first, edge))
            first = edge
    return found
