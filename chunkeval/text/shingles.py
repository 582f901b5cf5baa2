"""Texts as sets of short runs of characters, and signatures by which alike sets are found without comparing all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LENGTH = 4
"""Characters of a run. Three are too few for long English chunks: unrelated ones of 4,000 characters share a third of theirs."""
VALUES = 128
"""Of a signature: a similarity read off two of them is off by .04 (one standard deviation)."""
_SEED = 42
_AT_ONCE = 1_000_000
"""Characters worked on at once."""
_WEIGHTS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64)


def shingles(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """Give each text's distinct runs of `LENGTH` characters.

    Characters rather than words: Korean glues particles to words, and may be written without spaces.

    Parameters
    ----------
    texts
        n texts, folded and closed (`folding`).

    Returns
    -------
    offsets : (n + 1,)
    hashes : (m,)
        Those of text i are ``hashes[offsets[i]:offsets[i + 1]]``, ascending; none where it is shorter than a run.

    Examples
    --------
    >>> shingles(["김치는맛있다", "김치", "가가가가가가"])[0].tolist()
    [0, 3, 3, 4]
    """
    counts, found = [np.zeros(1, np.int64)], [np.zeros(0, np.uint32)]
    for some in _portions(texts):
        sizes, hashes = _shingles(some)
        counts.append(sizes)
        found.append(hashes)
    return np.cumsum(np.concatenate(counts)), np.concatenate(found)


def signatures(offsets: NDArray[np.int64], hashes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """MinHash signatures of sets.

    Parameters
    ----------
    offsets, hashes
        n sets, as `shingles` gives them.

    Returns
    -------
    (n, VALUES)
        The share of equal values of two signatures estimates what share of both sets' runs they have in common.
    """
    from rensa import RMinHash

    rows = len(offsets) - 1
    if not rows:
        return np.zeros((0, VALUES), np.uint32)
    matrix = RMinHash.digest_matrix_from_flat_token_hashes(
        hashes.astype(np.uint64), offsets.astype(np.uint64), num_perm=VALUES, seed=_SEED
    )
    return np.array(matrix.to_rows(), dtype=np.uint32).reshape(rows, VALUES)


def jaccard(first: NDArray[np.uint32], second: NDArray[np.uint32]) -> float:
    """Share of the runs of two sets that both have.

    Examples
    --------
    >>> jaccard(np.array([1, 2, 3], np.uint32), np.array([2, 3, 4], np.uint32))
    0.5
    """
    if not len(first) or not len(second):
        return 0.0
    small, large = sorted((first, second), key=len)
    at = np.searchsorted(large, small)
    both = int(np.count_nonzero(large[np.minimum(at, len(large) - 1)] == small))
    return both / (len(first) + len(second) - both)


def _portions(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    first, size = 0, 0
    for at, text in enumerate(texts):
        if size + len(text) > _AT_ONCE and at > first:
            yield texts[first:at]
            first, size = at, 0
        size += len(text)
    if first < len(texts):
        yield texts[first:]


def _shingles(texts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    ends = np.cumsum([len(text) for text in texts])
    text = np.repeat(np.arange(len(texts), dtype=np.uint64), [len(text) for text in texts])
    runs = max(len(codes) - LENGTH + 1, 0)
    mixed = np.zeros(runs, np.uint64)
    for place, weight in enumerate(_WEIGHTS):
        mixed += codes[place : place + runs] * weight
    mixed ^= mixed >> np.uint64(31)
    mixed *= _WEIGHTS[0]
    whole = np.arange(runs) + LENGTH <= ends[text[:runs].astype(np.int64)] if runs else np.zeros(0, bool)
    keys = np.sort((text[:runs] << np.uint64(32) | mixed >> np.uint64(32))[whole])
    keys = keys[np.r_[True, keys[1:] != keys[:-1]][: len(keys)]]
    counts = np.bincount((keys >> np.uint64(32)).astype(np.int64), minlength=len(texts))
    return counts.astype(np.int64), (keys & np.uint64(0xFFFF_FFFF)).astype(np.uint32)
