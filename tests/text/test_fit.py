"""Whether an embedder reads the corpus' language."""

from __future__ import annotations

import pytest

from chunkeval.text import embeddings
from chunkeval.text.fit import misfit
from chunkeval.text.use import UseEmbedder

KOREAN = ["서울은 대한민국의 수도이다. React의 useState 훅을 쓴다.", "바다의 조석은 달의 인력이 만든다!"]
ENGLISH = ["The tide is made by the moon. It comes twice a day.", "Bread needs flour, water and time."]
CHINESE = ["潮汐是由月球的引力引起的，每天兩次。醬油與豆腐。", "麵包需要麵粉、水和時間。"]


@pytest.mark.parametrize(("texts", "language"), [(KOREAN, "ko"), (ENGLISH, "en"), (CHINESE, "zh"), ([], "ko")])
def test_the_default_embedder_fits(texts, language):
    assert misfit(UseEmbedder(), texts, language) is None


def test_what_is_no_korean_is_not_laid_to_an_embedder_that_knows_it():
    said = misfit(UseEmbedder(), ["쀍뚧쿫 쮏뾌횳 쉛쵏뷁 꿻쒢"], "ko")
    assert said is not None and said.startswith(
        "WARNING: the embedder use-multilingual does not find words in these texts"
    )
    assert "was not made for" not in said and "--embedder" not in said


def test_an_english_model_is_named_where_the_corpus_is_korean_or_chinese(minilm_folder):
    minilm = embeddings.load(minilm_folder)
    assert misfit(minilm, ENGLISH, "en") is None
    assert misfit(minilm, ["", "..."], "ko") is None
    said = misfit(minilm, KOREAN, "ko")
    assert said is not None and said.startswith(
        f"WARNING: the embedder {minilm_folder} was not made for Korean: it needs 2."
    )
    assert said.endswith("with --embedder use-multilingual")
    lacks = misfit(minilm, CHINESE, "zh")
    assert lacks is not None and "was not made for Chinese: its vocabulary lacks " in lacks
