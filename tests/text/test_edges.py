"""Where a text was cut: in a sentence, a table, code, a section; and what must not be taken for it."""

from __future__ import annotations

import doctest
import unicodedata
from importlib import import_module

import numpy as np
import pytest
from hostile_strings import HOSTILE
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkeval.text.edges import BIT, MARKS, edges
from chunkeval.text.headings import fences, headings

TABLE = "| 요금 | 시간 |\n|---|---|\n| 천 원 | 60분 |\n| 이천 원 | 90분 |"
FILLER = "글은 여기서 시작한다. 둘째 문장도 있다."
ENGLISH = "The text begins here. It has a second sentence too."


def marks(text: str, skip: int = 0) -> set[str]:
    bits = edges([text], np.array([skip])).bits[0]
    return {name for name in MARKS if bits & BIT[name]}


WHOLE = [
    "훈민정음은 세종이 만들었다.",
    "왕은 “간다.”라고 했다. 끝났다.”",
    "끝났습니다",
    "얻는다. (아래 참조)",
    "좋아요 ㅎㅎ",
    "정말 좋아요! 😀👩‍🎨",
    "**끝났다.**",
    "출처가 있다.[1]",
    "공지 사항",
    "- 사과\n- 배\n- 감",
    "1. 문을 연다.\n2. 문을 닫는다.",
    "3. 문을 닫는다.\n4. 불을 끈다.",
    "Q: 몇 살부터 탈 수 있나요?\nA: 열세 살부터 탑니다.",
    "다음과 같습니다:",
    f"{FILLER} 평점: 4점",
    TABLE,
    f"{FILLER}\n\n{TABLE}\n\n표는 이렇다.",
    "```python\nx = 1\n```",
    f"{FILLER}\n\n```\nmake test\n```\n",
    "## 제목\n\n본문이다.",
    "# 책\n\n## 절\n\n본문이다.",
    "만 13세부터 탈 수 있다.",
    "이 제품은 가정에서 쓴다.",
    "하는 일이 많다.",
    "그렇다. 맞는 말이다.",
    "네. 알겠습니다.",
    ENGLISH,
    "iPhone sales rose. Apple was glad.",
    "npm install: Installs all packages.",
    "all of this text is lower case. so is this.",
    "Ann paid $3.50 (or so).",
    'Ann said, "I will go."',
    "... and so it ends. The rest is known.",
    "useState 훅을 사용한다.",
    "mounted\n\nCalled after mounting. The DOM is there.",
    "今日は晴れです。明日も晴れです。",
    "今天天气很好。明天也很好。",
    "x = f(1)\ny = g(x)\nprint(y)",
    "🙂",
    "2024-05-03",
]
CUT = [
    ("는 규칙을 지켜야 한다.", {"starts_mid_sentence"}),
    ("습니다. 다음은 둘째이다.", {"starts_mid_sentence"}),
    ("있다. 다음은 둘째이다.", {"starts_mid_sentence"}),
    (") 쓰는 것이 좋다.", {"starts_mid_sentence"}),
    (", 그래서 늦었다.", {"starts_mid_sentence"}),
    ("에서는 다르게 부른다.", {"starts_mid_sentence"}),
    ("비가 많이 오지만", {"ends_mid_sentence"}),
    ("회사는 사원의 성별을 이유로", {"ends_mid_sentence"}),
    ("첫날에는 문을 열고", {"ends_mid_sentence"}),
    ("사과, 배,", {"ends_mid_sentence"}),
    (f"{FILLER} 셋째 문장은", {"ends_mid_sentence"}),
    (f"{FILLER} 셋째 문", {"ends_mid_sentence"}),
    ("네 가지가 있다(", {"ends_mid_sentence"}),
    ("1. 문을 연다.\n2.", {"ends_mid_sentence"}),
    ("- 문을 연다.\n- 불을 켠다.\n- 창을", {"ends_mid_sentence"}),
    ("which the court denied. The case was closed.", {"starts_mid_sentence"}),
    ("ing the gates. Then they left.", {"starts_mid_sentence"}),
    (". Then they left.", {"starts_mid_sentence"}),
    ("’s house was old. It fell down.", {"starts_mid_sentence"}),
    (f"{ENGLISH} The third one is", {"ends_mid_sentence"}),
    (f"{ENGLISH} The third one cannot tell what it mea", {"ends_mid_sentence"}),
    ("Ann met Dr.", {"ends_mid_sentence"}),
    ("を読みました。明日も読みます。", {"starts_mid_sentence"}),
    ("今日は晴れです。明日の天気は", {"ends_mid_sentence"}),
    ("的书很好。我喜欢它。", {"starts_mid_sentence"}),
    ("今天天气很好。明天是我们的", {"ends_mid_sentence"}),
    ("원 | 60분 |\n| 이천 원 | 90분 |\n\n표는 이렇다.", {"cut_table"}),
    ("|---|---|\n| 천 원 | 60분 |\n\n표는 이렇다.", {"cut_table"}),
    ("| 천 원 | 60분 |\n| 이천 원 | 90분 |\n\n표는 이렇다.", {"cut_table"}),
    (f"{FILLER}\n\n| 요금 | 시간 |\n|---|---|\n| 천 원 | 60", {"cut_table"}),
    (f"{FILLER}\n\n| 요금 | 시간 |\n|---|---|", {"cut_table"}),
    (f"{FILLER}\n\n```python\nx = 1", {"cut_code"}),
    ("y = g(x)\nreturn y\n```\n\n글이 이어진다.", {"cut_code"}),
    ("let a = f(x);\n```\n글이다.\n```js\nlet b = 1;\n```\n끝이다.", {"cut_code"}),
    (f"{FILLER}\n\n## 새 절\n\n새 절의 글이다.", {"heading_inside"}),
    ("## 절\n\n글이다.\n\n## 새 절\n\n새 절의 글이다.", {"heading_inside"}),
    ("### 작은 절\n\n글이다.\n\n## 새 절\n\n새 절의 글이다.", {"heading_inside"}),
    ("글이다.\n\n제3장 복무\n\n제12조(출근) 사원은 아홉 시에 출근한다.", {"heading_inside"}),
    (" The first ends . \n = = Plot = = \n The game takes place later . ", {"heading_inside"}),
    ("글이다.\n\n<h2>새 절</h2>\n새 절의 글이다.", {"heading_inside"}),
    ("# 책\n\n글이다.\n\n## 절\n\n절의 글이다.", {"subheading_inside"}),
    (f"{FILLER}\n\n범위\n\n본 강령은 모든 공간에 적용됩니다. 예외는 없습니다.", {"subheading_inside"}),
    (f"{FILLER}\n\n## 새 절", {"heading_at_end"}),
    ("## 새 절\n", {"heading_at_end"}),
    ("Q: 하나인가요?\nA: 하나입니다.\n\nQ: 둘인가요?", {"heading_at_end"}),
    ("이는 앞의 규칙과 같다.", {"points_back"}),
    ("그러나 비가 왔다.", {"points_back"}),
    ("A: 열세 살부터 탑니다.", {"points_back"}),
    ("However, it rained.", {"points_back"}),
    ("This means that it rained.", {"points_back"}),
    ("しかし、雨が降った。", {"points_back"}),
    ("但是他没有来。", {"points_back"}),
]


