from __future__ import annotations

import sys
from itertools import pairwise

import pytest

from chunkeval.chunkers.anchoring import Losses, anchor, losses
from chunkeval.chunkers.spec import make
from chunkeval.errors import ConfigError, InputError, MissingExtraError


def spans(document: str, texts: list[str]) -> list[tuple[int, int]]:
    return [chunk.spans[0] for chunk in anchor(document, texts)]


def test_repeated_text_is_placed_in_order() -> None:
    assert spans("가나 가나 가나", ["가나", "가나", "가나"]) == [(0, 2), (3, 5), (6, 8)]
    assert spans("aaaaaaaaaa", ["aaaaa", "aaaaa"]) == [(0, 5), (5, 10)]


def test_overlapping_text_is_placed_in_order() -> None:
    document = "하나 둘 셋 넷 다섯"
    assert spans(document, ["하나 둘", "둘 셋", "셋 넷", "넷 다섯"]) == [(0, 4), (3, 6), (5, 8), (7, 11)]


def test_dropped_joiners_and_white_space_are_looked_past() -> None:
    document = "```\n\tx = 1\n```\n가족 👨‍👩‍👧 사진"
    chunks = anchor(document, ["```\nx= 1\n```", "가족 👨👩👧 사진"])
    assert [c.text(document) for c in chunks] == ["```\n\tx = 1\n```", "가족 👨‍👩‍👧 사진"]
    assert [c.metadata.get("altered") for c in chunks] == [2, 2]


def test_an_altered_middle_is_bridged_and_what_is_nowhere_is_counted() -> None:
    document = (
        "서울은 대한민국의 수도이며 가장 큰 도시이다. 그리고 한강이 그 가운데를 동에서 서로 흐른다. 부산은 항구이다."
    )
    altered = document[:53].replace("가장 큰 도시이다. 그리고 한강", "제일 커다란 도시다. 그래서 강물")
    chunks = anchor(document, [altered, "전혀 없는 글이다", "부산은 항구이다."])
    assert len(chunks) == 2 and chunks[0].spans[0][0] == 0 and chunks[0].metadata["altered"] > 0
    assert losses(chunks).unplaced == 1


def test_losses_are_counted() -> None:
    assert losses(anchor("하나 둘 셋 넷", ["둘", "셋"])) == Losses(lost=3, lost_space=3, altered=0, unplaced=0)
    assert losses(anchor("가나", ["가나"])) == Losses(0, 0, 0, 0)


def test_langchain_is_anchored_where_its_own_start_index_is_wrong() -> None:
    pytest.importorskip("langchain_text_splitters")
    text = "가나다라마 가나다라마 가나다라마"
    chunks = make("langchain:RecursiveCharacterTextSplitter:chunk_size=6,chunk_overlap=0").split(text)
    assert [c.spans[0] for c in chunks] == [(0, 5), (6, 11), (12, 17)]
    assert losses(chunks) == Losses(0, 2, 0, 0)


def test_langchain_counts_tokens_and_gives_documents() -> None:
    pytest.importorskip("langchain_text_splitters")
    text = "# 하나\n\n본문이다.\n\n# 둘\n\n본문이다."
    chunks = make('langchain:MarkdownHeaderTextSplitter:headers_to_split_on=[["#", "h1"]]').split(text)
    assert [c.text(text) for c in chunks] == ["본문이다.", "본문이다."]
    assert losses(chunks).lost == 5


@pytest.mark.parametrize(
    "spec",
    [
        "chonkie:TokenChunker:chunk_size=7",
        "chonkie:SentenceChunker:chunk_size=20",
        "chonkie:RecursiveChunker:chunk_size=30",
    ],
)
def test_chonkie_is_anchored(spec: str) -> None:
    pytest.importorskip("chonkie")
    text = "One cat sat. Two dogs ran. 가 나  다 라 마 바. " * 4
    chunks = make(spec).split(text)
    assert all(a <= c for ((a, _), (c, _)) in pairwise(c.spans[0] for c in chunks))
    assert losses(chunks).lost == losses(chunks).altered == 0


def test_a_document_on_which_the_library_fails_is_an_input_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("langchain_text_splitters")
    chunker = make("langchain:CharacterTextSplitter")
    monkeypatch.setattr(chunker._splitter, "split_text", lambda text: {}["x"])
    with pytest.raises(InputError, match="langchain:CharacterTextSplitter fails on a document of 1 characters"):
        chunker.split("x")


@pytest.mark.parametrize(("spec", "module"), [("langchain:X", "langchain_text_splitters"), ("chonkie:X", "chonkie")])
def test_a_missing_package_names_the_extra(spec: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'chunkeval\[compare\]'"):
        make(spec)


def test_an_unknown_class_names_the_nearest() -> None:
    pytest.importorskip("chonkie")
    with pytest.raises(ConfigError, match="did you mean 'TokenChunker'"):
        make("chonkie:TokenChunkr")
