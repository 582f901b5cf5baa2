"""Sentences: hard cases as a table, and what holds for any text."""

import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkeval.errors import ConfigError
from chunkeval.text.sentences import VISIBLE, settled, split


def cut(text: str, how: str = "auto") -> list[str]:
    return [text[a:b] for a, b in split(text, how)]


HARD = {
    "decimals": "원주율은 3.14이다.|다음 값은 2.71이다.",
    "url": "자세한 내용은 https://example.com/a.b?c=1 참고.|끝이다.",
    "list numbers": "1. 항목 하나\n|2. 항목 둘\n|3. 항목 셋",
    "list numbers within a line": '뜻은 다음과 같다.\n|1. "자료"란 문서를 말한다.|2. "기관"이란 부서를 말한다.',
    "endings without marks": "오늘은 날씨가 좋습니다|내일은 비가 옵니다|그래서 우산을 샀어요",
    "endings without marks, lines": "오늘은 날씨가 좋습니다\n|내일은 비가 옵니다\n|그래서 우산을 샀어요",
    "quotation": '그는 "집에 가자. 지금 가자."라고 말했다.|우리는 떠났다.',
    "full-width marks": "정말？|그렇다！|끝。|다음",
    "emoji stays with what it follows": "좋아요😀|정말 좋아요!|내일 봐요👍🏽|안녕.",
    "emoji with joiners": "가족이 좋아요👨‍👩‍👧‍👦|내일 만나요.",
    "dates": "2024. 3. 1. 시행된 법률이다.|같은 해 12. 31. 개정되었다.",
    "table": "다음 표와 같다.\n|| 이름 | 값 |\n|---|---|\n| a. b | 3.14 |",
    "bullets": "- 첫째 항목이다.\n|- 둘째 항목이다.\n  |- 하위 항목",
    "fence": '```python\nx = a.b(1.5)\nprint("끝.")\n```\n|다음 문장이다.',
    "heading": "# 제목\n|본문이 시작된다.|끝났다.",
    "title without a mark": "제1장 총칙\n|이 법은 국민의 건강을 지키고 삶의 질을 높이는 것을 목적으로 한다.",
    "English within Korean": "그는 말했다.|Dr. Smith went to the U.S.|He paid $3.50.|그리고 떠났다.",
    "line broken for width": "이 문장은 폭이 좁은 종이에 맞추어 두 줄로\n나뉘어 있지만 하나의 문장이다.|끝.",
    "code in front": "개념을 접하게 됩니다.|`v-html` 속성을 **디렉티브**라고 부릅니다.",
    "quoted word in front": '텍스트가 렌더링되길 원할 수 있습니다.|"Submit"을 폴백 콘텐츠로 만들려면 태그에 넣으면 됩니다.',
    "speakers": "Grad G: No .\n|Postdoc B: I mean that I sat here, are you going to write it down?",
    "white space around": "  앞 공백.|   두 칸  띄움.|  \n\n 끝. ",
    "rule between": "첫 문장이다.\n---\n|둘째 문장이다.",
    "English abbreviations": "Dr. Smith went to the U.S.|He paid $3.50.|Then he left.",
    "English list": "1. First item here\n|2. Second item here\n|3. Third",
    "English inline list": "We need this. |1. First item. |2. Second item.",
    "English url": "See https://example.com/a.b?c=1 now.|It ends, e.g. here.",
    "English apostrophes": "The Barkers ' house stood. |The Kings ' coach left.",
    "English initials": "J. R. R. Tolkien wrote.|Acme Inc. is big.",
    "English, hard-wrapped": "This sentence goes on over the end of a line that was\nbroken for width. |So it is one. ",
    "no space after a mark in a name": "System.Out.println works. |Use Node.js here.",
    "German": "Am 3. Mai kam z. B. der Hund und die Katze. |Dann ging er nicht.",
    "French": "M. Dupont est dans la maison. |Elle est partie avec vous.",
    "Chinese": "今天天气好。|我们走吧！|好吗？|是。",
    "Japanese, quoted": "今日はいい天気です。|「行こう。」と言った。|はい。",
    "mixed scripts": "我们学习한국어를。|그리고 English도 배운다.",
    "emoji in English": "OK! 🎉 |Then we left.",
    "byte order mark": "\ufeff첫 문장이다.|둘째 문장이다.",
    "NUL": "널이\0있다.|다음이다.",
}


