"""Numbers as a reader of the language expects them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from chunkeval.report.view import Lang

RANGE = {"ko": "~", "en": "\N{EN DASH}"}
"""What stands between the ends of a range."""

DASH = "\N{EN DASH}"
"""Where there is no number."""

MINUS = "\N{MINUS SIGN}"


def whole(number: float) -> str:
    """Write a count with thousands separated.

    Examples
    --------
    >>> whole(4200)
    '4,200'
    """
    return f"{round(number):,}".replace("-", MINUS)


def decimal(number: float | None, places: int = 3) -> str:
    """Write a score with at most so many places, without trailing zeros; a dash where there is none.

    Examples
    --------
    >>> decimal(812.5), decimal(-0.0421), decimal(None), decimal(30.0)
    ('812.5', '\u22120.042', '\u2013', '30')
    """
    if number is None or math.isnan(number):
        return DASH
    if math.isinf(number):
        return "∞" if number > 0 else f"{MINUS}∞"
    text = f"{number:,.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "0") else text.replace("-", MINUS)


def fixed(number: float | None, places: int) -> str:
    """Write a score with exactly so many places; a dash where there is none.

    Examples
    --------
    >>> fixed(0.9, 2)
    '0.90'
    """
    if number is None or math.isnan(number):
        return DASH
    return f"{number:,.{places}f}".replace("-", MINUS)


def percent(share: float, places: int = 1) -> str:
    """Write a share from 0 to 1 as a percentage; what is not quite 0 or 1 does not look as if it were.

    Examples
    --------
    >>> percent(0.0743), percent(0.00001), percent(0.99999), percent(0.5), percent(1)
    ('7.4%', '<0.1%', '>99.9%', '50%', '100%')
    """
    least = 10.0**-places
    number = share * 100
    if 0 < number < least / 2:
        return f"<{least:.{places}f}%"
    if 100 - least / 2 < number < 100:
        return f">{100 - least:.{places}f}%"
    return f"{decimal(number, places)}%"


def rough(share: float) -> str:
    """Write an estimated share as a reader can use it: whole percentages, one place below 1 %.

    Examples
    --------
    >>> rough(0.0412), rough(0.0042), rough(0)
    ('4%', '0.4%', '0%')
    """
    return percent(share, 1 if 0 < share < 0.01 else 0)


def rough_range(ends: Sequence[float], lang: Lang) -> str:
    """Write an interval of shares.

    Examples
    --------
    >>> rough_range((0.021, 0.07), "ko"), rough_range((0.0, 0.004), "en")
    ('2~7%', '0\u20130.4%')
    """
    return f"{rough(ends[0]).removesuffix('%')}{RANGE[lang]}{rough(ends[1])}"


def decimal_range(ends: Sequence[float], lang: Lang, places: int = 2) -> str:
    """Write an interval of scores.

    Examples
    --------
    >>> decimal_range((0.95, 0.981), "en")
    '0.95\u20130.98'
    """
    return f"{fixed(ends[0], places)}{RANGE[lang]}{fixed(ends[1], places)}"
