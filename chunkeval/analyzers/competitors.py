"""How many chunks say nearly the same to an embedder: a query that one of them answers finds them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING

import numpy as np

from chunkeval.analyzers.similarity import unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.analyzers.base import Corpus
    from chunkeval.analyzers.copies import Copies
    from chunkeval.results import Floats, Ints

    Vectors = NDArray[np.float32]

NEAR = 0.9
"""Cosine from which two chunks compete."""
EXACT = 20_000
"""Distinct texts up to which all are compared with all; beyond, only those in the same cells."""
CELL = 512
"""Distinct texts that a cell is meant to hold."""
PROBES = 8
"""Cells that each text is looked for in, those nearest to it."""
LARGEST = 4_096
"""Texts of a cell that are compared; of a larger one these stand for the rest, and their count is scaled up."""
_BLOCK = 1_024
_UNSURE = 1e-5
"""A cosine this close to `NEAR` is computed again in float64."""


def competitors(corpus: Corpus, copies: Copies, file: IO[bytes]) -> Floats:
    """Count each row's competitors, copies of its text among them.

    Parameters
    ----------
    file
        Temporary; vectors lie in it meanwhile, 4 bytes a value.

    Returns
    -------
    (n,)
        NaN where a chunk has no vector.
    """
    vectors = _chunk_vectors(corpus, copies, file)
    counts = np.full(len(corpus), np.nan)
    if vectors is None:
        return counts
    measured = np.flatnonzero(np.einsum("ij,ij->i", vectors, vectors) > 0.5)
    number = all_pairs if len(measured) <= EXACT else within_cells
    near = np.full(len(copies.first), np.nan)
    near[measured] = number(vectors, measured, copies.count)
    known = copies.text >= 0
    # The count of a text has all rows that hold it; a row does not compete with itself.
    counts[known] = near[copies.text[known]] - 1
    return counts


def all_pairs(vectors: Vectors, among: Ints, weight: Ints) -> Floats:
    """Count exactly: for each of k texts how many rows are near it, its own among them.

    Parameters
    ----------
    vectors
        (u, d) of length 1.
    among
        (k,) texts to compare.
    weight
        (u,) rows that a text stands for.
    """
    counts = weight[among].astype(np.float64)
    for a in range(0, len(among), _BLOCK):
        rows = among[a : a + _BLOCK]
        for b in range(a, len(among), _BLOCK):
            others = among[b : b + _BLOCK]
            near = _near(vectors, rows, others)
            if a == b:
                np.fill_diagonal(near, False)
                counts[a : a + _BLOCK] += near @ weight[others]
            else:
                counts[a : a + _BLOCK] += near @ weight[others]
                counts[b : b + _BLOCK] += weight[rows] @ near
    return counts


def within_cells(vectors: Vectors, among: Ints, weight: Ints) -> Floats:
    """Count approximately, never all pairs: each text against the texts of the cells nearest to it.

    A text is in the cell of the landmark nearest to it, landmarks being a part of the texts themselves. Counts are at
    most a little too low: a near text in a cell further away is missed. Parameters as of `all_pairs`.
    """
    landmarks = among[:: max(CELL, -(-len(among) // 4_096))]
    middle = vectors[landmarks].mean(axis=0)
    marks = unit((vectors[landmarks] - middle).astype(np.float64)).astype(np.float32)
    probes = np.concatenate([_nearest(vectors[rows] - middle, marks) for rows in _blocks(among)])
    counts = np.zeros(len(among))
    home = np.argsort(probes[:, 0], kind="stable")
    bounds = np.searchsorted(probes[home, 0], np.arange(len(marks) + 1))
    visits = np.argsort(probes.reshape(-1), kind="stable")
    visited = np.searchsorted(probes.reshape(-1)[visits], np.arange(len(marks) + 1))
    for cell in range(len(marks)):
        members = among[home[bounds[cell] : bounds[cell + 1]]]
        scale = max(len(members) / LARGEST, 1.0)
        members = members[np.linspace(0, len(members) - 1, min(len(members), LARGEST)).astype(np.int64)]
        for at in _blocks(visits[visited[cell] : visited[cell + 1]] // probes.shape[1]):
            near = _near(vectors, among[at], members)
            near &= among[at][:, None] != members[None, :]
            counts[at] += np.round(scale * (near @ weight[members]))
    return counts + weight[among]


def _near(vectors: Vectors, rows: Ints, others: Ints) -> NDArray[np.bool_]:
    cosines = vectors[rows] @ vectors[others].T
    near: NDArray[np.bool_] = cosines > NEAR
    i, j = np.nonzero(np.abs(cosines - NEAR) < _UNSURE)
    if len(i):
        # Sums that depend on the block they are made in must not decide.
        exact = np.einsum("ij,ij->i", vectors[rows[i]].astype(np.float64), vectors[others[j]].astype(np.float64))
        near[i, j] = np.round(exact, 9) > NEAR
    return near


def _nearest(vectors: Vectors, marks: Vectors) -> Ints:
    """(k, PROBES) cells, the nearest first."""
    cosines = np.round(vectors @ marks.T, 6)
    probes = min(PROBES, len(marks))
    found: Ints = np.argsort(-cosines, axis=1, kind="stable")[:, :probes]
    return found


def _blocks(rows: Ints) -> Iterator[Ints]:
    for a in range(0, len(rows), _BLOCK):
        yield rows[a : a + _BLOCK]


def _chunk_vectors(corpus: Corpus, copies: Copies, file: IO[bytes]) -> Vectors | None:
    """(u, d) mean sentence vectors of the distinct texts, of length 1, 0 where a text has none; on disk."""
    held: Vectors | None = None
    row = 0
    for features in corpus.shards():
        text = copies.text[row : row + len(features)]
        if not (text >= 0).any():
            row += len(features)
            continue
        first = np.flatnonzero((text >= 0) & (copies.first[text] == np.arange(row, row + len(features))))
        row += len(features)
        if not len(first):
            continue
        means = _means(features.sentences.offsets, features.sentences.members, features.vectors, first)
        if held is None:
            held = np.memmap(file, np.float32, "w+", shape=(len(copies.first), means.shape[1])).view(np.ndarray)
        held[text[first]] = means
    return held


def _means(offsets: Ints, members: Ints, vectors: Callable[[Ints], Vectors], rows: Ints) -> Vectors:
    sums = []
    for part in _blocks(rows):
        counts = offsets[part + 1] - offsets[part]
        every = np.concatenate([members[offsets[i] : offsets[i + 1]] for i in part.tolist()])
        of = unit(vectors(every).astype(np.float64))
        total = np.zeros((len(part), of.shape[1]))
        filled = np.flatnonzero(counts)
        if len(filled):
            starts = np.concatenate([[0], np.cumsum(counts)])[:-1]
            total[filled] = np.add.reduceat(of, starts[filled], axis=0)
        sums.append(unit(total))
    return np.concatenate(sums).astype(np.float32)
