"""What coherence is read from: a handful of numbers a chunk, each of which a reader can picture.

All are computed from a chunk's sentences, two and two, for all chunks of a length at once. What is told without the space of
`subjects` is told by distances, not angles: a sentence that is like nothing in the corpus, such as one that was cut in two, is far
from its neighbours too, which angles around the corpus' mean do not show.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkeval.analyzers.base import Groups
from chunkeval.analyzers.subjects import log_evidence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Floats, Ints

SIGNALS = (
    "similarity",
    "similarity_across",
    "one_subject",
    "two_subjects",
    "shared_words",
    "shared_words_across",
    "distinct_words",
    "sentences",
)
"""Mean similarity of all pairs of sentences, 1 for equal ones and about 0 on average for any two of the corpus; the lowest mean
similarity of what stands before and behind a place; how much better one subject explains all sentences than one each; how much
better it does than two, at the place where that is least so; the first two by content words; the share of content words that are
new; the log number of sentences."""

TOLD = 7
"""The first so many can be a reason; the length only tells how much they weigh."""

SENSES = (-1, -1, -1, -1, -1, -1, 1)
"""Of each of these, whether a high value speaks against a chunk or a low one."""

LONGEST = 400
"""Sentences of a chunk that are looked at: products grow with their square."""

_AT_ONCE = 2**21
"""Products in memory at a time: 2²¹ × 8 bytes = 16 MB, a few times over."""


class Placed(NamedTuple):
    """Sentences as `subjects.Subjects` places them."""

    subject: Floats
    """(m, k) In the space of subjects, of length 1 (or 0)."""
    own: Floats
    """(m, d) As the embedder has them, but around their mean and with a squared length of 1 on average."""


class Words(NamedTuple):
    """Content words of sentences as weights."""

    offsets: Ints
    """(m + 1,) words a sentence."""
    ids: Ints
    """Number of each word; equal words have equal ones."""
    weights: Floats
    """By rarity; 0 for a word that says nothing."""


def signals(groups: Groups, placed: Placed, between: Floats, words: Words) -> Floats:
    """Measure chunks.

    Parameters
    ----------
    groups : Groups
        n chunks; members are rows of ``placed`` and sentences of ``words``.
    placed : Placed
    between : (k,) float64
        Variance of subjects there.
    words : Words

    Returns
    -------
    (n, len(SIGNALS)) float64
        NaN for chunks of fewer than two sentences.
    """
    n = np.diff(groups.offsets)
    found = np.full((len(groups), len(SIGNALS)), np.nan)
    # Lengths at which a vector is as likely to be its subject's as the model takes it to be.
    scale = float(np.sqrt((1 + between).sum()))
    for rows, members in _alike(groups, n):
        found[rows, 0], found[rows, 1] = cohesion(_closeness(placed.own[members]))
        found[rows, 2], found[rows, 3] = _subjects(placed.subject[members] * scale, between)
        shared, found[rows, 6] = _shared(members, words)
        found[rows, 4], found[rows, 5] = cohesion(shared)
        found[rows, 7] = np.log(members.shape[1])
    return found


def _closeness(vectors: Floats) -> Floats:
    """(g, n, n) One less half the squared distance; 0 where a vector is of length 0, of which nothing is known."""
    products = vectors @ vectors.transpose(0, 2, 1)
    lengths = np.einsum("gii->gi", products)
    known = lengths > 0
    close: Floats = 1 + products - (lengths[:, :, None] + lengths[:, None, :]) / 2
    close[~(known[:, :, None] & known[:, None, :])] = 0.0
    return close


def cohesion(products: Floats) -> tuple[Floats, Floats]:
    """Mean product over all pairs, and the lowest mean product of a part and the rest over all cuts into two.

    Parameters
    ----------
    products : (g, n, n)
        Of n sentences, at least two, with one another.

    Examples
    --------
    >>> mean, across = cohesion(np.array([[[1.0, 0.5, 0.0], [0.5, 1.0, 0.1], [0.0, 0.1, 1.0]]]))
    >>> mean.round(6).tolist(), across.round(6).tolist()
    ([0.2], [0.05])
    """
    n = products.shape[1]
    own = np.einsum("gii->g", products)
    mean = (products.sum(axis=(1, 2)) - own) / (n * (n - 1))
    # Rows summed up to a cut: before it they are one side, behind it the products with the other.
    upto = np.cumsum(products, axis=1)[:, :-1]
    behind = np.cumsum(upto[:, :, ::-1], axis=2)[:, :, ::-1]
    cut = np.arange(1, n)
    across: Floats = (behind[:, cut - 1, cut] / (cut * (n - cut))).min(axis=1)
    return mean, across


def _subjects(vectors: Floats, between: Floats) -> tuple[Floats, Floats]:
    n = vectors.shape[1]
    upto = np.cumsum(vectors, axis=1)
    whole = log_evidence(upto[:, -1], np.full(len(vectors), n), between)
    alone = log_evidence(vectors, np.ones(vectors.shape[:2], np.int64), between).sum(axis=1)
    cut = np.broadcast_to(np.arange(1, n), (len(vectors), n - 1))
    left = log_evidence(upto[:, :-1], cut, between)
    right = log_evidence(upto[:, -1:] - upto[:, :-1], n - cut, between)
    two: Floats = (whole[:, None] - left - right).min(axis=1) / n
    return (whole - alone) / (n - 1), two


def _shared(members: Ints, words: Words) -> tuple[Floats, Floats]:
    """Products of the sentences by their words; the share of distinct words."""
    from scipy.sparse import csr_matrix

    g, n = members.shape
    flat = members.reshape(-1)
    counts = words.offsets[flat + 1] - words.offsets[flat]
    at = np.arange(counts.sum()) + np.repeat(words.offsets[flat] - (np.cumsum(counts) - counts), counts)
    sentence = np.repeat(np.arange(len(flat)), counts)
    chunk = sentence // n
    ids, weights = words.ids[at], words.weights[at]
    size = int(ids.max()) + 1 if len(ids) else 1
    # A chunk's words are columns of their own, so that only its own sentences meet in the product.
    columns, column = np.unique(chunk * size + ids, return_inverse=True)
    pairs, pair, times = np.unique(sentence * max(len(columns), 1) + column, return_inverse=True, return_counts=True)
    rarity = np.zeros(len(pairs))
    rarity[pair] = weights
    values = (1 + np.log(times)) * rarity
    row, col = pairs // max(len(columns), 1), pairs % max(len(columns), 1)
    length = np.sqrt(np.bincount(row, values**2, minlength=len(flat)))
    values = values / np.where(length > 0, length, 1.0)[row]
    matrix = csr_matrix((values, (row, col)), shape=(len(flat), max(len(columns), 1)))
    met = (matrix @ matrix.T).tocoo()
    products = np.zeros((g, n, n))
    products[met.row // n, met.row % n, met.col % n] = met.data
    total = np.bincount(chunk, minlength=g)
    distinct = np.bincount(columns // size, minlength=g) / np.maximum(total, 1)
    return products, np.where(total > 0, distinct, 1.0)


def _alike(groups: Groups, n: Ints) -> Iterator[tuple[Ints, NDArray[np.int64]]]:
    """Rows of two sentences and more, some of a length at a time, with their members as a table."""
    looked = np.minimum(n, LONGEST)
    for length in np.unique(looked[looked >= 2]).tolist():
        rows = np.flatnonzero(looked == length)
        most = max(1, _AT_ONCE // (length * max(length, 64)))
        for first in range(0, len(rows), most):
            some = rows[first : first + most]
            yield some, groups.members[groups.offsets[some][:, None] + np.arange(length)]
