"""Lucene's ``classic`` tokenizer: the StandardTokenizer of before Lucene 3.1, for European languages.

Written after ``ClassicTokenizer``'s documentation and behaviour: words of letters and digits of Unicode 3.0, with
acronyms, companies, hosts, mail addresses and numbers with their marks kept whole; Chinese, Japanese and half-width
Katakana characters one by one. Tokens of more than 255 characters are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from chunkeval.text.lucene import classes, halves
from chunkeval.text.lucene.automaton import Automaton, either, one, row, some, text
from chunkeval.text.lucene.grammar import LIMIT, units

_CHINESE_JAPANESE = (
    (0x3040, 0x309F), (0x30A0, 0x30FF), (0x3100, 0x312F), (0x31F0, 0x31FF), (0x3300, 0x337F), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF65, 0xFF9F),
)  # fmt: skip
_BUFFER = 4096


@lru_cache(maxsize=1)
def _table() -> classes.Table:
    letters = classes.table("classic_letter", "classic_digit").copy()
    thai = letters[0x0E00:0x0E5A]
    thai[thai == ord("o")] = ord("T")
    for first, last in _CHINESE_JAPANESE:
        letters[first : last + 1] = ord("C")
    for mark in b".'&@-_/,":
        letters[mark] = mark
    letters.flags.writeable = False
    return letters


@lru_cache(maxsize=1)
def _grammar() -> Automaton:
    word = some(one(b"LDT"))
    letters = some(one(b"L"))
    plain = some(one(b"LD"))
    digits = row(either(plain, row()), one(b"D"), either(plain, row()))
    mark = one(b"_-/.,")
    made = Automaton()
    made.rule(0, word)
    made.rule(0, row(letters, some(row(text(b"'"), letters))))
    made.rule(0, row(one(b"L"), text(b"."), some(row(one(b"L"), text(b".")))))
    made.rule(0, row(letters, one(b"&@"), letters))
    hyphened = either(row(), some(row(one(b".-_"), word)))
    made.rule(0, row(word, hyphened, text(b"@"), word, some(row(one(b".-"), word))))
    made.rule(0, row(word, some(row(text(b"."), word))))
    # Every other part of a number has a digit.
    made.rule(0, row(word, mark, digits))
    made.rule(0, row(digits, mark, word))
    made.rule(0, row(word, some(row(mark, digits, mark, word))))
    made.rule(0, row(digits, some(row(mark, word, mark, digits))))
    made.rule(0, row(word, mark, digits, some(row(mark, word, mark, digits))))
    made.rule(0, row(digits, mark, word, some(row(mark, digits, mark, word))))
    made.rule(0, one(b"C"))
    made.rule(0, row(word, text(b"."), some(row(word, text(b".")))))
    return made


class Scanner:
    """Finds the tokens of a text one at a time, those that are too long too; see `chunkeval.text.lucene.halves.Scanner`."""

    def __init__(self, text: str) -> None:
        self.letters = classes.letters(text, _table())

    def match(self, start: int, end: int) -> int:
        """Tell where the token that starts here ends; ``start`` if none does."""
        return _grammar().longest(self.letters, start, end)[1]

    def beyond(self, start: int, end: int) -> bool:
        """Tell whether what is before ``end`` leaves open which token starts here."""
        return _grammar().beyond(self.letters, start, end)


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Find the tokens of a text.

    Returns
    -------
    iterator of (int, int)
        Code points ``[start, end)`` of each token, ascending.

    Examples
    --------
    >>> text = "AT&T O'Reilly U.S.A. x@y.kr 3.14 한국어 中文"
    >>> [text[a:b] for a, b in spans(text)]
    ['AT&T', "O'Reilly", 'U.S.A.', 'x@y.kr', '3.14', '한국어', '中', '文']
    """
    for start, end in _all(text):
        if units(text, start, end) <= LIMIT:
            yield start, end


def _all(text: str) -> Iterator[tuple[int, int]]:
    scanner, place = Scanner(text), 0
    if halves.is_high(text[-1:]):
        yield from halves.spans(text, scanner, _BUFFER, grows=True)
        return
    # Only these can start a token.
    places = np.flatnonzero(np.isin(np.frombuffer(scanner.letters, np.uint8), np.frombuffer(b"LDTC", np.uint8)))
    for start in map(int, places):
        if start >= place:
            place = scanner.match(start, len(text))
            yield start, place
