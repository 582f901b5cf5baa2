"""Every chunker cuts documents of megabytes, in time that grows with their length."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from chunker_contract import KOREAN, Case, cases, chunker_of, in_tokens
from made_replies import ASKING

MEGABYTES = 5.0
TEXTS = {
    "korean": KOREAN,
    "no space, no line break": "".join(KOREAN.split()),
    "one syllable": "가",
    "one letter": "a",
    "spaces": " ",
    "emoji": "👨‍👩‍👧‍👦👍🏽🙂",
    "flags": "🇰🇷",
    "marks": "e\u0301",
    "table": "| a | b |\n",
    "lines": "a" * 99 + "\n\n",
}
FEW = ("korean", "no space, no line break", "one letter", "emoji")
LARGE = {
    "sentence": [Case("sentence"), Case("sentence:size=1000,overlap=100,unit=chars")],
    "semantic": [Case("semantic:embedder=lsa")],
    "proposition": [Case("proposition", derived=True)],
    "recursive": [
        Case("recursive"),
        Case("recursive:overlap=200"),
        Case("recursive:size=200,unit=words,overlap=20"),
        Case("recursive:size=200,unit=tokens", unit=in_tokens),
        Case("recursive:size=300,kind=markdown"),
        Case("recursive:size=300,kind=html"),
        Case("recursive:size=300,kind=code"),
        Case("recursive:size=200,separators=[]"),
    ],
    "fixed_char_length": [Case("fixed_char_length"), Case("fixed_char_length:char_limit=300,overlap_rate=0.3")],
    "fixed_token_length": [Case("fixed_token_length:token_limit=100,overlap_rate=0.3")],
    "delimiter": [Case("delimiter"), Case("delimiter:delimiter='.'")],
    "cascade": [
        Case('cascade:steps=["delimiter", "fixed_char_length:char_limit=300"]'),
        Case('cascade:steps=["fixed_char_length:char_limit=5000", "recursive:size=300"]'),
    ],
    "langchain": [Case("langchain:RecursiveCharacterTextSplitter:chunk_size=1000,chunk_overlap=100", covers=False)],
    "chonkie": [
        Case("chonkie:RecursiveChunker:chunk_size=1000", covers=False),
        Case("chonkie:TokenChunker:chunk_size=1000", covers=False),
    ],
}
KIWI = {"korean": 0.1, "no space, no line break": 0.1, "one syllable": 0.02, "one letter": 1.0, "emoji": 1.0}
SLOWER: dict[str, dict[str, float]] = {
    "sentence": KIWI,
    "semantic": KIWI,
    "recursive:size=200,unit=tokens": {"no space, no line break": 1.0, "one letter": 1.0, "emoji": 1.0},
    "langchain": dict.fromkeys(TEXTS, 1.0),
    **{name: dict.fromkeys(TEXTS, 0.05) for name in ASKING},
}
"""Megabytes, where 5 take too long: the tagger, the default model's own search for pieces, another library, questions to a server."""


def _cut(case: Case, text: str) -> float:
    """Cut, look over what came, and give the seconds."""
    start = time.process_time()
    spans = [chunk.spans[0] for chunk in chunker_of(case).split(text)]
    seconds = time.process_time() - start
    if case.covers and not case.derived:
        assert spans[0][0] == 0 and spans[-1][1] == len(text)
        assert all(a < c <= b < d for (a, b), (c, d) in pairwise(spans))
    return seconds


def _large() -> list[tuple[Case, str]]:
    found = []
    for name in dict.fromkeys(case.spec.partition(":")[0] for case in cases()):
        for number, case in enumerate(LARGE.get(name, [Case(name)])):
            slow = case.unit is in_tokens or not case.covers or name in ("sentence", "semantic", *ASKING)
            found += [(case, text) for text in (TEXTS if not slow and not number else FEW)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("case", "text"), _large(), ids=lambda value: getattr(value, "spec", value))
def test_megabytes_take_time_with_their_length(case: Case, text: str) -> None:
    """A tenth takes a tenth of the time, more or less; what is quadratic takes a hundredth."""
    name = case.spec.partition(":")[0]
    megabytes = SLOWER.get(case.spec, SLOWER.get(name, {})).get(text, MEGABYTES)
    part = TEXTS[text]
    large = part * int(megabytes * 1e6 / len(part.encode()))
    chunker_of(case).split(KOREAN)
    small = _cut(case, large[: len(large) // 10])
    assert _cut(case, large) < 25 * small + 1
