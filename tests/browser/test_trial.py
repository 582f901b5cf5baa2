"""A moved limit: flags are counted again as numpy counts them, and the line to type gives the same."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from outliers import everywhere
from pages import Real, Shown, words
from playwright.sync_api import Locator, Page
from views import JUDGED
from watch import Tab


def field(page: Page, analyzer: str, side: str, kind: str = "number") -> Locator:
    """One side's field."""
    return page.locator(f'.trial[data-analyzer="{analyzer}"] input[type={kind}][data-side={side}]')


def move(page: Page, analyzer: str, side: str, value: float) -> None:
    """Type another limit."""
    number = field(page, analyzer, side)
    number.fill(f"{value:g}")
    number.press("Tab")
    page.wait_for_selector("#trial:not([hidden])")


def numbers(text: str) -> list[int]:
    """Whole numbers in a line of words."""
    return [int(found.replace(",", "")) for found in re.findall(r"(?<![\d.])\d[\d,]*(?!\d|\.\d|%)", text)]


def judged(frame: pd.DataFrame, summary: dict[str, Any], moved: dict[str, dict[str, float]]) -> np.ndarray[Any, Any]:
    """Flags of every chunk under moved limits."""
    flags = frame["reasons"].map(lambda reasons: "blank" in list(reasons)).to_numpy(bool, copy=True)
    for analyzer, facts in summary["analyzers"].items():
        if analyzer not in moved:
            flags |= frame[f"flag_{analyzer}"].to_numpy(bool)
            continue
        limit = facts["limit"]
        values = frame[limit["column"]].to_numpy(float, na_value=np.nan)
        low, high = (moved[analyzer].get(side, limit.get(side)) for side in ("low", "high"))
        flags |= values < (-np.inf if low is None else low)
        flags |= values > (np.inf if high is None else high)
    return flags


def assert_recounted(
    page: Page, frame: pd.DataFrame, summary: dict[str, Any], moved: dict[str, dict[str, float]]
) -> int:
    """The page says and lists what numpy counts."""
    wanted = judged(frame, summary, moved)
    said = numbers(page.locator("#trial-said").inner_text())
    assert int(wanted.sum()) in said, (int(wanted.sum()), said)
    assert int(frame["flagged"].sum()) in said
    page.wait_for_timeout(400)
    assert sorted(everywhere(page)) == np.flatnonzero(wanted).tolist()
    return int(wanted.sum())


MOVES: list[dict[str, dict[str, float]]] = [
    {"similarity": {"low": 0.25}},
    {"similarity": {"low": 0.05}},
    {"tokens": {"high": 350}},
    {"tokens": {"low": 200}},
    {"tokens": {"low": 150, "high": 400}},
    {"topics": {"high": -2}},
    {"similarity": {"low": 0.3}, "tokens": {"high": 300}, "topics": {"high": 0.25}},
]


@pytest.mark.parametrize("moved", MOVES, ids=json.dumps)
def test_flags_are_recounted(tab: Tab, korean: Shown, moved: dict[str, dict[str, float]]) -> None:
    page = tab.show(korean.path)
    frame, summary = korean.view.frame, dict(korean.view.summary)
    for analyzer, sides in moved.items():
        for side, value in sides.items():
            move(page, analyzer, side, value)
    assert_recounted(page, frame, summary, moved)
    for analyzer, sides in moved.items():
        limit = {**summary["analyzers"][analyzer]["limit"], **sides}
        values = frame[JUDGED[analyzer]].to_numpy(float)
        low, high = (limit[side] for side in ("low", "high"))
        alone = int(
            ((values < (-np.inf if low is None else low)) | (values > (np.inf if high is None else high))).sum()
        )
        count = page.locator(f'.trial[data-analyzer="{analyzer}"] output.trial-count')
        assert alone in numbers(count.inner_text())
    told = words(page.locator("#trial-command").inner_text())
    assert told[:2] == ["flag", "reports/chunks"]
    given = dict(word.split("=") for option, word in zip(told[2::2], told[3::2], strict=True) if option == "--limit")
    for analyzer, sides in moved.items():
        text = given.get(JUDGED[analyzer]) or given["tokens"]
        for value in sides.values():
            assert value in [float(part) for part in text.split(":")]


def test_a_slider_moves_by_its_keys_and_the_number_goes_along(tab: Tab, english: Shown) -> None:
    page = tab.show(english.path)
    slider = field(page, "similarity", "low", "range")
    for _ in range(5):
        slider.press("ArrowRight")
    page.wait_for_selector("#trial:not([hidden])")
    value = float(field(page, "similarity", "low").input_value())
    assert value > 0.15
    assert_recounted(page, english.view.frame, dict(english.view.summary), {"similarity": {"low": value}})


def test_a_limit_put_back_is_as_if_never_moved(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    before = everywhere(page)
    move(page, "similarity", "low", 0.3)
    page.wait_for_timeout(400)
    assert everywhere(page) != before
    page.locator("button#trial-reset").click()
    page.wait_for_selector("#trial", state="hidden")
    page.wait_for_timeout(400)
    assert everywhere(page) == before
    assert float(field(page, "similarity", "low").input_value()) == 0.15
    assert float(field(page, "similarity", "low", "range").input_value()) == pytest.approx(0.15, abs=0.005)


def test_the_line_can_be_copied(tab: Tab, korean: Shown) -> None:
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = tab.show(korean.path)
    move(page, "tokens", "high", 300)
    page.locator("#trial button.copy").click()
    page.wait_for_timeout(200)
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#trial-command").inner_text()


REAL_MOVES: list[dict[str, dict[str, float]]] = [
    {"similarity": {"low": 0.3}},
    {"tokens": {"low": 60, "high": 200}, "similarity": {"low": 0.2}},
    {"topics": {"high": 0.5}},
]


@pytest.mark.parametrize("moved", REAL_MOVES, ids=json.dumps)
def test_the_line_gives_what_the_page_counted(tab: Tab, real: Real, moved: dict[str, dict[str, float]]) -> None:
    page = tab.show(real.page)
    frame = real.frame
    summary = json.loads((real.folder / real.name / "summary.json").read_text("utf-8"))
    for analyzer, sides in moved.items():
        for side, value in sides.items():
            move(page, analyzer, side, value)
    counted = assert_recounted(page, frame, summary, moved)
    listed = everywhere(page)
    line = page.locator("#trial-command").inner_text()
    done = real.shell(f"{line} --out 'judged again' --overwrite --json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["flagged"] == counted
    again = pd.read_parquet(real.folder / "judged again" / "scores.parquet")
    flagged = np.flatnonzero(again["flagged"].to_numpy(bool))
    order = np.argsort(-again["severity"].to_numpy(float)[flagged], kind="stable")
    assert listed == flagged[order].tolist(), "the order of the table is that of the run judged anew"
    other = tab.show(real.folder / "judged again" / "report.html")
    assert everywhere(other) == listed
