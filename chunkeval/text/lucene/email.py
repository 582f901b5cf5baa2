"""Lucene's ``uax_url_email`` tokenizer: ``standard``, with URLs and mail addresses kept whole."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from chunkeval.text.lucene import addresses, classes
from chunkeval.text.lucene.grammar import LIMIT, longest, units

_NO_START = b"oxefctr.:,'\""
_NO_ADDRESS = b" \t\n\r\v\f(),.:;<>@\\]"
_MAILTO = len("mailto")


@lru_cache(maxsize=4096)
def _symbol(code: int) -> int:
    """Tell whether a character beyond ASCII goes on with a word: what UTS #18 calls a word character."""
    kind = unicodedata.category(chr(code))
    goes_on = kind[0] in "LM" or kind in ("Nd", "Nl", "Pc") or code in (0x200C, 0x200D) or 0x24B6 <= code <= 0x24E9
    return addresses.WORD if goes_on else addresses.OTHER


def _symbols(text: str) -> bytes:
    if text.isascii():
        return text.encode("ascii")
    codes = classes.codes(text)
    present, places = np.unique(codes, return_inverse=True)
    symbols = [code if code < 128 else _symbol(code) for code in present.tolist()]
    return np.array(symbols, np.uint8)[places].tobytes()


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
    letters, symbols = classes.letters(text, classes.table("standard")), _symbols(text)
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
            place, plain_hosts = _address(symbols, start, word, plain_hosts)
        place = place if place > start else word
        if place > start:
            plain_hosts = True
            yield start, place


def _address(symbols: bytes, start: int, word: int, plain_hosts: bool) -> tuple[int, bool]:
    """Tell where an address ends that starts here and is no shorter than the word; ``start`` if none does."""
    rule, end = addresses.grammar(plain_hosts).longest(symbols, start, min(start + LIMIT, len(symbols)))
    if rule < 0 or end < word:
        return start, plain_hosts
    if rule in addresses.PLAIN_HOSTS[::2]:
        return _address(symbols, start, word, False)
    if rule == addresses.MAILTO:
        return start + _MAILTO, plain_hosts
    return end - (rule == addresses.HOST), plain_hosts
