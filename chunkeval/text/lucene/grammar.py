"""The grammar of Lucene's ``standard`` tokenizer: UAX #29 with emoji sequences of UTS #51, over letters of `classes`.

A regular expression finds what is not in doubt; the automaton decides the rest, and is the grammar to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from chunkeval.text.lucene import classes
from chunkeval.text.lucene.automaton import Automaton, Pattern, either, many, maybe, one, row, some, times

LIMIT = 255
"""UTF-16 units that the scanner sees at once."""

_EXTEND = b"xyzefmctr"
_EXTEND_SANS_SELECTORS = b"xyzmctr"

_WORD = b"(?:k[{x}]*+)++|(?:a[{x}]*+(?:(?:[.':][{x}]*+)?a[{x}]*+)*+|n[{x}]*+(?:(?:[.,'][{x}]*+)?n[{x}]*+)*+)++"
# Only for text without Hebrew and letter-like pictographs.
_FAST = re.compile(
    b"[an]++(?![{x}_.':,])"
    b"|i[{x}]*+"
    b"|p(?![{x}])"
    b"|[sy][s{x}]*+"
    b"|(_++(?![{x}ank]))"
    b"|(?:_[{x}]*+){0,255}+(?:{word})(?:(?:_[{x}]*+)++(?:{word}))*+(?:_[{x}]*+)*+"
    b"|([pm_]|z(?=[zp])|h(?=[{x}])|R(?=[R{x}]))".replace(b"{word}", _WORD).replace(b"{x}", _EXTEND)
)
_UNDERSCORES, _IN_DOUBT = 1, 2


def _ex(letters: bytes) -> Pattern:
    """Match a character with what extends it (WB4)."""
    return row(one(letters), many(one(_EXTEND)))


@lru_cache(maxsize=1)
def grammar() -> Automaton:
    """Give the automaton of the whole grammar, one for all callers: it keeps what it learns."""
    sans = many(one(_EXTEND_SANS_SELECTORS))
    unit = either(
        row(many(one(b"z")), one(b"pg"), sans, maybe(one(b"f"))),
        row(maybe(row(many(one(b"z")), one(b"pg"), sans)), one(b"m"), sans),
    )
    joined, under = many(_ex(b"_")), some(_ex(b"_"))
    numbers = row(_ex(b"n"), many(row(either(joined, _ex(b".,'")), _ex(b"n"))))
    letters = row(_ex(b"abg"), many(row(either(joined, _ex(b".:'")), _ex(b"abg"))))
    quoted = row(_ex(b"b"), either(_ex(b"'"), row(_ex(b'"'), _ex(b"b"))))
    group = either(
        row(_ex(b"k"), many(row(joined, _ex(b"k")))),
        some(either(quoted, numbers, letters)),
    )
    made = Automaton()
    made.rule(0, row(unit, either(many(row(one(b"z"), unit)), row(some(one(b"t")), one(b"r")))))
    made.rule(0, row(one(b"h"), sans, maybe(one(b"f")), one(b"c"), sans))
    made.rule(0, times(_ex(b"R"), 2, 2))
    made.rule(0, row(joined, group, many(row(under, group)), joined))
    made.rule(0, some(_ex(b"sy")))
    made.rule(0, _ex(b"i"))
    return made


def word_spans(text: str, letters: bytes, start: int, end: int, wide: bool) -> Iterator[tuple[int, int]]:
    """Find the tokens of a piece of a text whose neighbours belong to no token.

    Parameters
    ----------
    text, letters
        A text and its letters of `classes`.
    start, end
        The piece, in code points.
    wide
        Whether the text has characters of two UTF-16 units.
    """
    sure = LIMIT // 2 if wide else LIMIT
    simple = letters.find(b"b", start, end) < 0 and letters.find(b"g", start, end) < 0
    # Up to here the expression has looked already: looking again from every token of a long run takes square time.
    seen = start
    while start < end:
        if simple and start >= seen:
            for match in _FAST.finditer(letters, start, end):
                first, last = match.span()
                kind = match.lastindex
                if kind is None and last - first <= sure:
                    yield first, last
                elif kind != _UNDERSCORES:
                    start, seen = first, last
                    break
            else:
                return
        found = longest(text, letters, start, end, wide)
        if found > start:
            yield start, found
        start = max(found, start + 1)


def longest(text: str, letters: bytes, start: int, end: int, wide: bool) -> int:
    """Tell where the token that starts here ends; ``start`` if none does. Parameters as of `word_spans`."""
    end = min(start + LIMIT, end)
    found = grammar().longest(letters, start, end)[1]
    if wide and units(text, start, found) > LIMIT:
        while units(text, start, end) > LIMIT:
            end -= 1
        found = grammar().longest(letters, start, end)[1]
    return found


def units(text: str, start: int, end: int) -> int:
    """Count the UTF-16 units of a piece of a text.

    Examples
    --------
    >>> units("a👍b", 0, 2)
    3
    """
    return len(text[start:end].encode("utf-16-le", "surrogatepass")) // 2


class Words:
    """Finds the words of a text one at a time; see `chunkeval.text.lucene.halves.Scanner`."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._letters = classes.letters(text, classes.table("standard"))
        self._wide = units(text, 0, len(text)) > len(text)

    def match(self, start: int, end: int) -> int:
        """Tell where the word that starts here ends; ``start`` if none does."""
        return longest(self._text, self._letters, start, end, self._wide)

    def beyond(self, start: int, end: int) -> bool:
        """Tell whether what is before ``end`` leaves open which word starts here."""
        return grammar().beyond(self._letters, start, end)
