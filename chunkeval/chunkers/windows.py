"""Windows of a fixed number of things, each starting a step after the one before."""

from __future__ import annotations

import math

from chunkeval.chunkers.base import Span
from chunkeval.errors import ConfigError

NO_LIMIT = -1
"""The ``max_chunk_limit`` that sets no limit."""


def windows(length: int, size: int, overlap: int, most: int | None = None) -> list[Span]:
    """Cut a stretch into windows; none where it is empty, and none made of overlap alone.

    Parameters
    ----------
    length
        How many things there are.
    size, overlap
        Things a window, from 1, and of these shared with the window before, from 0 and below ``size``.
    most
        Windows at most, from 1: the last one goes on to the end. None for no limit.

    Examples
    --------
    >>> windows(10, 4, 1)
    [(0, 4), (3, 7), (6, 10)]
    >>> windows(10, 4, 1, most=2)
    [(0, 4), (3, 10)]
    """
    if not length:
        return []
    step = size - overlap
    count = 1 + max(-(-(length - size) // step), 0)
    if most is not None:
        count = min(count, most)
    last = (count - 1) * step
    return [*((start, start + size) for start in range(0, last, step)), (last, length)]


def overlap_of(size: int, rate: float) -> int:
    """Tell how many things two windows share.

    Examples
    --------
    >>> overlap_of(10, 0.2), overlap_of(100, 0.29)
    (2, 28)
    """
    return math.floor(size * rate)


def check_count(name: str, parameter: str, count: object) -> None:
    """Refuse a count that is no whole number from 1.

    Raises
    ------
    ConfigError
        The message names the chunker, the parameter and the fix.
    """
    if type(count) is not int or count < 1:
        raise ConfigError(f"{name}: {parameter} must be a whole number from 1, not {count!r}")


def check_overlap_rate(name: str, rate: object) -> None:
    """Refuse an overlap that is not between nothing and half a window.

    Raises
    ------
    ConfigError
        The message names the chunker and the fix.
    """
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 0.5:
        raise ConfigError(f"{name}: overlap_rate must be a number from 0 to 0.5, not {rate!r}")


def most_of(name: str, limit: object) -> int | None:
    """Read a ``max_chunk_limit``: a whole number from 1, or -1 for none.

    Raises
    ------
    ConfigError
        It is neither; the message names the chunker and the fix.
    """
    if type(limit) is not int or (limit < 1 and limit != NO_LIMIT):
        raise ConfigError(f"{name}: max_chunk_limit must be a whole number from 1, or -1 for no limit, not {limit!r}")
    return None if limit == NO_LIMIT else limit
