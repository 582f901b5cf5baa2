"""The numbers behind the figures, as tables: for those who cannot see a figure, and for those who want to copy from it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.report.figures.reach import Limits, edges, extent, past, span
from chunkeval.report.numerals import COUNTS, DASH, RANGE, fixed, percent, score, whole
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang
from chunkeval.report.wording import column_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Recombined

    Floats = NDArray[np.float64]

BINS, GROUPS = 20, 10
"""About so many rows: of a histogram's table, of a scatter plot's."""


@dataclass(frozen=True)
class Row:
    """One line of a table: its name, its cells, and whether a limit lies in it."""

    name: str
    cells: tuple[str, ...]
    marked: bool = False


@dataclass(frozen=True)
class Table:
    """The numbers of one panel: what they are, the heads of the columns, the lines."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Group:
    """Chunks whose x lies from ``low`` to ``high``, both included: how many, the quartiles of y, how many flagged."""

    low: float
    high: float
    measured: int
    quartiles: tuple[float, float, float]
    flagged: int


def bins(values: Floats, limit: Limits, card: Limits, made: Recombined | None, *, counts: bool) -> Floats:
    """Divide all values into about twenty bins, one of which begins at the limit; the outermost may be open.

    Parameters
    ----------
    values
        Shape (n,), finite, n at least 1.
    counts
        Whether they are whole numbers.

    Returns
    -------
    array of float64
        Edges in rising order; the first is -inf and the last inf where the figure leaves values out.

    Examples
    --------
    >>> bins(np.array([0.0, 1.0]), {"low": 0.5}, {}, None, counts=False)[[0, -1]].round(2)
    array([0.  , 1.07])
    """
    placed = edges(span(values, limit, card, *extent(made)), limit or card, counts=counts, bins=BINS)
    under = [-np.inf] if values.min() < placed[0] else []
    over = [np.inf] if values.max() > placed[-1] else []
    return np.concatenate([under, placed, over])


def histogram(
    values: Floats, column: str, limit: Limits, card: Limits, made: Recombined | None, lang: Lang
) -> Table | None:
    """Give the numbers behind a histogram: a row a bin, with the shares of mixes and splices that fall into it.

    Parameters
    ----------
    values
        Shape (n,), NaN where not measured.
    limit, card
        The limit in use and the published one, as far as they stand on this column.
    made
        Scores of the recombined chunks in this column.

    Returns
    -------
    Table or None
        None where nothing was measured. The chunks of all rows add up to those measured.
    """
    values = values[np.isfinite(values)]
    if not len(values):
        return None
    whole_numbers = column in COUNTS
    ends = bins(values, limit, card, made, counts=whole_numbers)
    number = np.histogram(values, ends)[0]
    samples = [] if made is None else [("behind_mixes", made.mixes), ("behind_splices", made.splices)]
    samples = [(key, sample[np.isfinite(sample)]) for key, sample in samples]
    shares = {key: _shares(sample, ends) for key, sample in samples if len(sample)}
    places = _places(ends)
    rows = []
    for at, (low, high) in enumerate(pairwise(ends.tolist())):
        first, last = _ends(low, high, places, whole_numbers)
        notes = _notes(low, high, at == len(number) - 1, column, limit, card, lang)
        cells = (last, whole(int(number[at])), *(percent(float(share[at])) for share in shares.values()), notes)
        rows.append(Row(first, cells, bool(_held(low, high, at == len(number) - 1, limit or card))))
    keys = ("behind_from", "behind_through" if whole_numbers else "behind_below", "chunks", *shares, "behind_limit")
    caption = say(lang, "behind_histogram", column=column_of(column, lang), n=whole(len(values)))
    return Table(caption, tuple(say(lang, key) for key in keys), tuple(rows))


def _shares(sample: Floats, ends: Floats) -> Floats:
    """Shares of a sample by bin; what lies beyond the outermost counts to those."""
    wide = ends.copy()
    wide[0], wide[-1] = -np.inf, np.inf
    return np.asarray(np.histogram(sample, wide)[0] / len(sample), dtype=np.float64)


