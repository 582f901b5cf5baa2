"""Limits given by hand: ``--limit similarity=0.35``, ``tokens=50:800``, ``tokens=:800``, ``topic_entropy=3.9``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from chunkeval import registry
from chunkeval.errors import ConfigError, unknown_name
from chunkeval.head import LABELS
from chunkeval.results import Limit

if TYPE_CHECKING:
    from chunkeval.results import Side

SHORT = {"tokens": "token_count"}
"""Short names of columns."""

PLACES = ("weakest_cut", "heading_cut", "boundary_marks", "duplicate_of", "duplicate_group", "coherence_reason")
"""Columns that say where, what, which or why, not how much: no limit can be given for them."""

OTHER_SIDES: Mapping[str, Side] = {
    "sentences": "low",
    "repetition": "high",
    "cut_gap": "high",
    "content_words": "low",
}
"""Columns whose bad side is not their analyzer's."""


def given_limits(limits: Mapping[str, str], ran: tuple[str, ...]) -> dict[str, Limit]:
    """Read the limits given by hand.

    Parameters
    ----------
    limits
        Score column (or ``tokens``) to ``VALUE``, the bad side's limit, or ``LOW:HIGH``, where one of the two may be left out.
    ran
        Analyzers that ran; ``labels`` among them where a calibration has a head.

    Returns
    -------
    dict
        Analyzer to the limit that replaces its own.

    Raises
    ------
    ConfigError
        The name is no score column, its analyzer did not run or has a limit already, or the value is no number or
        range.

    Examples
    --------
    >>> given_limits({"tokens": "50:800"}, ("tokens",))["tokens"].high
    800.0
    """
    if not limits:
        return {}
    columns: dict[str, tuple[str, Side]] = {**score_columns(), LABELS.column: (LABELS.analyzer, LABELS.side)}
    given: dict[str, Limit] = {}
    for name, text in limits.items():
        column = SHORT.get(name, name)
        if column not in columns:
            raise unknown_name("limit", name, [*SHORT, *columns])
        analyzer, side = columns[column]
        if analyzer == LABELS.analyzer and analyzer not in ran:
            raise ConfigError(
                f"limit {name!r} needs a calibration with a [head]: name it with --calibration or leave the limit out"
            )
        if analyzer not in ran:
            raise ConfigError(
                f"limit {name!r} needs the analyzer {analyzer!r}, which did not run (ran: {', '.join(ran)}): "
                f"add it to --analyzers or leave the limit out"
            )
        if analyzer in given:
            other = given[analyzer].column
            raise ConfigError(f"limit {name!r}: {analyzer} has a limit on {other!r} already; give one of the two")
        low, high = _bounds(name, str(text), side)
        given[analyzer] = Limit(column, "given", f"given: {name}={text}", low, high)
    return given


def score_columns() -> dict[str, tuple[str, Side]]:
    """Score columns of all registered analyzers that judge: whose they are, and which side is bad.

    Examples
    --------
    >>> score_columns()["similarity"]
    ('similarity', 'low')
    """
    columns: dict[str, tuple[str, Side]] = {}
    for name in registry.entries("analyzers"):
        analyzer = registry.find("analyzers", name)
        measure = getattr(analyzer, "measure", None)
        if measure is not None:
            judged = [c for c in analyzer.columns if c not in PLACES]
            columns.update({c: (name, OTHER_SIDES.get(c, measure.side)) for c in judged})
    return columns


def _bounds(name: str, text: str, side: Side) -> tuple[float | None, float | None]:
    first, colon, second = text.partition(":")
    if colon:
        low, high = (_number(name, text, part) if part.strip() else None for part in (first, second))
        if low is None and high is None:
            raise ConfigError(f"limit {name}={text}: give at least one of the two values")
        if low is not None and high is not None and low >= high:
            raise ConfigError(f"limit {name}={text}: the first value must be below the second")
        return low, high
    value = _number(name, text, text)
    if side == "both":
        raise ConfigError(f"limit {name}={text}: both sides can be bad, so give LOW:HIGH, for example {name}=50:800")
    return (value, None) if side == "low" else (None, value)


def _number(name: str, text: str, part: str) -> float:
    try:
        value = float(part)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ConfigError(f"limit {name}={text}: {part.strip()!r} is no number; give {name}=VALUE or {name}=LOW:HIGH")
    return value
