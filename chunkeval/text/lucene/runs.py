"""Lucene's tokenizers that look at one character at a time: ``letter``, ``lowercase``, ``whitespace``.

A token is a run of code points that Java calls letters (``Character.isLetter``), or that it does not call white space
(``Character.isWhitespace``), cut where it reaches 255 UTF-16 units: ``CharTokenizer`` checks after it has added a
character, so a token that ends in a character of two units may have 256. ``lowercase`` cuts as ``letter`` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from chunkeval.text.lucene import classes
from chunkeval.text.lucene.grammar import LIMIT, units

Spans = npt.NDArray[np.int64]

JAVA_WHITESPACE = frozenset(
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u2028\u2029\u205f\u3000"
)
"""What Java's ``Character.isWhitespace`` is true of: no no-break spaces (U+00A0, U+2007, U+202F), not U+0085."""

BLOCK = 1 << 18
"""Code points looked up at once."""


@lru_cache(maxsize=1)
def _space() -> classes.Table:
    letters = np.full(0x110000, ord("L"), np.uint8)
    letters[[ord(char) for char in JAVA_WHITESPACE]] = ord("o")
    letters.flags.writeable = False
    return letters


def letter_blocks(text: str) -> Iterator[Spans]:
    """Find runs of letters, some at a time: code points ``[start, end)``, shape (tokens, 2).

    Examples
    --------
    >>> text = "가1나 don't 漢字・カナ"
    >>> [text[a:b] for spans in letter_blocks(text) for a, b in spans.tolist()]
    ['가', '나', 'don', 't', '漢字', 'カナ']
    """
    return _blocks(text, classes.table("letter"))


def word_blocks(text: str) -> Iterator[Spans]:
    r"""Find runs of anything but white space, some at a time: code points ``[start, end)``, shape (tokens, 2).

    Examples
    --------
    >>> text = " 가,나\u00a0다\u3000라 "
    >>> [text[a:b] for spans in word_blocks(text) for a, b in spans.tolist()]
    ['가,나\xa0다', '라']
    """
    return _blocks(text, _space())


def _blocks(text: str, of: classes.Table) -> Iterator[Spans]:
    start, size = 0, BLOCK
    while start < len(text):
        piece = text[start : start + size]
        inside = np.frombuffer(classes.letters(piece, of), np.uint8) != ord("o")
        if start + len(piece) < len(text) and inside[-1]:
            outside = np.flatnonzero(~inside)
            if not len(outside):
                size *= 2
                continue
            inside = inside[: outside[-1] + 1]
        edges = np.diff(inside.astype(np.int8), prepend=0, append=0)
        spans = np.stack((np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)), axis=1)
        yield _cut(piece, spans) + start
        start += len(inside)
        size = BLOCK


def _cut(text: str, spans: Spans) -> Spans:
    long = spans[:, 1] - spans[:, 0] >= LIMIT // 2
    if not long.any():
        return spans
    parts: list[Spans] = []
    for index in np.flatnonzero(long).tolist():
        start, end = spans[index].tolist()
        parts.append(np.array(list(_pieces(text, start, end)), np.int64))
    together = np.concatenate((spans[~long], *parts))
    return together[np.argsort(together[:, 0], kind="stable")]


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        last = start + LIMIT // 2
        while last < end and (size := units(text, start, last)) < LIMIT:
            last += max((LIMIT - size) // 2, 1)
        yield start, min(last, end)
        start = min(last, end)
