from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from chunkeval.compare.baselines import Match, RandomBorders, matches, of_size


def ends_of_sentences(texts: list[str]) -> list[list[int]]:
    return [[place + 1 for place, mark in enumerate(text[:-1]) if mark == "."] for text in texts]


@given(st.text(alphabet="가나ab. 👩‍🎨", max_size=200), st.integers(1, 60), st.integers(0, 3))
def test_both_cuts_give_the_document_back(text: str, size: int, seed: int) -> None:
    for chunker in of_size(size, ends_of_sentences, seed).values():
        assert "".join(chunk.text(text) for chunk in chunker.split(text)) == text


def test_random_cuts_lie_at_sentence_borders_and_are_the_same_every_time() -> None:
    text = unicodedata.normalize("NFD", "가나다. ") * 40
    first, again = (RandomBorders(20, ends_of_sentences, 7).split(text) for _ in range(2))
    assert first == again != RandomBorders(20, ends_of_sentences, 8).split(text)
    borders = ends_of_sentences([text])[0]
    assert {chunk.spans[0][0] for chunk in first} - {0} <= set(borders)
    assert len(first) == round(len(text) / 20)


def test_strategies_of_one_size_share_their_baselines() -> None:
    assert matches({"b": 112.0, "a": 100.0, "c": 126.0}) == [Match(106, ("a", "b")), Match(126, ("c",))]
