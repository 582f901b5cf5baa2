"""Sentences of chunks from those of their documents: what every chunk must have, and what a whole document has."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkeval.text.clipping import DocumentSentences
from chunkeval.text.sentences import VISIBLE, WORD, split

TEXTS = [
    '하늘이 맑다. 값은 3.14이다! "가자."라고 했다.\n\n| 가 | 나 |\n|---|---|\n| 1 | 2 |\n\n```\nrun()\n```\n끝이다.',
    unicodedata.normalize("NFD", "학교에 갔다. 집에 왔다. 잠을 잤다."),
    "가족👨‍👩‍👧‍👦이 왔다😀 그리고 갔다. ＡＢＣ。전각 문장이다！",
    "Dr. Smith paid $3.50. Then he left... 띄어쓰기없이길게이어지는한국어문장입니다",
    "... !!! ---",
    "",
]
KNOWN = DocumentSentences(dict(zip("abcdef", TEXTS, strict=True)), splitter="auto", jobs=1)


def test_a_whole_document_has_the_sentences_that_it_has_alone() -> None:
    for name, text in KNOWN.documents.items():
        assert KNOWN.of(name, [(0, len(text))]) == split(text)


def test_a_cut_sentence_gives_each_side_its_part_and_no_mark_alone() -> None:
    known = DocumentSentences({"글": "개가 짖는다. 새가 난다."}, splitter="auto", jobs=1)
    assert known.of("글", [(0, 10)]) == [(0, 7), (8, 10)]
    assert known.of("글", [(6, 14)]) == [(0, 8)]
    assert known.of("글", [(0, 3), (8, 14)]) == [(0, 2), (3, 9)]
    assert known.of("글", [(0, 14)], skip=4) == [(4, 7), (8, 14)]


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(sorted(KNOWN.documents)),
    st.lists(st.tuples(st.integers(0, 120), st.integers(0, 120)), min_size=1, max_size=3),
    st.integers(0, 30),
)
@example("a", [(0, 9), (5, 60)], 12)
def test_all_that_shows_lies_in_one_sentence(name: str, places: list[tuple[int, int]], skip: int) -> None:
    document = KNOWN.documents[name]
    spans = [(min(a, b, len(document)), min(max(a, b), len(document))) for a, b in places]
    text = "".join(document[a:b] for a, b in spans)
    found = KNOWN.of(name, spans, skip)
    assert found == sorted(found)
    assert all(b <= c for (_, b), (c, _) in pairwise(found))
    shown = "".join(text[a:b] for a, b in found)
    assert len(shown) == len("".join(text[a:b].strip() for a, b in found))
    inside = {at for a, b in found for at in range(a, b)}
    assert all(at in inside for at in range(skip, len(text)) if VISIBLE.match(text[at]))
    assert all(at >= skip for at in inside)
    assert len(found) < 2 or all(WORD.search(text[a:b]) for a, b in found)
