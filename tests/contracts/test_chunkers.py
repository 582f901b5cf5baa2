"""What every chunker must do: exact spans that cover the document, within their size."""

from __future__ import annotations

import json
import os
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkeval import registry
from chunkeval.chunkers.base import Chunk, Chunker
from chunkeval.chunkers.spec import make, parse
from chunkeval.errors import ConfigError, MissingExtraError

VECTORS = Path(os.environ.get("CHUNKEVAL_VECTORS", Path(__file__).parents[2] / "../shared/vectors"))
FAULTS = VECTORS / "chunker_faults.json"

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
        ),
    ],
    "chonkie": [
        Case("chonkie:RecursiveChunker:chunk_size=30", graphemes=False, covers=False),
        Case("chonkie:TokenChunker:chunk_size=10,chunk_overlap=3", overlap=3, graphemes=False, covers=False),
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
}
REFUSED = {
    "recursive": [
        "recursive:size=0",
        "recursive:size=-1",
        "recursive:size=1.5",
        "recursive:size=true",
        "recursive:size=10,overlap=10",
        "recursive:size=10,overlap=-1",
        "recursive:size=10,overlap=11,compat=langchain",
        "recursive:unit=char",
        "recursive:kind=md",
        "recursive:compat=chonkie",
        "recursive:separators=3",
        "recursive:separators=[1]",
        "recursive:sise=3",
        "recursive:unit=tokens,tokenizer=/no/such/folder",
    ],
    "sentence": ["sentence:size=0", "sentence:size=10,overlap=10", "sentence:unit=sentences", "sentence:kind=plain"],
    "langchain": [
        "langchain",
        "langchain:RecursiveCharacterTextSplitte:chunk_size=5",
        "langchain:RecursiveCharacterTextSplitter:chunk_size=5,chunk_overlap=5",
        "langchain:RecursiveCharacterTextSplitter:chunk_size=0",
        "langchain:RecursiveCharacterTextSplitter:chunk_sice=5",
    ],
    "chonkie": [
        "chonkie:TokenChunke",
        "chonkie:TokenChunker:chunk_size=0",
        "chonkie:TokenChunker:chunk_size=5,chunk_overlap=5",
        "chonkie:TokenChunker:chunk_sice=5",
    ],
    "fixed_char_length": ["fixed_char_length:char_limit=0", "fixed_char_length:overlap_rate=1.0"],
    "fixed_token_length": ["fixed_token_length:token_limit=0", "fixed_token_length:overlap_rate=1.0"],
    "semantic": ["semantic:max_size=0", "semantic:min_size=20,max_size=10"],
}
KOREAN = "서울은 대한민국의 수도이다. 한강이 흐른다! 정말？그렇다。\n\n둘째 문단은 좀 더 길다, 쉼표도 있고; 문장이 이어진다요. 끝.\n"
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


def _cases() -> list[tuple[str, Case]]:
    return [(name, case) for name in registry.entries("chunkers") for case in CASES.get(name, [Case(name)])]


_made: dict[str, Chunker] = {}


def chunker_of(case: Case) -> Chunker:
    """Make a chunker once; skip where what it adapts is not installed."""
    if case.spec not in _made:
        try:
            _made[case.spec] = make(case.spec)
        except MissingExtraError as error:
            pytest.skip(str(error))
    return _made[case.spec]


@pytest.fixture(params=_cases(), ids=lambda pair: pair[1].spec)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param[1]
    return found


