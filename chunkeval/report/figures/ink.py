"""How figures look, and how they are made and saved: without global state, the same bytes every time."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval.report.figures import fonts
from chunkeval.report.figures.lettering import clip
from chunkeval.report.numerals import fixed, places, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.text import Text


@dataclass(frozen=True)
class Ink:
    """Colours of one theme; told apart also without colour vision, and never by colour alone."""

    text: str
    faint: str
    grid: str
    ground: str
    bar: str
    bad: str
    mixes: str
    splices: str


LIGHT = Ink("#22272e", "#5c6670", "#e4e7ea", "#ffffff", "#a9b8c6", "#c2410c", "#0f766e", "#7c3aed")
DARK = Ink("#e3e6ea", "#a3acb5", "#343a41", "#16191d", "#566472", "#fb8a4c", "#4fd1c0", "#bda4ff")

TICK, LABEL, AXIS, TITLE = 10.0, 10.5, 11.0, 12.0
"""Points: numbers on axes, names of limits and in legends, names of axes, titles. At half size the least are 5 points."""

SCREEN_DPI = 100
FILE_DPI = 200


def figure(width: float, height: float, ink: Ink) -> Figure:
    """Make an empty figure of so many inches, drawn by Agg."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height), dpi=SCREEN_DPI, facecolor=ink.ground)
    FigureCanvasAgg(made)
    return made


@contextmanager
def defaults() -> Iterator[None]:
    """Draw under matplotlib's own settings, whatever the user's file says, and with fixed ids in SVG."""
    import matplotlib

    settings: dict[Any, Any] = {
        key: value for key, value in matplotlib.rcParamsDefault.items() if "backend" not in key and key != "interactive"
    }
    settings |= {
        "svg.hashsalt": "chunkeval",
        "svg.fonttype": "path",
        "font.family": list(fonts.families()),
        "axes.unicode_minus": True,
    }
    with matplotlib.rc_context(settings):
        yield


def png(made: Figure, path: Path) -> None:
    """Save a figure as PNG, without a date or the name of a program."""
    made.savefig(path, format="png", dpi=FILE_DPI, metadata={"Software": None}, facecolor=made.get_facecolor())


def svg(made: Figure) -> bytes:
    """Give a figure as SVG, text as outlines, so that it looks the same without the font."""
    buffer = io.BytesIO()
    made.savefig(buffer, format="svg", dpi=FILE_DPI, metadata={"Date": None, "Creator": None}, facecolor="none")
    return buffer.getvalue()


def recoloured(image: bytes, ink: Ink, other: Ink) -> bytes:
    """Exchange the colours of one theme in an SVG for those of another.

    Examples
    --------
    >>> recoloured(b"fill: #22272e; stroke: #ffffff", LIGHT, DARK)
    b'fill: #e3e6ea; stroke: #16191d'
    """
    new = {getattr(ink, field.name).encode(): getattr(other, field.name).encode() for field in fields(Ink)}
    return re.sub(rb"#[0-9a-f]{6}\b", lambda match: new.get(match[0], match[0]), image)


def axes_style(axes: Axes, ink: Ink, *, grid: str = "y") -> None:
    """Give axes the house style: two quiet spines, a light grid behind the data."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(ink.faint)
        axes.spines[side].set_linewidth(0.8)
    axes.tick_params(colors=ink.faint, labelsize=TICK, length=3)
    axes.set_facecolor("none")
    axes.set_axisbelow(True)
    if grid == "y":
        axes.grid(axis="y", color=ink.grid, linewidth=0.8)


def ticks(axis: Axis, *, counts: bool = False, most: int = 7) -> None:
    """Put ticks at round numbers: whole ones for counts, else with the decimals that tell them apart."""
    from matplotlib.ticker import MaxNLocator

    # By itself, the locator leaves whole numbers where it finds only one of them in view.
    axis.set_major_locator(
        MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10], integer=counts, min_n_ticks=1 if counts else 2)
    )
    axis.set_major_formatter(
        lambda value, _: _counted(value) if counts else fixed(value, places(axis.get_majorticklocs().tolist()))
    )


def _counted(value: float) -> str:
    return whole(value) if value == round(value) else ""


def write(ground: Any, x: float, y: float, text: str, *, bold: bool = False, **look: Any) -> Text:
    """Put text on axes or a figure as it is: never read as mathematics, never a glyph that is not there."""
    weight = heading(text) if bold else {}
    written: Text = ground.text(x, y, fonts.drawable(text), parse_math=False, **weight, **look)
    return written


def title(ground: Figure | SubFigure, text: str, ink: Ink, indent: float = 0.0) -> None:
    """Put a title over a figure, so many inches from its left."""
    shown = fonts.drawable(clip(text, int(ground.bbox.width / ground.dpi * 9)))
    at = indent * ground.dpi / ground.bbox.width
    ground.suptitle(shown, x=at, ha="left", fontsize=TITLE, color=ink.text, parse_math=False, **heading(shown))


def heading(text: str) -> dict[str, Any]:
    """Choose the font of a heading."""
    families, weight = fonts.heavy(fonts.drawable(text))
    return {"fontfamily": list(families), "fontweight": weight}
