from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkeval.chunkers.base import Chunk
from chunkeval.chunkers.spec import make
from chunkeval.errors import ConfigError
from chunkeval.text.lucene import token_spans

TEXTS = st.text(st.characters(codec=None), max_size=80) | st.text(
    st.sampled_from("가각나ㄱ\u1100\u1161\u11a8a1 .다。\n\r\u3000\ufeff👍🏽🇰🇷\u200d👩"), max_size=80
)


def texts(spec: str, text: str) -> list[str]:
    return [chunk.text(text) for chunk in make(spec).split(text)]


@settings(max_examples=150, deadline=None)
@given(
    TEXTS,
    st.sampled_from(
        [
            "fixed_char_length:char_limit=1",
            "fixed_char_length:char_limit=7,max_chunk_limit=3",
            "fixed_token_length:token_limit=2",
            "fixed_token_length:token_limit=3,tokenizer=whitespace,max_chunk_limit=2",
            "fixed_token_length:token_limit=1,tokenizer=letter",
            "delimiter:delimiter=다",
            'delimiter:delimiter="\\n",max_chunk_limit=2',
            'cascade:steps=["delimiter:delimiter=다","fixed_token_length:token_limit=2","fixed_char_length:char_limit=3"]',
        ]
    ),
)
def test_without_overlap_nothing_is_lost(text: str, spec: str) -> None:
    found = make(spec).split(text)
    assert "".join(chunk.text(text) for chunk in found) == text
    assert all(chunk.text(text) for chunk in found)


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.integers(1, 12), st.sampled_from([0, 0.1, 0.29, 0.5]))
def test_with_overlap_the_union_covers(text: str, size: int, rate: float) -> None:
    found = make(f"fixed_char_length:char_limit={size},overlap_rate={rate}").split(text)
    spans = [chunk.spans[0] for chunk in found]
    assert all(end - start <= size for start, end in spans)
    assert all(after[0] <= before[1] < after[1] for before, after in pairwise(spans))
    assert not text or (spans[0][0], spans[-1][1]) == (0, len(text))


@settings(max_examples=150, deadline=None)
@given(TEXTS, st.integers(1, 6), st.sampled_from([0, 0.2, 0.5]))
def test_tokens_a_chunk(text: str, size: int, rate: float) -> None:
    tokens = token_spans(text).tolist()
    found = [chunk.spans[0] for chunk in make(f"fixed_token_length:token_limit={size},overlap_rate={rate}").split(text)]
    assert all(sum(start <= left < end for left, _ in tokens) <= size for start, end in found)
    assert not text or (found[0][0], found[-1][1]) == (0, len(text))
    assert len(found) <= 1 or all(any(start <= left and right <= end for left, right in tokens) for start, end in found)


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.integers(1, 4))
def test_at_most_so_many_chunks(text: str, most: int) -> None:
    for spec in ("fixed_char_length:char_limit=2", "fixed_token_length:token_limit=1", "delimiter:delimiter=다"):
        assert len(make(f"{spec},max_chunk_limit={most}").split(text)) <= most


@pytest.mark.parametrize(
    "name", ["fixed_token_length", "fixed_char_length", "delimiter", 'cascade:steps=["delimiter"]']
)
def test_nothing_from_nothing(name: str) -> None:
    assert make(name).split("") == []
    assert make(name).split(" \n\t") == [Chunk(((0, 3),))]


def test_text_without_tokens_is_kept() -> None:
    assert texts("fixed_token_length:token_limit=1", "!!! ... —") == ["!!! ... —"]


def test_what_lies_between_tokens_goes_to_the_chunk_before() -> None:
    assert texts("fixed_token_length:token_limit=2", '  "가" 나, 다! 라?  ') == ['  "가" 나, ', "다! 라?  "]


def test_counted_in_code_points() -> None:
    assert texts("fixed_char_length:char_limit=2", "a👍b") == ["a👍", "b"]


def test_many_tokens_are_no_error() -> None:
    assert len(texts("fixed_token_length", "가 " * 20_000)) == 53


def test_delimiters_stay_at_the_end() -> None:
    assert texts("delimiter:delimiter=。", "一。二。。三") == ["一。", "二。", "。", "三"]
    assert texts("delimiter:delimiter='.',max_chunk_limit=2", "a.b.c.d") == ["a.", "b.c.d"]
    assert texts("delimiter", "a\r\n\r\nb\n\n") == ["a\r\n\r\nb\n\n"]


def test_a_cascade_of_overlapping_steps_is_in_the_order_of_the_document() -> None:
    steps = ["fixed_char_length:char_limit=8,overlap_rate=0.5", "fixed_char_length:char_limit=3"]
    found = make(f"cascade:steps={steps}").split("가나다라마바사아자차카타")
    assert [chunk.spans[0][0] for chunk in found] == [0, 3, 4, 6, 7, 10]


def test_cascade_of_chunks_of_several_spans() -> None:
    from chunkeval.chunkers.cascade import within

    outer = Chunk(((0, 2), (10, 12), (20, 30)), {"title": "가"})
    assert within(outer, Chunk(((1, 5),), {"part": 1})) == Chunk(
        ((1, 2), (10, 12), (20, 21)), {"title": "가", "part": 1}
    )


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("fixed_token_length:token_limit=0", "fixed_token_length: token_limit must be a whole number from 1, not 0"),
        ("fixed_token_length:token_limit=true", "token_limit must be a whole number"),
        ("fixed_token_length:tokenizer=standart", "did you mean 'standard'"),
        ("fixed_token_length:overlap_rate=0.6", "overlap_rate must be a number from 0 to 0.5, not 0.6"),
        ("fixed_char_length:char_limit='10'", "char_limit must be a whole number from 1, not '10'"),
        ("fixed_char_length:max_chunk_limit=0", "max_chunk_limit must be a whole number from 1, or -1"),
        ("fixed_char_length:overlap_rate=nan", "overlap_rate must be"),
        ("delimiter:delimiter=''", "delimiter must be a string that is not empty"),
        ("cascade:steps=[]", "steps must be a list"),
        ("cascade:steps=delimiter", "steps must be a list"),
        ("cascade:steps=[1]", "every step must be a string"),
        ("cascade:steps=['delimeter']", "did you mean 'delimiter'"),
        ("fixed_char_length:chr_limit=3", "did you mean 'char_limit'"),
    ],
)
def test_wrong_values_are_refused(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make(spec)
