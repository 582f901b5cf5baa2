"""Lucene's ``thai`` tokenizer: the words of Java's ``BreakIterator`` for Thai, which has a dictionary.

Nothing written in Python cuts as that dictionary does, so Java itself is asked, through JPype. As in Lucene's
``ThaiTokenizer``, text comes in stretches of at most 1,024 UTF-16 units, each cut into sentences first, and a word is
what starts with a letter or digit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from chunkeval.text import java

_BUFFER = 1024
_LINE_ENDS = np.array([0x0A, 0x0D, 0x85, 0x2028, 0x2029], np.uint16)
_DONE = -1


class _BreakIterator(Protocol):
    def first(self) -> int: ...
    def next(self) -> int: ...


def start_java() -> None:
    """Start Java, which cuts Thai, unless it runs already.

    Raises
    ------
    MissingExtraError
        There is no JPype, or no Java.
    """
    java.start("tokenizer 'thai'", "use the tokenizer 'standard'")


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Find the tokens of a text.

    Returns
    -------
    iterator of (int, int)
        Code points ``[start, end)`` of each token, ascending.

    Raises
    ------
    MissingExtraError
        There is no JPype, or no Java.
    """
    start_java()
    import jpype

    iterators = jpype.JClass("java.text.BreakIterator")
    locale = jpype.JClass("java.util.Locale")
    sentences = iterators.getSentenceInstance(locale.ROOT)
    words = iterators.getWordInstance(locale("th"))
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)
    # Code point that each unit belongs to.
    first_units = ~(_is(units, 0xDC00) & np.concatenate(([False], _is(units[:-1], 0xD800))))
    points = np.concatenate((np.cumsum(first_units) - 1, [len(text)]))
    is_word = jpype.JClass("java.lang.Character").isLetterOrDigit
    for start, end in _stretches(units):
        sentences.setText(_text(units[start:end]))
        for first, last in _borders(sentences):
            words.setText(_text(units[start + first : start + last]))
            for left, right in _borders(words):
                if is_word(jpype.JInt(_code(units[start + first + left : start + last]))):
                    yield int(points[start + first + left]), int(points[start + first + right])


def _code(units: npt.NDArray[np.uint16]) -> int:
    """Give the code point that starts here; half of a pair where the stretch ends in it."""
    return ord(units[:2].tobytes().decode("utf-16-le", "surrogatepass")[0])


def _is(units: npt.NDArray[np.uint16], kind: int) -> npt.NDArray[np.bool_]:
    """Tell the high surrogates (0xD800) or the low ones (0xDC00)."""
    found: npt.NDArray[np.bool_] = (units & 0xFC00) == kind
    return found


def _text(units: npt.NDArray[np.uint16]) -> str:
    # Java takes no lone surrogates from here; they are no letters, and neither is what stands in for them.
    return units.tobytes().decode("utf-16-le", "replace")


def _stretches(units: npt.NDArray[np.uint16]) -> Iterator[tuple[int, int]]:
    """Part a text as Lucene's buffer does: where it is full, after its last line end if there is one."""
    start = 0
    while start < len(units):
        end = min(start + _BUFFER, len(units))
        if end - start == _BUFFER:
            ends = np.flatnonzero(np.isin(units[start:end], _LINE_ENDS))
            end = start + int(ends[-1]) + 1 if len(ends) else end
        yield start, end
        start = end


def _borders(iterator: _BreakIterator) -> Iterator[tuple[int, int]]:
    left = int(iterator.first())
    while (right := int(iterator.next())) != _DONE:
        yield left, right
        left = right
