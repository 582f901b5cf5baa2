"""The figures of a comparison: differences with their intervals, quality against cost, chunk sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval.report.compare_wording import metric_of, ranked
from chunkeval.report.figures import fonts
from chunkeval.report.figures.ink import (
    AXIS,
    DARK,
    LABEL,
    LIGHT,
    Ink,
    axes_style,
    defaults,
    figure,
    png,
    recoloured,
    svg,
    ticks,
    title,
    write,
)
from chunkeval.report.figures.lettering import clip
from chunkeval.report.figures.plots import PAD, Picture, uri
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Facts = Mapping[str, Any]

NAMES = ("differences", "cost", "sizes")
WIDTH, LEAST, ROW = 8.4, 1.6, 0.34
"""Inches: of a figure, of its height, of a row in it."""
LONGEST = 34
"""Characters of a name on an axis."""
TALL, LINE = 160.0, 11.0
"""Points: from the lowest point to the highest in the figure of cost, and of a name's height."""
NEAR = 0.4
"""Share of the figure's width within which a name reaches the next point's."""


@dataclass(frozen=True)
class _Figure:
    paint: Callable[[Axes, Facts, Ink, Lang], None]
    title: Callable[[Facts, Lang], str]
    alt: Callable[[Facts, Lang], str]
    rows: Callable[[Facts], int]
    """How many rows it has; none where there is nothing to see."""


def draw(facts: Facts, lang: Lang, folder: Path) -> list[Path]:
    """Save every figure as PNG: ``differences.png``, ``cost.png``, ``sizes.png``, where there is something to see."""
    folder.mkdir(parents=True, exist_ok=True)
    lang = _lang(lang)
    paths = []
    for name in NAMES:
        if _FIGURES[name].rows(facts):
            paths.append(folder / f"{name}.png")
            with defaults():
                png(_painted(name, facts, lang, LIGHT, titled=True), paths[-1])
    return paths


def pictures(facts: Facts, lang: Lang, names: Sequence[str]) -> list[tuple[Picture, str]]:
    """Draw figures for the page, each with its caption."""
    lang = _lang(lang)
    drawn = []
    for name in names:
        one = _FIGURES[name]
        if one.rows(facts):
            with defaults():
                light = svg(_painted(name, facts, lang, LIGHT, titled=False))
            width, height = round(WIDTH * 96), round(_height(name, facts) * 96)
            dark = uri(recoloured(light, LIGHT, DARK))
            picture = Picture(name, uri(light), dark, one.alt(facts, lang), width, height, curves=False)
            drawn.append((picture, one.title(facts, lang)))
    return drawn


def unit_of(facts: Facts) -> str:
    """Tokens where they were counted of every strategy, else characters."""
    return "tokens" if all(one.get("tokens") for one in facts["strategies"]) else "characters"


def _lang(lang: Lang) -> Lang:
    """English where no font at hand has Korean glyphs."""
    return lang if lang == "en" or fonts.korean() else "en"


def _height(name: str, facts: Facts) -> float:
    return 4.1 if name == "cost" else LEAST + ROW * _FIGURES[name].rows(facts)


def _painted(name: str, facts: Facts, lang: Lang, ink: Ink, *, titled: bool) -> Any:
    ground = figure(WIDTH, _height(name, facts), ink)
    ground.set_layout_engine("constrained", w_pad=PAD, h_pad=PAD)
    if titled:
        title(ground, _FIGURES[name].title(facts, lang), ink, PAD)
    _FIGURES[name].paint(ground.subplots(), facts, ink, lang)
    return ground


def _pairs(facts: Facts) -> list[Mapping[str, Any]]:
    """The leader against each other, where both ends are known."""
    leader = ranked(facts)[0]["name"]
    pairs = (facts["statistics"] or {}).get("pairs", ())
    return [one for one in pairs if one["first"] == leader and None not in (one["low"], one["high"])]


def _differences(axes: Axes, facts: Facts, ink: Ink, lang: Lang) -> None:
    pairs = _pairs(facts)
    axes_style(axes, ink, grid="")
    axes.axvline(0, color=ink.faint, linewidth=1.0, linestyle=(0, (3, 3)))
    for row, one in enumerate(pairs):
        colour = ink.bad if one["decided"] else ink.faint
        axes.plot([one["low"], one["high"]], [row, row], color=colour, linewidth=2.0, solid_capstyle="butt")
        mark = "o" if one["decided"] else "D"
        axes.plot([one["difference"]], [row], mark, color=colour, markersize=6)
    _named_rows(axes, [one["second"] for one in pairs], ink)
    axes.set_xlabel(fonts.drawable(metric_of(facts["metric"]["name"], lang)), color=ink.text, fontsize=AXIS)
    ticks(axes.xaxis)


