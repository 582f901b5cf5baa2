"""A document as pieces that a chunk is made of: its sentences with the gaps behind them, cut further where too large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from chunkeval.chunkers.base import Span
from chunkeval.chunkers.units import Ruler
from chunkeval.text.graphemes import is_boundary, last_boundary, next_boundary

_BREAKS = ("\n", "。", ". ", " ")
"""Where a piece that is too large is cut, the best first; else between two graphemes."""
_LEAST = 0.5
"""Share of the largest size that a cut leaves in use before a finer one is looked for."""


def pieces(text: str, sentences: Sequence[Span], ruler: Ruler, max_size: int) -> tuple[list[Span], list[bool]]:
    """Cover a document with pieces, none larger than a maximum.

    Parameters
    ----------
    text
        The document.
    sentences
        Spans in order, not overlapping.
    ruler
        Measures the document.
    max_size
        Only a single grapheme may be larger.

    Returns
    -------
    spans : list of (int, int)
        Joined they are the document; a gap belongs to the piece before it, what precedes the first sentence to the first.
    goes_on : list of bool
        Whether a piece begins within a sentence.

    Examples
    --------
    >>> text = "하나 둘. 셋."
    >>> pieces(text, [(0, 5), (6, 8)], Ruler(len(text), None), max_size=4)
    ([(0, 3), (3, 6), (6, 8)], [False, True, False])
    """
    if not text:
        return [], []
    starts = [start for start, _ in sentences[1:] if is_boundary(text, start)]
    spans: list[Span] = []
    goes_on: list[bool] = []
    for start, end in pairwise([0, *starts, len(text)]):
        parts = list(_parts(text, start, end, ruler, max_size))
        spans.extend(parts)
        goes_on.extend([False, *[True] * (len(parts) - 1)])
    return spans, goes_on


def _parts(text: str, start: int, end: int, ruler: Ruler, max_size: int) -> Iterator[Span]:
    while ruler.size(start, end) > max_size:
        cut = _cut(text, start, min(ruler.limit(start, max_size), end))
        if cut >= end:
            break
        yield start, cut
        start = cut
    yield start, end


def _cut(text: str, start: int, furthest: int) -> int:
    """Give the last good place up to the furthest; where the first grapheme reaches beyond it, that grapheme's end."""
    least = start + max(1, int((furthest - start) * _LEAST))
    for mark in _BREAKS:
        at = text.rfind(mark, least - 1, furthest)
        if at >= 0 and is_boundary(text, at + len(mark), start):
            return at + len(mark)
    cut = last_boundary(text, start, furthest)
    return cut if cut > start else next_boundary(text, start, start + 1)