@pytest.mark.parametrize("name", ["edges", "endings", "headings", "markup", "openings", "tables"])
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(import_module(f"chunkeval.text.{name}")).failed == 0


@pytest.mark.parametrize("text", WHOLE)
def test_a_whole_text_has_no_marks(text: str) -> None:
    assert marks(text) == set()


@pytest.mark.parametrize(("text", "expected"), CUT)
def test_what_was_cut(text: str, expected: set[str]) -> None:
    assert marks(text) == expected


@pytest.mark.parametrize(("text", "expected"), [*CUT, *((text, set()) for text in WHOLE)])
def test_decomposed_text_reads_the_same(text: str, expected: set[str]) -> None:
    assert marks(unicodedata.normalize("NFD", text)) == expected


def test_self_reference_does_not_point_back() -> None:
    assert marks("This guide explains all. It is short.") == set()


def test_a_prefix_is_skipped() -> None:
    prefix = "문서: 취업 규칙\n"
    assert marks(f"{prefix}는 규칙이다.", len(prefix)) == {"starts_mid_sentence"}
    assert edges([f"{prefix}글이다.\n\n## 절\n\n끝이다."], np.array([len(prefix)])).heading.tolist() == [
        len(prefix) + 6
    ]


def test_the_place_of_the_heading_is_in_the_text_as_it_stands() -> None:
    text = unicodedata.normalize("NFD", "글이다.\n\n## 둘째\n\n글이다.\n\n# 첫째\n\n끝이다.")
    assert text[edges([text], np.zeros(1, np.int64)).heading[0] :].startswith("# ")


def test_a_comment_in_code_is_no_heading() -> None:
    assert headings("pip install x\nx = f(1)\n# then\ny = g(x)", []) == []
    assert headings("```\n# 주석\n```", fences("```\n# 주석\n```").spans) == []
    assert headings("#define X 1\n# define Y 2", []) == []


def test_blank_texts() -> None:
    assert [int(bits) for bits in edges(["", " \n", "\u200b"], np.zeros(3, np.int64)).bits] == [BIT["blank"]] * 3


@given(
    st.lists(
        st.one_of(st.text(max_size=80), st.sampled_from(HOSTILE), st.sampled_from([t for t, _ in CUT])), max_size=6
    )
)
@settings(max_examples=150, deadline=None)
def test_a_text_reads_the_same_in_any_batch(texts: list[str]) -> None:
    skip = np.zeros(len(texts), np.int64)
    together = edges(texts, skip)
    assert together.bits.dtype == together.heading.dtype == np.int32
    for text, bits, place in zip(texts, together.bits, together.heading, strict=True):
        alone = edges([text], np.zeros(1, np.int64))
        assert (alone.bits[0], alone.heading[0]) == (bits, place)
        assert -1 <= place < max(len(text), 1)
        assert (place >= 0) == bool(bits & BIT["heading_inside"])


@given(st.text(alphabet="#= *|`-.>\n()\"'가a1", max_size=200), st.integers(0, 5))
@settings(max_examples=300, deadline=None)
def test_no_markup_breaks_it(text: str, skip: int) -> None:
    found = edges([text], np.array([min(skip, len(text))]))
    assert found.heading[0] < max(len(text), 1)


@pytest.mark.parametrize(
    "piece",
    [" ", "\n", "| ", "```\n", "= ", "**", "가", "a", "(", "# a\n", "- a\n", ". ", "\n\n가나\n\n", "\u1100\u1161"],
)
def test_long_runs_are_read_in_linear_time(piece: str) -> None:
    import time

    start = time.perf_counter()
    edges([piece * (60_000 // len(piece)) + "a"], np.zeros(1, np.int64))
    assert time.perf_counter() - start < 5
