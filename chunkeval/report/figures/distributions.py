"""Histograms of scores with their limits, and beside them the curves of the recombined corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.report.figures import curves, limit_marks
from chunkeval.report.figures.fonts import drawable
from chunkeval.report.figures.ink import AXIS, LABEL, Ink, axes_style, ticks, write
from chunkeval.report.figures.lettering import clip
from chunkeval.report.figures.reach import Limits, edges, extent, not_shown, past, span
from chunkeval.report.numerals import COUNTS, whole
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang
from chunkeval.report.wording import column_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from numpy.typing import NDArray

    from chunkeval.results import Recombined

    Floats = NDArray[np.float64]
    Ground = Figure | SubFigure

NARROW = 3.6
"""Inches of axes below which what they do not show is said in two lines."""


def histogram(
    axes: Axes,
    values: Floats,
    column: str,
    limit: Limits,
    card: Limits,
    ink: Ink,
    lang: Lang,
    made: Recombined | None = None,
) -> None:
    """Draw one column's histogram, what lies beyond a limit hatched, both limits labelled.

    Parameters
    ----------
    values
        Shape (n,), NaN where not measured.
    limit, card
        ``low`` and ``high`` of the limit in use and of the published one, as far as they stand on this column. What is
        hatched lies beyond the one in use, or beyond the published one where the one in use stands elsewhere.
    made
        Scores of the recombined chunks in this column.
    """
    axes_style(axes, ink)
    values = values[np.isfinite(values)]
    axes.set_xlabel(drawable(axis_label(column, lang)), color=ink.text, fontsize=AXIS)
    if not len(values):
        empty(axes, ink, lang)
        return
    limit, card = possible(limit, column), possible(card, column)
    bins = edges(span(values, limit, card, *extent(made)), limit or card, counts=column in COUNTS)
    top = _bars(axes, values, bins, limit, card, ink, lang)
    if made is not None:
        top = max(top, curves.draw(axes, made, bins, len(values), ink, lang))
    axes.set_xlim(bins[0], bins[-1])
    axes.set_ylim(0, top * 1.05)
    axes.set_ylabel(drawable(say(lang, "plot_chunks")), color=ink.text, fontsize=AXIS)
    ticks(axes.yaxis, counts=True, most=5)
    ticks(axes.xaxis, counts=column in COUNTS, most=5 if narrow(axes) else 7)
    limit_marks.upright(axes, column, limit, card, ink, lang)
    below_axis(axes, column, not_shown(values, (bins[0], bins[-1]), column, lang), ink, lang)


def possible(limit: Limits, column: str) -> Limits:
    """Leave out the sides of a limit that no value can pass: one worked out from quartiles may lie below no tokens.

    Examples
    --------
    >>> possible({"low": -7.5, "high": 90.0}, "token_count")
    {'high': 90.0}
    """
    sides = [side for side in ("low", "high") if limit.get(side) is not None]
    kept = {side: limit[side] for side in sides if column not in COUNTS or limit[side] > 0}
    return {**kept, "inclusive": True} if kept and limit.get("inclusive") else kept


def _bars(axes: Axes, values: Floats, bins: Floats, limit: Limits, card: Limits, ink: Ink, lang: Lang) -> float:
    beyond = past(values, limit or card)
    kept, _ = np.histogram(values[~beyond], bins)
    flagged, _ = np.histogram(values[beyond], bins)
    if kept.any():
        named = drawable(say(lang, "plot_corpus"))
        axes.stairs(kept + flagged, bins, fill=True, facecolor=ink.bar, edgecolor=ink.faint, linewidth=0.8, label=named)
    if flagged.any():
        key, hatch, colour = ("plot_flagged", "////", ink.bad) if limit else ("plot_published", "\\\\\\\\", ink.text)
        axes.stairs(
            flagged,
            bins,
            fill=True,
            facecolor=ink.ground,
            edgecolor=colour,
            hatch=hatch,
            linewidth=0.9,
            label=drawable(say(lang, key, n=whole(int(beyond.sum())))),
        )
    return float((kept + flagged).max())


def below_axis(axes: Axes, column: str, missing: Sequence[str], ink: Ink, lang: Lang) -> None:
    """Name the x axis, and under it what the axes do not show."""
    lines = [axis_label(column, lang)]
    if missing:
        between = "\n" if narrow(axes) else " · "
        lines += say(lang, "plot_beyond", what=between.join(missing)).split("\n")
    axes.set_xlabel("\n".join(map(drawable, lines)), color=ink.text, fontsize=AXIS, linespacing=1.4)


def narrow(axes: Axes) -> bool:
    """Whether axes are among several side by side."""
    return bool(axes.bbox.width / axes.figure.dpi < NARROW)


def axis_label(column: str, lang: Lang) -> str:
    """Name a column with its unit; a third party's name is cut where it has no end."""
    unit = say(lang, "unit_bits") if column in ("topic_entropy", "topic_entropy_card") else None
    named = clip(column_of(column, lang), 36)
    return f"{named}, {unit}" if unit else named


def legend(ground: Ground, panels: Sequence[Axes], ink: Ink) -> None:
    """Put the legend of all panels under the whole figure, where it hides nothing; none for a single thing to see."""
    named: dict[str, Any] = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    labels, handles = list(named), list(named.values())
    if len(handles) < 2 and not any(handle.get_hatch() for handle in handles if hasattr(handle, "get_hatch")):
        return
    look = {"fontsize": LABEL, "frameon": False, "labelcolor": ink.text, "handlelength": 1.8, "columnspacing": 1.4}
    number, rows = len(handles), 1
    drawn = ground.legend(handles, labels, loc="outside lower center", ncols=number, borderaxespad=0, **look)
    while rows < number and drawn.get_window_extent().width > 0.98 * ground.bbox.width:
        drawn.remove()
        rows += 1
        columns = -(-number // rows)
        drawn = ground.legend(handles, labels, loc="outside lower center", ncols=columns, borderaxespad=0, **look)
    # The layout is solved to the last digit but one; an edge moved to whole pixels would jump by one from run to run.
    for patch in drawn.get_patches():
        patch.set_snap(False)


def empty(axes: Axes, ink: Ink, lang: Lang) -> None:
    """Say on the axes that there is nothing to draw."""
    axes.set_xticks([])
    axes.set_yticks([])
    look: dict[str, Any] = {"transform": axes.transAxes, "ha": "center", "va": "center", "color": ink.faint}
    write(axes, 0.5, 0.5, say(lang, "plot_empty"), fontsize=AXIS, wrap=True, **look)
