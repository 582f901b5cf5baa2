"""Figures: no warning, no global state, the same bytes, Korean on a machine without Korean fonts."""

from __future__ import annotations

import logging
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from made_views import changed
from matplotlib.axes import Axes
from PIL import Image

from chunkeval.report.figures import fonts, ink, plots, poster
from chunkeval.report.view import View

pytest_plugins = ["view_fixtures"]

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def silence(caplog: pytest.LogCaptureFixture) -> object:
    """Any warning fails, and so does a line that matplotlib logs about fonts."""
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING):
        warnings.simplefilter("error")
        yield None
    assert not caplog.records


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_figures_are_saved(remade: Callable[..., View], tmp_path: Path, lang: str) -> None:
    view = remade(lang)
    paths = plots.draw(view, tmp_path / "plots")
    assert [path.name for path in paths] == [
        "tokens.png",
        "similarity.png",
        "similarity_by_sentences.png",
        "topics.png",
        "topics_by_words.png",
    ]
    again = plots.draw(view, tmp_path / "again")
    assert [path.read_bytes() for path in paths] == [path.read_bytes() for path in again]
    with Image.open(paths[0]) as image:
        assert image.size == (1680, 880)
        assert "Software" not in image.info and "Creation Time" not in image.info


def test_settings_of_the_user_are_left_alone_and_not_used(korean: View, tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    (plain,) = [path.read_bytes() for path in plots.draw(korean, tmp_path)][:1]
    assert dict(matplotlib.rcParams) == before
    with matplotlib.rc_context({"axes.facecolor": "black", "font.size": 30}):
        (other,) = [path.read_bytes() for path in plots.draw(korean, tmp_path)][:1]
    assert plain == other


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_poster(remade: Callable[..., View], tmp_path: Path, lang: str) -> None:
    hard = "보고서 $\\alpha$ 한글 漢字 👩‍👧 \u1112\u1161\u11ab\x00\u202e 𠮷 " * 4
    view = changed(remade(lang), input={"source": hard, "rows": 400})
    path = poster.draw(view, tmp_path / "report.png")
    assert path.read_bytes() == poster.draw(view, tmp_path / "again.png").read_bytes()
    with Image.open(path) as image:
        assert image.width == 2200
        assert image.height > 2000


def test_svg_holds_no_date_and_no_text_that_needs_a_font(korean: View) -> None:
    import base64

    for picture in plots.pictures(korean, "similarity"):
        source = base64.b64decode(picture.light.partition(",")[2])
        assert b"<dc:date>" not in source and b"<text" not in source and b"<script" not in source


@pytest.mark.parametrize("values", ["empty", "one", "same", "huge", "infinite"])
def test_odd_values(remade: Callable[..., View], tmp_path: Path, values: str) -> None:
    view = remade("ko", 40)
    number = len(view.frame)
    columns = ["token_count", "similarity", "similarity_centred", "topic_entropy", "topic_entropy_z", "content_words"]
    column = {
        "empty": np.full(number, np.nan),
        "one": np.r_[0.5, np.full(number - 1, np.nan)],
        "same": np.full(number, 7.0),
        "huge": np.r_[np.full(number - 1, 3.0), 5e6],
        "infinite": np.r_[np.full(number - 1, 3.0), np.inf],
    }[values]
    view = replace(view, frame=view.frame.assign(**dict.fromkeys(columns, column)))
    # A scatter plot of nothing is none.
    assert len(plots.draw(view, tmp_path)) == (3 if values == "empty" else 5)
    assert any(picture.curves for picture in plots.pictures(view, "similarity")) == (values != "empty")


@pytest.mark.parametrize(
    "values", [[4.0], [4.0, 4.0], [3.0, 4.0], [1.0, 30.0], [-0.0061, -0.0058], [0.2, 0.9], [7.0] * 9]
)
@pytest.mark.parametrize("counts", [True, False])
def test_no_tick_label_comes_twice(values: list[float], counts: bool) -> None:
    axes = ink.figure(8, 4, ink.LIGHT).subplots()
    margin = 0.1 * float(np.ptp(values)) or 0.2
    axes.set_xlim(min(values) - margin, max(values) + margin)
    ink.ticks(axes.xaxis, counts=counts)
    axes.figure.draw_without_rendering()
    labels = [label.get_text() for label in axes.get_xticklabels() if label.get_text()]
    assert len(set(labels)) == len(labels)
    assert not counts or not any("." in label for label in labels)


def tokens_axes(view: View) -> list[Axes]:
    (plot,) = [plot for plot in plots.plots(view) if plot.name == "tokens"]
    ground = ink.figure(*plot.size, ink.LIGHT)
    plot.paint(ground, view, ink.LIGHT)
    return ground.axes


def test_one_huge_chunk_does_not_squeeze_the_others(remade: Callable[..., View]) -> None:
    view = remade("en", 60)
    tokens = np.r_[np.arange(100.0, 159.0), 48_000.0]
    upper, _ = tokens_axes(replace(view, frame=view.frame.assign(token_count=tokens)))
    assert upper.get_xlim()[1] < 1000
    lower_label = tokens_axes(replace(view, frame=view.frame.assign(token_count=tokens)))[1].get_xlabel()
    assert "not shown: 1 above" in lower_label


def test_no_bar_lies_below_zero_tokens(remade: Callable[..., View]) -> None:
    view = remade("en", 60)
    analyzers = dict(view.summary["analyzers"])
    analyzers["tokens"] = {**analyzers["tokens"], "limit": {"column": "token_count", "low": -7.5, "high": 90.0}}
    view = changed(replace(view, frame=view.frame.assign(token_count=np.arange(60.0))), analyzers=analyzers)
    upper, lower = tokens_axes(view)
    assert upper.get_xlim()[0] >= 0
    assert not any("7.5" in text.get_text() for text in upper.texts)
    assert min(line.get_xdata()[0] for line in lower.lines if len(line.get_xdata())) >= 0


def test_only_what_the_limit_in_use_flags_is_marked_in_the_box_plot(remade: Callable[..., View]) -> None:
    view = remade("en", 60)
    tokens = np.r_[np.full(20, 100.0), np.full(20, 105.0), np.full(18, 110.0), 130.0, 200.0]
    analyzers = dict(view.summary["analyzers"])
    facts = {
        "q1": 100.0,
        "median": 105.0,
        "q3": 110.0,
        "limit": {"column": "token_count", "high": 150.0, "rule": "given"},
    }
    analyzers["tokens"] = {**analyzers["tokens"], **facts}
    view = changed(replace(view, frame=view.frame.assign(token_count=tokens)), analyzers=analyzers)
    fliers = {
        line.get_markeredgecolor(): list(line.get_xdata())
        for line in tokens_axes(view)[1].lines
        if line.get_marker() == "|"
    }
    assert fliers == {ink.LIGHT.faint: [130.0], ink.LIGHT.bad: [200.0]}


def test_the_poster_keeps_the_order_of_the_page(english: View) -> None:
    rows = poster._rows(plots.plots(english))
    assert [[plot.name for plot in row] for row in rows] == [
        ["tokens"],
        ["similarity"],
        ["topics"],
        ["similarity_by_sentences", "topics_by_words"],
    ]


def test_the_scatter_of_topics_shows_what_is_judged(english: View) -> None:
    (plot,) = [plot for plot in plots.plots(english) if plot.name == "topics_by_words"]
    ground = ink.figure(*plot.size, ink.LIGHT)
    plot.paint(ground, english, ink.LIGHT)
    assert ground.axes[0].get_ylabel() == "relative topic entropy"


def test_without_analyzers_the_poster_still_holds_the_verdict(english: View, tmp_path: Path) -> None:
    view = changed(english, analyzers={})
    assert plots.draw(view, tmp_path) == []
    assert poster.draw(view, tmp_path / "report.png").stat().st_size > 1000


def test_a_third_partys_measure_gets_a_histogram(english: View, tmp_path: Path) -> None:
    analyzers = {
        "readability": {"measured": 400, "flagged": 3, "limit": {"column": "ease", "low": 0.1, "rule": "given"}}
    }
    frame = english.frame.assign(ease=np.linspace(0, 1, 400), flag_readability=False)
    view = replace(changed(english, analyzers=analyzers), frame=frame)
    assert [path.name for path in plots.draw(view, tmp_path)] == ["readability.png"]


def test_every_glyph_of_the_korean_wording_is_at_hand() -> None:
    from chunkeval.report.phrases import BOOKS

    said = "".join(
        value for key, value in BOOKS["ko"].items() if key.startswith(("plot", "column", "verdict", "number"))
    )
    assert fonts.korean()
    assert fonts.drawable(said) == said


def test_the_packaged_font_is_used_without_importing_its_package() -> None:
    code = """
import sys, warnings
warnings.simplefilter("error")
from matplotlib import font_manager, rcParams
before = dict(rcParams)
font_manager.fontManager.ttflist = [f for f in font_manager.fontManager.ttflist if f.name.startswith("DejaVu")]
from chunkeval.report.figures import fonts
assert fonts.families()[0] == "NanumGothic", fonts.families()
assert fonts.korean()
assert fonts.heavy("굵게")[1] > 400
assert "koreanize_matplotlib" not in sys.modules
assert dict(rcParams) == before
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_without_any_korean_font_figures_speak_english(korean: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "families", lambda: ("DejaVu Sans",))
    assert not fonts.korean()
    assert plots.plot_lang(korean) == "en"
    assert fonts.drawable("한") == "□"


def test_matplotlib_is_imported_only_to_draw() -> None:
    code = "import sys, chunkeval.report.page, chunkeval.report.wording, chunkeval.report.view\n"
    code += "print([name for name in ('matplotlib', 'pandas', 'torch') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "matplotlib" not in done.stdout
