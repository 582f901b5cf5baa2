"""The audit against the article's recipe as published: same tokens, similarities, topics, fences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import published_recipe as naive
import pytest

from chunkeval import api, settings

pytestmark = pytest.mark.usefixtures("undrawn_runs")

KOREAN = Path(__file__).parents[1] / "datasets/ko/chunks.csv"
TOPICS = 12


class Ones:
    """Stands in for gensim's random state: inference then starts from the same constant for every chunk."""

    def gamma(self, shape: float, scale: float, size: tuple[int, ...]) -> np.ndarray:
        return np.ones(size)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    hard = [
        "",
        "한 문장뿐",
        "끝.",
        "가나다라마바사" * 28 + ". 둘째!",  # a run that is not cut for Okt, which it is from 200 syllables on
        "ＡＢＣ！ 가족 👨‍👩‍👧‍👦 이모지. Mixed 한글 text?",
        "분해형 한글. 둘째",
    ]
    return [*pd.read_csv(KOREAN)["content"].head(60), *hard]


@pytest.fixture(scope="module")
def article(tmp_path_factory: pytest.TempPathFactory, texts: list[str], minilm_folder: str) -> tuple[pd.DataFrame, Any]:
    pytest.importorskip("konlpy")
    folder = tmp_path_factory.mktemp("article")
    pd.DataFrame({"id": range(len(texts)), "content": texts}).to_csv(folder / "chunks.csv", index=False)
    given = {"preset": "article", "embedder": minilm_folder, "topics": TOPICS, "cache": str(folder / "cache")}
    done = api.audit(folder / "chunks.csv", settings.build({**given, "out": str(folder / "run")})[0])
    return pd.read_parquet(folder / "run" / "scores.parquet"), done.summary


@pytest.fixture(scope="module")
def model(minilm_folder: str) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(minilm_folder, device="cpu")


def test_token_counts_and_fences(article: tuple[pd.DataFrame, Any], texts: list[str], model: Any) -> None:
    scores, summary = article
    counts = [naive.token_count(model.tokenizer, text) for text in texts]
    assert scores["token_count"].tolist() == counts
    q1, q3 = np.percentile(counts, [25, 75])
    limit = summary["analyzers"]["tokens"]["limit"]
    assert (limit["low"], limit["high"]) == (q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1))


def test_similarity_to_a_millionth(article: tuple[pd.DataFrame, Any], texts: list[str], model: Any) -> None:
    scores, _ = article
    expected = [naive.similarity(model, text) for text in texts]
    np.testing.assert_allclose(scores["similarity"].astype(float), expected, atol=1.5e-6)
    assert (scores["flag_similarity"] == (np.array(expected) <= 0.4)).all()


def test_topic_entropies_against_gensim(article: tuple[pd.DataFrame, Any], texts: list[str]) -> None:
    from konlpy.tag import Okt

    scores, _ = article
    okt = Okt()
    words = [naive.okt_words(okt, text) for text in texts]
    assert scores["content_words"].tolist() == [len(w) for w in words]
    lda, corpus = naive.fit_topics(words, TOPICS)
    lda.random_state = Ones()
    for i, bow in enumerate(corpus):
        if len(words[i]) < 5:
            assert np.isnan(scores["topic_entropy_card"][i])
            continue
        assert scores["topic_entropy_card"][i] == pytest.approx(naive.topic_entropy(lda, bow), abs=1.5e-6)
        gamma, _ = lda.inference([bow])
        p = (gamma[0] / gamma[0].sum()).astype(float)
        assert scores["topic_entropy"][i] == pytest.approx(-(p * np.log2(p)).sum(), abs=1.5e-6)
