"""One score against another, flagged chunks on top."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.report.distributions import axis_label, empty
from chunkeval.report.fonts import drawable
from chunkeval.report.ink import Ink, axes_style, ticks
from chunkeval.report.numerals import score, whole
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

VECTOR_POINTS = 400
"""Up to this many points are drawn as shapes; beyond, as pixels."""

POINTS = 20_000
"""Beyond this many, unflagged chunks are shown as shades of a grid."""

TOP = 4_000
"""Flagged points drawn at most, evenly taken."""


def scatter(
    axes: Axes,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    flagged: NDArray[np.bool_],
    names: tuple[str, str],
    limit: Mapping[str, Any],
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
    limit
        ``low`` and ``high`` of the limit in use, where it stands on y.
    """
    from matplotlib.ticker import LogLocator

    axes_style(axes, ink)
    axes.set_xlabel(drawable(axis_label(names[0], lang)), color=ink.text, fontsize=10)
    axes.set_ylabel(drawable(axis_label(names[1], lang)), color=ink.text, fontsize=10)
    measured = np.isfinite(x) & np.isfinite(y)
    x, y, flagged = x[measured], y[measured], flagged[measured]
    if not len(x):
        empty(axes, ink, lang)
        return
    if (x.min() > 0 and x.max() > 20 * max(float(np.median(x)), 1)) or (x.min() > 0 and x.max() / x.min() > 50):
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter(lambda value, _: whole(value) if value >= 1 else "")
        axes.xaxis.set_minor_formatter(lambda value, _: "")
    else:
        if x.min() == x.max():
            axes.set_xlim(x.min() - 1, x.max() + 1)
        ticks(axes.xaxis, counts=True)
    ticks(axes.yaxis)
    as_pixels = len(x) > VECTOR_POINTS
    rest = ~flagged
    if rest.sum() > POINTS:
        _shades(axes, x[rest], y[rest], ink, lang)
    elif rest.any():
        axes.plot(
            x[rest],
            y[rest],
            "o",
            color=ink.bar,
            markersize=3.2,
            markeredgewidth=0,
            alpha=0.6,
            rasterized=as_pixels,
            label=drawable(say(lang, "plot_rest")),
        )
    marked = np.flatnonzero(flagged)
    marked = marked[:: max(1, -(-len(marked) // TOP))]
    if len(marked):
        look: dict[str, Any] = {
            "color": ink.bad,
            "markersize": 4.6,
            "markeredgewidth": 0.4,
            "markeredgecolor": ink.ground,
        }
        axes.plot(x[marked], y[marked], "^", rasterized=as_pixels, label=drawable(say(lang, "plot_chosen")), **look)
    below, above = axes.get_ylim()
    for side in ("low", "high"):
        place = limit.get(side)
        if place is not None and below <= place <= above:
            label = drawable(say(lang, "plot_limit", value=score(place, names[1])))
            axes.axhline(place, color=ink.bad, linewidth=1.2, zorder=1, label=label)


def _shades(axes: Axes, x: NDArray[np.float64], y: NDArray[np.float64], ink: Ink, lang: Lang) -> None:
    from matplotlib.colors import LinearSegmentedColormap, LogNorm

    if axes.get_xscale() == "log":
        across = np.geomspace(x.min(), x.max() * 1.001, 81)
    else:
        across = np.linspace(x.min() - 0.5, x.max() + 0.5, int(min(80, np.ptp(x) + 1)) + 1)
    up = np.linspace(y.min(), y.max() or 1.0, 61)
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
