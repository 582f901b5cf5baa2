"""Sizes in code points, words or tokens, counted on the document: a span's size is a difference of two places in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from chunkeval.chunkers.base import check_unit
from chunkeval.text import offsets

DEFAULT_TOKENIZER = "use-multilingual"
"""The default embedder's own."""

_UNSPACED = "\u3041-\u3096\u309d-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = (
    "\u3001-\u3003\u3008-\u3011\u3014-\u301f\u3099\u309a\ufe00-\ufe0f\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f"
    "\U000e0100-\U000e01ef"
)
_WORD = re.compile(rf"[{_UNSPACED}][{_MARKS}]*|[^\s{_UNSPACED}]+")


class Ruler:
    """Measures spans of one document.

    A unit belongs to the span in which it begins: the size of ``[start, end)`` is the number of units that begin at
    ``start`` or later and before ``end``. Sizes of neighbouring spans therefore add up, and a span that begins within
    a word or token does not count it: the one before does. A span of white space has size 0 in words.

    Counting a span's text by itself may give a little more or less: what is cut in two counts twice, and what a
    tokenizer joins across the cut is joined no longer. In words the difference is at most 1 a chunk; in tokens of
    WordPiece or SentencePiece it is 0 where the cut is at white space, and in byte-level ones, whose tokens begin with
    the space that a cut leaves before it, up to 3.

    Parameters
    ----------
    length
        Code points of the document.
    starts
        Where each unit begins, ascending; None where every code point is one.

    Examples
    --------
    >>> text = "가 나다 라"
    >>> ruler = Units("words").ruler(text)
    >>> ruler.size(0, 3), ruler.size(3, 6), ruler.limit(0, 2), ruler.earliest(6, 1)
    (2, 1, 5, 3)
    """

    def __init__(self, length: int, starts: Sequence[int] | None) -> None:
        self.length = length
        self._starts = starts

    def size(self, start: int, end: int) -> int:
        """Give the number of units that begin in a span."""
        if self._starts is None:
            return end - start
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)

    def limit(self, start: int, size: int) -> int:
        """Give the furthest end of a span from ``start`` that holds at most ``size`` units."""
        if self._starts is None:
            return min(start + size, self.length)
        past = bisect_left(self._starts, start) + size
        return self._starts[past] if past < len(self._starts) else self.length

    def earliest(self, end: int, size: int) -> int:
        """Give the earliest start of a span up to ``end`` that holds at most ``size`` units."""
        if self._starts is None:
            return max(end - size, 0)
        before = bisect_left(self._starts, end) - size - 1
        return self._starts[before] + 1 if before >= 0 else 0

    def unit_from(self, position: int) -> int:
        """Give where the first unit from a position on begins; the document's end where none does."""
        if self._starts is None:
            return position
        at = bisect_left(self._starts, position)
        return self._starts[at] if at < len(self._starts) else self.length


class Units:
    """What sizes are counted in.

    Parameters
    ----------
    unit
        ``chars``: code points. ``words``: runs without white space, but each Han or Hiragana character, with the
        marks behind it, is one of its own, since no spaces part these. ``tokens``: those of the tokenizer, special
        ones left out.
    tokenizer
        As `offsets.load` takes it; None is the default embedder's.
    name
        The chunker, for errors.

    Raises
    ------
    ConfigError
        There is no such unit or tokenizer.
    """

    def __init__(self, unit: str, tokenizer: str | None = None, name: str = "chunker") -> None:
        check_unit(name, unit)
        self.unit = unit
        self._tokenizer = offsets.load(tokenizer or DEFAULT_TOKENIZER) if unit == "tokens" else None

    def ruler(self, text: str) -> Ruler:
        """Measure a document."""
        if self._tokenizer is not None:
            starts = self._tokenizer.starts(text)
        elif self.unit == "words":
            starts = np.fromiter((found.start() for found in _WORD.finditer(text)), np.int32)
        else:
            return Ruler(len(text), None)
        # A view gives plain integers, many times faster than an array does.
        return Ruler(len(text), np.ascontiguousarray(starts, np.int32).data)
