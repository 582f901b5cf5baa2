from __future__ import annotations

import unicodedata
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkeval.analyzers import folds as dealing
from chunkeval.analyzers import subjects
from chunkeval.analyzers.base import Features, Fitted, Groups, Sample
from chunkeval.analyzers.coherence import CoherenceAnalyzer
from chunkeval.analyzers.heads import HEADS, fit_head, fit_ratio, odds
from chunkeval.analyzers.signals import SIGNALS, Placed, Words, cohesion, signals
from chunkeval.analyzers.similarity import MOST_OF_ONE, mean_vector
from chunkeval.config import ScoreConfig
from chunkeval.features import vectors_by_key
from chunkeval.report.wording import why_incoherent
from chunkeval.separation import auroc

NONE = Groups(np.zeros(1, np.int64), np.zeros(0, np.int64))

_fits: dict[tuple[int, int], tuple[Features, Fitted]] = {}


@cache
def corpus(
    chunks: int = 400, documents: int = 100, bad: int = 0, d: int = 24, seed: int = 0, shift: float = 0.0
) -> Features:
    """Chunks whose sentences lie around their document's subject; the last ``bad`` take every sentence from another's."""
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(documents, d))
    sizes = rng.integers(2, 9, chunks)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    document = np.arange(chunks) % documents
    subject = np.repeat(document, sizes)
    spoiled = np.repeat(np.arange(chunks) >= chunks - bad, sizes)
    subject[spoiled] = rng.integers(documents, size=spoiled.sum())
    raw = directions[subject] + rng.normal(size=(len(subject), d))
    vectors = (raw / np.linalg.norm(raw, axis=1, keepdims=True) + shift).astype(np.float32)
    words = np.repeat(subject, 5) * 20 + rng.integers(20, size=5 * len(subject))
    return Features(
        token_count=np.zeros(chunks, np.int64),
        sentences=Groups(offsets, np.arange(len(subject))),
        sentence_keys=np.arange(len(subject), dtype=np.uint64),
        word_offsets=np.arange(len(subject) + 1) * 5,
        word_ids=words,
        vocabulary=[f"말{i}" for i in range(documents * 20)],
        vectors=lambda at: vectors[at],
        documents=[f"문서{i}" for i in document],
    )


def fitted(features: Features, seed: int = 42) -> Fitted:
    """Fit a corpus, once."""
    if (id(features), seed) not in _fits:
        positions = np.arange(len(features)) // 40
        sample = Sample(features, len(features), NONE, NONE, ScoreConfig(seed=seed), positions=positions)
        _fits[id(features), seed] = features, CoherenceAnalyzer().fit(sample)
    return _fits[id(features), seed][1]


def judged(features: Features, state=None) -> np.ndarray:
    state = fitted(features).arrays if state is None else state
    return np.round(CoherenceAnalyzer().score(features, state)["coherence"], 6)


def test_a_clean_corpus_has_next_to_nothing_flagged_and_a_spoiled_one_what_is_bad() -> None:
    assert (judged(corpus()) < 0.5).mean() < 0.02
    spoiled = judged(corpus(bad=80))
    assert (spoiled[-80:] < 0.5).mean() > 0.75
    assert (spoiled[:-80] < 0.5).mean() < 0.05


def test_the_share_is_that_which_was_planted() -> None:
    told = fitted(corpus(bad=80)).meta["calibrations"]["coherence"]
    assert told["why"] is None
    assert told["share"] == pytest.approx(0.2, abs=0.07)
    low, high = told["share_ci"]
    assert low <= told["share"] <= high


def with_a_book(sentences: int) -> Features:
    """The plain corpus, but its last chunk goes on for so many sentences that are like no others."""
    plain = corpus()
    size = plain.sentences.offsets[-1]
    book = np.random.default_rng(7).normal(size=(5000, 24))[:sentences] * 0.1 + np.eye(24)[0] * 3
    vectors = np.vstack([plain.vectors(np.arange(size)), book / np.linalg.norm(book, axis=1, keepdims=True)])
    offsets = plain.sentences.offsets.copy()
    offsets[-1] += sentences
    return replace(
        plain,
        sentences=Groups(offsets, np.arange(size + sentences)),
        sentence_keys=np.arange(size + sentences, dtype=np.uint64),
        word_offsets=np.concatenate([plain.word_offsets, np.full(sentences, plain.word_offsets[-1])]),
        vectors=lambda at: vectors[at].astype(np.float32),
    )


