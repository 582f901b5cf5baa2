"""Counting near neighbours: exactly, by blocks, and in cells."""

from __future__ import annotations

import numpy as np
import pytest
from corpora import duplicates_of

from chunkeval.analyzers import competitors
from chunkeval.analyzers.similarity import unit


def clustered(count: int, clusters: int, spread: float, seed: int = 0) -> np.ndarray:
    """Vectors in a narrow cone, as those of sentence encoders are, around many centres."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(clusters, 32)) + 1.5
    made = centres[rng.integers(clusters, size=count)] + spread * rng.normal(size=(count, 32))
    return unit(made).astype(np.float32)


def brute(vectors: np.ndarray, weight: np.ndarray) -> np.ndarray:
    near = (vectors.astype(np.float64) @ vectors.T.astype(np.float64)).round(9) > competitors.NEAR
    np.fill_diagonal(near, True)
    return near @ weight


def test_by_blocks_it_is_what_the_whole_matrix_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(competitors, "_BLOCK", 37)
    vectors = clustered(500, 40, 0.5)
    weight = np.random.default_rng(1).integers(1, 4, 500)
    some = np.arange(3, 500, 2)
    counted = competitors.all_pairs(vectors, some, weight)
    assert counted.tolist() == brute(vectors[some], weight[some]).tolist()
    assert counted.max() > 5


def test_in_cells_nearly_all_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(competitors, "CELL", 64)
    vectors, weight = clustered(4_000, 300, 0.45), np.ones(4_000, np.int64)
    every = np.arange(4_000)
    exact, found = (count(vectors, every, weight) for count in (competitors.all_pairs, competitors.within_cells))
    assert exact.sum() > 8_000
    assert (found <= exact).all() and (found - 1).sum() >= 0.9 * (exact - 1).sum()


def test_a_crowded_cell_is_counted_by_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(competitors, "CELL", 64)
    monkeypatch.setattr(competitors, "LARGEST", 100)
    vectors = np.ones((1_500, 4), np.float32) / 2
    found = competitors.within_cells(vectors, np.arange(1_500), np.ones(1_500, np.int64))
    assert np.abs(found - 1_500).max() <= 15


def test_copies_compete_and_a_chunk_not_with_itself() -> None:
    vectors = np.array([[1, 0], [1, 0], [0, 1], [0.99, 0.1], [0, 0]], np.float32)
    found = duplicates_of(["가나다라", "가나다라", "마바사아", "자차카타", "하하하하"], vectors=vectors)
    assert found["competitors"].fillna(-1).tolist() == [2, 2, 0, 2, -1]


def test_a_value_on_the_edge_does_not_depend_on_the_block() -> None:
    angle = np.arccos(competitors.NEAR)
    vectors = np.array([[1, 0], [np.cos(angle), np.sin(angle)]] * 40, np.float32)
    one = competitors.all_pairs(vectors, np.arange(80), np.ones(80, np.int64))
    assert len(set(one[::2].tolist())) == 1 and len(set(one[1::2].tolist())) == 1
