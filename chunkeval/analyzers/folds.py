"""Documents dealt into folds, so that a chunk is judged by what was learned from others' documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.analyzers.recombine import FEWEST_DOCUMENTS, FOLDS, fold_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Ints


def edges(documents: Iterable[str]) -> NDArray[np.uint64]:
    """Where the folds of a corpus end, on the scale of the documents' hashes.

    Parameters
    ----------
    documents
        As many different ones as there are folds, at least.

    Returns
    -------
    (folds - 1,) uint64
        None where every fold by `fold_of` has documents enough; else four that deal the documents evenly.

    Examples
    --------
    >>> len(edges(f"d{i}" for i in range(12))), len(edges(f"d{i}" for i in range(1000)))
    (4, 0)
    """
    names = set(documents)
    if min(np.bincount([fold_of(name) for name in names], minlength=FOLDS)) >= FEWEST_DOCUMENTS:
        return np.zeros(0, np.uint64)
    ordered = np.sort(np.array([_hash(name) for name in names], np.uint64))
    return ordered[[len(ordered) * i // FOLDS for i in range(1, FOLDS)]]


def folds(documents: Sequence[str], ends: NDArray[np.uint64]) -> Ints:
    """Fold of each row's document.

    Examples
    --------
    >>> names = [f"d{i}" for i in range(12)]
    >>> np.bincount(folds(names, edges(names))).tolist()
    [2, 2, 3, 2, 3]
    """
    names = dict.fromkeys(documents)
    if not len(ends):
        known = {name: fold_of(name) for name in names}
    else:
        at = np.searchsorted(ends, np.array([_hash(name) for name in names], np.uint64), side="right")
        known = dict(zip(names, at.tolist(), strict=True))
    return np.array([known[name] for name in documents], np.int64)


def _hash(document: str) -> int:
    return int.from_bytes(sha256(document.encode("utf-8", "surrogatepass")).digest()[:8], "big")
