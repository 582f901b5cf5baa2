"""Cuts against known boundaries: small cases counted by hand."""

from __future__ import annotations

import pytest

from chunkeval.rechunk.changes import Change
from chunkeval.rechunk.gold import against_gold
from chunkeval.rechunk.pieces import Piece


def piece(start: int, end: int, doc: str | None = "문서") -> Piece:
    return Piece("가" * (end - start), doc, ((start, end),), (f"{start}",))


PIECES = [piece(0, 10), piece(10, 30), piece(30, 40)]


def test_a_boundary_that_a_split_finds() -> None:
    right = Change("split", (1,), (piece(10, 20), piece(20, 30)))
    wrong = Change("split", (1,), (piece(10, 15), piece(15, 30)))
    found = against_gold({"문서": [20, 30]}, [0, 1, 2], PIECES, {1}, [right], [[wrong], [right]])
    assert (found["documents"], found["sections"], found["inside"]) == (1, 2, 1)
    # Cuts at 10 and 30: 1 of 2 is a boundary, 1 of the two boundaries is cut; then at 20 besides: 2 of 3, 2 of 2.
    assert found["f1"]["before"] == 0.5 and found["f1"]["after"] == pytest.approx(0.8)
    assert (found["found"]["before"], found["found"]["after"]) == (0, 1)
    # The wrong draw: 1 of 3 and 1 of 2, F1 0.4.
    assert found["f1"]["random"] == {"mean": pytest.approx(0.6), "min": pytest.approx(0.4), "max": pytest.approx(0.8)}
    assert found["found"]["random"] == {"mean": 0.5, "min": 0, "max": 1}
    assert found["gain"]["mean"] == pytest.approx(0.2)


def test_a_moved_border_takes_the_old_cut_away() -> None:
    move = Change("move", (0, 1), (piece(0, 12), piece(12, 30)))
    found = against_gold({"문서": [10]}, [0, 1, 2], PIECES, {1}, [move], [])
    assert found["f1"]["before"] > found["f1"]["after"] == 0
    assert "gain" not in found


def test_documents_that_cannot_be_compared_are_left_out() -> None:
    lost = [Piece("가나다", "문서", None, ("x",)), *PIECES[1:]]
    nameless = [piece(0, 10, None), piece(10, 30, None), piece(30, 40, None)]
    gold = {"문서": [20]}
    assert against_gold(gold, [0, 1, 2], lost, {1}, [], [])["documents"] == 0
    assert against_gold(gold, [0, 1, 2], nameless, {1}, [], [])["documents"] == 0
    assert against_gold({"다른 문서": [20]}, [0, 1, 2], PIECES, {1}, [], [])["documents"] == 0
    assert against_gold(gold, [0, 1, 2], PIECES, set(), [], [])["documents"] == 0
