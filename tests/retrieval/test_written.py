"""Calls of tools in a model's text, however models write them; and no call where there is none."""

from __future__ import annotations

import doctest
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.retrieval import written
from chunkeval.retrieval.written import attempted, calls

NAMES = ("keyword_search", "semantic_search", "hybrid_search", "chunk_read")
ARGUMENTS = {"keywords": ["상대성이론", "1905"]}
WRITTEN = json.dumps(ARGUMENTS, ensure_ascii=False)


def test_the_examples_hold():
    assert doctest.testmod(written).failed == 0


@pytest.mark.parametrize(
    "text",
    [
        f'{{"tool": "keyword_search", "arguments": {WRITTEN}}}',
        f'<tool_call>\n{{"name": "keyword_search", "arguments": {WRITTEN}}}\n</tool_call>',
        f'찾아보겠습니다.\n```json\n{{"name": "keyword_search", "parameters": {WRITTEN}}}\n```',
        f'{{"type": "function", "function": {{"name": "keyword_search", "arguments": {WRITTEN}}}}}',
        f'{{"name": "keyword_search", "arguments": {json.dumps(WRITTEN)}}}',
        f'{{"tool_calls": [{{"function": "keyword_search", "args": {WRITTEN}}}]}}',
        f'[TOOL_CALLS] [{{"name": "keyword_search", "arguments": {WRITTEN}}}]',
        f"<function=keyword_search>{WRITTEN}</function>",
        f"Thought: 찾자\nAction: keyword_search\nAction Input: {WRITTEN}",
        f"keyword_search({WRITTEN})",
        "[keyword_search(keywords=['상대성이론', '1905'])]",
        f'{{"name": "keyword_search", "arguments": {WRITTEN}',
    ],
)
def test_a_call_is_found_however_it_is_written(text):
    (found,) = calls(text, NAMES)
    assert found.name == "keyword_search"
    assert json.loads(found.arguments) == ARGUMENTS


def test_several_calls_come_in_their_order():
    text = f'<tool_call>{{"name": "keyword_search", "arguments": {WRITTEN}}}</tool_call>' + (
        '<tool_call>{"name": "chunk_read", "arguments": {"chunk_ids": ["c_3"]}}</tool_call>'
    )
    assert [one.name for one in calls(text, NAMES)] == ["keyword_search", "chunk_read"]


@pytest.mark.parametrize(
    "text",
    [
        "1905년에 발표되었다 [c_3].",
        '표는 {"연도": 1905, "name": "특수 상대성이론"}이다 [c_3].',
        "The chunk_read tool was of use, keyword_search was not.",
        '{"name": "web_search", "arguments": {}}',
        "",
        "{" * 500,
    ],
)
def test_what_is_no_call_is_none(text):
    assert calls(text, NAMES) == []


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ('keyword_search({"keywords": ["상대', True),
        ("<tool_call>chunk_read c_3</tool_call>", True),
        ('{"name": "chunk_read", "arguments": {"chunk_ids": [', True),
        ("keyword_search(상대성이론)", True),
        ("1905년이다 [c_3]. (chunk_read로 확인)", False),
        ("함수 f(x)는 {x}이다.", False),
    ],
)
def test_what_looks_like_a_call_is_told_from_an_answer(text, is_one):
    assert calls(text, NAMES) == []
    assert attempted(text, NAMES) is is_one


@given(st.text(alphabet=st.sampled_from("{}[]()\"':,=keyword_search 가나\\n"), max_size=200))
def test_nothing_breaks_it(text):
    for found in calls(text, NAMES):
        assert found.name in NAMES
        assert isinstance(attempted(text, NAMES), bool)


@pytest.mark.parametrize("text", ["{" * 20_000, "keyword_search(" * 5_000 + ")" * 5_000, '{"a":' * 20_000])
def test_hostile_texts_take_no_time(text):
    began = time.process_time()
    calls(text, NAMES)
    assert time.process_time() - began < 5
