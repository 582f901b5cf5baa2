"""What every chunker must do: exact spans that cover the document, within their size."""

from __future__ import annotations

import unicodedata

import pytest
from chunker_contract import KOREAN, Case, cases, check, chunker_of, made
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkeval.chunkers.spec import make

TEXTS = {
    "empty": "",
    "one": "가",
    "white space": " \t\n\r\n\u3000\u00a0\u2028 ",
    "much white space": " " * 300 + "\n" * 300,
    "korean": KOREAN * 3,
    "decomposed": unicodedata.normalize("NFD", KOREAN),
    "english": "Dr. Smith paid $3.50. Then he left! Did he? See https://example.com/a.b?c=1 for more.\n\nThe end.",
    "chinese and japanese": "今天天气很好。我们去公园吧！「はい」と彼は言った。漢字かな交じり文である、終わり。",
    "no spaces": "띄어쓰기없는아주긴문자열이다" * 20,
    "no spaces, latin": "x" * 500,
    "joiners": "가족 👨‍👩‍👧‍👦 사진 👍🏽 그리고 🏳️‍🌈! 끝" * 4,
    "flags": "🇰🇷🇺🇸🇯🇵🇫🇷" * 10,
    "marks": "e" + "\u0301" * 50 + " q" + "\u0323\u0307" * 30,
    "line ends": "하나\r\n둘\r\n\r\n셋\r넷\n\r다섯\r\n" * 5,
    "byte order marks": "\ufeff처음 \ufeff 가운데\ufeff",
    "surrogates": "가 \ud800 나 \udc00\ud800 다. " * 5,
    "controls": "a\x00b\x1c c\x85d\u200be\u2029f\x0cg " * 5,
    "markdown": "# 제목\n\n글이다. 둘째다.\n\n## 절\n\n"
    "| a | b |\n|---|---|\n| 하나 | 둘 |\n| c | d |\n\n```py\ndef f():\n\n    return 1\n```\n끝.",
    "html": "<h1>제목</h1><p>글이다. 둘째다.</p>\n<ul><li>하나</li><li>둘</li></ul><P>끝</P>",
    "code": "import os\n\n\nclass A:\n    def f(self):\n        return 1\n\n\ndef g(x):\n    return x + 1\n",
    "heads only": "# 하나\n\n# 둘\n\n# 셋\n\n짧다\n\n짧다\n\n",
}


@pytest.fixture(params=cases(), ids=lambda case: case.spec)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def test_is_a_chunker(case: Case) -> None:
    assert callable(chunker_of(case).split)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_spans_are_exact_and_cover_the_document(case: Case, text: str) -> None:
    check(case, text)


def test_the_same_text_gives_the_same_chunks(case: Case) -> None:
    text = "\n\n".join(TEXTS.values())
    chunker = chunker_of(case)
    first = chunker.split(text)
    chunker.split(KOREAN)
    assert [c.spans for c in chunker.split(text)] == [c.spans for c in first]
    assert [c.spans for c in made(case).split(text)] == [c.spans for c in first]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(
        st.text(st.characters(), max_size=60),
        st.text(
            st.sampled_from("ab 가각\u1100\u1161\u11a8\u0301👨\u200d👩🇰🇷\r\n\n\t.다?。|#`-<>/p\ud800\ufeff"),
            max_size=80,
        ),
    )
)
def test_any_unicode(case: Case, text: str) -> None:
    check(case, text)


def test_separators_stay_with_the_text_before_them() -> None:
    text = "하나이다. 둘이다. 셋이다."
    assert [c.text(text) for c in make("recursive:size=8,separators=['다. ']").split(text)] == [
        "하나이다. ",
        "둘이다. ",
        "셋이다.",
    ]
