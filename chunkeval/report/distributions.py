"""Histograms of scores with their limits, and beside them the curves of the recombined corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.report.fonts import drawable
from chunkeval.report.ink import Ink, axes_style, ticks, write
from chunkeval.report.numerals import COUNTS, score, whole
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

Limits = Mapping[str, Any]

BINS = 48


def histogram(
    axes: Axes,
    values: Floats,
    column: str,
    limit: Limits,
    card: Limits,
    ink: Ink,
    lang: Lang,
    curves: Recombined | None = None,
) -> None:
    """Draw one column's histogram, what lies beyond the limit hatched, both limits labelled.

    Parameters
    ----------
    values
        Shape (n,), NaN where not measured.
    limit, card
        ``low`` and ``high`` of the limit in use and of the published one, as far as they stand on this column.
    curves
        Scores of the recombined chunks in this column.
    """
    axes_style(axes, ink)
    values = values[np.isfinite(values)]
    axes.set_xlabel(drawable(axis_label(column, lang)), color=ink.text, fontsize=10)
    if not len(values):
        empty(axes, ink, lang)
        return
    low, high = span(values, limit, card, *_extent(curves))
    edges = _edges(values, low, high, limit)
    if column in COUNTS:
        # A limit worked out from quartiles may lie below 0, where no count can be.
        limit = {side: place for side, place in limit.items() if side not in ("low", "high") or (place or 0) > 0}
    beyond = np.zeros(len(values), dtype=bool)
    for side, sign in (("low", 1), ("high", -1)):
        if limit.get(side) is not None:
            beyond |= sign * values < sign * limit[side]
    counts, _ = np.histogram(values[~beyond], edges)
    flagged, _ = np.histogram(values[beyond], edges)
    axes.stairs(counts + flagged, edges, fill=True, color=ink.bar, label=drawable(say(lang, "plot_corpus")))
    if flagged.any():
        axes.stairs(
            flagged,
            edges,
            fill=True,
            facecolor=ink.ground,
            edgecolor=ink.bad,
            hatch="////",
            linewidth=0.9,
            label=drawable(say(lang, "plot_flagged")),
        )
    top = float((counts + flagged).max())
    if curves is not None:
        top = max(top, _curves(axes, curves, edges, len(values), ink, lang))
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(0, top * 1.05)
    axes.set_ylabel(drawable(say(lang, "plot_chunks")), color=ink.text, fontsize=10)
    ticks(axes.yaxis, counts=True, most=5)
    ticks(axes.xaxis, counts=column in COUNTS)
    limit_lines(axes, column, limit, card, ink, lang)
    label = [axis_label(column, lang), _beyond(values, edges, column, lang)]
    lines = "\n".join(drawable(line) for line in label if line)
    axes.set_xlabel(lines, color=ink.text, fontsize=10, linespacing=1.5)


def axis_label(column: str, lang: Lang) -> str:
    """Name a column with its unit."""
    unit = say(lang, "unit_bits") if column in ("topic_entropy", "topic_entropy_card") else None
    return f"{column_of(column, lang)} ({unit})" if unit else column_of(column, lang)


def legend(ground: Ground, panels: Sequence[Axes], ink: Ink) -> None:
    """Put the legend of all panels under the whole figure, where it hides nothing; none for a single thing to see."""
    named: dict[str, Any] = {}
    for axes in panels:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    labels, handles = list(named), list(named.values())
    if len(handles) > 1:
        look = {"fontsize": 9, "frameon": False, "labelcolor": ink.text, "handlelength": 1.6, "columnspacing": 1.4}
        room = int(ground.bbox.width / ground.dpi / 1.7)
        columns = len(handles) if len(handles) <= room or len(handles) < 3 else 2
        drawn = ground.legend(handles, labels, loc="outside lower center", ncols=columns, **look)
        # The layout is solved to the last digit but one; an edge moved to whole pixels would jump by one from run to run.
        for patch in drawn.get_patches():
            patch.set_snap(False)


def empty(axes: Axes, ink: Ink, lang: Lang) -> None:
    """Say on the axes that there is nothing to draw."""
    axes.set_xticks([])
    axes.set_yticks([])
    write(
        axes,
        0.5,
        0.5,
        say(lang, "plot_empty"),
        transform=axes.transAxes,
        ha="center",
        va="center",
        color=ink.faint,
        fontsize=11,
    )


def span(values: Floats, *limits: Limits) -> tuple[float, float]:
    """Choose what the x axis shows: all but the furthest few, and the limits where they are not far off.

    A few values far out would squeeze all others into a line. Nothing below 0 is shown where all values are from 0 on.

    Examples
    --------
    >>> low, high = span(np.array([0.0, 1.0]), {"low": 0.4})
    >>> round(low, 2), round(high, 2)
    (0.0, 1.03)
    >>> span(np.r_[np.arange(1.0, 100.0), 5e6], {})[1] < 110
    True
    """
    seen = values[_near(values)]
    # Few values: show each of them.
    low, high = (float(end) for end in np.quantile(seen, (0.0, 1.0) if len(seen) < 500 else (0.002, 0.998)))
    width = high - low or max(abs(high), 1.0) * 0.5
    for limit in limits:
        for side in ("low", "high"):
            place = limit.get(side)
            if place is not None and low - 0.6 * width <= place <= high + 1.5 * width:
                low, high = min(low, place), max(high, place)
    margin = 0.03 * (high - low or width)
    return (max(low - margin, 0.0) if values.min() >= 0 else low - margin), high + margin


def _near(values: Floats) -> NDArray[np.bool_]:
    """Find what is not far out: within three times the width of the middle 90 % beyond it, or the median once more."""
    if len(values) < 8:
        return np.ones(len(values), dtype=bool)
    # Neighbours inside rather than in between, so that one value, however far out, moves nothing.
    low, high = float(np.quantile(values, 0.05, method="higher")), float(np.quantile(values, 0.95, method="lower"))
    reach = max(3 * (high - low), abs(float(np.median(values)))) or 1.0
    near: NDArray[np.bool_] = (values >= low - reach) & (values <= high + reach)
    return near


def limit_lines(axes: Axes, column: str, limit: Limits, card: Limits, ink: Ink, lang: Lang) -> None:
    """Draw both limits as lines with their values above the axes: the one in use solid, the published one dotted."""
    left, right = axes.get_xlim()
    rows = []
    for key, limits, style, colour in (("plot_limit", limit, "-", ink.bad), ("plot_card", card, ":", ink.text)):
        for side in ("low", "high"):
            place = limits.get(side)
            if place is None:
                continue
            text = say(lang, key, value=score(place, column))
            if left <= place <= right:
                axes.axvline(place, color=colour, linestyle=style, linewidth=1.6, zorder=3)
            else:
                text = f"\u2190 {text}" if place < left else f"{text} \u2192"
            rows.append((min(max(float(place), left), right), text, colour))
    for (place, text, colour), level in zip(rows, _levels([place for place, _, _ in rows], right - left), strict=True):
        share = (place - left) / (right - left)
        align = "left" if share < 0.15 else "right" if share > 0.85 else "center"
        write(
            axes,
            place,
            1.02 + 0.075 * level,
            text,
            transform=axes.get_xaxis_transform(),
            ha=align,
            va="bottom",
            color=colour,
            fontsize=9.5,
        )


def _extent(curves: Recombined | None) -> list[Limits]:
    """Where most of the recombined chunks lie, as ends that the x axis should take in."""
    samples = [] if curves is None else [sample[np.isfinite(sample)] for sample in (curves.mixes, curves.splices)]
    return [
        {"low": float(np.quantile(sample, 0.01)), "high": float(np.quantile(sample, 0.99))}
        for sample in samples
        if len(sample)
    ]


def _levels(places: list[float], width: float) -> list[int]:
    """Lift labels that would run into one already placed."""
    levels: list[int] = []
    for index, place in enumerate(places):
        near = {levels[other] for other in range(index) if abs(places[other] - place) < 0.42 * width}
        levels.append(next(level for level in range(len(places)) if level not in near))
    return levels


def _edges(values: Floats, low: float, high: float, limit: Limits) -> Floats:
    whole_numbers = bool(np.all(values == np.round(values)))
    width = (high - low) / BINS
    if whole_numbers:
        width = max(1.0, float(np.ceil(width)))
    # A bin begins at the limit, so that no bar straddles it.
    stated = [float(limit[side]) for side in ("low", "high") if limit.get(side) is not None]
    anchor = stated[0] if stated else np.floor(low) if whole_numbers else low
    if len(stated) == 2 and stated[0] < stated[1] and (width >= 8 or not whole_numbers):
        width = (stated[1] - stated[0]) / max(1, round((stated[1] - stated[0]) / width))
    before, after = int(np.ceil((anchor - low) / width)), int(np.ceil((high - anchor) / width))
    edges = np.asarray(anchor + width * np.arange(-before, after + 1), dtype=np.float64)
    return np.unique(np.maximum(edges, 0.0)) if values.min() >= 0 else edges


def _curves(axes: Axes, curves: Recombined, edges: Floats, number: int, ink: Ink, lang: Lang) -> float:
    grid = np.linspace(edges[0], edges[-1], 400)
    scale, top = number * float(edges[-1] - edges[-2]), 0.0
    for name, sample, style, colour in (
        ("plot_mixes", curves.mixes, "-", ink.mixes),
        ("plot_splices", curves.splices, "--", ink.splices),
    ):
        sample = sample[np.isfinite(sample)]
        if len(sample) < 2:
            continue
        height = density(sample, grid) * scale
        top = max(top, float(height.max()))
        axes.plot(grid, height, linestyle=style, color=colour, linewidth=1.8, label=drawable(say(lang, name)), zorder=4)
    return top


def density(sample: Floats, grid: Floats) -> Floats:
    """Estimate a density on a grid: Gaussian kernels of Silverman's width.

    Examples
    --------
    >>> grid = np.linspace(-5, 5, 201)
    >>> round(float(density(np.array([-1.0, 0.0, 1.0]), grid).sum() * 0.05), 2)
    1.0
    """
    spread = float(np.std(sample)) or 1e-3
    width = 0.9 * spread * len(sample) ** -0.2
    heights = np.zeros(len(grid))
    for part in np.array_split(sample, max(1, len(sample) // 500)):
        heights += np.exp(-0.5 * ((grid[:, None] - part[None, :]) / width) ** 2).sum(axis=1)
    return np.asarray(heights / (len(sample) * width * np.sqrt(2 * np.pi)), dtype=np.float64)


def _beyond(values: Floats, edges: Floats, column: str, lang: Lang) -> str:
    """Say how many values the axes do not show; empty where they show all."""
    said = []
    for key, count, place in (
        ("plot_under", int((values < edges[0]).sum()), edges[0]),
        ("plot_over", int((values > edges[-1]).sum()), edges[-1]),
    ):
        if count:
            said.append(say(lang, key, n=whole(count), value=score(place, column)))
    return say(lang, "plot_beyond", what=" · ".join(said)) if said else ""
