"""Lucene's ``uax_url_email`` tokenizer: ``standard``, with URLs and mail addresses kept whole."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from chunkeval.text.lucene import addresses, classes, halves
from chunkeval.text.lucene.grammar import LIMIT, grammar, longest, units

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
        self._letters = classes.letters(text, classes.table("standard"))
        self._wide = units(text, 0, len(text)) > len(text)
        self._symbols = classes.letters(text, _table())
        # After a host that turned out to be the start of a word, hosts on their own are not looked for until a token is found.
        self._plain_hosts = True

    def match(self, start: int, end: int) -> int:
        """Tell where the word or address that starts here ends; ``start`` if none does."""
        word = longest(self._text, self._letters, start, end, self._wide)
        found = self._address(start, end, word) if self._symbols[start] < addresses.WORD else start
        found = found if found > start else word
        self._plain_hosts |= found > start
        return found

    def beyond(self, start: int, end: int) -> bool:
        """Tell whether what is before ``end`` leaves open what starts here."""
        hosts = addresses.grammar(self._plain_hosts)
        return grammar().beyond(self._letters, start, end) or hosts.beyond(self._symbols, start, end)

    def _address(self, start: int, end: int, word: int) -> int:
        """Tell where an address ends that starts here and is no shorter than the word; ``start`` if none does."""
        symbols, end = self._symbols, min(start + LIMIT, end)
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
    starts |= np.isin(told, np.frombuffer(_MORE_THAN_MAIL, np.uint8))
    starts |= (told < addresses.WORD) & ~np.isin(told, np.frombuffer(_NO_ADDRESS, np.uint8)) & _before_at(told)
    scanner, place, end = Addresses(text), 0, len(text)
    for start in map(int, np.flatnonzero(starts)):
        if start >= place and (place := scanner.match(start, end)) > start:
            yield start, place


def _before_at(symbols: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Tell which places see an @ without looking further than a scanner does."""
    before = np.concatenate(([0], np.cumsum(symbols == ord("@")), np.zeros(LIMIT - 1, np.int64)))
    before[len(symbols) + 1 :] = before[len(symbols)]
    found: npt.NDArray[np.bool_] = before[LIMIT:] > before[: len(symbols)]
    return found
