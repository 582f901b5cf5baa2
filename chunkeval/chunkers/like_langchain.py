"""The chunks of LangChain's RecursiveCharacterTextSplitter (langchain-text-splitters 1.1), as spans."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from chunkeval.chunkers.base import Span, check_unit
from chunkeval.chunkers.units import DEFAULT_TOKENIZER
from chunkeval.errors import ConfigError
from chunkeval.text import offsets

SEPARATORS = ("\n\n", "\n", " ", "")
_REMEMBERED = 100_000


class LikeLangchain:
    """Cuts as LangChain does with ``keep_separator=True`` and ``strip_whitespace=True``, its defaults.

    Lengths are those of pieces by themselves, added up, as there. A separator goes to the front of what follows it, and
    a piece as long as the size counts as too long.

    Parameters
    ----------
    size, overlap
        In units.
    unit
        ``chars``, ``words`` (by white space) or ``tokens``.
    separators
        Coarse ones first; LangChain's own unless given.
    tokenizer
        As `offsets.load` takes it.
    special_tokens
        Count with every piece the tokens that the tokenizer adds to a text, as ``len(tokenizer.encode(piece))`` does.

    Examples
    --------
    >>> text = "하나 둘 셋"
    >>> [text[a:b] for a, b in LikeLangchain(4, 1, "chars").spans(text)]
    ['하나 둘', '셋']
    """

    def __init__(
        self,
        size: int,
        overlap: int,
        unit: str,
        separators: Sequence[str | Sequence[str]] | None = None,
        tokenizer: str | None = None,
        special_tokens: bool = False,
    ) -> None:
        check_unit("recursive", unit)
        if separators is not None and not all(isinstance(mark, str) for mark in separators):
            raise ConfigError("recursive: with compat=langchain separators are a list of strings")
        self._separators = [mark for mark in separators or SEPARATORS if isinstance(mark, str)]
        self._size, self._overlap = size, overlap
        self._length = _lengths(unit, tokenizer, special_tokens)

    def spans(self, text: str) -> list[Span]:
        """Give the chunks' places, in LangChain's order."""
        if not text:
            return []
        return self._split(text, (0, len(text)), self._separators)

    def _split(self, text: str, within: Span, separators: list[str]) -> list[Span]:
        separator, rest = separators[-1], list[str]()
        for number, mark in enumerate(separators):
            if not mark or text.find(mark, *within) >= 0:
                separator, rest = mark, separators[number + 1 :] if mark else []
                break
        found: list[Span] = []
        good: list[tuple[Span, int]] = []
        for piece in _pieces(text, within, separator):
            length = self._length(text[piece[0] : piece[1]])
            if length < self._size:
                good.append((piece, length))
                continue
            found.extend(self._merged(text, good))
            good = []
            # What no separator is left for is not stripped there either.
            found.extend(self._split(text, piece, rest) if rest else [piece])
        return [*found, *self._merged(text, good)]

    def _merged(self, text: str, pieces: list[tuple[Span, int]]) -> list[Span]:
        found: list[Span] = []
        first = total = 0
        for number, (_, length) in enumerate(pieces):
            if total + length > self._size and number > first:
                found.append((pieces[first][0][0], pieces[number - 1][0][1]))
                while total > self._overlap or (total + length > self._size and total > 0):
                    total -= pieces[first][1]
                    first += 1
            total += length
        if pieces:
            found.append((pieces[first][0][0], pieces[-1][0][1]))
        return [span for span in (_stripped(text, span) for span in found) if span[0] < span[1]]


def _pieces(text: str, within: Span, separator: str) -> list[Span]:
    start, end = within
    if not separator:
        return [(i, i + 1) for i in range(start, end)]
    bounds = [start, *(found.start() for found in re.compile(re.escape(separator)).finditer(text, start, end)), end]
    return [(a, b) for a, b in pairwise(bounds) if a < b]


def _stripped(text: str, span: Span) -> Span:
    piece = text[span[0] : span[1]]
    end = span[0] + len(piece.rstrip())
    return min(span[0] + len(piece) - len(piece.lstrip()), end), end


def _lengths(unit: str, tokenizer: str | None, special_tokens: bool) -> Callable[[str], int]:
    if unit == "chars":
        return len
    if unit == "words":
        return lambda piece: len(piece.split())
    loaded = offsets.load(tokenizer or DEFAULT_TOKENIZER)
    added = int(getattr(loaded, "special", 0)) if special_tokens else 0
    known: dict[str, int] = {}

    def length(piece: str) -> int:
        if piece not in known:
            if len(known) > _REMEMBERED:
                known.clear()
            known[piece] = len(loaded.starts(piece)) + added
        return known[piece]

    return length
