"""Texts that are nearly the same as an earlier one, found by signatures and verified on the texts themselves."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

import numpy as np

from chunkeval.analyzers.banding import candidates
from chunkeval.text.shingles import VALUES, jaccard

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.analyzers.base import Corpus
    from chunkeval.analyzers.copies import Copies
    from chunkeval.results import Floats, Ints

LIMIT = 0.6
"""Similarity from which chunks are near duplicates: about one character in twenty changed."""
FLOOR = 0.5
"""Similarity below which nothing is looked for: a limit by hand can go down to it."""
_SLACK = 0.12
"""How far an estimate may lie below: three standard deviations."""
_EACH = 4
"""Earlier texts that one is verified against, those of the highest estimates."""


@dataclass(frozen=True)
class Alike:
    """What is nearly the same among u distinct texts, in their order."""

    similarity: Floats
    """(u,) share of runs of characters in common with the earlier text most like it; 0 below `FLOOR`, NaN for texts shorter than a run."""
    nearest: Ints
    """(u,) that text, -1 for none."""
    group: Ints
    """(u,) the first text of its group: those joined by pairs at or above `LIMIT`; itself where it is alone."""


def alike(corpus: Corpus, copies: Copies) -> Alike:
    """Compare distinct texts; memory and time grow with their number, not with that of their pairs.

    The order is that of ``corpus.order``, so that nothing depends on the table's. Texts lie on disk meanwhile.
    """
    texts = len(copies.first)
    similarity, nearest = np.zeros(texts), np.full(texts, -1, np.int64)
    if not texts:
        return Alike(similarity, nearest, np.arange(texts))
    place = np.full(len(corpus), -1, np.int64)
    place[copies.first] = np.arange(texts)
    with tempfile.TemporaryFile(dir=corpus.folder) as kept, tempfile.TemporaryFile(dir=corpus.folder) as spool:
        signatures, runs = _signatures(corpus, place, texts, kept)
        first, second = _best(*candidates(signatures, FLOOR - _SLACK))
        exact = _verified(corpus, place, first, second, spool)
    good = exact >= FLOOR
    first, second, exact = first[good], second[good], exact[good]
    order = np.lexsort((first, -exact, second))
    leads = order[np.r_[True, second[order][1:] != second[order][:-1]][: len(order)]]
    similarity[second[leads]], nearest[second[leads]] = exact[leads], first[leads]
    similarity[runs == 0] = np.nan
    together = exact >= LIMIT
    return Alike(similarity, nearest, joined(first[together], second[together], texts))


def joined(first: Ints, second: Ints, count: int) -> Ints:
    """Give each of ``count`` things the lowest that pairs connect it with.

    Examples
    --------
    >>> joined(np.array([3, 1]), np.array([4, 3]), 5).tolist()
    [0, 1, 2, 1, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(first), np.int8), (first, second)), shape=(count, count))
    _, label = connected_components(graph, directed=False)
    lowest = np.full(count, count, np.int64)
    np.minimum.at(lowest, label, np.arange(count))
    group: Ints = lowest[label]
    return group


def _signatures(corpus: Corpus, place: Ints, texts: int, file: IO[bytes]) -> tuple[NDArray[np.uint32], Ints]:
    signatures = np.memmap(file, np.uint32, "w+", shape=(texts, VALUES))
    runs = np.zeros(texts, np.int64)
    row = 0
    for features in corpus.shards():
        here = place[row : row + len(features)]
        kept = here >= 0
        told = features.likeness["signature"][kept]
        runs[here[kept]] = features.likeness["runs"][kept]
        # Texts shorter than a run have no signature: each gets one of its own, else all of them would be alike.
        lone = features.likeness["runs"][kept] == 0
        told[lone] = here[kept][lone, None] * VALUES + np.arange(VALUES)
        signatures[here[kept]] = told
        row += len(features)
    return signatures.view(np.ndarray), runs


def _best(first: Ints, second: Ints, estimate: Floats) -> tuple[Ints, Ints]:
    """Keep each second's few most alike."""
    order = np.lexsort((first, -estimate, second))
    fresh = np.r_[True, second[order][1:] != second[order][:-1]][: len(order)]
    starts = np.maximum.accumulate(np.where(fresh, np.arange(len(order)), 0))
    kept = order[np.arange(len(order)) - starts < _EACH]
    return first[kept], second[kept]


def _verified(corpus: Corpus, place: Ints, first: Ints, second: Ints, file: IO[bytes]) -> Floats:
    """Share of runs that each pair has in common, read off the texts."""
    from chunkeval.text.likeness import runs_of

    if not len(first):
        return np.zeros(0)
    wanted = np.zeros(len(place) + 1, bool)
    wanted[np.r_[first, second]] = True
    starts, sizes = np.zeros(len(place), np.int64), np.zeros(len(place), np.int64)
    row = end = 0
    for texts, skip in corpus.texts():
        here = place[row : row + len(texts)]
        rows = np.flatnonzero((here >= 0) & wanted[here]).tolist()
        for at, runs in zip(rows, runs_of([texts[i] for i in rows], [int(skip[i]) for i in rows]), strict=True):
            starts[here[at]], sizes[here[at]] = end, len(runs)
            file.write(runs.tobytes())
            end += len(runs)
        row += len(texts)
    file.flush()
    if not end:
        return np.zeros(len(first))
    every = np.memmap(file, np.uint32, "r", shape=(end,)).view(np.ndarray)

    def of(text: int) -> NDArray[np.uint32]:
        found: NDArray[np.uint32] = every[starts[text] : starts[text] + sizes[text]]
        return found

    return np.array([jaccard(of(a), of(b)) for a, b in zip(first.tolist(), second.tolist(), strict=True)])
