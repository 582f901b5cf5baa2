"""One score against another, flagged chunks on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.report.figures import limit_marks
from chunkeval.report.figures.distributions import axis_label, below_axis, empty
from chunkeval.report.figures.fonts import drawable
from chunkeval.report.figures.ink import AXIS, Ink, axes_style, ticks
from chunkeval.report.figures.reach import Limits, not_shown, span
from chunkeval.report.numerals import whole
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

VECTOR_POINTS = 400
"""Up to this many points are drawn as shapes; beyond, as pixels."""

POINTS = 20_000
"""Beyond this many, unflagged chunks are shown as shades of a grid."""

TOP = 4_000
"""Flagged points drawn at most, evenly taken."""


def scatter(
    axes: Axes,
    x: Floats,
    y: Floats,
    flagged: NDArray[np.bool_],
    names: tuple[str, str],
    limits: tuple[Limits, Limits],
    ink: Ink,
    lang: Lang,
) -> None:
    """Draw ``y`` against the counts ``x``, on a logarithmic axis where the counts spread widely.

    Parameters
    ----------
    x, y
        Shape (n,), NaN where not measured.
    flagged
        Shape (n,).
    names
        Columns of x and y.
    limits
        ``low`` and ``high`` of the limit in use and of the published one, where they stand on y.
    """
    axes_style(axes, ink)
    axes.set_xlabel(drawable(axis_label(names[0], lang)), color=ink.text, fontsize=AXIS)
    axes.set_ylabel(drawable(axis_label(names[1], lang)), color=ink.text, fontsize=AXIS)
    measured = np.isfinite(x) & np.isfinite(y)
    x, y, flagged = x[measured], y[measured], flagged[measured]
    if not len(x):
        empty(axes, ink, lang)
        return
    _across(axes, x)
    low, high = span(y, *limits, tail=0.0)
    low -= 0.03 * (high - low)
    axes.set_ylim(low, high)
    ticks(axes.yaxis)
    rest = ~flagged & (y >= low) & (y <= high)
    if rest.sum() > POINTS:
        _shades(axes, x[rest], y[rest], ink, lang)
    elif rest.any():
        _points(axes, x[rest], y[rest], "o", say(lang, "plot_rest"), len(x), ink)
    marked = np.flatnonzero(flagged)
    if len(marked):
        shown = marked[:: -(-len(marked) // TOP)]
        key = "plot_chosen" if len(shown) == len(marked) else "plot_thinned"
        named = say(lang, key, n=whole(len(marked)), shown=whole(len(shown)))
        _points(axes, x[shown], y[shown], "^", named, len(x), ink)
    limit_marks.level(axes, names[1], *limits, ink, lang)
    below_axis(axes, names[0], not_shown(y, (low, high), names[1], lang), ink, lang)


def _across(axes: Axes, x: Floats) -> None:
    from matplotlib.ticker import LogLocator

    if x.min() > 0 and (x.max() > 20 * max(float(np.median(x)), 1) or x.max() / x.min() > 50):
        axes.set_xscale("log")
        decades = np.log10(x.max() / x.min())
        # Beyond so many decades, the numbers between the powers of ten would run into each other.
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if decades < 2.6 else (1.0,), numticks=20))
        axes.xaxis.set_major_formatter(lambda value, _: whole(value) if value >= 1 else "")
        axes.xaxis.set_minor_formatter(lambda value, _: "")
        return
    margin = max(0.04 * float(np.ptp(x)), 0.6)
    axes.set_xlim(x.min() - margin, x.max() + margin)
    ticks(axes.xaxis, counts=True)


def _points(axes: Axes, x: Floats, y: Floats, shape: str, named: str, number: int, ink: Ink) -> None:
    # The fewer, the larger; those that are flagged stand out by shape, size and rim as well as by colour.
    size = 6.0 if number <= 60 else 4.6 if number <= VECTOR_POINTS else 3.6
    look: dict[str, Any] = {"color": ink.faint, "markersize": size, "markeredgewidth": 0, "alpha": 0.5}
    if shape == "^":
        look = {"color": ink.bad, "markersize": size + 1.6, "markeredgewidth": 0.5, "markeredgecolor": ink.ground}
    axes.plot(x, y, shape, rasterized=number > VECTOR_POINTS, label=drawable(named), **look)


def _shades(axes: Axes, x: Floats, y: Floats, ink: Ink, lang: Lang) -> None:
    from matplotlib.colors import LinearSegmentedColormap, LogNorm

    if axes.get_xscale() == "log":
        across = np.geomspace(x.min(), x.max() * 1.001, 81)
    else:
        across = np.linspace(x.min() - 0.5, x.max() + 0.5, int(min(80, np.ptp(x) + 1)) + 1)
    up = np.linspace(y.min(), y.max() if y.max() > y.min() else y.min() + 1e-3, 61)
    counts = np.histogram2d(x, y, bins=(across, up))[0].T
    shades = LinearSegmentedColormap.from_list("ink", [ink.grid, ink.bar, ink.text])
    axes.pcolormesh(
        across,
        up,
        np.ma.masked_equal(counts, 0),
        cmap=shades,
        norm=LogNorm(1, max(2.0, float(counts.max()))),
        rasterized=True,
    )
    axes.plot([], [], "s", color=ink.bar, label=drawable(f"{say(lang, 'plot_rest')} ({say(lang, 'plot_density')})"))
