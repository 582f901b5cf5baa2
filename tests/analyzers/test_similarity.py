"""Similarity against the article's loop, written out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.analyzers.base import Features, Groups, Sample
from chunkeval.analyzers.similarity import SimilarityAnalyzer, mean_pairwise, unit, weakest_cuts
from chunkeval.config import ScoreConfig


def features(groups: list[np.ndarray], keys: list[int] | None = None) -> Features:
    vectors = np.concatenate([g for g in groups if len(g)]) if any(len(g) for g in groups) else np.zeros((0, 3))
    offsets = np.concatenate([[0], np.cumsum([len(g) for g in groups])]).astype(np.int64)
    return Features(
        token_count=np.zeros(len(groups), np.int64),
        sentences=Groups(offsets, np.arange(offsets[-1])),
        sentence_keys=np.array(keys if keys is not None else range(int(offsets[-1])), np.uint64),
        word_offsets=np.zeros(offsets[-1] + 1, np.int64),
        word_ids=np.zeros(0, np.int64),
        vocabulary=[],
        vectors=lambda indices: vectors[indices].astype(np.float32),
    )


def loop(vectors: np.ndarray) -> float:
    pairs = [float(a @ b) for a, b in itertools.combinations(vectors, 2)]
    return float(np.mean(pairs)) if pairs else float("nan")


def best_cut(vectors: np.ndarray) -> tuple[float, float]:
    n = len(vectors)
    gaps = []
    for c in range(1, n):
        left, right, whole = vectors[:c].sum(0), vectors[c:].sum(0), vectors.sum(0)
        gaps.append((left @ left / c + right @ right / (n - c) - whole @ whole / n) / n)
    return float(np.argmax(np.round(gaps, 9)) + 1), max(gaps)


sizes = st.lists(st.integers(0, 9), min_size=1, max_size=12)


@given(sizes, st.integers(0, 2**32 - 1))
def test_closed_form_is_the_mean_over_pairs(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    groups = [unit(rng.normal(size=(n, 5))) for n in sizes]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    got = mean_pairwise(np.concatenate(groups), offsets)
    np.testing.assert_allclose(got, [loop(g) for g in groups], atol=1e-12)


@given(st.lists(st.integers(2, 9), min_size=1, max_size=8), st.integers(0, 2**32 - 1))
def test_weakest_cut_is_the_best_of_all_cuts(sizes: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    groups = [unit(rng.normal(size=(n, 4))) for n in sizes]
    cuts, gaps = weakest_cuts(np.concatenate(groups), np.concatenate([[0], np.cumsum(sizes)]))
    expected = [best_cut(g) for g in groups]
    assert cuts.tolist() == [c for c, _ in expected]
    np.testing.assert_allclose(gaps, [g for _, g in expected], atol=1e-12)


def test_a_chunk_of_two_halves_is_cut_between_them() -> None:
    a, b = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
    cuts, gaps = weakest_cuts(np.stack([a, a, b, b, b]), np.array([0, 5]))
    assert cuts.tolist() == [2.0]
    assert gaps[0] == pytest.approx(best_cut(np.stack([a, a, b, b, b]))[1])


def test_ties_go_to_the_lowest_cut() -> None:
    same = np.tile(np.array([[0.6, 0.8]]), (4, 1))
    assert weakest_cuts(same, np.array([0, 4]))[0].tolist() == [1.0]


def test_fewer_than_two_sentences_are_not_measured() -> None:
    data = features([np.zeros((0, 3)), np.eye(3)[:1], np.eye(3)[:2]])
    scores = SimilarityAnalyzer().score(data, {"mean": np.zeros(3)})
    assert np.isnan(scores["similarity"]).tolist() == [True, True, False]
    assert np.isnan(scores["weakest_cut"]).tolist() == [True, True, False]
    assert scores["sentences"].tolist() == [0, 1, 2]
    assert scores["similarity"][2] == 0.0


def test_zero_vectors_count_as_unlike_everything() -> None:
    data = features([np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])])
    scores = SimilarityAnalyzer().score(data, {"mean": np.zeros(3)})
    assert scores["similarity"][0] == pytest.approx(1 / 3)


def test_repetition_counts_sentences_that_came_before_in_the_chunk() -> None:
    data = features([np.eye(3), np.eye(3)[:2], np.zeros((0, 3))], keys=[7, 7, 8, 7, 9])
    scores = SimilarityAnalyzer().score(data, {"mean": np.zeros(3)})
    np.testing.assert_allclose(scores["repetition"], [1 / 3, 0.0, np.nan])


def test_unrelated_sentences_average_zero_once_centred() -> None:
    rng = np.random.default_rng(0)
    around = unit(rng.normal(size=(4000, 24)) + 3.0)
    data = features(list(around.reshape(800, 5, 24)))
    empty = Groups(np.zeros(1, np.int64), np.zeros(0, np.int64))
    fitted = SimilarityAnalyzer().fit(Sample(data, 800, empty, empty, ScoreConfig()))
    scores = SimilarityAnalyzer().score(data, fitted.arrays)
    assert np.mean(scores["similarity"]) > 0.8
    assert abs(np.mean(scores["similarity_centred"])) < 0.01


def test_blocks_of_chunks_do_not_change_a_score(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    data = features([rng.normal(size=(n, 3)) for n in (4, 0, 1, 7, 2, 2, 9)])
    whole = SimilarityAnalyzer().score(data, {"mean": np.full(3, 0.1)})
    monkeypatch.setattr("chunkeval.analyzers.similarity._AT_ONCE", 3)
    blocks = SimilarityAnalyzer().score(data, {"mean": np.full(3, 0.1)})
    for column, values in whole.items():
        np.testing.assert_allclose(blocks[column], values, atol=1e-12)