def _places(ends: Floats) -> int:
    finite = ends[np.isfinite(ends)]
    width = float(np.median(np.diff(finite)))
    return int(np.clip(np.ceil(1 - np.log10(width)), 0, 9))


def _ends(low: float, high: float, places: int, whole_numbers: bool) -> tuple[str, str]:
    """Write the ends of a bin; those of counts are the first and the last count in it."""
    if whole_numbers:
        low, high, places = float(np.ceil(low)), float(np.ceil(high)) - 1, 0
    return (
        fixed(low, places) if np.isfinite(low) else DASH,
        fixed(high, places) if np.isfinite(high) else DASH,
    )


def _held(low: float, high: float, last: bool, limit: Limits) -> list[float]:
    """Values of a limit that lie in a bin."""
    stated = [float(limit[side]) for side in ("low", "high") if limit.get(side) is not None]
    return [place for place in stated if low <= place < high or (last and place == high)]


def _notes(low: float, high: float, last: bool, column: str, limit: Limits, card: Limits, lang: Lang) -> str:
    said = [say(lang, "behind_here", value=score(place, column)) for place in _held(low, high, last, limit)]
    said += [say(lang, "behind_card_here", value=score(place, column)) for place in _held(low, high, last, card)]
    middle = np.array([(max(low, -1e300) + min(high, 1e300)) / 2])
    if not said and past(middle, limit or card)[0]:
        said.append(say(lang, "behind_flagged" if limit else "behind_published"))
    return ", ".join(said)


def groups(x: Floats, y: Floats, flagged: NDArray[np.bool_]) -> list[Group]:
    """Divide chunks by ``x`` into up to ten groups, each value of its own where there are few, else of about equal size.

    Parameters
    ----------
    x, y
        Shape (n,), NaN where not measured: such chunks are in no group.
    flagged
        Shape (n,).

    Examples
    --------
    >>> found = groups(np.array([2.0, 2, 3]), np.array([0.1, 0.3, 0.5]), np.array([True, False, False]))
    >>> [(group.low, group.measured, group.flagged) for group in found]
    [(2.0, 2, 1), (3.0, 1, 0)]
    """
    measured = np.isfinite(x) & np.isfinite(y)
    x, y, flagged = x[measured], y[measured], flagged[measured]
    if not len(x):
        return []
    starts = np.unique(x)
    if len(starts) > GROUPS:
        starts = np.unique(np.quantile(x, np.arange(GROUPS) / GROUPS, method="lower"))
    number = np.searchsorted(starts, x, side="right") - 1
    found = []
    for at in range(len(starts)):
        here = number == at
        q1, median, q3 = (float(value) for value in np.quantile(y[here], (0.25, 0.5, 0.75)))
        ends = float(x[here].min()), float(x[here].max())
        found.append(Group(*ends, int(here.sum()), (q1, median, q3), int(flagged[here].sum())))
    return found


def scatter(x: Floats, y: Floats, flagged: NDArray[np.bool_], names: tuple[str, str], lang: Lang) -> Table | None:
    """Give the numbers behind a scatter plot: a row a range of x; None where nothing was measured."""
    found = groups(x, y, flagged)
    rows = []
    for group in found:
        ends = [score(end, names[0]) for end in dict.fromkeys((group.low, group.high))]
        q1, median, q3 = (fixed(value, 3) for value in group.quartiles)
        marked = f"{whole(group.flagged)} ({percent(group.flagged / group.measured)})"
        rows.append(Row(RANGE[lang].join(ends), (whole(group.measured), q1, median, q3, marked)))
    across, up = (column_of(name, lang) for name in names)
    keys = ("chunks", "behind_q1", "behind_median", "behind_q3", "flagged")
    caption = say(lang, "behind_scatter", x=across, y=up, n=whole(sum(group.measured for group in found)))
    return Table(caption, (across, *(say(lang, key) for key in keys)), tuple(rows)) if rows else None
