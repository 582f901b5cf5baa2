"""Cutting and joining pieces: no character lost, offsets exact."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.rechunk.pieces import JOINT, Piece, merged

DOCUMENT = (
    "훈민정음은 세종이 만들었다. 각 글자는 소리를 나타낸다. \u1112\u1161\u11ab 👩‍🎨 It was published in 1446. 끝."
)


def piece(start: int, end: int, name: str = "a") -> Piece:
    return Piece(DOCUMENT[start:end], "d", ((start, end),), (name,))


@given(st.lists(st.integers(-3, len(DOCUMENT) + 3), max_size=6), st.integers(0, 20))
def test_a_cut_piece_joins_to_itself_and_every_part_knows_its_place(places: list[int], start: int) -> None:
    whole = piece(start, len(DOCUMENT))
    parts = whole.cut(places)
    assert "".join(part.text for part in parts) == whole.text
    for part in parts:
        assert part.spans is not None
        assert "".join(DOCUMENT[a:b] for a, b in part.spans) == part.text
        assert part.parents == ("a",)


@given(st.integers(1, 30), st.integers(31, 50))
def test_a_piece_of_several_places_is_cut_within_them(first: int, second: int) -> None:
    spans = ((0, first), (second, len(DOCUMENT)))
    text = "".join(DOCUMENT[a:b] for a, b in spans)
    for part in Piece(text, "d", spans, ("a",)).cut([3, first + 2]):
        assert part.spans is not None
        assert "".join(DOCUMENT[a:b] for a, b in part.spans) == part.text


@pytest.mark.parametrize(
    ("second", "text", "spans"),
    [
        ((10, 20), DOCUMENT[:20], ((0, 20),)),
        ((7, 20), DOCUMENT[:20], ((0, 20),)),
        ((12, 20), DOCUMENT[:10] + DOCUMENT[12:20], ((0, 10), (12, 20))),
    ],
    ids=["touching", "overlapping", "apart"],
)
def test_neighbours_with_places_become_their_union(
    second: tuple[int, int], text: str, spans: tuple[tuple[int, int], ...]
) -> None:
    one = merged(piece(0, 10), piece(*second, name="b"))
    assert (one.text, one.spans, one.derived, one.parents) == (text, spans, False, ("a", "b"))


def test_neighbours_without_places_are_joined_by_a_line_break_and_derived() -> None:
    one = merged(Piece("앞", "d", None, ("a",)), piece(0, 3, "b"))
    assert (one.text, one.spans, one.derived) == (f"앞{JOINT}{DOCUMENT[:3]}", None, True)


def test_places_that_claim_an_overlap_that_is_none_are_not_believed() -> None:
    one = merged(Piece("가나다", "d", ((0, 3),), ("a",)), Piece("라마", "d", ((2, 4),), ("b",)))
    assert (one.text, one.derived) == (f"가나다{JOINT}라마", True)
