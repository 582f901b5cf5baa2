"""Sentences by rules, for English and every language without a tagger: sentencex, corrected where it falls short."""

from __future__ import annotations

import regex

_WINDOW = 3_000
"""Code points a call: sentencex takes time with the square of what it gets."""
_MARKER = regex.compile(r"\s*[(\[]?(?:\d{1,4}|\p{L}|[ivxIVX]{1,5})[.)\]]\s*")
_NUMBER = regex.compile(r"(?<![\d.,])\d{1,4}\.\s*\Z")
_NEXT_NUMBER = regex.compile(r"\d{1,2}\.(?:\s|\Z)")
_ABBREVIATION = regex.compile(
    r"(?<![\p{L}\p{M}.])(?:M|MM|Mme|Mlle|Sr|Sra|Fig|Nr|No|p|pp|vs|cf|approx|e\.g|i\.e)\.\s*\Z"
)
_WHOLE_HEAD = 64
"""Code points before a boundary that its check looks at."""
_CLOSING = frozenset("\"'”’」』》〉)]）】》")
_ASCII_MARK = frozenset(".?!")


def sentence_starts(text: str, start: int, end: int, locale: str) -> list[int]:
    r"""Find where sentences start in a piece of a text.

    Boundaries that sentencex sets within a number, a date, a list marker or a name, or without white space after an
    ASCII mark, are taken back; full-width marks need no space.

    Parameters
    ----------
    text
        The text, without lone surrogates.
    start, end
        The piece, in code points.
    locale
        Two-letter language code whose abbreviations are known; an unknown one means English.

    Returns
    -------
    list of int
        Offsets in ``text``, ascending, the first one ``start``; none where the piece is empty.

    Examples
    --------
    >>> text = "Dr. Smith paid $3.50. See https://example.com/a.b?c=1 now. 정말？그렇다！"
    >>> starts = sentence_starts(text, 0, len(text), "en")
    >>> [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)])]
    ['Dr. Smith paid $3.50. ', 'See https://example.com/a.b?c=1 now. ', '정말？', '그렇다！']
    """
    from sentencex import get_sentence_boundaries

    if start >= end:
        return []
    found = [start]
    here = start
    while True:
        window = text[here : min(here + _WINDOW, end)]
        # Apostrophes become closing quotes: sentencex takes two of them for a quotation and leaves all between whole.
        boundaries = [entry["start_index"] for entry in get_sentence_boundaries(locale, window.replace("'", "’"))]
        for offset in boundaries:
            if offset and here + offset > found[-1] and _holds(window, offset, found[-1] - here):
                found.append(here + offset)
        if here + len(window) == end:
            break
        here = found[-1] if found[-1] > here else here + _resume(window)
    return found


def _resume(window: str) -> int:
    """Tell where to go on in a window without a boundary: at white space if there is any, so that no name is cut."""
    space = max(window.rfind(" "), window.rfind("\n"))
    return space + 1 if space > len(window) // 2 else len(window)


def _holds(window: str, offset: int, since: int) -> bool:
    """Whether a boundary is one; ``since`` is where the sentence before it starts, both in the window."""
    before, after = window[offset - 1], window[offset]
    if not before.isspace():
        if before in _CLOSING:
            return False
        if before in _ASCII_MARK:
            return _hangul(after) and (before != "." or _hangul(window[max(offset - 2, 0)]))
        return True
    head = window[max(since, offset - _WHOLE_HEAD, 0) : offset]
    if _MARKER.fullmatch(head) or _ABBREVIATION.search(head):
        return False
    return not (_NUMBER.search(head) and _NEXT_NUMBER.match(window, offset))


def _hangul(char: str) -> bool:
    return "가" <= char <= "힣"
