"""Topics of BERTopic: told from plain arrays, for chunks of the fit and later ones alike."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax as reference

import chunkeval as ce
from chunkeval.analyzers import bert_topics
from chunkeval.analyzers.base import Features, Fitted, Groups, Sample
from chunkeval.analyzers.bert_topics import BertTopicsAnalyzer, softmax, temperature_of, weights
from chunkeval.analyzers.entropy import entropies
from chunkeval.analyzers.topics import TopicsAnalyzer
from chunkeval.cli.main import main
from chunkeval.config import ScoreConfig
from chunkeval.errors import ConfigError
from chunkeval.scoring import analyzer_of

FIELDS = [
    ["바다", "조석", "달", "인력", "갯벌", "파도"],
    ["김치", "배추", "고추", "마늘", "젓갈", "항아리"],
    ["자전거", "바퀴", "체인", "안장", "제동", "경주"],
    ["harvest", "wheat", "plough", "field", "barn", "mill"],
]
PER_FIELD, SENTENCES, WIDTH = 40, 4, 16


def made(mixed: int = 0, seed: int = 0) -> Features:
    """Chunks of one field each, behind them ``mixed`` chunks whose every sentence is of another field."""
    rng = np.random.default_rng(seed)
    directions = np.random.default_rng(9).normal(size=(len(FIELDS), WIDTH))
    fields = [[field] * SENTENCES for field in range(len(FIELDS)) for _ in range(PER_FIELD)]
    fields += [list(range(SENTENCES)) for _ in range(mixed)]
    flat = np.concatenate([np.array(one) for one in fields])
    held = (directions[flat] + 0.6 * rng.normal(size=(len(flat), WIDTH))).astype(np.float32)
    vocabulary = [word for field in FIELDS for word in field]
    words = np.concatenate([6 * field + rng.permutation(6)[:3] for field in flat])
    return Features(
        token_count=np.zeros(len(fields), np.int64),
        sentences=Groups(np.arange(len(fields) + 1) * SENTENCES, np.arange(len(flat))),
        sentence_keys=np.arange(len(flat), dtype=np.uint64),
        word_offsets=np.arange(len(flat) + 1) * 3,
        word_ids=words.astype(np.int64),
        vocabulary=vocabulary,
        vectors=lambda at: held[at],
    )


def sample(features: Features, **settings: Any) -> Sample:
    rng = np.random.default_rng(3)
    per = PER_FIELD * SENTENCES
    drawn = [rng.permutation([field * per + int(rng.integers(per)) for field in range(4)]) for _ in range(60)]
    mixes = Groups(np.arange(61) * 4, np.concatenate(drawn))
    return Sample(features, len(features), mixes, mixes, ScoreConfig(topic_model="bertopic", **settings))


@pytest.fixture(scope="module")
def fitted() -> Fitted:
    pytest.importorskip("bertopic", exc_type=ImportError)
    return BertTopicsAnalyzer().fit(sample(made()))


def test_the_clusters_are_the_fields(fitted: Fitted) -> None:
    assert fitted.meta["num_topics"] == len(FIELDS) and fitted.meta["topic_model"] == "bertopic"
    told = {frozenset(topic["words"][:6]) for topic in fitted.meta["topic_words"]}
    assert told == {frozenset(field) for field in FIELDS}
    assert fitted.meta["topics_unclustered"] < 0.2
    json.dumps(fitted.meta, allow_nan=False)


def test_a_chunk_of_several_fields_has_the_higher_entropy(fitted: Fitted) -> None:
    found = BertTopicsAnalyzer().score(made(mixed=30, seed=5), fitted.arrays)
    own, mixed = found["topic_entropy"][:-30], found["topic_entropy"][-30:]
    assert np.quantile(own, 0.95) < np.quantile(mixed, 0.05)
    assert np.median(found["topic_entropy_z"][-30:]) == pytest.approx(0, abs=1)
    assert np.median(found["topic_entropy_z"][:-30]) < -2
    assert np.isfinite(found["topic_entropy_spread"]).all()


def test_the_same_settings_give_the_same_numbers(fitted: Fitted) -> None:
    again = BertTopicsAnalyzer().fit(sample(made()))
    assert again.meta == fitted.meta
    for name, values in fitted.arrays.items():
        np.testing.assert_array_equal(again.arrays[name], values)
    assert all(values.dtype != object for values in fitted.arrays.values())


def test_a_chunks_numbers_do_not_hang_on_its_neighbours(fitted: Fitted) -> None:
    whole = made(mixed=5)
    together = BertTopicsAnalyzer().score(whole, fitted.arrays)
    for row in (0, 57, len(whole) - 1):
        one = replace(
            whole, token_count=np.zeros(1, np.int64), sentences=Groups(np.array([0, 4]), np.arange(4) + 4 * row)
        )
        alone = BertTopicsAnalyzer().score(one, fitted.arrays)
        for column in BertTopicsAnalyzer.columns:
            np.testing.assert_allclose(alone[column][0], together[column][row], rtol=0, atol=1e-9)


def test_distributions_are_the_means_of_their_sentences(fitted: Fitted) -> None:
    features, state = made(), fitted.arrays
    first = int(state["topics"][0])
    vectors = features.vectors(np.arange(4)).astype(np.float64)
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True) - state["mean"]
    cosines = vectors / np.linalg.norm(vectors, axis=1, keepdims=True) @ state["centroids"][:first].T.astype(np.float64)
    expected = reference(cosines / state["temperature"][0], axis=1).mean(axis=0)
    found = weights(features, features.sentences, state)[0]
    np.testing.assert_allclose(found[0], expected, atol=1e-9)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-9)
    assert (entropies(found) >= 0).all()


def test_the_temperature_is_the_likeliest() -> None:
    rng = np.random.default_rng(0)
    cosines = rng.uniform(-0.2, 0.9, (4000, 7))
    chosen = np.array([rng.choice(7, p=row) for row in reference(cosines / 0.15, axis=1)])
    assert temperature_of(cosines, chosen) == pytest.approx(0.15, rel=0.1)
    np.testing.assert_allclose(softmax(cosines, 0.15), reference(cosines / 0.15, axis=1), atol=1e-12)


def test_too_few_chunks_are_said_and_flag_nothing(tmp_path: Path) -> None:
    few = made()
    few = replace(few, sentences=Groups(few.sentences.offsets[:31], few.sentences.members[:120]))
    told = BertTopicsAnalyzer().fit(replace(sample(made()), features=replace(few, token_count=few.token_count[:30])))
    assert "needs 100 different chunks" in told.meta["untold"]["topics"]
    found = BertTopicsAnalyzer().score(few, told.arrays)
    assert np.isnan(found["topic_entropy"]).all() and (found["content_words"] == 12).all()


def test_a_small_corpus_is_audited_and_told_why(tmp_path: Path) -> None:
    pytest.importorskip("bertopic", exc_type=ImportError)
    texts = [f"{n}번 항아리에 김치를 담갔다. 마늘과 고추를 {n}근 넣었다. 겨울까지 창고에 두었다." for n in range(12)]
    scores = ce.score(pd.DataFrame({"text": texts}), analyzers="topics", topic_model="bertopic", embedder="lsa")
    judged = ce.flag(scores)
    assert not judged.frame["flag_topics"].any() and judged.frame["topic_entropy_z"].isna().all()
    (note,) = [note for note in judged.judgements[0].notes if "BERTopic needs" in note]
    assert "there are 12" in note


def test_both_models_offer_the_same() -> None:
    for name in ("name", "scope", "columns", "measure"):
        assert getattr(BertTopicsAnalyzer, name) == getattr(TopicsAnalyzer, name)
    assert isinstance(analyzer_of("topics", ScoreConfig()), TopicsAnalyzer)
    assert isinstance(analyzer_of("topics", ScoreConfig(topic_model="bertopic")), BertTopicsAnalyzer)


def test_a_number_of_topics_is_refused() -> None:
    with pytest.raises(ConfigError, match="bertopic finds its own"):
        ScoreConfig(topic_model="bertopic", topics=20)
    with pytest.raises(ConfigError, match="did you mean 'bertopic'"):
        ScoreConfig(topic_model="berttopic")  # type: ignore[arg-type]


def test_a_missing_extra_is_one_line_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "chunks.csv").write_text("text\n김치는 발효 음식이다.\n", "utf-8")
    monkeypatch.setattr(bert_topics, "MODULES", ("no_such_module",))
    out = ["--out", str(tmp_path / "run"), "--quiet"]
    assert main(["audit", str(tmp_path / "chunks.csv"), "--topic-model", "bertopic", *out]) == 2
    said = capsys.readouterr().err.strip()
    assert "pip install 'chunkeval[bertopic]'" in said and "\n" not in said
    assert not (tmp_path / "run").exists()
    with pytest.raises(ce.errors.MissingExtraError):
        ce.score(tmp_path / "chunks.csv", topic_model="bertopic")
