from __future__ import annotations

import numpy as np
import pytest

from chunkeval.compare import cohesion
from chunkeval.compare.cohesion import contrast


def found(chunk: list[int], document: list[int], vectors: np.ndarray, documents: int = 1) -> tuple[list[float], ...]:
    held = vectors.astype(np.float32)
    within, across = contrast(
        np.array(chunk), np.array(document), lambda some: held[some], np.zeros(held.shape[1]), documents
    )
    return within.tolist(), across.tolist()


def test_a_cut_between_topics_shows_and_one_within_a_topic_does_not() -> None:
    topics = np.eye(2)[[0, 0, 0, 1, 1, 1]]
    within, across = found([0, 0, 0, 1, 1, 1], [0] * 6, topics)
    assert within == pytest.approx([1.0])
    assert across == pytest.approx([0.0])
    within, across = found([0, 0, 1, 1, 1, 1], [0] * 6, topics)
    assert across[0] > 0.25 > within[0] - 0.75


def test_sides_stay_in_their_chunks_and_documents() -> None:
    within, across = found([0, 1, 2, 2], [0, 0, 1, 1], np.eye(4), documents=3)
    assert within[1] == pytest.approx(0.0)
    assert across[0] == pytest.approx(0.0)
    assert np.isnan([within[0], across[1], within[2], across[2]]).all()


def test_the_same_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(40, 5))
    chunk, document = np.arange(40) // 3, np.arange(40) // 9
    whole = contrast(chunk, document, lambda some: vectors[some].astype(np.float32), np.zeros(5), 5)
    monkeypatch.setattr(cohesion, "TOGETHER", 10)
    parts = contrast(chunk, document, lambda some: vectors[some].astype(np.float32), np.zeros(5), 5)
    np.testing.assert_allclose(whole, parts)


def test_nothing_to_look_at_is_nan() -> None:
    within, across = found([], [], np.zeros((0, 3)), documents=2)
    assert np.isnan([*within, *across]).all()
