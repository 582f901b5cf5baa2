"""One pass over many texts: sentences, words, traits, and what must not change them."""

import unicodedata
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkeval.errors import ConfigError
from chunkeval.text.analysis import Analysis, analyse
from chunkeval.text.traits import BIT


def run(texts: list[str], **changed: Any) -> Analysis:
    options: dict[str, Any] = {"splitter": "auto", "morphemes": "kiwi", "skip": None, "words": True, "jobs": 1}
    return analyse(texts, **(options | changed))


def sentences(texts: list[str], found: Analysis) -> list[list[str]]:
    return [
        [text[found.sentence_start[j] : found.sentence_end[j]] for j in range(*found.sentence_offsets[i : i + 2])]
        for i, text in enumerate(texts)
    ]


def words(found: Analysis) -> list[list[str]]:
    return [found.words[a:b] for a, b in zip(found.word_offsets[:-1], found.word_offsets[1:], strict=True)]


def equal(one: Analysis, other: Analysis) -> bool:
    return one.words == other.words and all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("sentence_offsets", "sentence_start", "sentence_end", "word_offsets", "traits")
    )


MIXED = [
    "하늘이 아름답고 학생들은 공부했다. 깨끗한 방에서 잤다!",
    "The quick fox jumps. It didn't fall.",
    "",
    "機械学習は楽しい。はい。",
    "그는 API Server를 썼다.\n\n| 이름 | 값 |\n|---|---|\n| 속도 | 빠르다 |\n\n```\nrun fast\n```",
    "\ufeff",
    unicodedata.normalize("NFD", "학교에 갔다. 집에 왔다."),
    "가" * 5000,
    "끝😀 그리고 👨‍👩‍👧‍👦 가족이 왔다.\0",
    "한 문장이다.",
]


def test_words_go_with_their_sentences() -> None:
    found = run(MIXED)
    assert words(found)[:2] == [["하늘", "아름답다", "학생", "공부"], ["깨끗", "방", "자다"]]
    cut = sentences(MIXED, found)
    assert cut[4] == ["그는 API Server를 썼다.", "| 이름 | 값 |\n|---|---|\n| 속도 | 빠르다 |", "```\nrun fast\n```"]
    at = int(found.sentence_offsets[4])
    assert words(found)[at : at + 3] == [["api", "server", "쓰다"], ["이름", "값", "속도", "빠르다"], ["run", "fast"]]
    assert words(found)[int(found.sentence_offsets[1])] == ["quick", "fox", "jumps"]


def test_traits() -> None:
    traits = run(MIXED).traits
    assert traits[2] == traits[5] == BIT["blank"]
    assert traits[7] & BIT["no_spaces"]
    assert traits[8] & BIT["nul_bytes"]
    assert traits[9] == BIT["one_sentence"]
    assert traits[0] == 0


def test_same_whatever_batch_and_jobs() -> None:
    whole = run(MIXED)
    assert equal(whole, run(MIXED, jobs=2))
    parts = [run([text]) for text in MIXED]
    assert whole.words == [word for part in parts for word in part.words]
    assert np.array_equal(whole.sentence_start, np.concatenate([part.sentence_start for part in parts]))
    assert np.array_equal(whole.traits, np.concatenate([part.traits for part in parts]))
    back = run(MIXED[::-1])
    assert sentences(MIXED[::-1], back) == sentences(MIXED, whole)[::-1]


def test_sentences_are_the_same_without_words() -> None:
    bare = run(MIXED, words=False)
    assert bare.words == [] and not bare.word_offsets.any()
    assert sentences(MIXED, bare) == sentences(MIXED, run(MIXED))


def test_nothing_at_all() -> None:
    found = run([])
    assert found.sentence_offsets.tolist() == [0] and found.word_offsets.tolist() == [0] and len(found.traits) == 0


def test_skip_leaves_the_start_out() -> None:
    texts = ["문서: 제목\n본문이 시작된다. 끝난다.", "Title\nOne here. Two there."]
    found = run(texts, skip=np.array([7, 6], dtype=np.int32))
    assert sentences(texts, found) == [["본문이 시작된다.", "끝난다."], ["One here.", "Two there."]]
    assert "제목" not in found.words and "title" not in found.words


@pytest.mark.parametrize("splitter", ["auto", "kiwi", "rules", "naive"])
def test_every_splitter_keeps_all_words_of_the_text(splitter: str) -> None:
    texts = ["하늘이 푸르다. 바다는 3.14 미터 깊다! 산을 본다", "Cats sleep. Dogs run v2.5 fast"]
    found = run(texts, splitter=splitter)
    assert sorted(found.words) == sorted(run(texts).words)


def test_naive_takes_no_table_or_code_rule() -> None:
    text = "| a. b | c |\n|---|---|"
    assert sentences([text], run([text], splitter="naive")) == [["| a", "b | c |\n|---|---|"]]


def test_unknown_names() -> None:
    with pytest.raises(ConfigError, match="kiwi"):
        run(["가"], morphemes="kiwii")
    with pytest.raises(ConfigError, match="rules"):
        run(["가"], splitter="rule")


def test_long_unspaced_text_and_long_text() -> None:
    unspaced = "오늘은날씨가좋습니다" * 400
    long = "이 문장은 그렇게 길지 않다. " * 1000
    found = run([unspaced, long])
    counts = np.diff(found.sentence_offsets)
    assert counts[1] == 1000
    assert "".join(sentences([unspaced, long], found)[0]) == unspaced


WORDS = st.sampled_from(
    [
        "학교",
        "갔다",
        "에서",
        " ",
        ". ",
        "\n",
        "아름다운",
        "café",
        "é",
        "value",
        "が",
        "각",
        "ℵ",
        "Å",
        "😀",
        "。",
        "힣",
        "- ",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, max_size=16).map("".join))
def test_composed_and_decomposed_texts_have_the_same_words(text: str) -> None:
    one = run([unicodedata.normalize("NFC", text)])
    other = run([unicodedata.normalize("NFD", text)])
    assert one.words == other.words
    assert one.word_offsets.tolist() == other.word_offsets.tolist()
    assert one.traits.tolist() == other.traits.tolist()
