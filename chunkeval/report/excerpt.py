"""A chunk's text cut into pieces to show: sentences, what stands between, places to cut; of long texts only parts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

WHOLE = 4_000
"""Code points up to which a text is shown whole."""

ENDS = 1_000
"""Code points shown of a longer one's beginning and end."""

AROUND = 500
"""And on either side of a place to cut."""

MARKS = 8
"""Suggested cuts marked at most in a text that is not shown whole."""


@dataclass(frozen=True)
class Piece:
    """A stretch of text, or a mark between two."""

    kind: Literal["sentence", "between", "cut", "weak", "elided"]
    text: str = ""
    number: int = 0
    """Of the sentence, from 1; of the code points left out."""


def pieces(text: str, spans: Sequence[tuple[int, int]], cuts: Sequence[int], weakest: int | None) -> list[Piece]:
    """Cut a text at its sentences and marks.

    Parameters
    ----------
    text
        The chunk's text.
    spans
        Sentences as code points ``[start, end)``, in order.
    cuts
        Places where to split it, in code points.
    weakest
        Where its weakest seam is, if anywhere; marked only where no cut is suggested at the same place.

    Examples
    --------
    >>> [(piece.kind, piece.text) for piece in pieces("A b. C d.", [(0, 4), (5, 9)], [5], 5)]
    [('sentence', 'A b.'), ('between', ' '), ('cut', ''), ('sentence', 'C d.')]
    """
    inside = sorted({cut for cut in cuts if 0 < cut < len(text)})
    marks: dict[int, Literal["cut", "weak"]] = dict.fromkeys(inside, "cut")
    if weakest is not None and 0 < weakest < len(text):
        marks.setdefault(weakest, "weak")
    shown: list[Piece] = []
    at = 0
    for start, end in _windows(len(text), sorted(marks)[:MARKS]):
        if start > at:
            shown.append(Piece("elided", number=start - at))
        shown += _window(text, spans, marks, start, end)
        at = end
    return shown


def _windows(length: int, marks: Sequence[int]) -> list[tuple[int, int]]:
    if length <= WHOLE:
        return [(0, length)] if length else []
    wanted = [(0, ENDS), *((mark - AROUND, mark + AROUND) for mark in marks), (length - ENDS, length)]
    merged: list[tuple[int, int]] = []
    for start, end in sorted((max(0, start), min(length, end)) for start, end in wanted):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _window(
    text: str, spans: Sequence[tuple[int, int]], marks: dict[int, Literal["cut", "weak"]], start: int, end: int
) -> list[Piece]:
    starts = [span[0] for span in spans]
    ends = [span[1] for span in spans]
    first, last = bisect_right(ends, start), bisect_right(starts, end)
    edges = {start, end, *(mark for mark in marks if start < mark < end)}
    edges |= {edge for span in spans[first:last] for edge in span if start < edge < end}
    places = sorted(edges)
    shown: list[Piece] = []
    for left, right in pairwise(places):
        if left in marks:
            shown.append(Piece(marks[left]))
        number = bisect_right(starts, left)
        inside = number > 0 and left < ends[number - 1]
        shown.append(Piece("sentence" if inside else "between", text[left:right], number if inside else 0))
    return shown
