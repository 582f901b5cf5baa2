"""Blocks of a text, and what is not prose."""

import pytest

from chunkeval.text.markup import layout


def cut(text: str) -> list[str]:
    return [text[a:b].strip("\n") for a, b, _ in layout(text).blocks]


def whole(text: str) -> list[str]:
    return [text[a:b].strip("\n") for a, b, is_whole in layout(text).blocks if is_whole]


def test_tables_and_fences_are_whole() -> None:
    table, fence = "| 이름 | 값 |\n| --- | --: |\n| a. b | 3.14 |", "~~~\nx. y! z?\n\n| a |\n~~~"
    text = f"앞 문장이다.\n{table}\n뒤 문장이다.\n\n{fence}\n끝."
    assert whole(text) == [table, fence]
    assert cut(text) == ["앞 문장이다.", table, "뒤 문장이다.", fence, "끝."]


def test_table_cut_in_the_middle_and_without_outer_bars() -> None:
    assert whole("| c | d |\n| e | f |") == ["| c | d |\n| e | f |"]
    assert whole("a | b\n--- | ---\n1 | 2") == ["a | b\n--- | ---\n1 | 2"]
    assert whole("이것 | 저것은 표가 아니다.") == []


def test_fence_cut_at_either_end() -> None:
    assert whole("문장이다.\n```python\nx = 1\n") == ["```python\nx = 1"]
    assert whole("    return x.y()\nfoo(bar);\n```\n문장이다.") == ["    return x.y()\nfoo(bar);\n```"]


def test_lines_of_a_paragraph_stay_together_and_items_do_not() -> None:
    assert cut("A line that was broken for its\nwidth goes on here.") == [
        "A line that was broken for its\nwidth goes on here."
    ]
    assert cut("## 제목\n본문\n- 하나\n  이어짐\n- 둘\n제2조(목적) 셋\n가. 넷") == [
        "## 제목", "본문", "- 하나", "  이어짐", "- 둘", "제2조(목적) 셋", "가. 넷",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "| a | b |\n|---|---|\n| c | d |",
        "```\nx\n```",
        "import os\n\ndef f(x):\n    return os.path.join(x)",
        "const a = () => {\n  return b;\n};",
        "pub fn new(primary: A) -> Self {\n    Self { primary }\n}",
        "Q: 배송은 며칠 걸리나요?\nA: 2~3일 걸립니다.",
        "질문: 배송비는 얼마인가요?\n답변: 3,000원입니다.\n무료일 때도 있습니다.",
        "**Q1.** What is it?\n**A1.** A chunk.",
    ],
)
def test_not_prose(text: str) -> None:
    assert layout(text).not_prose


@pytest.mark.parametrize(
    "text",
    [
        "오늘은 날씨가 좋습니다. 내일은 비가 옵니다.",
        "- 첫째 항목이다.\n- 둘째 항목이다.",
        "Return to the office; for example, if you want to know more:\nlet me explain the class of functions.",
        "(a) the party (the “Seller”);\n(b) the other party (the “Buyer”); and",
        "Q: 질문만 있다.\n본문은 길게 이어지는 산문이며 답은 없다.",
        "다음 함수를 쓴다.\n```\nf(x)\n```\n이 함수는 값을 돌려주며, 오류가 있으면 예외를 낸다.",
        "",
    ],
)
def test_prose(text: str) -> None:
    assert not layout(text).not_prose
