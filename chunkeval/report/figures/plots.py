"""The figures of a report: what each shows, how it is described, and the files they are saved in."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.report.figures import behind, fonts, reliability
from chunkeval.report.figures.boxes import box
from chunkeval.report.figures.describe import ALIKE, describe_histogram, describe_scatter, shown
from chunkeval.report.figures.distributions import histogram, legend, possible
from chunkeval.report.figures.ink import AXIS, DARK, LIGHT, Ink, defaults, figure, png, recoloured, svg, title
from chunkeval.report.figures.published import with_published
from chunkeval.report.figures.reach import Limits
from chunkeval.report.figures.scatters import scatter
from chunkeval.report.measure_wording import card_column
from chunkeval.report.phrases import known
from chunkeval.report.view import Lang, View

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure
    from numpy.typing import NDArray

    Ground = Figure | SubFigure

PAD = 0.08
"""Inches around a figure and between its parts."""

JUDGED = {
    "tokens": "token_count",
    "similarity": "similarity_centred",
    "topics": "topic_entropy_z",
    "coherence": "coherence",
}
"""Column that a measure's histogram shows where no limit names one."""


@dataclass(frozen=True)
class Plot:
    """One figure: its file's name, its measure, how to paint it and what to say to those who cannot see it."""

    name: str
    analyzer: str
    paint: Callable[[Ground, View, Ink], None]
    describe: Callable[[View], str]
    tables: Callable[[View], list[behind.Table | None]]
    """The numbers behind it, a table a panel; None for one that shows nothing."""
    size: tuple[float, float] = (8.4, 4.1)
    panels: int = 1
    """Axes side by side."""
    worth: Callable[[View], bool] = lambda view: True
    """Whether there is anything to see."""


@dataclass(frozen=True)
class Picture:
    """A figure as the page embeds it: SVG for light and dark grounds, as data URIs, and its description."""

    name: str
    light: str
    dark: str
    alt: str
    width: int
    height: int
    curves: bool
    """Whether it shows the recombined corpus."""
    tables: tuple[behind.Table, ...] = ()
    """The numbers behind it."""


def plots(view: View) -> list[Plot]:
    """List the figures of a view, in the order of its measures."""
    listed = [plot for analyzer in view.summary["analyzers"] for plot in _plots(view, analyzer)]
    return [plot for plot in listed if _column(view, plot.analyzer) in view.frame and plot.worth(view)]


def _plots(view: View, analyzer: str) -> list[Plot]:
    if analyzer == "tokens":
        return [Plot("tokens", "tokens", _tokens, _told("tokens"), _numbers("tokens"), (8.4, 4.4))]
    if analyzer == "similarity":
        return [_columns(view, analyzer), _pairs("similarity_by_sentences", analyzer, "sentences")]
    if analyzer == "topics":
        return [_columns(view, analyzer), _pairs("topics_by_words", analyzer, "content_words")]
    if analyzer == "coherence":
        return [_columns(view, analyzer), _reliability()]
    return [_columns(view, analyzer)]


def draw(view: View, folder: Path) -> list[Path]:
    """Save every figure as PNG.

    Parameters
    ----------
    view
        The audit.
    folder
        Where ``tokens.png``, ``similarity.png`` and so on go; it is made where it is missing.

    Returns
    -------
    list of Path
        The files, in the order of the measures.

    Raises
    ------
    OSError
        The folder cannot be made or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for plot in plots(view):
        paths.append(folder / f"{plot.name}.png")
        with defaults():
            png(_painted(plot, view, LIGHT, titled(plot, plot_lang(view))), paths[-1])
    return paths


def pictures(view: View, analyzer: str) -> list[Picture]:
    """Draw a measure's figures for the page."""
    drawn = []
    for plot in plots(view):
        if plot.analyzer == analyzer:
            with defaults():
                light = svg(_painted(plot, view, LIGHT))
                # Colours of shapes can be exchanged in the file; pixels have to be painted again.
                dark = svg(_painted(plot, view, DARK)) if b"<image" in light else recoloured(light, LIGHT, DARK)
            width, height = (round(inches * 96) for inches in plot.size)
            curves = plot.name == analyzer and _curved(view, _column(view, analyzer))
            tables = tuple(table for table in plot.tables(view) if table is not None)
            drawn.append(Picture(plot.name, uri(light), uri(dark), plot.describe(view), width, height, curves, tables))
    return drawn


def titled(plot: Plot, lang: Lang) -> str:
    """Name a figure."""
    return known(lang, f"plot_{plot.name}", plot.name)


def plot_lang(view: View) -> Lang:
    """Language of the words in figures: English where no font at hand has Korean glyphs."""
    return view.lang if view.lang == "en" or fonts.korean() else "en"


def _painted(plot: Plot, view: View, ink: Ink, named: str = "") -> Figure:
    ground = figure(*plot.size, ink)
    ground.set_layout_engine("constrained", w_pad=PAD, h_pad=PAD)
    if named:
        title(ground, named, ink, PAD)
    plot.paint(ground, view, ink)
    return ground


def uri(image: bytes) -> str:
    """Write an SVG as a data URI."""
    return f"data:image/svg+xml;base64,{base64.b64encode(image).decode('ascii')}"


def _tokens(ground: Ground, view: View, ink: Ink) -> None:
    upper, lower = ground.subplots(2, 1, sharex=True, height_ratios=(4, 1))
    column, limit, card = _panels(view, "tokens")[0]
    values = _values(view, column)
    histogram(upper, values, column, limit, card, ink, plot_lang(view))
    label = upper.get_xlabel()
    upper.set_xlabel("")
    lower.set_xlabel(label, color=ink.text, fontsize=AXIS, linespacing=1.4)
    legend(ground, [upper], ink)
    box(lower, values[np.isfinite(values)], view.summary["analyzers"]["tokens"], limit, ink)


