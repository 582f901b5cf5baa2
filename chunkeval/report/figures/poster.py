"""One page as a picture: the verdict, three numbers, the plots."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from chunkeval.report.figures.ink import LIGHT, Ink, defaults, figure, png, title, write
from chunkeval.report.figures.lettering import clip, wrap
from chunkeval.report.figures.plots import Plot, plot_lang, plots, titled
from chunkeval.report.phrases import say
from chunkeval.report.sections.first import numbers
from chunkeval.report.view import View, stated
from chunkeval.report.wording import Verdict, verdict_parts

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

WIDTH, MARGIN = 11.0, 0.6
"""Inches: of the page, and around it."""

LINE = 0.31
"""Inches from one line of the verdict to the next."""


def draw(view: View, path: Path) -> Path:
    """Save the poster as PNG.

    Parameters
    ----------
    view
        The audit.
    path
        The file to write, such as ``report.png``.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    with defaults():
        png(_painted(replace(view, lang=plot_lang(view)), LIGHT), path)
    return path


def _painted(view: View, ink: Ink) -> Figure:
    parts = verdict_parts(stated(view), view.lang)
    words = _words(parts)
    rows = _rows(plots(view))
    inner = WIDTH - 2 * MARGIN
    top = MARGIN + 0.4 + sum(height for _, _, height, _ in words) + 1.6
    heights = [0.35 + max(plot.size[1] for plot in row) * 0.8 for row in rows]
    page = figure(WIDTH, top + sum(heights) + MARGIN / 2, ink)
    page.set_layout_engine("constrained")
    ratios = [top, *heights, MARGIN / 2]
    areas = page.subfigures(len(ratios), 3, width_ratios=(MARGIN, inner, MARGIN), height_ratios=ratios, squeeze=False)
    _head(areas[0, 1], (inner, top), view, words, ink)
    for area, row in zip(areas[1:-1, 1], rows, strict=True):
        for place, plot in zip(area.subfigures(1, len(row), squeeze=False, wspace=0.04)[0], row, strict=True):
            title(place, titled(plot, view.lang), ink)
            plot.paint(place, view, ink)
    return page


def _words(parts: Verdict) -> list[tuple[str, float, float, bool]]:
    """Lines of the verdict: text, size in points, height in inches, whether bold."""
    lines = [(line, 21.0, 0.42, True) for line in wrap(parts.headline, 62)]
    lines = [*lines[:-1], (*lines[-1][:2], 0.55, True)]
    lines += [(line, 12.5, LINE, False) for line in wrap(f"{parts.beside} {parts.share}", 106)]
    return lines + [(line, 12.5, LINE, True) for line in wrap(parts.first, 100)]


def _rows(listed: list[Plot]) -> list[list[Plot]]:
    """Put the histograms in the order of the measures, then the rest: figures with panels alone, neighbours in pairs."""
    rows: list[list[Plot]] = []
    for plot in sorted(listed, key=lambda plot: not _main(plot)):
        if rows and len(rows[-1]) == 1 and plot.panels == rows[-1][0].panels == 1 and _main(plot) == _main(rows[-1][0]):
            rows[-1].append(plot)
        else:
            rows.append([plot])
    return rows


def _main(plot: Plot) -> bool:
    return plot.name == plot.analyzer


def _head(
    area: SubFigure, size: tuple[float, float], view: View, words: list[tuple[str, float, float, bool]], ink: Ink
) -> None:
    from matplotlib.lines import Line2D

    wide, tall = size

    def put(x: float, y: float, text: str, points: float, colour: str, *, bold: bool = False) -> None:
        write(area, x / wide, 1 - y / tall, text, bold=bold, va="top", fontsize=points, color=colour)

    source = " ".join(str(view.summary.get("input", {}).get("source") or "").split())
    named = [clip(source, 80)] if source else []
    y = MARGIN
    put(0, y, " · ".join(["chunkeval", say(view.lang, "title"), *named]), 10, ink.faint)
    y += 0.4
    for text, points, line, bold in words:
        put(0, y, text, points, ink.text, bold=bold)
        y += line
    y += 0.25
    for at, (name, value, base) in enumerate(numbers(view)):
        x, end = at * wide / 3, (at + 1) * wide / 3 - (0.35 if at < 2 else 0)
        ends = ([x / wide, end / wide], [1 - y / tall] * 2)
        area.add_artist(Line2D(*ends, color=ink.text, linewidth=1.2, transform=area.transSubfigure))
        put(x, y + 0.1, name, 10, ink.faint)
        put(x, y + 0.33, value, 23, ink.text, bold=True)
        for line_number, text in enumerate(wrap(base, 42)[:2]):
            put(x, y + 0.8 + 0.2 * line_number, text, 10, ink.faint)
