"""Lucene's ``uax_url_email`` tokenizer: ``standard``, with URLs and mail addresses kept whole."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from chunkeval.text.lucene import addresses, classes, halves
from chunkeval.text.lucene.grammar import LIMIT, Words

_NO_START = b"oxefctr.:,'\""
_NO_ADDRESS = b" \t\n\r\v\f():;<>@\\]"
_MORE_THAN_MAIL = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789["
"""What a URL or a host can start with; all else starts a mail address at most, and is nothing without its @."""
_MAILTO = len("mailto")


@lru_cache(maxsize=1)
def _table() -> classes.Table:
    symbols = np.where(classes.table("word") == ord("W"), np.uint8(addresses.WORD), np.uint8(addresses.OTHER))
    symbols[:128] = np.arange(128)
    symbols.flags.writeable = False
    return symbols


class Addresses:
    """Finds the words and addresses of a text one at a time; see `chunkeval.text.lucene.halves.Scanner`."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = Words(text)
        self._symbols = classes.letters(text, _table())
        # After a host that turned out to be the start of a word, hosts on their own are not looked for until a token is found.
        self._plain_hosts = True

    def match(self, start: int, end: int) -> int:
        """Tell where the word or address that starts here ends; ``start`` if none does."""
        word = self._words.match(start, end)
        found = self._address(start, end, word) if self._symbols[start] < addresses.WORD else start
        found = found if found > start else word
        self._plain_hosts |= found > start
        return found

    def beyond(self, start: int, end: int) -> bool:
        """Tell whether what is before ``end`` leaves open what starts here."""
        grammar = addresses.grammar(self._plain_hosts)
        return self._words.beyond(start, end) or grammar.beyond(self._symbols, start, end)

    def _address(self, start: int, end: int, word: int) -> int:
        """Tell where an address ends that starts here and is no shorter than the word; ``start`` if none does."""
        symbols, end = self._symbols, min(start + LIMIT, end)
        if symbols[start] not in _MORE_THAN_MAIL and symbols.find(b"@", start, end) < 0:
            return start
        # What an address is made of has one unit a character; what is behind it may have two, and be half out of sight.
        end -= end == start + LIMIT and self._text[end - 1] > "\uffff"
        rule, found = addresses.grammar(self._plain_hosts).longest(symbols, start, end)
        if rule < 0 or found < word:
            return start
        if rule in addresses.PLAIN_HOSTS[::2]:
            self._plain_hosts = False
            return self._address(start, end, word)
        return start + _MAILTO if rule == addresses.MAILTO else found - (rule == addresses.HOST)


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Find the tokens of a text.

    Returns
    -------
    iterator of (int, int)
        Code points ``[start, end)`` of each token, ascending.

    Examples
    --------
    >>> text = "보세요 https://example.com/a?b=1 또는 a.b@example.co.kr 로"
    >>> [text[a:b] for a, b in spans(text)]
    ['보세요', 'https://example.com/a?b=1', '또는', 'a.b@example.co.kr', '로']
    """
    if halves.is_high(text[-1:]):
        yield from halves.spans(text, Addresses(text), LIMIT, grows=False)
        return
    letters, symbols = classes.letters(text, classes.table("standard")), classes.letters(text, _table())
    starts = ~np.isin(np.frombuffer(letters, np.uint8), np.frombuffer(_NO_START, np.uint8))
    told = np.frombuffer(symbols, np.uint8)
    starts |= (told < addresses.WORD) & ~np.isin(told, np.frombuffer(_NO_ADDRESS, np.uint8))
    scanner, place = Addresses(text), 0
    for start in map(int, np.flatnonzero(starts)):
        if start >= place and (place := scanner.match(start, len(text))) > start:
            yield start, place
