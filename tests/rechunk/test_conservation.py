"""Every character is accounted for, whatever was cut, moved, merged or dropped; and one that is missing is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.rechunk.changes import Change
from chunkeval.rechunk.conservation import LostTextError, conserved
from chunkeval.rechunk.moves import _options
from chunkeval.rechunk.pieces import Piece, merged

DOCUMENT = (
    "훈민정음은 세종이 만들었다. 각 글자는 소리를 나타낸다. \u1112\u1161\u11ab 👩‍🎨 It was published in 1446. 끝."
)


def piece(start: int, end: int, *, known: bool = True) -> Piece:
    return Piece(DOCUMENT[start:end], "문서", ((start, end),) if known else None, (f"{start}-{end}",))


def written(pieces: list[Piece], change: Change) -> list[Piece]:
    first, last = change.rows[0], change.rows[-1]
    return [*pieces[:first], *change.pieces, *pieces[last + 1 :]]


@st.composite
def tables(draw: st.DrawFn) -> list[Piece]:
    """Pieces in order: touching, overlapping, apart, contained in one another; some of unknown place."""
    starts = sorted(draw(st.lists(st.integers(0, len(DOCUMENT) - 2), min_size=2, max_size=6)))
    lengths = [draw(st.integers(1, 25)) for _ in starts]
    known = [draw(st.booleans() | st.just(True)) for _ in starts]
    return [piece(a, min(a + n, len(DOCUMENT)), known=k) for a, n, k in zip(starts, lengths, known, strict=True)]


@given(tables(), st.data())
def test_merges_and_moves_account_for_everything(pieces: list[Piece], data: st.DataObject) -> None:
    order = list(range(len(pieces)))
    at = data.draw(st.integers(0, len(pieces) - 2))
    pair = Change("merge", (at, at + 1), (merged(pieces[at], pieces[at + 1]),))
    found = conserved(order, pieces, [pair], written(pieces, pair))
    assert found.before - found.overlapped + found.joints == found.after
    place = data.draw(st.sampled_from(order))
    cut = data.draw(st.integers(0, len(pieces[place].text)))
    for places, made in _options(pieces, place, cut, set(order) - {place}):
        change = Change("move", places, tuple(made))
        conserved(order, pieces, [change], written(pieces, change))
        for one in made:
            if one.spans is not None:
                assert "".join(DOCUMENT[a:b] for a, b in one.spans) == one.text


def test_a_merge_with_one_that_is_contained_is_the_larger() -> None:
    whole = merged(piece(0, 20), piece(5, 12))
    assert (whole.text, whole.spans) == (DOCUMENT[:20], ((0, 20),))


def test_what_is_missing_is_noticed() -> None:
    pieces = [piece(0, 10), piece(10, 30), piece(30, 40)]
    split = Change("split", (1,), tuple(pieces[1].cut([5])))
    good = written(pieces, split)
    assert conserved([0, 1, 2], pieces, [split], good).after == 40
    short = replace(good[2], text=good[2].text[:-1])
    with pytest.raises(LostTextError, match="문서"):
        conserved([0, 1, 2], pieces, [split], [*good[:2], short, good[3]])
    with pytest.raises(LostTextError, match="문서"):
        conserved([0, 1, 2], pieces, [split], good[:-1])
    losing = Change("split", (1,), (split.pieces[0], short))
    with pytest.raises(LostTextError, match="a split of rows"):
        conserved([0, 1, 2], pieces, [losing], written(pieces, losing))


def test_what_was_dropped_is_counted() -> None:
    pieces = [piece(0, 10), piece(10, 30)]
    found = conserved([0, 1], pieces, [Change("drop", (0,), ())], pieces[1:])
    assert (found.before, found.after, found.dropped) == (30, 20, 10)