def check(case: Case, text: str) -> list[Chunk]:
    """Hold a chunker to its word on one text."""
    chunks = chunker_of(case).split(text)
    spans = [span for chunk in chunks for span in chunk.spans]
    assert all(type(start) is int and type(end) is int and 0 <= start < end <= len(text) for start, end in spans), spans
    assert all(chunk.text(text) == "".join(text[a:b] for a, b in chunk.spans) for chunk in chunks)
    several = any(len(chunk.spans) > 1 for chunk in chunks)
    if several:
        spans.sort()
    if case.covers:
        assert bool(text) == bool(chunks)
        if not case.overlap:
            assert "".join(text[a:b] for a, b in spans) == text
            assert all(b == c for (_, b), (c, _) in pairwise(spans)), spans
        elif text:
            assert spans[0][0] == 0 and max(end for _, end in spans) == len(text)
            assert all(c <= b for (_, b), (c, _) in pairwise(spans)), spans
    if not several:
        firsts = [chunk.spans[0][0] for chunk in chunks]
        assert firsts == sorted(firsts)
        if case.covers:
            assert all(a < c and b < d for (a, b), (c, d) in pairwise(spans)), spans
    clusters = {0}
    for match in regex.finditer(r"\X", text) if len(text) < 10_000 else ():
        clusters.add(match.end())
    if case.graphemes and len(text) < 10_000:
        assert all(start in clusters and end in clusters for start, end in spans)
    if case.size is not None:
        for start, end in spans if not several else ():
            if case.unit(text, start, end) > case.size:
                assert len(regex.findall(r"\X", text[start:end])) == 1, (text[start:end], case.size)
    return chunks


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
    assert [c.spans for c in make(case.spec).split(text)] == [c.spans for c in first]


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


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [KOREAN, "가", " ", "🇰🇷", "e\u0301", "| a | b |\n", "a" * 99 + "\n\n"], ids=lambda part: ascii(part)[:12]
)
def test_five_megabytes_take_time_with_their_length(case: Case, part: str) -> None:
    """A tenth takes a tenth of the time, more or less; what is quadratic takes a hundredth."""
    if not case.covers or case.unit is in_tokens or case.spec.startswith(("sentence", "semantic")):
        pytest.skip("what is slow is the tagger, the tokenizer or another library")
    if case.size is not None and case.size < 25:
        pytest.skip("millions of chunks are slow to make, whatever cuts them")
    chunker = chunker_of(case)
    large = part * (5_000_000 // len(part.encode()))
    small = large[: len(large) // 10]
    seconds = []
    for text in (small, large):
        start = time.process_time()
        spans = [chunk.spans[0] for chunk in chunker.split(text)]
        seconds.append(time.process_time() - start)
        assert spans[0][0] == 0 and spans[-1][1] == len(text)
        assert all(c <= b for (_, b), (c, _) in pairwise(spans))
    assert seconds[1] < 25 * seconds[0] + 1


REFUSALS = [spec for name in registry.entries("chunkers") for spec in REFUSED.get(name, [])]


@pytest.mark.parametrize("spec", REFUSALS)
def test_bad_settings_are_refused_when_it_is_made(spec: str) -> None:
    name, _ = parse(spec)
    if name in ("langchain", "chonkie"):
        pytest.importorskip("langchain_text_splitters" if name == "langchain" else "chonkie")
    with pytest.raises(ConfigError) as caught:
        make(spec)
    assert len(str(caught.value)) > 10


# What others got wrong, with the settings nearest to theirs.
NEAREST = {
    21475: Case("recursive:size=5,overlap=4,separators=[' ', '']", 5, overlap=4),
    17642: Case("recursive:size=10,overlap=5,unit=tokens", 10, in_tokens, 5),
    40071: Case("recursive:size=12,kind=markdown", 12),
    20908: Case("recursive:size=8,separators=['다. ']", 8),
    31136: Case("recursive:size=8,separators=[' ']", 8),
    16894: Case("recursive:size=4,unit=tokens", 4, in_tokens),
    116: Case("recursive:size=3,unit=words,separators=[]", 3, in_words),
    170: Case("sentence:size=10,unit=chars", 10),
    431: Case("recursive:size=5,separators=[' ']", 5),
    453: Case("recursive:size=4,unit=tokens", 4, in_tokens),
    25: Case("recursive:size=4,overlap=2", 4, overlap=2),
    716: Case("recursive:size=2,separators=['.']", 2),
    895: Case("recursive:size=2", 2),
    11710: Case("sentence:size=6,unit=words,overlap=3", 6, in_words, 3),
    22046: Case("recursive:size=5,separators=['。']", 5),
}


@pytest.mark.parametrize("thread", NEAREST)
def test_no_fault_of_other_chunkers(thread: int) -> None:
    if not FAULTS.exists():
        pytest.skip("the list of faults is not here")
    fault = next(fault for fault in json.loads(FAULTS.read_text("utf-8")) if fault["thread"] == thread)
    text = fault["input"] if isinstance(fault["input"], str) else json.dumps(fault["input"])
    check(NEAREST[thread], text)
    check(NEAREST[thread], text * 7)


def test_every_listed_fault_is_tested() -> None:
    if not FAULTS.exists():
        pytest.skip("the list of faults is not here")
    assert {fault["thread"] for fault in json.loads(FAULTS.read_text("utf-8"))} == set(NEAREST)


def test_separators_stay_with_the_text_before_them() -> None:
    text = "하나이다. 둘이다. 셋이다."
    assert [c.text(text) for c in make("recursive:size=8,separators=['다. ']").split(text)] == [
        "하나이다. ",
        "둘이다. ",
        "셋이다.",
    ]
