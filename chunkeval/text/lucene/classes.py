"""What Lucene knows about code points, frozen: one letter a code point.

Letters of ``standard`` (UAX #29 word break and UTS #51 properties in Lucene 9.9.1's data):

====  =======================================  ====  =======================================
a     letter (ALetter, Hangul among them)      b     Hebrew letter
n     digit (Numeric)                          k     Katakana
i     ideograph or Hiragana: a word each       s     South East Asian (no word borders)
.     MidNumLet                                '     single quote
:     MidLetter                                ,     MidNum
_     ExtendNumLet                             "     double quote
x     Extend or Format                         y     both s and x
z     zero width joiner                        e, f  text and emoji presentation selector
m     emoji modifier, also Extend              p     pictograph
g     pictograph that is also a letter         h     keycap base that is no digit: # and *
c     enclosing keycap, also Extend            R     regional indicator
t, r  tag character and its end, also Extend   o     all else: never in a word
====  =======================================  ====  =======================================
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

Table = npt.NDArray[np.uint8]


@lru_cache(maxsize=1)
def _sections() -> dict[str, list[tuple[int, int, int]]]:
    found: dict[str, list[tuple[int, int, int]]] = {}
    ranges: list[tuple[int, int, int]] = []
    for line in files(__package__).joinpath("codepoints.txt").read_text("ascii").splitlines():
        if line.startswith("["):
            ranges = []
            found[line.strip("[]")] = ranges
        elif not line.startswith("#"):
            span, letter = line.split()
            first, last = span.split("-")
            ranges.append((int(first, 16), int(last, 16) + 1, ord(letter)))
    return found


@lru_cache(maxsize=8)
def table(*sections: str) -> Table:
    """Give the letter of every code point, ``o`` where no section has one; later sections win.

    Returns
    -------
    numpy.ndarray
        uint8, length 0x110000, read-only.
    """
    letters = np.full(0x110000, ord("o"), np.uint8)
    for section in sections:
        for start, end, letter in _sections()[section]:
            letters[start:end] = letter
    letters.flags.writeable = False
    return letters


def codes(text: str) -> npt.NDArray[np.uint32]:
    """Give a text's code points, lone surrogates among them."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def letters(text: str, of: Table) -> bytes:
    """Look every code point of a text up.

    Examples
    --------
    >>> letters("한국어 3.5 👍🏽", table("standard"))
    b'aaaon.nopm'
    """
    if text.isascii():
        return text.encode("ascii").translate(of[:256].tobytes())
    return of[codes(text)].tobytes()