def _columns(view: View, analyzer: str) -> Plot:
    def paint(ground: Ground, view: View, ink: Ink) -> None:
        panels = _panels(view, analyzer)
        ratios = (1.5, 1)[: len(panels)]
        row = ground.subplots(1, len(panels), squeeze=False, width_ratios=ratios)[0]
        for axes, (column, limit, card) in zip(row, panels, strict=True):
            values, made = _values(view, column), view.recombined.get(column)
            histogram(axes, values, column, limit, card, ink, plot_lang(view), made)
        for axes in row[1:]:
            axes.set_ylabel("")
        legend(ground, list(row), ink)

    return Plot(
        analyzer,
        analyzer,
        paint,
        _told(analyzer),
        _numbers(analyzer),
        panels=len(_panels(view, analyzer)),
        worth=lambda view: _column(view, analyzer) != ALIKE or bool(np.isfinite(_values(view, ALIKE)).any()),
    )


def _told(analyzer: str) -> Callable[[View], str]:
    return lambda view: describe_histogram(view, analyzer, _column(view, analyzer))


def _numbers(analyzer: str) -> Callable[[View], list[behind.Table | None]]:
    def tables(view: View) -> list[behind.Table | None]:
        return [
            behind.histogram(
                _values(view, column),
                column,
                possible(limit, column),
                possible(card, column),
                view.recombined.get(column),
                view.lang,
            )
            for column, limit, card in _panels(view, analyzer)
        ]

    return tables


def _panels(view: View, analyzer: str) -> list[tuple[str, Limits, Limits]]:
    """Columns to show side by side with the limits that stand on each: the judged one, then the published rule's."""
    limit, card = _limit(view, analyzer), facts_of(view, analyzer).get("card") or {}
    applies = card.get("low") is not None or card.get("high") is not None
    first, published = _column(view, analyzer), card_column(card, limit) if applies else ""
    card = {**card, "inclusive": limit["inclusive"]}
    if limit.get("rule") == "card":
        other = JUDGED.get(analyzer, first)
        panels: list[tuple[str, Limits, Limits]] = [(first, limit, {}), (other, {}, {})]
    else:
        panels = [(first, limit, card if published == first else {}), (published, {}, card)]
    return [panel for at, panel in enumerate(panels) if panel[0] in view.frame and (at == 0 or panel[0] != first)]


def _pairs(name: str, analyzer: str, across: str) -> Plot:
    def paint(ground: Ground, view: View, ink: Ink) -> None:
        ((column, limit, card), *_), axes = _panels(view, analyzer), ground.subplots()
        values = (_values(view, across), _values(view, column))
        scatter(axes, *values, _flags(view, analyzer), (across, column), (limit, card), ink, plot_lang(view))
        legend(ground, [axes], ink)

    def describe(view: View) -> str:
        return describe_scatter(view, across, _column(view, analyzer), int(_flags(view, analyzer).sum()))

    def tables(view: View) -> list[behind.Table | None]:
        column = _column(view, analyzer)
        values = (_values(view, across), _values(view, column))
        return [behind.scatter(*values, _flags(view, analyzer), (across, column), view.lang)]

    def worth(view: View) -> bool:
        return bool(np.isfinite(_values(view, across) + _values(view, _column(view, analyzer))).any())

    return Plot(name, analyzer, paint, describe, tables, (8.4, 3.9), worth=worth)


def _reliability() -> Plot:
    def paint(ground: Ground, view: View, ink: Ink) -> None:
        axes = ground.subplots()
        reliability.draw(axes, reliability.of(view), ink, plot_lang(view))
        legend(ground, [axes], ink)

    def tables(view: View) -> list[behind.Table | None]:
        return [reliability.table(reliability.of(view), view.lang)]

    name, worth = "coherence_reliability", lambda view: bool(reliability.of(view))
    return Plot(name, "coherence", paint, reliability.describe, tables, (8.4, 3.9), worth=worth)


def _curved(view: View, column: str) -> bool:
    """Whether a histogram has bars and a curve beside them."""
    made = view.recombined.get(column)
    samples = () if made is None else (made.mixes, made.splices)
    enough = any(np.isfinite(sample).sum() > 1 for sample in samples)
    return enough and bool(np.isfinite(_values(view, column)).any())


def facts_of(view: View, analyzer: str) -> dict[str, Any]:
    """Give a measure's part of the summary, with what the published rule would flag also where it does not say so."""
    facts = view.summary["analyzers"][analyzer]
    return with_published(facts, _values(view, "token_count")) if analyzer == "tokens" else dict(facts)


def _limit(view: View, analyzer: str) -> Limits:
    limit = view.summary["analyzers"][analyzer].get("limit") or {}
    return {**limit, "inclusive": bool(view.summary.get("settings", {}).get("inclusive"))}


def _column(view: View, analyzer: str) -> str:
    return str(_limit(view, analyzer).get("column") or JUDGED.get(analyzer, analyzer))


def _values(view: View, column: str) -> NDArray[np.float64]:
    if column not in view.frame:
        return np.full(len(view.frame), np.nan)
    return shown(view, column)


def _flags(view: View, analyzer: str) -> NDArray[np.bool_]:
    name = f"flag_{analyzer}"
    return view.frame[name].to_numpy(dtype=bool) if name in view.frame else np.zeros(len(view.frame), dtype=bool)
