"""Whether a probability means what it says: how many of the chunks given one are bad, going by the recombined chunks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.report.figures.behind import Row, Table
from chunkeval.report.figures.describe import shown
from chunkeval.report.figures.fonts import drawable
from chunkeval.report.figures.ink import AXIS, LABEL, Ink, axes_style
from chunkeval.report.numerals import RANGE, percent, rough, whole
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang, View
from chunkeval.report.wording import tells

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from chunkeval.results import Recombined

    Floats = NDArray[np.float64]

EDGES = (0.0, 0.05, 0.2, 0.5, 0.8, 1.0)
"""Probabilities of being bad that part the bins: most chunks are good, and the few others must not be alone in theirs."""


@dataclass(frozen=True)
class Bin:
    """Chunks whose probability of being bad lies between two."""

    low: float
    high: float
    chunks: int
    said: float
    """Mean probability."""
    found: float
    """Share of them that are bad: as many recombined chunks as the corpus' shares say lie here; 1 at most."""
    ends: tuple[float, float]
    """Its 95 % interval, by the chance in the number of chunks."""


def bins(good: Floats, made: Recombined, shares: Mapping[str, Any]) -> list[Bin]:
    """Compare what a probability says with what the recombined chunks say.

    Parameters
    ----------
    good
        (n,) Probability of being good, NaN where not measured.
    made
        The same of recombined chunks, given by heads that had not seen their documents.
    shares
        ``share_mix`` and ``share_splice`` of the corpus.

    Examples
    --------
    >>> from chunkeval.results import Recombined
    >>> made = Recombined(np.array([0.1, 0.1]), np.array([0.1, 0.9]))
    >>> found = bins(np.array([0.1] + 9 * [0.9]), made, {"share_mix": 0.1, "share_splice": 0.0})
    >>> [(one.chunks, round(one.said, 2), round(one.found, 2)) for one in found]
    [(9, 0.1, 0.0), (1, 0.9, 1.0)]
    """
    bad = 1 - good[np.isfinite(good)]
    kinds = [1 - scores[np.isfinite(scores)] for scores in (made.mixes, made.splices)]
    expected = sum(
        (shares.get(name) or 0.0) * len(bad) * np.histogram(kind, EDGES)[0] / max(len(kind), 1)
        for name, kind in zip(("share_mix", "share_splice"), kinds, strict=True)
    )
    found = []
    for at, (low, high) in enumerate(pairwise(EDGES)):
        here = bad[(bad >= low) & ((bad < high) | (at == len(EDGES) - 2))]
        if here.size:
            wide = 1.96 * np.sqrt(here.size)
            of_bad = float(np.asarray(expected)[at])
            least, most = of_bad / (here.size + wide), of_bad / max(here.size - wide, 1e-9)
            share = min(of_bad / here.size, 1.0)
            found.append(Bin(low, high, here.size, float(here.mean()), share, (min(least, 1.0), min(most, 1.0))))
    return found


def of(view: View) -> list[Bin]:
    """Bins of a view's chunks; none where coherence could not be learned from the corpus."""
    made, facts = view.recombined.get("coherence"), view.summary["analyzers"]["coherence"]
    if made is None or not tells(facts):
        return []
    return bins(shown(view, "coherence"), made, facts["calibrated"])


def describe(view: View) -> str:
    """Describe the figure to those who cannot see it."""
    return say(view.lang, "alt_reliability", n=whole(sum(one.chunks for one in of(view))))


def draw(axes: Axes, found: list[Bin], ink: Ink, lang: Lang) -> None:
    """Draw each bin's share of bad chunks over its mean probability, with intervals, and the line where both are one."""
    axes_style(axes, ink)
    axes.set_xlabel(drawable(say(lang, "reliability_said")), color=ink.text, fontsize=AXIS)
    axes.set_ylabel(drawable(say(lang, "reliability_found")), color=ink.text, fontsize=AXIS)
    axes.plot(
        [0, 1],
        [0, 1],
        linestyle=(0, (2, 2)),
        color=ink.faint,
        linewidth=1.2,
        label=drawable(say(lang, "reliability_even")),
    )
    for one in found:
        axes.plot([one.said, one.said], one.ends, color=ink.mixes, linewidth=1.4, zorder=3)
        right = one.said < 0.85
        axes.annotate(
            drawable(say(lang, "reliability_chunks", n=whole(one.chunks))),
            (one.said, one.found),
            xytext=(8 if right else -8, -6 if one.found > 0.1 else 8),
            textcoords="offset points",
            ha="left" if right else "right",
            va="center",
            color=ink.text,
            fontsize=LABEL,
        )
    label = drawable(say(lang, "reliability_bins"))
    axes.plot(
        [b.said for b in found], [b.found for b in found], "o", color=ink.mixes, markersize=7, zorder=4, label=label
    )
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.03, 1.05)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: rough(max(value, 0.0)))


def table(found: list[Bin], lang: Lang) -> Table | None:
    """Give the numbers behind the figure, a row a bin; None where there is none."""
    rows = tuple(
        Row(
            RANGE[lang].join((rough(one.low), rough(one.high))),
            (whole(one.chunks), percent(one.said), percent(one.found), RANGE[lang].join(map(percent, one.ends))),
        )
        for one in found
    )
    keys = ("reliability_range", "chunks", "reliability_said", "reliability_found", "reliability_interval")
    return Table(say(lang, "reliability_behind"), tuple(say(lang, key) for key in keys), rows) if rows else None
