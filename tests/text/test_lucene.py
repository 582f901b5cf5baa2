from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vectors import cases, read, skip_without

from chunkeval.errors import ConfigError
from chunkeval.text.lucene import TOKENIZERS, check_tokenizer, classes, token_blocks, token_spans
from chunkeval.text.lucene.grammar import longest

SCRIPT = Path(__file__).parents[2] / "scripts/make_lucene_tables.py"
VECTORS = "lucene_standard_tokens.json"
CASES = cases(VECTORS)
OTHERS = ("letter", "lowercase", "whitespace", "uax_url_email", "classic", "thai")

# One of each class that the grammar knows, and some that are rare in text.
LETTERS = (
    "aé가ㄱ9３ア一ぁ.'’:,;_\"# *\u0301\u200d\ufe0e\ufe0f\u20e3א\u05b0ภ\u0e31👍🏽🇰🇷ℹ🅰\U000e0067\U000e007f𝐀𠀀\ud83d\n"
)


def texts(text: str, tokenizer: str) -> list[str]:
    return [text[start:end] for start, end in token_spans(text, tokenizer).tolist()]


@skip_without(VECTORS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}")
def test_standard_as_lucene(case: dict[str, Any]) -> None:
    expected = [[token["start"], token["end"]] for token in case["standard"]]
    assert token_spans(case["text"]).tolist() == expected
    expected = [[token["start_utf16"], token["end_utf16"]] for token in case["standard"]]
    assert token_spans(case["text"], unit="utf16").tolist() == expected


@skip_without(VECTORS)
@pytest.mark.parametrize("tokenizer", OTHERS)
def test_other_tokenizers_as_lucene(tokenizer: str) -> None:
    if tokenizer == "thai":
        pytest.importorskip("jpype")
    told = "letter" if tokenizer == "lowercase" else tokenizer
    wrong = [
        case["id"]
        for case in CASES
        if token_spans(case["text"], tokenizer, unit="utf16").tolist() != case["others"][told]
    ]
    assert not wrong


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from(LETTERS), max_size=40))
def test_fast_road_is_the_grammar(text: str) -> None:
    text += "\n"
    letters = classes.letters(text, classes.table("standard"))
    wide = any(char > "\uffff" for char in text)
    expected, place = [], 0
    while place < len(text):
        end = longest(text, letters, place, len(text), wide)
        if end > place:
            expected.append([place, end])
        place = max(end, place + 1)
    assert token_spans(text).tolist() == expected


@settings(max_examples=100, deadline=None)
@given(
    st.text(st.characters(codec=None), max_size=60), st.sampled_from([name for name in TOKENIZERS if name != "thai"])
)
def test_tokens_are_in_order_and_not_empty(text: str, tokenizer: str) -> None:
    spans = token_spans(text, tokenizer)
    flat = spans.ravel()
    assert (spans[:, 0] < spans[:, 1]).all() and (np.diff(flat) >= 0).all()
    assert not len(flat) or (flat[0] >= 0 and flat[-1] <= len(text))
    blocks = list(token_blocks(text, tokenizer))
    assert sum(map(len, blocks)) == len(spans)


