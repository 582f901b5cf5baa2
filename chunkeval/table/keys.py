"""Does a column repeat? 64-bit hashes in plain arrays tell, so that ten million ids cost 80 MB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOTHING = np.uint64(0)
"""Stands for a row without a value; such rows never count as repeating."""


def hashes(values: Sequence[str | None]) -> NDArray[np.uint64]:
    """64-bit hash of each value, the same on every machine; null is `NOTHING`.

    Parameters
    ----------
    values
        Strings without surrogates; None where a row has no value.

    Returns
    -------
    numpy.ndarray
        (n,) uint64.

    Examples
    --------
    >>> bool(hashes(["가", "가", None])[0] == hashes(["가"])[0]), int(hashes([None])[0])
    (True, 0)
    """
    from pandas.util import hash_array

    plain = np.array([value if value is not None else "" for value in values], dtype=object)
    found = np.maximum(hash_array(plain, categorize=False), np.uint64(1)) if len(plain) else np.empty(0, np.uint64)
    found[np.fromiter((value is None for value in values), dtype=bool, count=len(plain))] = NOTHING
    return found


def paired(first: NDArray[np.uint64], second: NDArray[np.int64] | NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hash of two columns together: (n,) uint64, never `NOTHING`."""
    mixed = first * np.uint64(0x9E3779B97F4A7C15) + second.astype(np.uint64)
    # splitmix64's finaliser: neighbouring positions of one document must not end up as neighbouring hashes
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.maximum(mixed ^ (mixed >> np.uint64(31)), np.uint64(1))


def repeats(codes: NDArray[np.uint64]) -> bool:
    """Whether any hash occurs twice."""
    known = np.sort(codes[codes != NOTHING])
    return bool((known[1:] == known[:-1]).any())


def repeated_rows(codes: NDArray[np.uint64], most: int = 64) -> tuple[NDArray[np.int64], int]:
    """Pairs of rows with one hash, those that repeat earliest first.

    Returns
    -------
    pairs : numpy.ndarray
        (k, 2) int64, k at most ``most``: a row and the next row with the same hash.
    count : int
        How many rows repeat an earlier one.
    """
    order = np.argsort(codes, kind="stable")
    ranked = codes[order]
    again = np.flatnonzero((ranked[1:] == ranked[:-1]) & (ranked[1:] != NOTHING))
    pairs = np.stack([order[again], order[again + 1]], axis=1).astype(np.int64)
    return pairs[np.argsort(pairs[:, 1], kind="stable")[:most]], len(again)


def running_number(codes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Of each row, how many earlier rows have the same hash (rows without a value count as one group): (n,) int64.

    Examples
    --------
    >>> running_number(hashes(["a", "b", "a", None, "a"])).tolist()
    [0, 0, 1, 0, 2]
    """
    order = np.argsort(codes, kind="stable")
    ranked = codes[order]
    starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]]) if len(ranked) else np.empty(0, np.int64)
    lengths = np.diff(np.r_[starts, len(ranked)])
    numbers = np.empty(len(codes), dtype=np.int64)
    numbers[order] = np.arange(len(codes), dtype=np.int64) - np.repeat(starts, lengths)
    return numbers