def _cost(axes: Axes, facts: Facts, ink: Ink, lang: Lang) -> None:
    points = _points(facts)
    axes_style(axes, ink)
    for lift, (one, across, up) in zip(_lifts(points), points, strict=True):
        mark, colour = ("s", ink.bar) if one["baseline"] else ("o", ink.mixes)
        axes.plot([across], [up], mark, color=colour, markersize=7, markeredgecolor=ink.text, markeredgewidth=1.0)
        words = clip(one["name"], LONGEST)
        axes.annotate(
            fonts.drawable(words),
            (across, up),
            xytext=(6, lift),
            textcoords="offset points",
            fontsize=LABEL - 2,
            color=ink.text,
            parse_math=False,
        )
    axes.set_xlabel(fonts.drawable(_across(facts, lang)), color=ink.text, fontsize=AXIS)
    axes.set_ylabel(fonts.drawable(metric_of(facts["metric"]["name"], lang)), color=ink.text, fontsize=AXIS)
    axes.margins(x=0.16, y=0.14)
    ticks(axes.xaxis, counts=True)
    ticks(axes.yaxis)


def _lifts(points: Sequence[tuple[Mapping[str, Any], float, float]]) -> list[float]:
    """How far above each point its name stands: names of points one above the other do not cover each other."""
    wide, high = (max(ends) - min(ends) or 1.0 for ends in zip(*((x, y) for _, x, y in points), strict=True))
    lifts = [0.0] * len(points)
    taken: list[tuple[float, float]] = []
    for at in sorted(range(len(points)), key=lambda at: -points[at][2]):
        x, y = points[at][1] / wide, points[at][2] / high * TALL
        wanted = min([y + 5, *(over - LINE for beside, over in taken if abs(beside - x) < NEAR)])
        taken.append((x, wanted))
        lifts[at] = wanted - y
    return lifts


def _read(facts: Facts) -> bool:
    """Whether tokens read tell strategies apart: with a budget all read the same."""
    return facts["questions"] is not None and facts["questions"]["budget"] is None


def _across(facts: Facts, lang: Lang) -> str:
    return metric_of("tokens_read", lang) if _read(facts) else say(lang, "cmp_total")


def _points(facts: Facts) -> list[tuple[Mapping[str, Any], float, float]]:
    found = []
    for one in facts["strategies"]:
        cost = (one["questions"] or {}).get("tokens_read") if _read(facts) else (one.get("tokens") or {}).get("total")
        if cost is not None and one["mean"] is not None:
            found.append((one, float(cost), float(one["mean"])))
    return found


def _sizes(axes: Axes, facts: Facts, ink: Ink, lang: Lang) -> None:
    unit, lines = unit_of(facts), ranked(facts)
    axes_style(axes, ink, grid="")
    ends = {"whislo": "min", "q1": "q1", "med": "median", "q3": "q3", "whishi": "max"}
    stats = [{name: one[unit][end] for name, end in ends.items()} | {"fliers": []} for one in lines]
    line = {"color": ink.faint, "linewidth": 1.1}
    if unit == "tokens" and facts["target"]:
        for side in ("low", "high"):
            if facts["target"][side] is not None:
                axes.axvline(facts["target"][side], color=ink.mixes, linewidth=1.4, linestyle=(0, (4, 2)), zorder=0.5)
    axes.bxp(
        stats,
        positions=range(len(lines)),
        orientation="horizontal",
        widths=0.55,
        patch_artist=True,
        boxprops={"facecolor": ink.bar, "edgecolor": ink.faint, "linewidth": 1.0},
        medianprops={"color": ink.text, "linewidth": 2.0},
        whiskerprops=line,
        capprops=line,
    )
    _named_rows(axes, [one["name"] for one in lines], ink)
    axes.set_xlabel(fonts.drawable(say(lang, f"cmp_size_{unit}")), color=ink.text, fontsize=AXIS)
    ticks(axes.xaxis, counts=True)


def _named_rows(axes: Axes, names: Sequence[str], ink: Ink) -> None:
    """Name rows on the left, the first at the top."""
    axes.set_yticks([])
    axes.set_ylim(len(names) - 0.4, -0.6)
    for row, name in enumerate(names):
        look: dict[str, Any] = {"ha": "right", "va": "center", "fontsize": LABEL - 1, "color": ink.text}
        write(axes, -0.015, row, clip(name, LONGEST), transform=axes.get_yaxis_transform(), **look)
    axes.spines["left"].set_visible(False)


_FIGURES: Mapping[str, _Figure] = {
    "differences": _Figure(
        _differences,
        lambda facts, lang: say(lang, "cmp_plot_differences", leader=ranked(facts)[0]["name"]),
        lambda facts, lang: say(lang, "cmp_plot_differences_alt", leader=ranked(facts)[0]["name"]),
        lambda facts: len(_pairs(facts)),
    ),
    "cost": _Figure(
        _cost,
        lambda facts, lang: say(lang, "cmp_plot_cost"),
        lambda facts, lang: say(
            lang, "cmp_plot_cost_alt", x=_across(facts, lang), y=metric_of(facts["metric"]["name"], lang)
        ),
        lambda facts: len(_points(facts)),
    ),
    "sizes": _Figure(
        _sizes,
        lambda facts, lang: say(lang, "cmp_plot_sizes"),
        lambda facts, lang: say(lang, "cmp_plot_sizes_alt"),
        lambda facts: len(facts["strategies"]),
    ),
}
