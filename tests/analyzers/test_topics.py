"""Topics against gensim, and against the article's worked example."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from chunkeval.analyzers import lda
from chunkeval.analyzers.base import Features, Groups, Sample
from chunkeval.analyzers.entropy import entropies
from chunkeval.analyzers.topics import TopicsAnalyzer, bags, default_num_topics, vocabulary_of
from chunkeval.config import ScoreConfig

KOREAN = [
    *("바다", "조석", "달", "지구", "인력", "간조", "만조", "해안", "갯벌", "조개"),
    *("김치", "배추", "고추", "마늘", "젓갈", "발효", "항아리", "겨울", "저장", "맛"),
]
ENGLISH = ["bicycle", "wheel", "chain", "pedal", "saddle", "frame", "brake", "tyre", "road", "race"]


def texts(n: int, seed: int = 0) -> list[list[list[str]]]:
    """Chunks of sentences of words; a third of them speak of one field only."""
    rng = np.random.default_rng(seed)
    fields = [KOREAN[:10], KOREAN[10:], ENGLISH]
    made = []
    for i in range(n):
        words = fields[i % 3] if i % 4 else KOREAN + ENGLISH
        made.append([[str(w) for w in rng.choice(words, size=rng.integers(2, 7))] for _ in range(rng.integers(1, 6))])
    return made


def features(chunks: list[list[list[str]]]) -> Features:
    sentences = [s for chunk in chunks for s in chunk]
    words = [w for s in sentences for w in s]
    vocabulary = list(dict.fromkeys(words))
    numbers = {w: i for i, w in enumerate(vocabulary)}
    offsets = np.concatenate([[0], np.cumsum([len(c) for c in chunks])]).astype(np.int64)
    return Features(
        token_count=np.zeros(len(chunks), np.int64),
        sentences=Groups(offsets, np.arange(len(sentences))),
        sentence_keys=np.arange(len(sentences), dtype=np.uint64),
        word_offsets=np.concatenate([[0], np.cumsum([len(s) for s in sentences])]).astype(np.int64),
        word_ids=np.array([numbers[w] for w in words], np.int64),
        vocabulary=vocabulary,
        vectors=lambda indices: np.zeros((len(indices), 1), np.float32),
    )


def gensim_oracle(documents: list[list[str]], num_topics: int) -> Any:
    from gensim.corpora import Dictionary
    from gensim.models import LdaModel

    dictionary = Dictionary(documents)
    corpus = [dictionary.doc2bow(d) for d in documents]
    model = LdaModel(
        corpus=corpus, id2word=dictionary, num_topics=num_topics, random_state=42, update_every=1, chunksize=100, passes=10,
        alpha="auto", per_word_topics=True,
    )  # fmt: skip
    return dictionary, corpus, model


def test_worked_example_of_the_article() -> None:
    # Its printed figures are in nats, although its code takes log2.
    bits = entropies(np.array([[0.9, 0.08, 0.02], [0.7, 0.2, 0.1]]))
    np.testing.assert_allclose(bits * math.log(2), [0.375122, 0.801816], atol=5e-6)
    np.testing.assert_allclose(bits, [0.541188, 1.156780], atol=1e-6)


def test_truncated_entropy_drops_small_topics_without_scaling_up() -> None:
    weights = np.array([[0.985, 0.009, 0.006]])
    assert entropies(weights, 0.01)[0] == pytest.approx(-0.985 * math.log2(0.985))


@pytest.mark.parametrize("num_topics", [4, 12])
def test_equal_to_gensim(num_topics: int) -> None:
    chunks = [[], *texts(230)]
    data = features(chunks)
    documents = [[w for s in c for w in s] for c in chunks]
    dictionary, corpus, model = gensim_oracle(documents, num_topics)

    vocabulary = vocabulary_of(data)
    assert vocabulary == [dictionary[i] for i in range(len(dictionary))]
    bows = bags(data, data.sentences, {w: i for i, w in enumerate(vocabulary)})
    assert [list(zip(ids.tolist(), counts.astype(int).tolist(), strict=True)) for ids, counts in bows[:]] == corpus

    heard = Heard()
    state = lda.fit_elsewhere(bows, len(vocabulary), num_topics=num_topics, seed=42, step=heard)
    assert heard.done == lda.updates(len(bows)) == 30
    np.testing.assert_array_equal(state["exp_elog_beta"], model.expElogbeta)
    np.testing.assert_array_equal(state["alpha"], model.alpha)

    class Ones:
        def gamma(self, shape: float, scale: float, size: tuple[int, ...]) -> np.ndarray:
            return np.ones(size)

    model.random_state = Ones()
    weights = lda.infer(bows, state)
    full, card = entropies(weights), entropies(weights, lda.TRUNCATION)
    for i, bow in enumerate(corpus):
        gamma, _ = model.inference([bow])
        p = (gamma[0] / gamma[0].sum()).astype(float)
        assert full[i] == pytest.approx(-(p * np.log2(p)).sum(), abs=1e-6)
        kept = [float(q) for _, q in model.get_document_topics(bow, per_word_topics=False)]
        assert card[i] == pytest.approx(-sum(q * math.log2(q) for q in kept if q > 0), abs=1e-6)


class Heard:
    done = 0

    def advance(self, amount: int = 1) -> None:
        self.done += amount


def sample(data: Features, mixes: Groups, splices: Groups, **settings: Any) -> Sample:
    return Sample(data, len(data), mixes, splices, ScoreConfig(**settings))


def test_score_of_a_chunk_does_not_depend_on_its_neighbours() -> None:
    chunks = texts(120)
    data = features(chunks)
    mixes = Groups(np.arange(0, 301, 3).astype(np.int64), np.arange(300))
    fitted = TopicsAnalyzer().fit(sample(data, mixes, mixes, topics=6))
    together = TopicsAnalyzer().score(data, fitted.arrays)
    alone = [TopicsAnalyzer().score(features([c]), fitted.arrays) for c in chunks[:10]]
    for column in TopicsAnalyzer.columns:
        np.testing.assert_allclose(together[column][:10], [a[column][0] for a in alone], atol=1e-6)


def test_too_few_content_words_are_not_measured() -> None:
    data = features([*texts(60), [["바다"]], []])
    mixes = Groups(np.arange(0, 91, 3).astype(np.int64), np.arange(90))
    fitted = TopicsAnalyzer().fit(sample(data, mixes, mixes, topics=5))
    scores = TopicsAnalyzer().score(data, fitted.arrays)
    assert np.isnan(scores["topic_entropy"][-2:]).all()
    assert np.isnan(scores["topic_entropy_card"][-2:]).all()
    assert np.isnan(scores["topic_entropy_z"][-2:]).all()
    assert scores["content_words"][-2:].tolist() == [1, 0]


def test_z_is_taken_among_mixes_of_like_length() -> None:
    data = features(texts(90))
    mixes = Groups(np.arange(0, 241, 2).astype(np.int64), np.arange(240))
    fitted = TopicsAnalyzer().fit(sample(data, mixes, mixes, topics=5, topic_seeds=1))
    state = fitted.arrays
    scores = TopicsAnalyzer().score(data, state)
    i = int(np.flatnonzero(scores["content_words"] >= 5)[0])
    near = np.argsort(np.abs(state["mix_words"] - scores["content_words"][i]), kind="stable")[:200]
    among = state["mix_entropy"][near]
    assert scores["topic_entropy_z"][i] == pytest.approx(
        (scores["topic_entropy"][i] - among.mean()) / max(among.std(), 0.01), abs=1e-6
    )


def test_no_words_at_all_measure_nothing() -> None:
    data = features([[[]], [[]]])
    empty = Groups(np.zeros(1, np.int64), np.zeros(0, np.int64))
    fitted = TopicsAnalyzer().fit(sample(data, empty, empty))
    assert np.isnan(TopicsAnalyzer().score(data, fitted.arrays)["topic_entropy"]).all()


@pytest.mark.parametrize(
    ("chunks", "topics"), [(0, 10), (200, 10), (4200, 46), (20_000, 100), (200_000, 316), (10**7, 400)]
)
def test_default_number_of_topics(chunks: int, topics: int) -> None:
    assert default_num_topics(chunks) == topics