def test_a_chunk_that_is_a_book_says_no_more_of_the_corpus_than_its_beginning() -> None:
    one, book = (fitted(with_a_book(sentences)).arrays for sentences in (MOST_OF_ONE, 5000))
    assert {
        name for name in ("mean", "basis", "between", "spread") if not np.array_equal(one[name], book[name])
    } == set()
    assert np.array_equal(mean_vector(with_a_book(MOST_OF_ONE)), mean_vector(with_a_book(5000)))


@pytest.mark.parametrize(
    ("features", "why"),
    [
        (corpus(chunks=150), "150 different chunks of two sentences and more could be measured, 200 are needed"),
        (
            replace(corpus(), documents=[f"문서{max(0, i - 390)}" for i in range(400)]),
            "most chunks are of one document or few: without them",
        ),
        (corpus(documents=1), "documents with measured chunks: 1, 5 are needed"),
        (replace(corpus(), sentence_keys=np.zeros(10_000, np.uint64)), "different chunks"),
        (
            replace(corpus(), vectors=lambda at: np.ones((len(at), 24), np.float32)),
            "its sentences are all alike",
        ),
        (
            replace(corpus(), sentences=Groups(np.arange(401), np.arange(400))),
            "0 different chunks of two sentences and more",
        ),
    ],
)
def test_what_cannot_teach_says_why_and_measures_nothing(features: Features, why: str) -> None:
    learned = fitted(features)
    told = learned.meta["calibrations"]["coherence"]
    assert why in told["why"]
    assert told["limit"] is None
    scored = CoherenceAnalyzer().score(features, learned.arrays)
    assert np.isnan(scored["coherence"]).all()
    assert set(scored["coherence_reason"]) == {None}


def test_documents_that_count_as_one_are_told_from_documents() -> None:
    features = replace(corpus(), documents=[f"문서{i % 3}" for i in range(400)])
    kin = {f"판{i}": f"문서{i % 3}" for i in range(13)}
    sample = Sample(features, 400, NONE, NONE, ScoreConfig(), positions=np.arange(400), families=kin)
    told = CoherenceAnalyzer().fit(sample).meta["calibrations"]["coherence"]
    assert (told["documents"], told["documents_before"]) == (3, 16)
    assert told["why"].startswith("16 documents count as 3, since those that share most of their sentences go together")


def test_a_corpus_of_random_sentences_is_not_told_apart() -> None:
    told = fitted(corpus(bad=400)).meta["calibrations"]["coherence"]
    assert told["why"] is not None


def test_one_sentence_is_not_measured() -> None:
    features = corpus()
    state = fitted(features).arrays
    one = replace(features, sentences=Groups(np.array([0, 1, 3]), np.arange(3)), documents=features.documents[:2])
    values = judged(one, state)
    assert np.isnan(values[0])
    assert np.isfinite(values[1])


def test_scores_are_the_same_whatever_the_batch_and_the_order() -> None:
    features = corpus(bad=40)
    state = fitted(features).arrays
    whole = judged(features, state)
    offsets = features.sentences.offsets
    for row in (0, 7, 399):
        alone = replace(
            features,
            sentences=Groups(np.array([0, offsets[row + 1] - offsets[row]]), np.arange(offsets[row], offsets[row + 1])),
            documents=[features.documents[row]],
        )
        assert judged(alone, state)[0] == pytest.approx(whole[row], abs=2e-6)


@pytest.mark.parametrize("shift", [0.05, 1.0])
def test_a_shift_of_all_vectors_makes_no_difference(shift: float) -> None:
    plain, moved = judged(corpus(bad=60)) < 0.5, judged(corpus(bad=60, shift=shift)) < 0.5
    assert (plain & moved).sum() / (plain | moved).sum() >= 0.95


