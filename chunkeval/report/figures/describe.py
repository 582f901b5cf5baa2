"""What a figure shows, for those who cannot see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunkeval.report.numerals import decimal, whole
from chunkeval.report.phrases import say
from chunkeval.report.view import View
from chunkeval.report.wording import column_of, condition, name_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALIKE = "near_duplicate_similarity"
"""Shown without the many chunks like no other, whose bar would leave the rest invisible."""


def shown(view: View, column: str) -> NDArray[np.float64]:
    """Give what a figure shows of a column, NaN where it shows nothing."""
    values = view.frame[column].to_numpy(dtype=np.float64, na_value=np.nan)
    return np.where(values > 0, values, np.nan) if column == ALIKE else values


def describe_histogram(view: View, analyzer: str, column: str) -> str:
    """Describe a measure's histogram: how many, where they lie, the limit and the curves."""
    lang, facts = view.lang, view.summary["analyzers"][analyzer]
    values = shown(view, column)
    values = values[np.isfinite(values)]
    if not len(values):
        return say(lang, "alt_empty", name=name_of(analyzer, lang))
    q1, median, q3 = (decimal(float(value)) for value in np.quantile(values, (0.25, 0.5, 0.75)))
    limit = facts.get("limit")
    what = condition(limit, column, lang)
    said = [
        say(lang, "alt_limit", condition=what, n=whole(facts.get("beyond", facts.get("flagged", 0))))
        if what
        else say(lang, "alt_no_limit")
    ]
    curves = view.recombined.get(column)
    if curves is not None and np.isfinite(curves.mixes).any() and np.isfinite(curves.splices).any():
        mixes, splices = (decimal(float(np.nanmedian(sample))) for sample in (curves.mixes, curves.splices))
        said.append(say(lang, "alt_curves", mixes=mixes, splices=splices))
    if analyzer == "tokens":
        said.append(say(lang, "alt_box"))
    names = {"column": column_of(column, lang), "measured": whole(len(values)), "limits": " ".join(said)}
    return say(lang, "alt_histogram", q1=q1, median=median, q3=q3, **names)


def describe_scatter(view: View, across: str, up: str, flagged: int) -> str:
    """Describe a scatter plot: its axes and how many points are marked."""
    return say(view.lang, "alt_scatter", x=column_of(across, view.lang), y=column_of(up, view.lang), n=whole(flagged))
