"""Lucene's ``uax_url_email`` tokenizer: ``standard``, with URLs and mail addresses kept whole."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from chunkeval.text.lucene import addresses, classes
from chunkeval.text.lucene.grammar import LIMIT, longest, units

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
    letters, symbols = classes.letters(text, classes.table("standard")), classes.letters(text, _table())
    wide = units(text, 0, len(text)) > len(text)
    starts = ~np.isin(np.frombuffer(letters, np.uint8), np.frombuffer(_NO_START, np.uint8))
    told = np.frombuffer(symbols, np.uint8)
    starts |= (told < addresses.WORD) & ~np.isin(told, np.frombuffer(_NO_ADDRESS, np.uint8))
    place = 0
    # After a host that turned out to be the start of a word, hosts on their own are not looked for until a token is found.
    plain_hosts = True
    for start in map(int, np.flatnonzero(starts)):
        if start < place:
            continue
        word = longest(text, letters, start, len(letters), wide)
        place = start
        if symbols[start] < addresses.WORD:
            place, plain_hosts = _address(text, symbols, start, word, plain_hosts)
        place = place if place > start else word
        if place > start:
            plain_hosts = True
            yield start, place


def _address(text: str, symbols: bytes, start: int, word: int, plain_hosts: bool) -> tuple[int, bool]:
    """Tell where an address ends that starts here and is no shorter than the word; ``start`` if none does."""
    end = min(start + LIMIT, len(symbols))
    if symbols[start] not in _MORE_THAN_MAIL and symbols.find(b"@", start, end) < 0:
        return start, plain_hosts
    # What an address is made of has one unit a character; what is behind it may have two, and be half out of sight.
    end -= end == start + LIMIT and text[end - 1] > "\uffff"
    rule, end = addresses.grammar(plain_hosts).longest(symbols, start, end)
    if rule < 0 or end < word:
        return start, plain_hosts
    if rule in addresses.PLAIN_HOSTS[::2]:
        return _address(text, symbols, start, word, False)
    if rule == addresses.MAILTO:
        return start + _MAILTO, plain_hosts
    return end - (rule == addresses.HOST), plain_hosts
