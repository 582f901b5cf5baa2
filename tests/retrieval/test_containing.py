"""Whether an answer holds the right one."""

from __future__ import annotations

import doctest
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.retrieval import agents, citations, containing
from chunkeval.retrieval.containing import contains


@pytest.mark.parametrize("module", [agents, citations, containing])
def test_the_examples_hold(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("answer", "right", "held"),
    [
        ("1905년에 발표되었다.", ["1905년"], True),
        (unicodedata.normalize("NFD", "그는 상대성 이론을 냈다"), ["상대성이론"], True),
        ("상대성이론을 냈다", [unicodedata.normalize("NFD", "《상대성 이론》")], True),
        ("ＰＹＴＨＯＮ으로 짰다", ["python"], True),
        ("I don't know.", ["no"], False),
        ("No, it does not.", ["No."], True),
        ("답은 3.5이다", ["5"], False),
        ("답은 3.5이다", ["3.5"], True),
        ("1,905명이다", ["905"], False),
        ("가족은 👩‍👩‍👧이다", ["👩‍👩‍👧"], True),
        ("서울이다", ["부산", "서울"], True),
        ("", ["서울"], False),
        ("서울", [], None),
        ("서울", ["", " ", "…"], None),
        ("STRASSE 12", ["Straße"], True),
    ],
)
def test_answers_are_compared_by_what_they_say(answer, right, held):
    assert contains(answer, right) is held


def test_an_id_that_is_cited_is_no_answer():
    assert contains("모르겠다 [7].", ["7"], ["7"]) is False
    assert contains("[7]번이다 [c_3].", ["7"], ["c_3"]) is True


@given(st.text(max_size=20), st.text(min_size=1, max_size=20), st.text(max_size=20))
def test_an_answer_holds_itself(before, right, after):
    held = contains(f"{before} \n {right} \n {after}", [right])
    assert held in (True, None)