def test_a_scale_of_all_vectors_makes_no_difference() -> None:
    features = corpus(bad=60)
    scaled = replace(features, vectors=lambda at: 7 * features.vectors(at))
    assert judged(scaled) == pytest.approx(judged(features), abs=1e-5)


def test_every_text_twice_gives_the_same_verdicts() -> None:
    features = corpus(bad=60)
    n, members = len(features), features.sentences.members
    offsets = features.sentences.offsets
    twice = replace(
        features,
        sentences=Groups(np.concatenate([offsets, offsets[-1] + offsets[1:]]), np.concatenate([members, members])),
        documents=[*features.documents, *features.documents],
    )
    positions = np.tile(np.arange(n) // 40, 2)
    learned = CoherenceAnalyzer().fit(Sample(twice, 2 * n, NONE, NONE, ScoreConfig(), positions=positions))
    values = judged(twice, learned.arrays)
    assert values[:n].tolist() == values[n:].tolist() == judged(features).tolist()


def test_a_fold_is_judged_without_what_it_taught() -> None:
    features = corpus()
    plain = fitted(features).arrays
    fold = dealing.folds(features.documents, plain["ends"])
    own = np.repeat(fold, np.diff(features.sentences.offsets)) == 0
    drawn = np.random.default_rng(1).normal(size=(len(own), 24)).astype(np.float32)
    other = replace(
        features, vectors=lambda at: np.where(own[at][:, None], drawn[at], features.vectors(at)).astype(np.float32)
    )
    changed = fitted(other).arrays
    for name in ("mean", "basis", "between"):
        assert np.array_equal(plain[name][0], changed[name][0])
        assert not np.array_equal(plain[name][1], changed[name][1])


def test_the_state_needs_no_pickle_and_scores_the_same_when_read_back(tmp_path) -> None:
    features = corpus(bad=40)
    state = fitted(features).arrays
    with (tmp_path / "state.npz").open("wb") as file:
        np.savez(file, allow_pickle=False, **state)
    with np.load(tmp_path / "state.npz", allow_pickle=False) as read:
        assert judged(features, dict(read)).tolist() == judged(features, state).tolist()


def test_reasons_name_a_head_and_a_signal_that_both_languages_have_words_for() -> None:
    features = corpus(bad=80)
    scored = CoherenceAnalyzer().score(features, fitted(features).arrays)
    reasons = set(scored["coherence_reason"])
    assert reasons <= {f"{head}:{signal}" for head in HEADS for signal in SIGNALS[:7]}
    for code in (f"{head}:{signal}" for head in HEADS for signal in SIGNALS[:7]):
        for lang in ("ko", "en"):
            said = why_incoherent(code, lang)
            assert said and "{" not in said and code not in said


def test_cohesion_is_what_its_words_say() -> None:
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(5, 7, 3))
    products = vectors @ vectors.transpose(0, 2, 1)
    mean, across = cohesion(products)
    for g in range(5):
        pairs = [products[g, i, j] for i in range(7) for j in range(7) if i != j]
        cuts = [products[g, :c, c:].mean() for c in range(1, 7)]
        assert mean[g] == pytest.approx(np.mean(pairs))
        assert across[g] == pytest.approx(min(cuts))


def test_evidence_is_the_ratio_of_two_normal_densities() -> None:
    from scipy.stats import multivariate_normal

    values, b = np.array([0.3, -1.2, 0.7]), 0.8
    together = multivariate_normal(np.zeros(3), np.eye(3) + b).logpdf(values)
    alone = multivariate_normal(np.zeros(3), np.eye(3)).logpdf(values)
    found = subjects.log_evidence(np.array([[values.sum()]]), np.array([3]), np.array([b]))
    assert found[0] == pytest.approx(together - alone)


def test_words_weigh_as_in_scikit_learn() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    sentences = ["바다 바다 배", "배 바람", "바다 하늘 하늘"]
    vectorizer = TfidfVectorizer(sublinear_tf=True, token_pattern=r"\S+")
    matrix = vectorizer.fit_transform(sentences)
    expected = (matrix @ matrix.T).toarray()
    numbers = vectorizer.vocabulary_
    ids = np.array([numbers[word] for sentence in sentences for word in sentence.split()])
    offsets = np.array([0, 3, 5, 8])
    found = signals(
        Groups(np.array([0, 3]), np.arange(3)),
        Placed(np.eye(3), np.eye(3)),
        np.ones(3),
        Words(offsets, ids, vectorizer.idf_[ids]),
    )[0]
    pairs = expected[~np.eye(3, dtype=bool)]
    assert found[SIGNALS.index("shared_words")] == pytest.approx(pairs.mean())
    assert found[SIGNALS.index("distinct_words")] == pytest.approx(4 / 8)


