"""Lines of text where an East Asian character takes two columns."""

from __future__ import annotations

import unicodedata


def columns(text: str) -> int:
    """Count the columns that text takes.

    Examples
    --------
    >>> columns("청크"), columns("chunk")
    (4, 5)
    """
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def wrap(text: str, width: int) -> list[str]:
    """Break text at spaces into lines of at most so many columns, an East Asian character taking two.

    Examples
    --------
    >>> wrap("청크를 나누세요 now", 10)
    ['청크를', '나누세요', 'now']
    """
    lines: list[str] = []
    for word in text.split():
        if lines and columns(lines[-1]) + 1 + columns(word) <= width:
            lines[-1] += f" {word}"
            continue
        while columns(word) > width:
            cut = next(at for at in range(len(word), 0, -1) if at == 1 or columns(word[:at]) <= width)
            lines.append(word[:cut])
            word = word[cut:]
        if word:
            lines.append(word)
    return lines


def clip(text: str, width: int) -> str:
    """Cut text to so many columns, with an ellipsis where something is missing.

    Examples
    --------
    >>> clip("가나다라", 8), clip("가나다라", 7)
    ('가나다라', '가나다…')
    """
    if columns(text) <= width:
        return text
    kept = next(at for at in range(len(text), -1, -1) if columns(text[:at]) < width)
    return f"{text[:kept].rstrip()}…"
