r"""Where a text may be cut without breaking what a reader sees as one character: extended grapheme clusters.

Unicode Standard Annex 29. The module ``regex`` finds the same clusters (its ``\X``), but only from the text's beginning,
and in quadratic time where flags follow each other; here a single position is judged, by looking at what is around it.
"""

from __future__ import annotations

from functools import lru_cache

import regex

_PLAIN = "\u0300"
"""Below it, only a line feed joins what is before it, and only a carriage return."""
_CONTROL = regex.compile(r"[\p{GCB=CN}\p{GCB=CR}\p{GCB=LF}]")
_JOINING = regex.compile(r"[\p{GCB=EX}\p{GCB=SM}\u200d]")
_PREPENDED = regex.compile(r"\p{GCB=PP}")
_HANGUL = regex.compile(
    r"\p{GCB=L}[\p{GCB=L}\p{GCB=V}\p{GCB=LV}\p{GCB=LVT}]|[\p{GCB=LV}\p{GCB=V}][\p{GCB=V}\p{GCB=T}]"
    r"|[\p{GCB=LVT}\p{GCB=T}]\p{GCB=T}"
)
_FLAGS = regex.compile(r"\p{RI}{2}")
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_PICTURE = regex.compile(r"\p{ExtPict}")
_CONJUNCT = regex.compile(r"[\p{InCB=Linker}\p{InCB=Extend}]\p{InCB=Consonant}")
# Backwards: what ends where the cut would be. As in ``regex``, a virama joins whatever it follows.
_LINKED = regex.compile(r"(?r)\p{InCB=Linker}[\p{InCB=Extend}\p{InCB=Linker}]*")
_JOINED_PICTURE = regex.compile(r"(?r)\p{ExtPict}\p{GCB=EX}*\u200d")


def is_boundary(text: str, position: int, start: int = 0) -> bool:
    r"""Whether a text may be cut at a position.

    Parameters
    ----------
    text
        Any string.
    position
        Code points before the cut.
    start
        A boundary at or before it, from which flags are counted.

    Examples
    --------
    >>> [is_boundary("\r\n각👨\u200d👩", i) for i in range(6)]
    [True, False, True, True, False, False]
    """
    if position <= start or position >= len(text):
        return True
    before, after = text[position - 1], text[position]
    if after < _PLAIN and before < _PLAIN:
        return before != "\r" or after != "\n"
    rule = _rule(before, after)
    if rule == "flags":
        run = text[start:position]
        return (len(run) - len(run.rstrip(_FLAG_LETTERS))) % 2 == 0
    if rule == "picture":
        return _JOINED_PICTURE.match(text, start, position) is None
    if rule == "conjunct":
        return _LINKED.match(text, start, position) is None
    return rule == "cut"


def last_boundary(text: str, start: int, position: int) -> int:
    """Give the last boundary up to a position; ``start``, itself a boundary, where there is none behind it.

    Examples
    --------
    >>> last_boundary("가e\u0301", 1, 2), last_boundary("가e\u0301", 0, 2)
    (1, 1)
    """
    while position > start and not is_boundary(text, position, start):
        position -= 1
    return position


def next_boundary(text: str, start: int, position: int) -> int:
    """Give the first boundary from a position on; ``start`` is a boundary at or before it.

    Examples
    --------
    >>> next_boundary("가e\u0301나", 0, 2)
    3
    """
    while not is_boundary(text, position, start):
        position += 1
    return position


@lru_cache(maxsize=8192)
def _rule(before: str, after: str) -> str:
    """Tell from two neighbours whether to ``cut``, to ``keep``, or what in the text before them decides."""
    pair = before + after
    if pair == "\r\n":
        return "keep"
    if _CONTROL.match(before) or _CONTROL.match(after):
        return "cut"
    if _JOINING.match(after) or _PREPENDED.match(before) or _HANGUL.match(pair):
        return "keep"
    if _FLAGS.match(pair):
        return "flags"
    if before == "\u200d" and _PICTURE.match(after):
        return "picture"
    return "conjunct" if _CONJUNCT.match(pair) else "cut"