def test_sentences_of_which_nothing_is_known_are_not_alike() -> None:
    none = Words(np.zeros(4, np.int64), np.zeros(0, np.int64), np.zeros(0))
    own = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    found = signals(Groups(np.array([0, 3]), np.arange(3)), Placed(own, own), np.ones(2), none)[0]
    assert found[SIGNALS.index("similarity")] == 0


@pytest.mark.parametrize("length", [0.2, 3.0])
def test_lengths_that_an_embedder_gives_make_no_difference(length: float) -> None:
    features = corpus(bad=60)
    every = features.vectors(np.arange(len(features.sentence_keys)))

    class Store:
        def gather(self, keys, dimension):
            return every[keys] * np.where(keys % 2, length, 1.0).astype(np.float32)[:, None]

    looked_up = vectors_by_key(np.arange(len(every)), Store(), every.shape[1])
    assert judged(replace(features, vectors=looked_up)) == pytest.approx(judged(features), abs=1e-5)


def test_the_ratio_of_two_normals_is_found_again() -> None:
    rng = np.random.default_rng(0)
    good, bad = rng.normal(0, 1, 4000), rng.normal(2, 1, 1000)
    slope, intercept = fit_ratio(good, np.ones(4000), bad)
    assert slope == pytest.approx(2, abs=0.15)
    assert intercept == pytest.approx(-2, abs=0.2)


def test_a_head_puts_what_is_bad_higher_and_says_by_what() -> None:
    rng = np.random.default_rng(0)
    good, bad = rng.normal(size=(500, len(SIGNALS))), rng.normal(size=(500, len(SIGNALS)))
    bad[:, 1] -= 3
    for some in (good, bad):
        some[:, SIGNALS.index("sentences")] = np.log(rng.integers(2, 12, 500))
    head = fit_head(good, np.ones(500), bad)
    assert auroc(-head.logit(good), -head.logit(bad)) > 0.97
    assert (head.strongest(bad) == 1).mean() > 0.7
    whole = head.parts(bad).sum(axis=1) + head.intercept
    assert whole == pytest.approx(head.logit(bad))


@given(ratio=st.floats(-100, 100), shares=st.tuples(st.floats(0, 0.5), st.floats(0, 0.49)), more=st.floats(0.001, 10))
def test_odds_are_finite_and_rise_with_ratio(ratio: float, shares: tuple[float, float], more: float) -> None:
    first, second = (odds([np.array([each])] * 2, list(shares)) for each in (ratio, ratio + more))
    assert np.isfinite(first).all() and (first >= 0).all() and (second >= first).all()


names = st.text(st.sampled_from("가나다abc 한한"), min_size=1, max_size=6)


@settings(max_examples=60)
@given(st.lists(names, min_size=5, max_size=80, unique=True), st.randoms())
def test_folds_are_by_document_and_depend_on_no_order(documents: list[str], drawn) -> None:
    ends = dealing.edges(documents)
    shuffled = documents[:]
    drawn.shuffle(shuffled)
    assert np.array_equal(ends, dealing.edges(shuffled))
    given = dict(zip(documents, dealing.folds(documents, ends).tolist(), strict=True))
    again = dict(zip(shuffled, dealing.folds(shuffled, ends).tolist(), strict=True))
    assert given == again
    assert set(given.values()) == set(range(5))


def test_composed_and_decomposed_hangul_name_two_documents() -> None:
    composed = [f"문서 {i}" for i in range(200)]
    decomposed = [unicodedata.normalize("NFD", name) for name in composed]
    ends = dealing.edges([*composed, *decomposed])
    assert (dealing.folds(composed, ends) != dealing.folds(decomposed, ends)).any()
