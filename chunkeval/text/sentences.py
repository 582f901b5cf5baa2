"""Sentences as spans of code points: Kiwi for Korean, rules for the rest, tables and code whole."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import regex

from chunkeval.errors import unknown_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SPLITTERS = ("auto", "kiwi", "rules", "naive")

Span = tuple[int, int]

_NAIVE = re.compile(r"[.!?]")
_EMOJI = regex.compile(
    r"[ \t]*((?:(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F)[\uFE0F\u200D\U0001F3FB-\U0001F3FF"
    r"\U000E0020-\U000E007F\p{Extended_Pictographic}]*)+)\s*"
)
VISIBLE = re.compile(
    r"[^\s\x00-\x1f\x7f-\x9f\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F"
    r"\u3164\uFE00-\uFE0F\uFEFF\uFFA0\U000E0000-\U000E0FFF]"
)
"""A code point that shows: no white space, control, zero-width, filler or selector."""
WORD = re.compile(r"[^\W_]")
"""A letter or digit: what has none is no sentence."""


def split(text: str, how: str = "auto") -> list[Span]:
    """Split a text into sentences.

    Parameters
    ----------
    text
        Any string.
    how
        ``auto``: Kiwi where the text is Korean, rules elsewhere, and a Markdown table or code fence is one sentence;
        ``kiwi``, ``rules``: the same with one splitter whatever the language; ``naive``: what ``re.split(r"[.!?]",
        text)`` leaves between the marks.

    Returns
    -------
    list of (int, int)
        Spans of code points in order, without white space at their ends, none empty. All that is visible lies in one
        (but the marks, with ``naive``).

    Raises
    ------
    ConfigError
        No splitter has this name.

    Examples
    --------
    >>> text = "Dr. Smith paid $3.50. Then he left."
    >>> [text[a:b] for a, b in split(text)]
    ['Dr. Smith paid $3.50.', 'Then he left.']
    """
    from chunkeval.text.analysis import analyse

    found = analyse([text], splitter=how, morphemes="kiwi", skip=None, words=False, jobs=None)
    return list(zip(found.sentence_start.tolist(), found.sentence_end.tolist(), strict=True))


def check_splitter(name: str) -> None:
    """Refuse the name of a splitter that there is not.

    Raises
    ------
    ConfigError
        The message names the nearest one.
    """
    if name not in SPLITTERS:
        raise unknown_name("sentence splitter", name, SPLITTERS)


def naive_spans(text: str, start: int = 0) -> list[Span]:
    """Give the stripped pieces between the marks ``.!?``, as the article cuts.

    Examples
    --------
    >>> naive_spans("3.14 ... 끝!")
    [(0, 1), (2, 4), (9, 10)]
    """
    marks = [match.start() for match in _NAIVE.finditer(text, start)]
    bounds = zip([start, *(mark + 1 for mark in marks)], [*marks, len(text)], strict=True)
    return [span for a, b in bounds if (span := _stripped(text, a, b))]


def settled(text: str, starts: Sequence[int], end: int) -> list[int]:
    r"""Mend sentence starts: emoji stay with what they follow, and what has no letter or digit is no sentence.

    Parameters
    ----------
    text
        The text in composed form.
    starts
        Ascending offsets in it.
    end
        Where the last sentence ends.

    Examples
    --------
    >>> text = "좋아요😀 정말 좋아요!\n---\n네."
    >>> settled(text, [0, 3, 13, 17], len(text))
    [0, 5, 17]
    """
    kept: list[int] = []
    hanging = False
    for number, start in enumerate(starts):
        stop = starts[number + 1] if number + 1 < len(starts) else end
        if kept and (emoji := _EMOJI.match(text, start, stop)) and "\n" not in text[_last_visible(text, start) : start]:
            start = emoji.end()
        if start >= stop:
            continue
        spoken = WORD.search(text, start, stop) is not None
        if kept and (hanging or not spoken):
            hanging = hanging and not spoken
            continue
        hanging = not spoken
        kept.append(start)
    return kept


def spans_between(text: str, starts: Sequence[int], end: int, origin: NDArray[np.int64] | None) -> list[Span]:
    """Turn starts in a composed form into stripped spans of the text itself.

    Parameters
    ----------
    text
        The text as it stands.
    starts, end
        Offsets in its composed form.
    origin
        Where the composed form's code points come from; None where it is the text.
    """
    bounds = [*starts, end] if origin is None else origin[[*starts, end]].tolist()
    return [span for a, b in pairwise(bounds) if (span := _stripped(text, a, b)) and VISIBLE.search(text, *span)]


def sentence_of(spans: Sequence[Span], position: int) -> int:
    """Which sentence a position belongs to: the last that starts at or before it."""
    return max(bisect_right(spans, position, key=lambda span: span[0]) - 1, 0)


def _stripped(text: str, start: int, end: int) -> Span | None:
    piece = text[start:end]
    kept = piece.strip()
    if not kept:
        return None
    first = start + len(piece) - len(piece.lstrip())
    return first, first + len(kept)


def _last_visible(text: str, start: int) -> int:
    while start > 0 and text[start - 1].isspace():
        start -= 1
    return start
