"""What tells a text apart from others and is small enough to keep of every chunk."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.text.folding import closed, fold
from chunkeval.text.rims import RIMS, rims
from chunkeval.text.shingles import shingles, signatures

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Arrays, Ints


def likeness(texts: Sequence[str], skip: Ints, offsets: Ints, start: Ints, end: Ints) -> Arrays:
    """Give what duplicates of n chunks are found by.

    Parameters
    ----------
    texts
        n chunks.
    skip
        (n,) code points at each one's start that are not its own.
    offsets, start, end
        Sentences of chunk i are ``offsets[i]:offsets[i + 1]`` of the spans ``start`` to ``end``.

    Returns
    -------
    Arrays
        ``exact`` (n, 2) uint64: equal for equal texts (`folding.fold`); 0 for one without characters. ``signature``
        (n, VALUES) uint32 and ``runs`` (n,) int32: MinHash of its `shingles`, and how many they are. ``rims`` (n, 2 ×
        RIMS) uint64 and ``rim_shares`` float32: as `rims` gives them.
    """
    own = [text[skipped:] for text, skipped in zip(texts, skip.tolist(), strict=True)]
    forms = [fold(text) for text in own]
    sets, hashes = shingles([closed(form) for form in forms])
    ends, shares = [], []
    for row, (text, skipped) in enumerate(zip(own, skip.tolist(), strict=True)):
        of = slice(int(offsets[row]), int(offsets[row + 1]))
        spans = zip((start[of] - skipped).tolist(), (end[of] - skipped).tolist(), strict=True)
        hashed, shared = rims(text, list(spans))
        ends.append(hashed)
        shares.append(shared)
    return {
        "exact": np.array([_exact(form) for form in forms], np.uint64).reshape(-1, 2),
        "signature": signatures(sets, hashes),
        "runs": np.diff(sets).astype(np.int32),
        "rims": np.array(ends, np.uint64).reshape(-1, 2 * RIMS),
        "rim_shares": np.array(shares, np.float32).reshape(-1, 2 * RIMS),
    }


def runs_of(texts: Sequence[str], skip: Sequence[int]) -> list[NDArray[np.uint32]]:
    """Give chunks' sets of runs once more, too large to keep."""
    offsets, hashes = shingles([closed(fold(text[n:])) for text, n in zip(texts, skip, strict=True)])
    return np.split(hashes, offsets[1:-1]) if len(texts) else []


def _exact(form: str) -> tuple[int, int]:
    if not form:
        return 0, 0
    hashed = blake2b(form.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return int.from_bytes(hashed[:8], "little") or 1, int.from_bytes(hashed[8:], "little")
