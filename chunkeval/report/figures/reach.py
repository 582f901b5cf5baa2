"""What a figure's axes take in, and the bins in between."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.report.numerals import score, whole
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Recombined

    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

Limits = Mapping[str, Any]

BINS = 48


def span(values: Floats, *limits: Limits, tail: float = 0.002) -> tuple[float, float]:
    """Choose what an axis shows: all but the furthest few, and the limits where they are not far off.

    A few values far out would squeeze all others into a line. Where all are the same, every limit is shown.
    Nothing below 0 is shown where all values and limits are from 0 on.

    Parameters
    ----------
    values
        Shape (n,), finite, n at least 1.
    limits
        ``low`` and ``high`` of each.
    tail
        Share of many values that may be left out on either side, besides those far out.

    Examples
    --------
    >>> low, high = span(np.array([0.0, 1.0]), {"low": 0.4})
    >>> round(low, 2), round(high, 2)
    (0.0, 1.03)
    >>> span(np.r_[np.arange(1.0, 100.0), 5e6], {})[1] < 110
    True
    >>> span(np.array([7.0]), {"low": 100.0})[1] > 100
    True
    """
    seen = values[_near(values)]
    # Few values: show each of them.
    low, high = (float(end) for end in np.quantile(seen, (0.0, 1.0) if len(seen) < 500 else (tail, 1 - tail)))
    places = [float(limit[side]) for limit in limits for side in ("low", "high") if limit.get(side) is not None]
    alike = low == high
    if alike:
        reach = 0.1 * max(abs(low), 0.1)
        low, high = low - reach, high + reach
    width = high - low
    for place in places:
        if alike or low - 0.6 * width <= place <= high + 1.5 * width:
            low, high = min(low, place), max(high, place)
    margin = 0.03 * (high - low)
    return (max(low - margin, 0.0) if min(low, values.min()) >= 0 else low - margin), high + margin


def _near(values: Floats) -> Bools:
    """Find what is not far out: within three times the width of the middle 90 % beyond it, or the median once more."""
    if len(values) < 8:
        return np.ones(len(values), dtype=bool)
    # Neighbours inside rather than in between, so that one value, however far out, moves nothing.
    low, high = float(np.quantile(values, 0.05, method="higher")), float(np.quantile(values, 0.95, method="lower"))
    reach = max(3 * (high - low), abs(float(np.median(values)))) or 1.0
    near: Bools = (values >= low - reach) & (values <= high + reach)
    return near


def extent(curves: Recombined | None) -> list[Limits]:
    """Where most of the recombined chunks lie, as ends that the x axis should take in."""
    samples = [] if curves is None else [sample[np.isfinite(sample)] for sample in (curves.mixes, curves.splices)]
    return [
        {"low": float(np.quantile(sample, 0.01)), "high": float(np.quantile(sample, 0.99))}
        for sample in samples
        if len(sample)
    ]


def edges(ends: tuple[float, float], limit: Limits, *, counts: bool, bins: int = BINS) -> Floats:
    """Divide what an axis shows into about so many bins; one begins at the limit, so that no bar straddles it.

    Parameters
    ----------
    ends
        As `span` gives them.
    limit
        ``low``, ``high``, and whether they are ``inclusive``.
    counts
        Whether values are whole: then bins lie between whole numbers, each around its own.

    Examples
    --------
    >>> edges((0.0, 1.0), {"low": 0.4}, counts=False, bins=5).round(2)
    array([0. , 0.2, 0.4, 0.6, 0.8, 1. ])
    >>> edges((5.0, 8.0), {"high": 7}, counts=True)
    array([4.5, 5.5, 6.5, 7.5, 8.5])
    """
    low, high = ends
    width = (high - low) / bins
    if counts:
        width = max(1.0, float(np.ceil(width)))
    stated = [_boundary(limit, side) if counts else float(limit[side]) for side in ("low", "high") if _has(limit, side)]
    anchor = stated[0] if stated else np.ceil(low) - 0.5 if counts else low
    if len(stated) == 2 and stated[0] < stated[1]:
        width = _fitted(width, stated[1] - stated[0], counts=counts)
    # What is a hair past a whole number of bins comes from adding up, and is no further bin.
    before, after = (int(np.ceil(round(part / width, 6))) for part in (anchor - low, high - anchor))
    placed = np.asarray(anchor + width * np.arange(-before, after + 1), dtype=np.float64)
    if (width > 1) if counts else (low == 0):
        # Nothing lies below 0 here: no bin does.
        placed = np.unique(np.maximum(placed, 0.0))
    return placed if len(placed) > 1 else np.array([placed[0], placed[0] + width])


def _fitted(width: float, between: float, *, counts: bool) -> float:
    """Change a width a little so that bins begin at both limits; whole for counts, or bins would hold unlike numbers of them."""
    if not counts:
        return between / max(1, round(between / width))
    wider = range(int(width), int(1.6 * width) + 1)
    return float(next((each for each in wider if between % each == 0), width))


def _has(limit: Limits, side: str) -> bool:
    return limit.get(side) is not None


def _boundary(limit: Limits, side: str) -> float:
    """Put the boundary of a limit on counts halfway between the last count it flags and the first it does not."""
    place, inclusive = float(limit[side]), bool(limit.get("inclusive"))
    up = (side == "low") == inclusive
    return float(np.floor(place) + 0.5 if up else np.ceil(place) - 0.5)


def past(values: Floats, limit: Limits) -> Bools:
    """Find what a limit flags by its value: below or above it, or at it where the limit is inclusive.

    Examples
    --------
    >>> past(np.array([1.0, 2.0, 3.0]), {"low": 2.0}).tolist()
    [True, False, False]
    """
    found = np.zeros(len(values), dtype=bool)
    for side, sign in (("low", 1), ("high", -1)):
        if _has(limit, side):
            found |= sign * values < sign * limit[side]
            found |= (values == limit[side]) & bool(limit.get("inclusive"))
    return found


def not_shown(values: Floats, ends: tuple[float, float], column: str, lang: Lang) -> list[str]:
    """Say how many values an axis leaves out on either side, and how far they go; nothing where it shows all."""
    said = []
    for key, missing, place, furthest in (
        ("plot_under", values[values < ends[0]], ends[0], np.min),
        ("plot_over", values[values > ends[1]], ends[1], np.max),
    ):
        if len(missing):
            most = score(float(furthest(missing)), column)
            said.append(say(lang, key, n=whole(len(missing)), value=score(float(place), column), most=most))
    return said
