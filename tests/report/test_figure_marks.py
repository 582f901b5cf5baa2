"""What marks a limit and what it flags: named with values, apart from each other, told without colour, in small files."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from made_views import changed
from matplotlib.figure import Figure

from chunkeval.report.figures import ink, plots
from chunkeval.report.figures.reach import edges
from chunkeval.report.view import View

pytest_plugins = ["view_fixtures"]


def painted(view: View, name: str) -> Figure:
    (plot,) = [plot for plot in plots.plots(view) if plot.name == name]
    with ink.defaults():
        ground = plots._painted(plot, view, ink.LIGHT)
        ground.draw_without_rendering()
    return ground


def limited(view: View, analyzer: str, **parts: object) -> View:
    analyzers = {**view.summary["analyzers"], analyzer: {**view.summary["analyzers"][analyzer], **parts}}
    return changed(view, analyzers=analyzers)


def test_every_limit_is_named_with_its_value(english: View) -> None:
    said = {text.get_text() for axes in painted(english, "tokens").axes for text in axes.texts}
    assert said == {"lower limit 100", "upper limit 460"}
    left, right = painted(english, "similarity").axes
    assert [text.get_text() for text in left.texts] == ["limit 0.15"]
    assert [text.get_text() for text in right.texts] == ["published limit 0.4"]
    (axes,) = painted(english, "topics_by_words").axes
    assert [text.get_text() for text in axes.texts] == ["limit\n−0.6"]


@pytest.mark.parametrize("low", [0.401, 0.42, 0.5, 0.63])
def test_names_of_limits_do_not_run_into_each_other(english: View, low: float) -> None:
    view = limited(english, "similarity", limit={"column": "similarity", "low": low, "rule": "given"})
    for name in ("similarity", "similarity_by_sentences"):
        (axes,) = painted(view, name).axes
        one, other = (text.get_window_extent() for text in axes.texts)
        assert not one.overlaps(other)
        assert all(box.x0 >= 0 and box.x1 <= axes.figure.bbox.width for box in (one, other))


def test_what_is_flagged_differs_by_more_than_colour(english: View) -> None:
    left, right = painted(english, "similarity").axes
    hatches = [patch.get_hatch() for axes in (left, right) for patch in axes.patches]
    assert hatches == [None, "////", None, "\\\\\\\\"]
    styles = {line.get_label(): line.get_linestyle() for line in left.lines}
    assert styles["mixed chunks (for comparison)"] != styles["spliced chunks (for comparison)"]
    assert right.lines[0].get_linestyle() != left.lines[-1].get_linestyle()
    (axes,) = painted(english, "similarity_by_sentences").axes
    assert len({line.get_marker() for line in axes.lines if len(line.get_xdata()) > 2}) == 2


def test_no_legend_is_wider_than_its_figure(english: View) -> None:
    for plot in plots.plots(english):
        ground = painted(english, plot.name)
        assert all(legend.get_window_extent().x0 >= 0 for legend in ground.legends)
        assert all(legend.get_window_extent().x1 <= ground.bbox.width for legend in ground.legends)


def test_numbers_on_a_wide_logarithmic_axis_keep_apart(english: View) -> None:
    words = english.frame["content_words"].to_numpy(float).copy()
    words[7] = 200_000.0
    (axes,) = painted(replace(english, frame=english.frame.assign(content_words=words)), "topics_by_words").axes
    boxes = [label.get_window_extent() for label in axes.get_xticklabels() if label.get_text()]
    boxes = [box for box in boxes if 0 <= box.x0 <= axes.bbox.x1]
    assert len(boxes) > 3
    assert all(before.x1 < after.x0 for before, after in pairwise(boxes))


def test_a_long_name_of_a_third_party_stays_in_the_figure(english: View) -> None:
    name = "measure_" * 40
    analyzers = {name: {"measured": 400, "flagged": 3, "limit": {"column": name, "low": 0.1, "rule": "given"}}}
    view = replace(changed(english, analyzers=analyzers), frame=english.frame.assign(**{name: np.linspace(0, 1, 400)}))
    ground = painted(view, name)
    assert ground.axes[0].get_xlabel().endswith("…")
    with ink.defaults():
        titled = plots._painted(plots.plots(view)[0], view, ink.LIGHT, name)
        titled.draw_without_rendering()
    assert titled._suptitle.get_window_extent().x1 <= titled.bbox.width


def test_bars_of_counts_lie_around_their_number_and_hold_equally_many() -> None:
    ends = edges((83.0, 476.0), {"low": 100.0, "high": 460.0}, counts=True)
    assert len(set(np.diff(ends))) == 1 and np.diff(ends)[0] % 1 == 0
    assert 99.5 in ends
    assert list(edges((5.0, 8.0), {}, counts=True)) == [4.5, 5.5, 6.5, 7.5, 8.5]


def test_an_inclusive_limit_hatches_what_lies_at_it(english: View) -> None:
    view = replace(english, frame=english.frame.assign(similarity=np.r_[0.4, 0.5, np.full(398, 0.6)]))
    view = limited(view, "similarity", limit={"column": "similarity", "low": 0.4, "rule": "card"})
    view = changed(view, settings={**view.summary["settings"], "inclusive": True})
    (legend,) = painted(view, "similarity").legends
    assert "beyond the limit (1)" in [text.get_text() for text in legend.get_texts()]


def test_a_hundred_thousand_points_stay_a_small_file(remade: Callable[..., View]) -> None:
    view = remade("en", 100_000)
    for analyzer in ("similarity", "topics"):
        for picture in plots.pictures(view, analyzer):
            assert len(base64.b64decode(picture.light.partition(",")[2])) < 300_000, picture.name
    (legend,) = painted(view, "topics_by_words").legends
    assert any("of 10," in text.get_text() and "shown" in text.get_text() for text in legend.get_texts())
