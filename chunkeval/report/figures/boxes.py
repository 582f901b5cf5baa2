"""The box plot under the histogram of token counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.report.figures.ink import Ink, axes_style
from chunkeval.report.figures.reach import Limits, past

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def box(axes: Axes, values: Floats, facts: Mapping[str, Any], limit: Limits, ink: Ink) -> None:
    """Draw quartiles, whiskers and what lies beyond them; what the limit in use flags is marked as such.

    Parameters
    ----------
    values
        Shape (n,), finite; what the axes do not show is left out.
    facts
        The measure's part of the summary: quartiles where it states them.
    limit
        ``low`` and ``high`` of the limit in use, and its rule.
    """
    axes_style(axes, ink, grid="")
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    if not len(values):
        return
    stated = [facts.get(name) for name in ("q1", "median", "q3")]
    quartiles = np.quantile(values, (0.25, 0.5, 0.75)) if None in stated else np.asarray(stated, dtype=float)
    q1, median, q3 = (float(value) for value in quartiles)
    low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    if limit.get("rule") == "iqr" and limit.get("low") is not None and limit.get("high") is not None:
        low, high = limit["low"], limit["high"]
    inside = values[(values >= low) & (values <= high)]
    whiskers = (float(inside.min()), float(inside.max())) if len(inside) else (q1, q3)
    stats = [{"q1": q1, "med": median, "q3": q3, "whislo": whiskers[0], "whishi": whiskers[1], "fliers": []}]
    line = {"color": ink.faint, "linewidth": 1.1}
    axes.bxp(
        stats,
        orientation="horizontal",
        widths=0.6,
        patch_artist=True,
        boxprops={"facecolor": ink.bar, "edgecolor": ink.faint, "linewidth": 1.0},
        medianprops={"color": ink.text, "linewidth": 2.0},
        whiskerprops=line,
        capprops=line,
    )
    _outside(axes, np.unique(values[(values < low) | (values > high)]), limit, ink)
    axes.set_yticks([])
    for side in ("low", "high"):
        if limit.get(side) is not None and limit[side] > 0:
            axes.axvline(limit[side], color=ink.bad, linewidth=1.8)


def _outside(axes: Axes, outside: Floats, limit: Limits, ink: Ink) -> None:
    left, right = axes.get_xlim()
    outside = outside[(outside >= left) & (outside <= right)]
    beyond = past(outside, limit)
    for some, colour, size in ((outside[~beyond], ink.faint, 6), (outside[beyond], ink.bad, 10)):
        mark: dict[str, Any] = {"markersize": size, "markeredgewidth": 1.2, "rasterized": len(outside) > 500}
        axes.plot(some, np.ones(len(some)), "|", markeredgecolor=colour, **mark)
