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
from conftest import changed
from PIL import Image

from chunkeval.report import fonts, plots, poster
from chunkeval.report.view import View

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
    assert len(plots.draw(view, tmp_path)) == 5


def test_many_points_become_shades(remade: Callable[..., View]) -> None:
    assert sum(len(picture.light) for picture in plots.pictures(remade("en", 30_000), "topics")) < 600_000


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
    from chunkeval.report.phrases.ko import PHRASES

    said = "".join(value for key, value in PHRASES.items() if key.startswith(("plot", "column", "verdict", "number")))
    assert fonts.korean()
    assert fonts.drawable(said) == said


def test_the_packaged_font_is_used_without_importing_its_package() -> None:
    code = """
import sys, warnings
warnings.simplefilter("error")
from matplotlib import font_manager, rcParams
before = dict(rcParams)
font_manager.fontManager.ttflist = [f for f in font_manager.fontManager.ttflist if f.name.startswith("DejaVu")]
from chunkeval.report import fonts
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
