"""Numbers as a reader of the language expects them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from chunkeval.given import PLACES
from chunkeval.report.view import Lang
from chunkeval.results import INTEGERS

RANGE = {"ko": "~", "en": "\N{EN DASH}"}
"""What stands between the ends of a range."""

COUNTS = frozenset(INTEGERS).difference(PLACES)
"""Score columns that count something: never below 0, and whole."""

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


def score(number: float | None, column: str) -> str:
    """Write a score or a limit with the places that its column deserves.

    Examples
    --------
    >>> score(76.875, "token_count"), score(0.41234, "similarity")
    ('76.9', '0.412')
    """
    return decimal(number, 1 if column in COUNTS else 3)


def measured(number: float | None, column: str) -> str:
    """Write a chunk's own score: counts whole, all else with three places, so that rows line up.

    Examples
    --------
    >>> measured(76.0, "token_count"), measured(0.4, "similarity"), measured(None, "similarity")
    ('76', '0.400', '\u2013')
    """
    return decimal(number, 0) if column in COUNTS else fixed(number, 3)


def fixed(number: float | None, places: int) -> str:
    """Write a score with exactly so many places; a dash where there is none.

    Examples
    --------
    >>> fixed(0.9, 2)
    '0.90'
    """
    if number is None or math.isnan(number):
        return DASH
    text = f"{number:,.{places}f}"
    return (text if text.strip("-0.,") else text.lstrip("-")).replace("-", MINUS)


def places(ticks: Sequence[float]) -> int:
    """Say how many places it takes to tell the numbers on an axis apart.

    Examples
    --------
    >>> places([0.0, 0.5, 1.0]), places([-0.0061, -0.006]), places([10, 20]), places([])
    (1, 4, 0, 0)
    """
    steps = [abs(after - before) for before, after in pairwise(ticks) if after != before]
    least = min(steps, default=1.0) / 100
    enough = (number for number in range(9) if all(abs(round(tick, number) - tick) <= least for tick in ticks))
    return next(enough, 9)


def percent(share: float) -> str:
    """Write a counted share from 0 to 1 as a percentage: one place below 10 %, whole from there on.

    What is not quite 0 or 1 does not look as if it were.

    Examples
    --------
    >>> percent(0.0743), percent(0.03), percent(0.124), percent(0), percent(0.00001), percent(0.9999), percent(1)
    ('7.4%', '3.0%', '12%', '0%', '<0.1%', '>99%', '100%')
    """
    number = share * 100
    if 0 < number < 0.05:
        return "<0.1%"
    if 99.5 <= number < 100:
        return ">99%"
    return f"{number:.1f}%" if 0 < number < 9.95 else f"{number:.0f}%"


def rough(share: float) -> str:
    """Write an estimated share as a reader can use it: whole percentages, one place below 1 %.

    Examples
    --------
    >>> rough(0.0412), rough(0.0042), rough(0), rough(0.998)
    ('4%', '0.4%', '0%', '>99%')
    """
    return percent(share) if not 0.01 <= share < 0.995 else f"{share * 100:.0f}%"


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
