from __future__ import annotations

import doctest
import random
import unicodedata
from types import MappingProxyType

import numpy as np
import pytest
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkeval.cache import Cache
from chunkeval.chunkers import borders, pieces, semantic
from chunkeval.chunkers.semantic import BELOW_MINIMUM, SemanticChunker
from chunkeval.chunkers.spec import make
from chunkeval.chunkers.units import Ruler
from chunkeval.errors import ConfigError

BREAD = [
    "밀가루에 물과 소금을 넣고 반죽을 치댑니다.",
    "효모가 당을 먹고 가스를 내면 반죽이 부풀어 오릅니다.",
    "오븐은 이백이십 도까지 미리 데워 둡니다.",
    "껍질이 갈색으로 구워지면 빵을 꺼내 식힙니다.",
    "갓 구운 빵은 한 시간쯤 식힌 뒤에 썰어야 합니다.",
    "호밀빵은 시큼한 발효 반죽으로 부풀립니다.",
]
PLANETS = [
    "목성은 태양계에서 가장 큰 행성입니다.",
    "토성의 고리는 얼음과 바위 조각으로 되어 있습니다.",
    "화성에는 엷은 대기와 마른 강의 자취가 있습니다.",
    "천왕성은 옆으로 누운 채 태양을 돕니다.",
    "해왕성까지 간 탐사선은 보이저 이호 하나뿐입니다.",
    "수성은 태양에서 가장 가까운 행성입니다.",
]
LAW = [
    "임차인은 계약이 끝나기 두 달 전까지 갱신을 요구할 수 있다.",
    "임대인은 보증금을 돌려줄 의무가 있다.",
    "대항력은 주택의 인도와 전입 신고로 생긴다.",
    "확정일자를 받으면 우선하여 변제받을 권리를 얻는다.",
    "차임을 두 번 연체하면 임대인이 계약을 해지할 수 있다.",
    "분쟁은 임대차 분쟁 조정 위원회에 맡길 수 있다.",
]


class Letters:
    """An embedder without a model: counts of letters, as cheap as it is poor."""

    name, fingerprint, dimension, context, parallel = "letters", "letters-1", 32, None, True

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts, batch):
        self.encoded.extend(texts)
        vectors = np.zeros((len(texts), 32), np.float32)
        for row, text in enumerate(texts):
            for letter in text:
                vectors[row, ord(letter) % 32] += 1
        return vectors

    def count(self, texts):
        return np.array([len(text) for text in texts])


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CHUNKEVAL_CACHE", str(tmp_path / "cache"))


def chunker(**given):
    return SemanticChunker(embedder=Letters(), **given)


def texts(text, chunks):
    return [chunk.text(text) for chunk in chunks]


def check(text, chunks, max_size):
    """What DESIGN asks of every chunker that does not overlap."""
    assert "".join(texts(text, chunks)) == text
    place = 0
    for chunk in chunks:
        ((start, end),) = chunk.spans
        assert start == place < end
        place = end
        assert end - start <= max_size or regex.fullmatch(r"\X", text[start:end])


def test_topics_are_parted_where_they_change():
    text = " ".join([*BREAD, *PLANETS, *LAW])
    found = SemanticChunker().split(text)
    assert texts(text, found) == [" ".join(BREAD) + " ", " ".join(PLANETS) + " ", " ".join(LAW)]
    again = make("semantic:max_size=3000,min_size=100")
    assert again.split(text) == found


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("embedder", ["use-multilingual", "lsa"])
def test_every_embedder_keeps_text_and_sizes(form, embedder):
    text = unicodedata.normalize(
        form, "\n\n".join(["# 빵", " ".join(BREAD), "# 행성", " ".join(PLANETS), "법이다👨‍👩‍👧."])
    )
    found = SemanticChunker(min_size=20, max_size=120, embedder=embedder).split(text)
    check(text, found, 120)
    assert any(piece.startswith(unicodedata.normalize(form, "# 행성")) for piece in texts(text, found))
    assert not any(piece.rstrip().endswith("행성") for piece in texts(text, found))


HARD = [
    "",
    " ",
    "외톨이 \ud800 반쪽. \udc00",
    "\n\n\n",
    "\ufeff",
    "\r\n" * 9,
    "가" * 500,
    "ㅋ" * 77 + "e\u0301" * 50,
    "🇰🇷🇺🇸" * 40,
    "👨‍👩‍👧‍👦" * 30,
    "a" + "\u0301" * 90,
    unicodedata.normalize("NFD", "한글은 모아쓴다. ") * 30,
    "한국어와English混ざった文。１２３！" * 20,
    "| a | b |\n|---|---|\n" + "| 가 | 나 |\n" * 60,
    "```\n" + "x = 1\n" * 80 + "```\n",
    "줄\r\n바꿈이다.\r\n\r\n" * 30,
]


@pytest.mark.parametrize("text", HARD, ids=range(len(HARD)))
@pytest.mark.parametrize("max_size", [1, 7, 60])
def test_hard_texts_come_back_whole_and_within_the_maximum(text, max_size):
    found = chunker(max_size=max_size).split(text)
    check(text, found, max_size)
    assert bool(found) == bool(text)