@pytest.mark.parametrize("tokenizer", [name for name in TOKENIZERS if name != "thai"])
def test_blocks_part_no_token(tokenizer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "대한민국은 민주공화국이다. don't a.b@c.kr 3.14 👨‍👩‍👧 中文 " * 30 + "가" * 700 + " 끝"
    whole = token_spans(text, tokenizer).tolist()
    monkeypatch.setattr("chunkeval.text.lucene.standard.BLOCK", 16)
    monkeypatch.setattr("chunkeval.text.lucene.runs.BLOCK", 16)
    monkeypatch.setattr("chunkeval.text.lucene._BATCH", 7)
    assert token_spans(text, tokenizer).tolist() == whole


def test_korean_composed_and_decomposed() -> None:
    assert texts("대한민국의 주권은", "standard") == ["대한민국의", "주권은"]
    decomposed = "각 나"
    assert texts(decomposed, "standard") == ["각", "나"]
    assert texts("한국어ABC123 ３．１４％", "standard") == ["한국어ABC123", "３．１４"]


@pytest.mark.parametrize("char", ["가", "a", "👍", "𝐀", "中", "_a", "\u200d😀", "_"])
def test_a_token_has_255_units(char: str) -> None:
    text = char * 1000
    spans = token_spans(text, unit="utf16")
    assert (spans[:, 1] - spans[:, 0] <= 255).all()
    joined = "".join(texts(text, "standard"))
    assert joined == ("" if char == "_" else text)


def test_long_runs_take_no_long() -> None:
    for run in ("_" * 100_000, "\u200d" * 20_000, "*" * 100_000, "a" * 500_000, "가\u0301" * 50_000):
        token_spans(run)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("visit my-site.com today", ["visit", "my-site.com", "today"]),
        ("my-site.comx y", ["my", "site.comx", "y"]),
        ("my-site.com을", ["my", "site.com을"]),
        ("mailto:foo@bar.com", ["mailto", "foo@bar.com"]),
        ("http://user:pw@h.x:80/가", ["http://user:pw@h.x:80/", "가"]),
        ("http://[::1]:80/ 1.2.3.4:8080", ["http://[::1]:80/", "1.2.3.4:8080"]),
        ('"john doe"@x.com foo@[1.2.3.4]', ['"john doe"@x.com', "foo@[1.2.3.4]"]),
        ("ftp://a.b/c;type=a file:///etc", ["ftp://a.b/c;type=a", "file:///etc"]),
        (".@c.kr a,b@c.kr", [".@c.kr", "a,b@c.kr"]),
        ("a-b.om🅰", ["a", "b.om🅰"]),  # a letter in a square is a word character
        ("a-b.com\u0300", ["a", "b.com\u0300"]),
        ("a-b.com\u08be", ["a-b.com"]),  # a letter since Unicode 13
        ("1." * 124 + "1.com.👍", ["1." * 124 + "1.com", "👍"]),  # of 255 units the last is half of a pair
    ],
)
def test_addresses(text: str, expected: list[str]) -> None:
    assert texts(text, "uax_url_email") == expected


def test_classic_drops_long_tokens() -> None:
    assert texts("a" * 256 + " b", "classic") == ["b"]


def test_classic_keeps_full_stops_and_knows_letters_of_unicode_3_0_alone() -> None:
    assert texts("c.kr. U.S.A. \u0b83 \u17d7", "classic") == ["c.kr.", "U.S.A."]


@pytest.mark.parametrize(
    ("tokenizer", "text", "count", "last"),
    [
        ("standard", "가 나\ud83d", 0, None),
        ("standard", "a " * 200 + "\ud83d", 200, 398),
        ("standard", "a" * 254 + " b\ud83d", 1, 0),
        ("standard", "a" * 300 + "\ud83d", 1, 0),
        ("standard", "a " * 126 + "bcd\ud83d𝐀 d\ud83d", 129, 259),
        ("uax_url_email", "a.b@c.kr\ud83d", 0, None),
        ("uax_url_email", "a " * 100 + "a.b@c.kr " * 20 + "\ud83d", 121, 371),
        ("classic", "a " * 3000 + "b\ud83d", 2048, 4094),
        ("classic", "a" * 5000 + " b\ud83d", 1, 5001),
        ("letter", "a\ud83d", 1, 0),
        ("whitespace", "a\ud83d", 1, 0),
    ],
)
def test_half_a_pair_at_the_end_takes_tokens_with_it(tokenizer: str, text: str, count: int, last: int | None) -> None:
    starts = token_spans(text, tokenizer, unit="utf16")[:, 0].tolist()
    assert (len(starts), starts[-1] if starts else None) == (count, last)


def test_thai_with_half_pairs() -> None:
    pytest.importorskip("jpype")
    assert texts("\ude00가", "thai") == ["가"]
    # The stretch of 1,024 units ends between the halves of a letter: neither is a letter.
    assert token_spans("#" * 1023 + "𐐀 ก", "thai", unit="utf16").tolist() == [[1026, 1027]]


def test_letter_token_may_end_in_a_pair() -> None:
    assert token_spans("a" * 254 + "𝐀a", "letter", unit="utf16").tolist() == [[0, 256], [256, 257]]


def test_unknown_tokenizer_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean 'standard'"):
        check_tokenizer("standart")
    with pytest.raises(ConfigError):
        check_tokenizer(5)


@skip_without("lucene_codepoint_classes.json")
def test_the_table_is_what_its_script_makes() -> None:
    spec = spec_from_file_location("make_lucene_tables", SCRIPT)
    assert spec is not None and spec.loader is not None
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    made = "".join(script.standard(read("lucene_codepoint_classes.json")))
    assert made == classes.table("standard").tobytes().decode("ascii")
