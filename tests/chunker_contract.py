"""What the contract of chunkers asks: settings with what each promises, and the check itself."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import accumulate, pairwise

import pytest
import regex
from made_replies import ASKING, answered

from chunkeval import registry
from chunkeval.chunkers.anchoring import losses
from chunkeval.chunkers.base import Chunk, Chunker
from chunkeval.chunkers.spec import make
from chunkeval.errors import MissingExtraError

KOREAN = "서울은 대한민국의 수도이다. 한강이 흐른다! 정말？그렇다。\n\n둘째 문단은 좀 더 길다, 쉼표도 있고; 문장이 이어진다요. 끝.\n"
Size = Callable[[str, int, int], int]


def in_chars(text: str, start: int, end: int) -> int:
    return end - start


def in_words(text: str, start: int, end: int) -> int:
    """Words that begin in a span: runs without white space, Han and Hiragana one by one with what hangs on them."""
    from chunkeval.chunkers.units import Units

    return Units("words").ruler(text).size(start, end)


def in_tokens(text: str, start: int, end: int) -> int:
    from chunkeval.chunkers.units import Units

    return Units("tokens").ruler(text).size(start, end)


@dataclass(frozen=True)
class Case:
    """A chunker's settings, and what they promise."""

    spec: str
    size: int | None = None
    unit: Size = in_chars
    overlap: int = 0
    graphemes: bool = True
    """Cuts no grapheme."""
    covers: bool = True
    """Loses nothing of the document: adapters to other libraries and compat settings may."""
    anchored: bool = False
    """An adapter: what it loses, it counts."""
    derived: bool = False
    """It may rewrite texts: their spans are where they come from, and several chunks may come from one place."""


# A chunker that is not here (a third party's) is held to everything but a size, with its own defaults.
CASES: dict[str, list[Case]] = {
    "recursive": [
        Case("recursive"),
        Case("recursive:size=40", 40),
        Case("recursive:size=30,overlap=12", 30, overlap=12),
        Case("recursive:size=1", 1),
        Case("recursive:size=25,kind=markdown,overlap=5", 25, overlap=5),
        Case("recursive:size=25,kind=html", 25),
        Case("recursive:size=25,kind=code", 25),
        Case("recursive:size=5,unit=words,overlap=2", 5, in_words, 2),
        Case("recursive:size=7,separators=[]", 7),
        Case("recursive:size=7,overlap=3,separators=[]", 7, overlap=3),
        Case("recursive:size=9,overlap=3,separators=['가', ['a', ' ']]", 9, overlap=3),
        Case("recursive:size=6,unit=tokens,overlap=2", 6, in_tokens, 2),
        Case("recursive:size=20,overlap=5,compat=langchain", overlap=5, graphemes=False, covers=False),
    ],
    "sentence": [
        Case("sentence:size=40,unit=chars", 40),
        Case("sentence:size=30,unit=chars,overlap=15", 30, overlap=15),
        Case("sentence:size=1,unit=chars", 1),
        Case("sentence:size=5,unit=words,overlap=2", 5, in_words, 2),
        Case("sentence:size=8", 8, in_tokens),
    ],
    "langchain": [
        Case(
            "langchain:RecursiveCharacterTextSplitter:chunk_size=20,chunk_overlap=5",
            overlap=5,
            graphemes=False,
            covers=False,
            anchored=True,
        ),
    ],
    "chonkie": [
        Case("chonkie:RecursiveChunker:chunk_size=30", graphemes=False, covers=False, anchored=True),
        Case(
            "chonkie:TokenChunker:chunk_size=10,chunk_overlap=3",
            overlap=3,
            graphemes=False,
            covers=False,
            anchored=True,
        ),
    ],
    "fixed_char_length": [
        Case("fixed_char_length", graphemes=False),
        Case("fixed_char_length:char_limit=7", 7, graphemes=False),
        Case("fixed_char_length:char_limit=10,overlap_rate=0.3", 10, overlap=3, graphemes=False),
    ],
    "fixed_token_length": [
        Case("fixed_token_length", graphemes=False),
        Case("fixed_token_length:token_limit=3", graphemes=False),
        Case("fixed_token_length:token_limit=10,overlap_rate=0.3", overlap=3, graphemes=False),
    ],
    "delimiter": [Case("delimiter", graphemes=False), Case("delimiter:delimiter='.'", graphemes=False)],
    "cascade": [Case('cascade:steps=["delimiter", "fixed_char_length:char_limit=20"]', 20, graphemes=False)],
    "semantic": [
        Case("semantic"),
        Case("semantic:max_size=60,min_size=10,unit=chars", 60),
        Case("semantic:max_size=12,unit=words,target_size=6,min_size=0", 12, in_words),
        Case("semantic:max_size=20,unit=tokens,embedder=lsa,penalty=1", 20, in_tokens),
    ],
    "agentic": [
        Case("agentic", 3_000),
        Case("agentic:mini_size=10,max_size=60,max_minis=3", 60),
        Case("agentic:mini_size=10,max_size=60,max_minis=3,overlap_minis=1", 60, overlap=60),
        Case("agentic:mini_size=10,max_size=40,contiguous=false", 40),
    ],
    "proposition": [Case("proposition", 1_500, derived=True), Case("proposition:max_size=40", 40, derived=True)],
}