@given(text=st.text(max_size=120), max_size=st.integers(1, 40), low=st.integers(0, 40))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_comes_back_whole(text, max_size, low):
    found = chunker(max_size=max_size, min_size=min(low, max_size)).split(text)
    check(text, found, max_size)
    for chunk in found:
        small = chunk.spans[0][1] - chunk.spans[0][0] < min(low, max_size)
        assert chunk.metadata == MappingProxyType({BELOW_MINIMUM: True} if small else {})


def test_a_missed_minimum_is_said_only_where_the_maximum_forces_it():
    text = "가" * 90 + ". 나는 작다. " + "다" * 90 + "."
    forced = chunker(min_size=50, max_size=95).split(text)
    assert [BELOW_MINIMUM in chunk.metadata for chunk in forced] == [False, True, False]
    free = chunker(min_size=50, max_size=110).split(text)
    assert not any(chunk.metadata for chunk in free)
    short = chunker(min_size=50).split("짧다.")
    assert [chunk.metadata for chunk in short] == [{BELOW_MINIMUM: True}]


def test_documents_are_embedded_together_and_each_sentence_once_ever(tmp_path):
    documents = [" ".join(BREAD), "\n".join([*BREAD, *LAW]), "", " ".join(LAW)]
    first = chunker()
    together = first.split_many(documents)
    encoded = first._embedder.encoded
    assert sorted(encoded) == sorted([*BREAD, *LAW])
    second = chunker()
    assert [second.split(document) for document in documents] == together
    assert second._embedder.encoded == []
    assert chunker().split_many(documents[::-1], cache=Cache(tmp_path / "other")) == together[::-1]


def test_few_sentences_stay_together_while_they_fit():
    text = " ".join(BREAD[:3] + PLANETS[:3])
    assert len(chunker().split(text)) == 1
    assert len(chunker(max_size=len(text) - 1, min_size=0).split(text)) == 2
    headed = f"# 빵\n\n{' '.join(BREAD[:3])}\n\n# 행성\n\n{' '.join(PLANETS[:3])}"
    assert [piece[:4] for piece in texts(headed, chunker(min_size=20).split(headed))] == ["# 빵\n", "# 행성"]


def test_a_target_size_sets_the_number_of_chunks():
    drawn = random.Random(5)
    text = " ".join(drawn.choice([*BREAD, *PLANETS, *LAW]) for _ in range(120))
    for target in (100, 200, 400):
        found = chunker(target_size=target, max_size=1_000, min_size=0).split(text)
        assert len(found) == pytest.approx(len(text) / target, abs=1)
    assert len(chunker(penalty=0, min_size=0).split(text)) > len(chunker(penalty=9).split(text))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_size": 0}, "whole number from 1"),
        ({"max_size": 2.5}, "whole number from 1"),
        ({"min_size": 50, "max_size": 20}, "min_size must be a whole number from 0 to max_size 20"),
        ({"min_size": -1}, "min_size"),
        ({"target_size": 5_000}, "target_size must be a whole number from min_size 100 to max_size 3000"),
        ({"penalty": -1}, "penalty must be a number from 0"),
        ({"penalty": True}, "penalty must be a number from 0"),
        ({"penalty": 1.0, "target_size": 300}, "not both"),
        ({"unit": "word"}, "words"),
    ],
)
def test_settings_that_cannot_be_are_refused_at_once(given, message):
    with pytest.raises(ConfigError, match=message):
        SemanticChunker(**given)


def test_an_unknown_parameter_is_refused_with_the_nearest():
    with pytest.raises(ConfigError, match="max_size"):
        make("semantic:maxsize=3")


def test_pieces_end_where_the_text_allows_it():
    text = "하나 둘 셋 넷 다섯 여섯. " + "가" * 30
    end = text.index("가")
    spans, goes_on = pieces.pieces(text, [(0, end - 1), (end, len(text))], Ruler(len(text), None), 10)
    assert [text[a:b] for a, b in spans] == ["하나 둘 셋 넷 ", "다섯 여섯. ", "가" * 10, "가" * 10, "가" * 10]
    assert goes_on == [False, True, False, True, True]


def test_borders_are_told_by_layout():
    parts = ["# 머리\n", "\n본문이다. ", "이어진다:\n", "- 하나\n", "- 둘\n\n", "새 문단.\n", "== 절 ==\n", "글."]
    ends = np.cumsum([len(part) for part in parts]).tolist()
    spans = list(zip([0, *ends[:-1]], ends, strict=True))
    kinds = [borders.ODDS[k] for k in ("sentence", "colon", "item", "paragraph", "heading")]
    found = borders.odds("".join(parts), spans, [False] * 8).tolist()
    assert found == [1e-6, *kinds[:3], *kinds[3:], 1e-6]
    costs = borders.penalties(np.array(found))
    assert costs[0] == 0 and costs[6] < costs[5] < costs[3] < costs[4] < costs[2] < costs[1]


@pytest.mark.parametrize("module", [semantic, pieces, borders])
def test_the_examples_hold(module, tmp_path, monkeypatch):
    monkeypatch.setenv("CHUNKEVAL_CACHE", str(tmp_path))
    assert doctest.testmod(module).failed == 0
