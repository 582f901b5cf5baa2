"""Single values of a model's JSON, which may be anything."""

from __future__ import annotations

from chunkeval.text.offsets import encodable

_DIGITS = 9
"""Of a number at most: none that is shown has more."""


def number(value: object) -> int | None:
    """Give a whole number, also one that is written as a string or with a point; None where it is none.

    Examples
    --------
    >>> number("12"), number(3.0), number(True), number("zwei")
    (12, 3, None, None)
    """
    if isinstance(value, str):
        digits = value.strip().removeprefix("-")
        return int(value) if digits.isdecimal() and len(digits) <= _DIGITS else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 10**_DIGITS:
        return None  # Also what is no number at all, NaN.
    return int(value) if value == int(value) else None


def line(value: object, most: int) -> str | None:
    r"""Give a text as one line that shows, cut at ``most`` characters; None where it is none.

    Examples
    --------
    >>> line(" 제목\n둘째 줄 ", 20), line("", 5), line(3, 5)
    ('제목 둘째 줄', None, None)
    """
    if not isinstance(value, str):
        return None
    shown = "".join(mark if mark.isprintable() else " " for mark in encodable(value[: 4 * most]))
    return " ".join(shown.split())[:most] or None


def items(value: object, name: str) -> list[object] | None:
    """Give a list, also one under its name in an object; None where there is none.

    Examples
    --------
    >>> items({"groups": [1]}, "groups"), items([1], "groups"), items("no", "groups")
    ([1], [1], None)
    """
    found = value.get(name) if isinstance(value, dict) else value
    return found if isinstance(found, list) else None
