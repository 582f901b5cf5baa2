"""What Lucene's scanners make of a text that ends in half a pair of surrogates.

A scanner reads a text through a buffer, which it fills from where the token starts that it needs more text for. If the
last filling ends in a high surrogate, the scanner takes it for the end of the text: a token that is being read ends
where the filling begins; if none is, all of the filling is lost. A short text has one filling, and no token at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from chunkeval.text.lucene import classes


class Scanner(Protocol):
    """Finds the tokens of one text, one after the other."""

    def match(self, start: int, end: int) -> int:
        """Tell where the token that starts here ends, if the text did at ``end``; ``start`` if none does."""
        ...

    def beyond(self, start: int, end: int) -> bool:
        """Tell whether what is before ``end`` leaves open which token starts here."""
        ...


def is_high(char: str) -> bool:
    r"""Whether this is the first half of a pair.

    Examples
    --------
    >>> is_high("\ud83d"), is_high("\ude00"), is_high("")
    (True, False, False)
    """
    return "\ud800" <= char <= "\udbff"


def spans(text: str, scanner: Scanner, buffer: int, *, grows: bool) -> Iterator[tuple[int, int]]:
    """Find the tokens of a text that ends in half a pair.

    Parameters
    ----------
    text, scanner
        The text, and what finds its tokens.
    buffer
        UTF-16 units that the scanner sees at once.
    grows
        Whether the buffer becomes larger where a token does not fit.
    """
    units = np.concatenate(([0], np.cumsum(1 + (classes.codes(text) > 0xFFFF))))
    start, read, last = 0, 0, False
    while start < len(text):
        end = len(text)
        while not last and scanner.beyond(start, read):
            if units[start] + buffer > units[-1]:
                if start == read:
                    return
                end, last = read, True
                break
            # The last unit in the buffer waits for the next filling if it may be half of a pair.
            full = int(np.searchsorted(units, units[start] + buffer, "right")) - 1
            full -= units[full] == units[start] + buffer and is_high(text[full - 1])
            if full == read and not grows:
                break
            buffer *= 2 if full == read else 1
            read = full
        found = scanner.match(start, end)
        if found > start:
            yield start, found
        start = max(found, start + 1)
