"""Recombined chunks, where the corpus is odd."""

from __future__ import annotations

import numpy as np
import pytest

from chunkeval.analyzers import recombine
from chunkeval.analyzers.base import Groups


def groups(sizes: list[int]) -> Groups:
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Groups(offsets, np.arange(offsets[-1]))


@pytest.mark.parametrize("kind", [recombine.mixes, recombine.splices])
def test_a_chunk_that_is_a_whole_book_makes_no_books(kind):
    donors = recombine.Donors(groups([3, 4, 50_000, 2, 5, 3, 3]), [f"문서 {i}" for i in range(7)])
    sizes = np.diff(kind(donors, seed=1, count=200).offsets)
    assert len(sizes) == 200 and sizes.min() >= 2
    assert sizes.max() == recombine.LONGEST
