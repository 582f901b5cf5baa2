"""Finding cuts in a document: the last or the first one in a range at which a level's separators allow it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Protocol

from chunkeval.chunkers.base import Span
from chunkeval.chunkers.separators import Level
from chunkeval.chunkers.unbroken import fences, tables, within
from chunkeval.chunkers.units import Ruler
from chunkeval.text.graphemes import is_boundary, last_boundary, next_boundary

_BLANK = re.compile(r"(?:[ \t]{0,16}[\r\n]){0,32}")
"""Line breaks behind a cut, which belong to what is before; no more of them than keep the search short."""


class Breaks(Protocol):
    """Where a document may be cut, by levels, the coarsest first; `Cuts` says what each gives."""

    @property
    def levels(self) -> Sequence[object]:
        """One a level."""
        ...

    def last(self, level: int, after: int, until: int) -> int | None:
        """Give a level's last cut up to a place."""
        ...

    def first(self, level: int, after: int, until: int) -> int:
        """Give a level's first cut behind a place."""
        ...

    def last_between_graphemes(self, after: int, until: int) -> int | None:
        """Give the last cut of any kind up to a place."""
        ...

    def next_between_graphemes(self, after: int, position: int) -> int:
        """Give the first cut of any kind from a place on."""
        ...


class Cuts:
    """A document's cuts.

    A cut lies behind a separator (or where the level has it), breaks no grapheme, and nothing that is kept whole.
    Searches back look at a chunk's length, searches ahead remember what they have seen: all of them together take time
    with the length of the text.

    Parameters
    ----------
    text
        The document.
    levels
        Separators, coarse ones first.
    ruler
        Measures the document.
    size
        What a code fence, table or row has to fit in to be kept whole.
    markdown
        Whether there are such.
    """

    def __init__(self, text: str, levels: Sequence[Level], ruler: Ruler, size: int, *, markdown: bool) -> None:
        self.text = text
        self.levels = _there(text, levels)
        self._code = fences(text) if markdown else []
        self._whole = _kept_whole(text, self._code, ruler, size) if markdown else []
        self._seen: dict[str, tuple[int, int, int]] = {}

    def last(self, level: int, after: int, until: int) -> int | None:
        """Give a level's last cut with ``after < cut <= until``; ``after`` is a boundary of graphemes."""
        text, best, unbroken = self.text, after, not self._code and not self._whole
        for mark, cut in self.levels[level].separators:
            at = text.rfind(mark, best + 1 - cut if best >= cut else 0, until - cut + len(mark))
            if at >= 0:
                place = at + cut
                # Nearly every place is a plain one: the rest is left to another function.
                if unbroken and "\r" != text[place - 1] < "\u0300" > text[place]:
                    best = place
                else:
                    best = self._last(mark, cut, best, until, self.levels[level].outside_code)
        return best if best > after else None

    def first(self, level: int, after: int, until: int) -> int:
        """Give a level's first cut with ``after < cut < until``, else ``until``."""
        best = until
        for mark, cut in self.levels[level].separators:
            best = self._first(mark, cut, after, best, self.levels[level].outside_code)
        return best

    def last_between_graphemes(self, after: int, until: int) -> int | None:
        """Give the last cut anywhere with ``after < cut <= until``."""
        broken = within(self._whole, until)
        if broken and broken[0] > after:
            until = broken[0]
        cut = last_boundary(self.text, after, until)
        return cut if cut > after else None

    def next_between_graphemes(self, after: int, position: int) -> int:
        """Give the first cut anywhere from a position on; ``after``, at or before it, is a boundary of graphemes."""
        return next_boundary(self.text, after, position)

    def _last(self, mark: str, cut: int, after: int, until: int, outside_code: bool) -> int:
        while until > after:
            at = self.text.rfind(mark, max(after + 1 - cut, 0), until - cut + len(mark))
            if at < 0:
                break
            place = at + cut
            broken = self._broken(place, outside_code)
            if not broken and is_boundary(self.text, place, after):
                return place
            until = broken[0] if broken else place - 1
        return after

    def _first(self, mark: str, cut: int, after: int, until: int, outside_code: bool) -> int:
        start = after
        while start + 1 < until:
            place = self._find(mark, max(start + 1 - cut, 0), until - cut + len(mark)) + cut
            if place < cut or place >= until:
                break
            broken = self._broken(place, outside_code)
            if not broken and is_boundary(self.text, place, after):
                return self._behind_blanks(place, until, outside_code)
            start = broken[1] - 1 if broken else place
        return until

    def _behind_blanks(self, place: int, until: int, outside_code: bool) -> int:
        if self.text[place] > " ":
            return place
        behind = _BLANK.match(self.text, place, until)
        end = behind.end() if behind else place
        return end if is_boundary(self.text, end, place) and not self._broken(end, outside_code) else place

    def _find(self, mark: str, start: int, end: int) -> int:
        """Find as `str.find` does, but scan no stretch twice.

        What is kept of each mark: from ``first`` on it is next at ``at``; or, with ``at`` -1, nowhere before ``last``.
        """
        first, last, at = self._seen.get(mark, (start, start, -1))
        if start < first:
            earlier = self.text.find(mark, start, min(first + len(mark) - 1, end))
            if earlier >= 0:
                return earlier
            if end < first + len(mark) - 1:
                return -1
            first = start
        elif start > max(at, last):
            first, last, at = start, start, -1
        elif start > at >= 0:
            first, last, at = start, at + 1, -1
        if at < 0:
            at = self.text.find(mark, max(start, last), end)
            last = max(last, end - len(mark) + 1)
        self._seen[mark] = first, last, at
        return at if at + len(mark) <= end else -1

    def _broken(self, place: int, outside_code: bool) -> Span | None:
        if self._whole and (span := within(self._whole, place)):
            return span
        return within(self._code, place) if outside_code and self._code else None


def _there(text: str, levels: Sequence[Level]) -> list[Level]:
    """Leave out what has characters that the document has not: looking for whole separators would take longer than all cuts."""
    has = cache(text.__contains__)
    kept = (
        Level(
            tuple(s for s in level.separators if all(has(char) for char in s.mark if char > "\x7f")), level.outside_code
        )
        for level in levels
    )
    return [level for level in kept if level.separators]


def _kept_whole(text: str, code: list[Span], ruler: Ruler, size: int) -> list[Span]:
    found = [span for span in code if ruler.size(*span) <= size]
    for rows in tables(text, code):
        table = rows[0][0], rows[-1][1]
        found.extend([table] if ruler.size(*table) <= size else [row for row in rows if ruler.size(*row) <= size])
    return sorted(found)
