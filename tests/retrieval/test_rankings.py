"""Semantic search and fusion against plain loops."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.retrieval import semantic
from chunkeval.retrieval.fusion import fuse
from chunkeval.retrieval.ranking import Ranking, best


@pytest.mark.parametrize("block", [1, 3, 1000])
@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.integers(0, 14), st.integers(0, 1000))
def test_a_chunk_is_as_near_as_its_nearest_sentence(block, counts, k, seed):
    rng = np.random.default_rng(seed)
    offsets = np.cumsum([0, *counts])
    # Few different vectors: equal scores are common.
    vectors = semantic.unit(rng.normal(size=(5, 8)).astype(np.float32))[rng.integers(0, 5, offsets[-1])]
    queries = semantic.unit(rng.normal(size=(3, 8)).astype(np.float32))
    before, semantic._SENTENCES = semantic._SENTENCES, block
    try:
        found = semantic.search(vectors, offsets, queries, k)
    finally:
        semantic._SENTENCES = before
    for number, query in enumerate(queries):
        scores = []
        for a, b in pairwise(offsets):
            scores.append(max((round(float(v @ query), 6) for v in vectors[a:b]), default=-1.0))
        assert len(found.rows[number]) == min(k, len(counts))
        np.testing.assert_allclose(found.scores[number], sorted(scores, reverse=True)[:k], atol=2e-6)
        np.testing.assert_allclose(np.array(scores)[found.rows[number]], found.scores[number], atol=2e-6)
        for (a, x), (b, y) in pairwise(zip(found.rows[number], found.scores[number], strict=True)):
            assert x > y or (x == y and a < b)


def test_best_keeps_the_order_of_equals_at_the_border():
    assert best(np.array([[0.5, 0.9, 0.5, 0.5]]), 2).rows.tolist() == [[1, 0]]
    assert best(np.array([[0.1, 0.2]]), 0).rows.shape == (1, 0)
    assert best(np.array([[0.1, 0.1 + 1e-9]]), 2).rows.tolist() == [[0, 1]]


def test_reciprocal_ranks_by_hand():
    keyword = Ranking(np.array([[7, 3], [1, -1], [-1, -1]]), np.zeros((3, 2)))
    near = Ranking(np.array([[3, 9], [5, 1], [2, 4]]), np.zeros((3, 2)))
    found = fuse([keyword, near], 3)
    assert found.rows.tolist() == [[3, 7, 9], [1, 5, -1], [2, 4, -1]]
    assert found.scores[0].tolist() == [round(1 / 62 + 1 / 61, 6), round(1 / 61, 6), round(1 / 62, 6)]
    assert found.scores[1].tolist() == [round(1 / 61 + 1 / 62, 6), round(1 / 61, 6), 0]
