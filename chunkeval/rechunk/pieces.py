"""Chunks as they are cut and joined: text, offsets and where each came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from chunkeval.chunkers.base import Span

JOINT = "\n"
"""Stands between two texts whose places in the document are not known."""


@dataclass(frozen=True)
class Piece:
    """A chunk of the table, or one that was made of some."""

    text: str
    doc_id: str | None
    spans: tuple[Span, ...] | None
    """Code points of the document, None where unknown."""
    parents: tuple[str, ...]
    """chunk_ids of the earlier table that its text is from."""
    derived: bool = False
    """Whether its text was put together with a line break of ours."""
    follows: bool = True
    """Whether it comes right behind the piece before, of the same document: nothing of the document is missing between."""
    said: Mapping[str, str | None] | None = None
    """What the chunker that made it says about it, for columns of the table; None where it says nothing."""

    def cut(self, places: Sequence[int]) -> list[Piece]:
        """Cut at code points of the text; places at its ends or given twice cut nothing.

        Examples
        --------
        >>> piece = Piece("하나. 둘.", None, ((10, 16),), ("a",))
        >>> [(part.text, part.spans) for part in piece.cut([4])]
        [('하나. ', ((10, 14),)), ('둘.', ((14, 16),))]
        """
        inside = sorted({place for place in places if 0 < place < len(self.text)})
        if not inside:
            return [self]
        return [
            replace(self, text=self.text[start:end], spans=_within(self.spans, start, end))
            for start, end in pairwise([0, *inside, len(self.text)])
        ]


def merged(first: Piece, second: Piece) -> Piece:
    """Join two neighbours of a document.

    Where both places are known and touch or overlap, the text is the union's; where there is a gap, both spans stand
    side by side; where a place is unknown, a line break joins the texts and the piece is derived.

    Examples
    --------
    >>> merged(Piece("가나다", "d", ((0, 3),), ("a",)), Piece("다라", "d", ((2, 4),), ("b",))).text
    '가나다라'
    """
    parents = tuple(dict.fromkeys((*first.parents, *second.parents)))
    union = _union(first, second)
    if union is not None:
        text, spans = union
        derived = first.derived or second.derived
    else:
        text, spans, derived = f"{first.text}{JOINT}{second.text}", None, True
    return Piece(text, first.doc_id, spans, parents, derived)


def overlap(first: Piece, second: Piece) -> int:
    """Give the code points that two neighbours have in common, by their places; 0 where one is unknown."""
    if first.spans is None or second.spans is None:
        return 0
    return max(first.spans[-1][1] - second.spans[0][0], 0)


def _union(first: Piece, second: Piece) -> tuple[str, tuple[Span, ...]] | None:
    if first.spans is None or second.spans is None or first.derived or second.derived:
        return None
    again = overlap(first, second)
    (start, end), (left, right) = first.spans[-1], second.spans[0]
    if end < left:
        return first.text + second.text, (*first.spans, *second.spans)
    if left < start or (end > right and len(second.spans) > 1):
        return None
    if first.text[len(first.text) - again :][: len(second.text)] != second.text[:again]:
        return None
    spans = (*first.spans[:-1], (start, max(end, right)), *second.spans[1:])
    return first.text + second.text[again:], spans


def _within(spans: tuple[Span, ...] | None, start: int, end: int) -> tuple[Span, ...] | None:
    """Give the document's code points of ``[start, end)`` of the text."""
    if spans is None:
        return None
    found, at = [], 0
    for first, after in spans:
        left, right = max(start, at), min(end, at + after - first)
        if left < right:
            found.append((first + left - at, first + right - at))
        at += after - first
    return tuple(found)