def cases() -> list[Case]:
    """Every registered chunker, third parties' included, with the settings given here, else its defaults."""
    return [case for name in registry.entries("chunkers") for case in CASES.get(name, [Case(name)])]


_made: dict[str, Chunker] = {}


def chunker_of(case: Case) -> Chunker:
    """Make a chunker once; skip where what it adapts is not installed."""
    if case.spec not in _made:
        try:
            _made[case.spec] = made(case)
        except MissingExtraError as error:
            pytest.skip(str(error))
    return _made[case.spec]


def made(case: Case) -> Chunker:
    """Make a chunker; one that asks a language model is answered well."""
    with answered() if case.spec.partition(":")[0] in ASKING else nullcontext():
        return make(case.spec)


def check(case: Case, text: str) -> list[Chunk]:
    """Hold a chunker to its word on one text."""
    chunks = chunker_of(case).split(text)
    spans = [span for chunk in chunks for span in chunk.spans]
    assert all(type(start) is int and type(end) is int and 0 <= start < end <= len(text) for start, end in spans), spans
    own = [chunk for chunk in chunks if chunk.derived is None]
    assert all(chunk.text(text) == "".join(text[a:b] for a, b in chunk.spans) for chunk in own)
    assert case.derived or len(own) == len(chunks)
    assert all(b <= c for chunk in chunks for (_, b), (c, _) in pairwise(chunk.spans))
    several = case.derived or any(len(chunk.spans) > 1 for chunk in chunks)
    if several:
        spans.sort()
    if case.covers:
        assert bool(text) == bool(chunks)
        if not case.overlap and not case.derived:
            assert "".join(text[a:b] for a, b in spans) == text
            assert all(b == c for (_, b), (c, _) in pairwise(spans)), spans
        elif text:
            assert spans[0][0] == 0 and max(end for _, end in spans) == len(text)
            reached = _reached(spans)
            assert all(start <= before for (start, _), before in zip(spans[1:], reached[1:], strict=True)), spans
    if not several:
        firsts = [chunk.spans[0][0] for chunk in chunks]
        assert firsts == sorted(firsts)
        if case.covers:
            assert all(a < c and b < d for (a, b), (c, d) in pairwise(spans)), spans
    if case.anchored and chunks:
        counted = losses(chunks)
        inside = sum(max(b - max(a, before), 0) for (a, b), before in zip(spans, _reached(spans), strict=True))
        assert inside + counted.lost + counted.lost_space == len(text)
    clusters = {0}
    for match in regex.finditer(r"\X", text) if len(text) < 10_000 else ():
        clusters.add(match.end())
    if case.graphemes and len(text) < 10_000:
        assert all(start in clusters and end in clusters for start, end in spans)
    if case.size is not None:
        for start, end in spans if not several else ():
            if case.unit(text, start, end) > case.size:
                assert len(regex.findall(r"\X", text[start:end])) == 1, (text[start:end], case.size)
        for chunk in chunks if several and case.unit is in_chars else ():
            assert len(chunk.text(text)) <= case.size or len(regex.findall(r"\X", chunk.text(text))) == 1
    return chunks


def _reached(spans: list[tuple[int, int]]) -> list[int]:
    """Give for each span how far the ones before it reach."""
    return list(accumulate((end for _, end in spans), max, initial=0))[:-1]
