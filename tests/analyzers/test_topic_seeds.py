"""Topics of several seeds, their agreement, and their number by held-out words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr
from test_topics import features, sample, texts

from chunkeval.analyzers import held_out, lda
from chunkeval.analyzers.base import Groups
from chunkeval.analyzers.topics import TopicsAnalyzer, agreement, bags, topic_words, vocabulary_of

CHUNKS = texts(150)
DATA = features(CHUNKS)
WORDS = vocabulary_of(DATA)
BOWS = bags(DATA, DATA.sentences, {word: at for at, word in enumerate(WORDS)})
MIXES_OF_NONE = Groups(np.zeros(1, np.int64), np.zeros(0, np.int64))
MIXES = Groups(np.arange(0, 301, 3).astype(np.int64), np.arange(300))


def fitted(seed: int, seeds: int) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """State and scores."""
    state = TopicsAnalyzer().fit(sample(DATA, MIXES, MIXES, topics=6, seed=seed, topic_seeds=seeds)).arrays
    return state, TopicsAnalyzer().score(DATA, state)


def test_several_seeds_are_the_single_fits_together() -> None:
    (state, together), alone = fitted(7, 3), [fitted(seed, 1)[1] for seed in (7, 8, 9)]
    for column in ("topic_entropy", "topic_entropy_card", "content_words"):
        np.testing.assert_array_equal(together[column], alone[0][column])
    entropies = np.stack([one["topic_entropy"] for one in alone])
    np.testing.assert_allclose(together["topic_entropy_spread"], np.std(entropies, axis=0, ddof=1), atol=1e-9)
    assert np.isnan(alone[0]["topic_entropy_spread"]).all()
    measured = np.flatnonzero(np.isfinite(together["topic_entropy_z"]))
    for i in measured[:20]:
        near = np.argsort(np.abs(state["mix_words"] - together["content_words"][i]), kind="stable")[:200]
        among = state["mix_entropy"][near]
        expected = (entropies[:, i].mean() - among.mean()) / max(among.std(), 0.01)
        assert together["topic_entropy_z"][i] == pytest.approx(expected, abs=1e-6)


def test_agreement_is_the_mean_rank_correlation() -> None:
    fits = [lda.fit(BOWS, len(WORDS), num_topics=5, seed=seed) for seed in (1, 2, 3)]
    long = BOWS.take(np.flatnonzero([sum(counts) >= 5 for _, counts in BOWS[:]]))
    found = []
    for fit in fits:
        weights = lda.infer(long, fit)
        found.append([-sum(p * math.log2(p) for p in row if p > 0) for row in weights])
    pairs = [spearmanr(found[a], found[b]).statistic for a, b in ((0, 1), (0, 2), (1, 2))]
    assert agreement(BOWS, fits) == pytest.approx(float(np.mean(pairs)), abs=1e-4)
    assert agreement(BOWS, [fits[0], fits[0]]) == 1.0
    assert agreement(BOWS.take(np.arange(2)), fits) is None
    assert agreement(BOWS.take(np.zeros(9, np.int64)), fits) is None


def test_what_the_topics_are_about() -> None:
    fit = lda.fit(BOWS, len(WORDS), num_topics=3, seed=42)
    told = topic_words(BOWS, fit, WORDS)
    assert [one["share"] for one in told] == sorted((one["share"] for one in told), reverse=True)
    assert sum(one["share"] for one in told) == pytest.approx(1, abs=1e-3)
    assert all(set(one["words"]) <= set(WORDS) and len(one["words"]) == 8 for one in told)


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5)), max_size=4), min_size=1, max_size=8), st.data()
)
def test_some_of_the_bags(bags_: list[list[tuple[int, int]]], data: st.DataObject) -> None:
    offsets = np.concatenate([[0], np.cumsum([len(bag) for bag in bags_])]).astype(np.int64)
    flat = [pair for bag in bags_ for pair in bag]
    bows = lda.Bows(offsets, np.array([w for w, _ in flat], np.int64), np.array([n for _, n in flat], np.float32))
    rows = data.draw(st.lists(st.integers(0, len(bags_) - 1), max_size=6))
    taken = bows.take(np.array(rows, np.int64))
    assert len(taken) == len(rows)
    for row, (ids, counts) in zip(rows, taken[:], strict=True):
        assert list(zip(ids.tolist(), counts.tolist(), strict=True)) == bags_[row]


def test_bits_of_a_held_out_word_by_hand() -> None:
    """The same sum, a word at a time."""
    known = []

    def fit(bows: lda.Bows, number: int) -> dict[str, Any]:
        known.append(bows)
        return lda.fit(bows, len(WORDS), num_topics=number, seed=3)

    found = held_out.surprise(BOWS, 10, fit)
    assert list(found) == held_out.candidates(10) == [5, 10, 20, 40]
    seen = set(known[0].ids.tolist())
    topics = lda.fit(known[0], len(WORDS), num_topics=5, seed=3)
    bits = times = 0.0
    held = [row for row in range(len(BOWS)) if len(BOWS[row][0]) >= 2][::10]
    for row in held:
        ids, counts = BOWS[row]
        shown = lda.Bows(np.array([0, len(ids[::2])]), ids[::2], counts[::2])
        weights = lda.infer(shown, topics)[0]
        for word, count in zip(ids[1::2].tolist(), counts[1::2].tolist(), strict=True):
            assert word in seen
            bits -= count * math.log2(float(weights @ topics["words"][:, word].astype(float)))
            times += count
    assert found[5] == pytest.approx(bits / times, abs=1e-9)


def test_the_number_of_topics_is_the_least_surprising() -> None:
    state = TopicsAnalyzer().fit(sample(DATA, MIXES, MIXES, topics="auto", topic_seeds=2))
    tried = {int(number): bits for number, bits in state.meta["topics_tried"].items()}
    assert state.meta["num_topics"] == min(tried, key=tried.__getitem__)
    assert -1 <= state.meta["repeats"]["topics"] <= 1
    assert state.arrays["alpha"].shape == (2, state.meta["num_topics"])


def test_nothing_to_hold_out_leaves_the_usual_number() -> None:
    data = features([[["바다"]], [["달"]]])
    state = TopicsAnalyzer().fit(sample(data, MIXES_OF_NONE, MIXES_OF_NONE, topics="auto"))
    assert state.meta["num_topics"] == 10 and "topics_tried" not in state.meta
