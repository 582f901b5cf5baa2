"""Limits in a figure: a line each, named with its value outside the axes, where the name hides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkeval.report.figures.ink import LABEL, Ink, write
from chunkeval.report.figures.reach import Limits
from chunkeval.report.numerals import score
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAP = 0.01
"""Room on either side of a name, as a share of the axes."""


@dataclass(frozen=True)
class _Mark:
    place: float
    value: str
    key: str
    style: Any
    colour: str


def upright(axes: Axes, column: str, limit: Limits, card: Limits, ink: Ink, lang: Lang) -> None:
    """Draw limits on the x axis, their names above the axes: the one in use solid, the published one dotted.

    Names that would run into each other go into rows. A limit that lies beyond the axes is named with an arrow.
    """
    from matplotlib.transforms import ScaledTranslation

    left, right = axes.get_xlim()
    taken: list[list[tuple[float, float]]] = []
    for mark in sorted(_marks(column, limit, card, ink), key=lambda mark: mark.place):
        text = say(lang, mark.key, value=mark.value)
        if left <= mark.place <= right:
            axes.axvline(mark.place, color=mark.colour, linestyle=mark.style, linewidth=1.8, zorder=3)
        else:
            text = f"\u2190 {text}" if mark.place < left else f"{text} \u2192"
        share = min(max((mark.place - left) / (right - left), 0.0), 1.0)
        named = write(axes, share, 1, text, transform=axes.transAxes, va="bottom", color=mark.colour, fontsize=LABEL)
        wide = named.get_window_extent().width / axes.bbox.width
        # Names stay over their axes: what lies beside them belongs to the neighbour.
        align, start = ("left", share) if share < wide / 2 else ("center", share - wide / 2)
        align, start = ("right", share - wide) if share > 1 - wide / 2 else (align, start)
        fits = [all(start > end or start + wide < begin for begin, end in row) for row in taken]
        row = fits.index(True) if any(fits) else len(taken)
        taken += [[]] if row == len(taken) else []
        taken[row].append((start - GAP, start + wide + GAP))
        lift = ScaledTranslation(0, (4 + 1.35 * LABEL * row) / 72, named.figure.dpi_scale_trans)
        named.set(ha=align, transform=axes.transAxes + lift)


def level(axes: Axes, column: str, limit: Limits, card: Limits, ink: Ink, lang: Lang) -> None:
    """Draw limits on the y axis, their names to the right of the axes."""
    below, above = axes.get_ylim()
    marks = sorted(_marks(column, limit, card, ink), key=lambda mark: mark.place)
    shares = [min(max((mark.place - below) / (above - below), 0.0), 1.0) for mark in marks]
    for at, (mark, share) in enumerate(zip(marks, shares, strict=True)):
        arrow = ""
        if below <= mark.place <= above:
            axes.axhline(mark.place, color=mark.colour, linestyle=mark.style, linewidth=1.6, zorder=1)
        else:
            arrow = " \u2193" if mark.place < below else " \u2191"
        # The value in a line of its own: the name is narrow, and most of the width is left to the points.
        text = say(lang, mark.key, value=f"\n{mark.value}{arrow}").replace(" \n", "\n")
        crowded = [other for place, other in enumerate(shares) if place != at and abs(other - share) < 0.2]
        align = "center" if not crowded else "top" if share < max(crowded) else "bottom"
        align = (
            "bottom" if align == "center" and share < 0.05 else "top" if align == "center" and share > 0.95 else align
        )
        look: dict[str, Any] = {"transform": axes.transAxes, "va": align, "color": mark.colour, "fontsize": LABEL}
        write(axes, 1.015, share, text, linespacing=1.2, **look)


def _marks(column: str, limit: Limits, card: Limits, ink: Ink) -> list[_Mark]:
    marks = []
    for key, limits, style, colour in (
        ("plot_limit", limit, "-", ink.bad),
        ("plot_card", card, (0, (1, 1.4)), ink.text),
    ):
        sides = [side for side in ("low", "high") if limits.get(side) is not None]
        for side in sides:
            name = f"{key}_{side}" if len(sides) == 2 else key
            marks.append(_Mark(float(limits[side]), score(limits[side], column), name, style, colour))
    return marks
