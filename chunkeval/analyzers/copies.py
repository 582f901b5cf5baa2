"""Which rows have the same text, and in what order each text comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Ints


@dataclass(frozen=True)
class Copies:
    """The u distinct texts of n rows, numbered as they first come."""

    text: Ints
    """(n,) number of each row's text; -1 where there is none to speak of."""
    earlier: Ints
    """(n,) rows before it that have the same text."""
    first: Ints
    """(u,) first row of each text."""
    count: Ints
    """(u,) rows that have it."""


def copies(exact: NDArray[np.uint64], order: Ints) -> Copies:
    """Number distinct texts.

    Parameters
    ----------
    exact
        (n, 2), equal for equal texts, 0 for texts that are none.
    order
        (n,) rows in the order that says what comes first.

    Examples
    --------
    >>> exact = np.array([[1, 5], [2, 5], [0, 0], [1, 5]], np.uint64)
    >>> found = copies(exact, np.array([3, 2, 1, 0]))
    >>> found.text.tolist(), found.earlier.tolist(), found.first.tolist(), found.count.tolist()
    ([0, 1, -1, 0], [1, 0, 0, 0], [3, 1], [2, 1])
    """
    text, earlier = np.full(len(order), -1, np.int64), np.zeros(len(order), np.int64)
    rows = order[exact[order].any(axis=1)]
    if not len(rows):
        return Copies(text, earlier, rows, rows)
    keys = exact[rows]
    by_text = np.lexsort((keys[:, 1], keys[:, 0]))  # stable: the first in order comes first
    fresh = np.r_[True, (keys[by_text[1:]] != keys[by_text[:-1]]).any(axis=1)]
    starts = np.flatnonzero(fresh)
    run = np.cumsum(fresh) - 1
    number = np.empty(len(starts), np.int64)
    number[np.argsort(by_text[starts])] = np.arange(len(starts))
    text[rows[by_text]] = number[run]
    earlier[rows[by_text]] = np.arange(len(rows)) - starts[run]
    first, count = np.empty(len(starts), np.int64), np.empty(len(starts), np.int64)
    first[number], count[number] = rows[by_text[starts]], np.diff(np.r_[starts, len(rows)])
    return Copies(text, earlier, first, count)
