from __future__ import annotations

import time

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.text.graphemes import is_boundary, last_boundary, next_boundary

# What joins: jamo, marks, joiners, flags, skin, prepended signs, conjuncts, line ends, controls, a lone surrogate.
JOINING = "\u1100\u1161\u11a8가각\u0301\u0903\u200d👨👩\U0001f1f0\U0001f1f7🏽\ufe0f\u0600\u0915\u094d\r\n\u200b\ufeff\ud800a ©"


@given(st.one_of(st.text(st.sampled_from(JOINING), max_size=12), st.text(max_size=12)))
def test_boundaries_are_those_of_extended_grapheme_clusters(text: str) -> None:
    ends = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    assert {i for i in range(len(text) + 1) if is_boundary(text, i)} == ends


@given(st.text(st.sampled_from(JOINING), min_size=1, max_size=12), st.data())
def test_the_nearest_boundaries(text: str, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(text)))
    ends = [0, *(match.end() for match in regex.finditer(r"\X", text))]
    assert last_boundary(text, 0, position) == max(end for end in ends if end <= position)
    assert next_boundary(text, 0, position) == min(end for end in ends if end >= position)


@pytest.mark.parametrize("unit", ["a\u0301\u0301\u0301", "👨\u200d", "\u0915\u094d", "\u1100"])
def test_a_cluster_of_a_hundred_thousand_takes_a_moment(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    start = time.process_time()
    assert next_boundary(text, 0, 1) in (4, len(text))
    assert time.process_time() - start < 2
