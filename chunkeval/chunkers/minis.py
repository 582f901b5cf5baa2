"""Mini-chunks: whole sentences joined up to a size, parted at the coarsest breaks that do."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from chunkeval.chunkers import recursive
from chunkeval.chunkers.base import Span
from chunkeval.chunkers.pieces import pieces
from chunkeval.chunkers.units import Ruler
from chunkeval.text.markup import line_kind

TOGETHER = 50_000
"""Characters of documents whose sentences are found together."""

_HEADING, _BLANK_LINE, _LINE, _SENTENCE = range(4)
"""What a break between two pieces is, the coarsest first."""


def minis(texts: Sequence[str], mini_size: int, max_size: int, *, jobs: int | None = None) -> list[list[Span]]:
    r"""Cut documents into mini-chunks.

    Parameters
    ----------
    texts
        Documents.
    mini_size
        Code points that sentences are joined up to; a longer sentence is a mini-chunk by itself.
    max_size
        Code points of a mini-chunk at most: a sentence beyond it is cut.
    jobs
        Threads.

    Returns
    -------
    list of list of Span
        Of each document; joined they are the document. A heading begins one, and is all of it only where what follows
        does not fit ``max_size``.

    Examples
    --------
    >>> text = "# 학교\n\n문을 연다. 종이 운다.\n\n아이들이 온다."
    >>> [text[a:b] for a, b in minis([text], 12, 100)[0]]
    ['# 학교\n\n문을 연다. ', '종이 운다.\n\n', '아이들이 온다.']
    """
    from chunkeval.text.analysis import analyse

    found = analyse(texts, splitter="auto", morphemes="kiwi", skip=None, words=False, jobs=jobs)
    bounds = list(zip(found.sentence_start.tolist(), found.sentence_end.tolist(), strict=True))
    made = []
    for text, (first, past) in zip(texts, pairwise(found.sentence_offsets.tolist()), strict=True):
        ruler = Ruler(len(text), None)
        parts, _ = pieces(text, bounds[first:past], ruler, max_size)
        whole = _with_headings(text, parts, max_size)
        made.append([span for section in _sections(text, whole) for span in packed(text, section, mini_size)])
    return made


def in_parts(
    texts: Sequence[str], mini_size: int, max_size: int, *, jobs: int | None = None
) -> Iterator[tuple[str, list[Span]]]:
    """Cut documents into mini-chunks, some documents at a time, so that the first can be worked on while the next are cut.

    Parameters
    ----------
    texts, mini_size, max_size, jobs
        See `minis`.

    Yields
    ------
    tuple of str and list of Span
        Each document, and what `minis` gives for it.
    """
    first = characters = 0
    for past, text in enumerate(texts, 1):
        characters += len(text)
        if characters >= TOGETHER or past == len(texts):
            some = texts[first:past]
            yield from zip(some, minis(some, mini_size, max_size, jobs=jobs), strict=True)
            first, characters = past, 0


def packed(text: str, parts: Sequence[Span], size: int) -> list[Span]:
    """Join pieces as the recursive chunker does, but cut within none.

    Parameters
    ----------
    text
        The document, or none.
    parts
        Pieces, one behind the other.
    size
        Code points that pieces are joined up to.
    """
    breaks, (first, end) = PieceBreaks(text, parts), (parts[0][0], parts[-1][1])
    return [(a + first, b + first) for a, b in recursive.spans(breaks, Ruler(end - first, None), size, 0)]


class PieceBreaks:
    """Places between pieces, by what stands there: what `recursive.spans` cuts at, and nothing finer.

    Places are counted from where the first piece begins.

    Parameters
    ----------
    text
        The document.
    parts
        Pieces of it, one behind the other.
    """

    def __init__(self, text: str, parts: Sequence[Span]) -> None:
        start, self._end = parts[0][0], parts[-1][1] - parts[0][0]
        kinds = [(second[0] - start, _kind(text, first, second)) for first, second in pairwise(parts)]
        self.levels = [[place for place, kind in kinds if kind <= level] for level in range(_SENTENCE + 1)]

    def last(self, level: int, after: int, until: int) -> int | None:
        """Give a level's last break with ``after < break <= until``."""
        at = bisect_right(self.levels[level], until) - 1
        return self.levels[level][at] if at >= 0 and self.levels[level][at] > after else None

    def first(self, level: int, after: int, until: int) -> int:
        """Give a level's first break with ``after < break < until``, else ``until``."""
        at = bisect_right(self.levels[level], after)
        return min(self.levels[level][at], until) if at < len(self.levels[level]) else until

    def last_between_graphemes(self, after: int, until: int) -> int | None:
        """Give none: no piece is cut."""
        return None

    def next_between_graphemes(self, after: int, position: int) -> int:
        """Give the end of the piece, though it is larger than the size."""
        at = bisect_left(self.levels[-1], position)
        return self.levels[-1][at] if at < len(self.levels[-1]) else self._end


def _kind(text: str, first: Span, second: Span) -> int:
    if _begins_with_heading(text[slice(*second)]):
        return _HEADING
    piece = text[slice(*first)]
    lines = len(f"{piece[len(piece.rstrip()) :]}.".splitlines())
    return _BLANK_LINE if lines > 2 else _LINE if lines > 1 else _SENTENCE


def _sections(text: str, parts: Sequence[Span]) -> list[list[Span]]:
    """Part pieces at headings."""
    found: list[list[Span]] = []
    for span in parts:
        if not found or _begins_with_heading(text[slice(*span)]):
            found.append([])
        found[-1].append(span)
    return found


def _with_headings(text: str, parts: Sequence[Span], max_size: int) -> list[Span]:
    """Join headings with what follows, where that fits."""
    joined: list[Span] = []
    heading = False
    for start, end in parts:
        alone = _is_heading(text[start:end])
        if heading and end - joined[-1][0] <= max_size:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
        heading = alone
    return joined


def _is_heading(piece: str) -> bool:
    return len(piece.strip().splitlines()) == 1 and _begins_with_heading(piece)


def _begins_with_heading(piece: str) -> bool:
    line = piece.lstrip().split("\n", 1)[0]
    return line_kind(line) == "heading"