@pytest.mark.parametrize("case", HARD)
def test_hard_cases(case: str) -> None:
    marked = HARD[case]
    if case == "table":
        head, table = marked.split("|", 1)
        wanted, text = [head.strip(), table.strip()], head + table
    else:
        parts = marked.split("|")
        wanted, text = [part.strip() for part in parts], join(parts)
    assert cut(text) == wanted


def join(parts: list[str]) -> str:
    """Put a case together: a space between parts unless there is white space or a full-width mark."""
    text = parts[0]
    for part in parts[1:]:
        text += part if text[-1].isspace() or part[0].isspace() or text[-1] in "。！？" else " " + part
    return text


def test_unspaced_emoji() -> None:
    assert cut("좋아요😀정말 좋아요!") == ["좋아요😀", "정말 좋아요!"]


def test_settled_keeps_leading_marks_with_what_follows() -> None:
    text = "*** 시작이다. 끝이다."
    assert settled(text, [0, 4, 10], len(text)) == [0, 10]


@pytest.mark.parametrize(
    "text",
    ["", "   ", "\n\n", "\ufeff", "\u200b \u200d", "\0", "...", "?", "😀", "\ud800 가. 나.", "가" * 4000, "a." * 3000],
)
@pytest.mark.parametrize("how", ["auto", "kiwi", "rules", "naive"])
def test_odd_texts_do_not_break(text: str, how: str) -> None:
    for a, b in split(text, how):
        assert 0 <= a < b <= len(text)


def test_unknown_splitter_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'naive'"):
        split("가.", "naiv")


def test_offsets_are_code_points() -> None:
    text = "𠀀 글자와 😀 그림이 있다. 𠀁 다음 문장이다. 🇰🇷 끝이다."
    assert "".join("".join(cut(text)).split()) == "".join(text.split())


PIECES = st.sampled_from(
    ["오늘은 날씨가 좋습니다", "그는 말했다.", "정말？", "끝。", " ", "\n", "\n\n", "- ", "1. ", "# ", "😀", "👨‍👩‍👧‍👦",
     "Dr. ", "3.14", "Hello.", "He left! ", "```\n", "| a | b |\n", "|---|---|\n", "\0", "\ufeff", "\u200b", "가" * 210,
     "今日は。", "e\u0301", "각", "\r\n",
     "https://a.b/c?d=1 ", '"', "’", "「", "」", "(", ")", "Q: ", "A: ", "…", "\u2028", "\x1c", "Ã©", "한글abc"]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=14).map("".join), st.text(max_size=60))


@settings(max_examples=120, deadline=None)
@given(TEXTS, st.sampled_from(["auto", "kiwi", "rules"]))
@example("가다.\u0301 나다", "auto")
@example("```", "auto")
def test_spans_hold_all_that_is_visible_in_order(text: str, how: str) -> None:
    spans = split(text, how)
    end = 0
    for a, b in spans:
        assert end <= a < b <= len(text)
        assert text[a:b] == text[a:b].strip()
        assert not VISIBLE.search(text, end, a)
        end = b
    assert not VISIBLE.search(text, end)


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_naive_is_the_article(text: str) -> None:
    wanted = [piece.strip() for piece in re.split(r"[.!?]", text) if piece.strip()]
    assert cut(text, "naive") == wanted


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join), st.sampled_from(["auto", "rules"]))
def test_composed_and_decomposed_texts_give_the_same_sentences(text: str, how: str) -> None:
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert [unicodedata.normalize("NFC", s) for s in cut(decomposed, how)] == cut(composed, how)
