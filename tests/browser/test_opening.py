"""The page opens from disk, says the verdict, and asks for nothing else."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from chromium import FIX, started
from outliers import here, place, worst_first
from pages import Real, Shown
from playwright.sync_api import Browser, Page
from watch import Tab


@pytest.mark.parametrize("name", ["korean", "english"])
def test_opens_with_its_table_drawn(tab: Tab, name: str, request: pytest.FixtureRequest) -> None:
    shown: Shown = request.getfixturevalue(name)
    page = tab.show(shown.path)
    frame = shown.view.frame
    assert page.locator("html").get_attribute("lang") == {"korean": "ko", "english": "en"}[name]
    assert page.evaluate("performance.getEntriesByName('table').length") == 1
    assert here(page) == worst_first(frame)[:100]
    assert page.locator("h1#verdict").inner_text()
    assert page.locator("dl.numbers > div").count() == 3
    assert_the_three_worst(page, frame)
    assert not page.locator("#trial").is_visible()


def assert_the_three_worst(page: Page, frame: pd.DataFrame) -> None:
    """Of different documents, none of them blank, worst first, each with a link to it."""
    links = page.locator("ol.worst > li a").all()
    rows = [place(frame, link.locator("bdi").inner_text()) for link in links]
    readable = [row for row in worst_first(frame) if "blank" not in frame.at[row, "reasons"]]
    assert rows == [row for at, row in enumerate(readable) if row in first_of_documents(frame, readable[: at + 1])][:3]
    for link, row in zip(links, rows, strict=True):
        assert link.get_attribute("href") == f"#chunk={frame.at[row, 'chunk_id']}"
    assert page.locator("ol.worst .text .mark").count() >= 1


def first_of_documents(frame: pd.DataFrame, rows: list[int]) -> set[int]:
    """The first row of each document."""
    found: dict[str, int] = {}
    for row in rows:
        found.setdefault(str(frame.at[row, "doc_id"]), row)
    return set(found.values())


def test_the_first_screen_fits_a_laptop(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    for selector in ("h1#verdict", "dl.numbers", ".todo"):
        box = page.locator(selector).bounding_box()
        assert box is not None and box["y"] + box["height"] <= 900, selector


def test_a_real_run_opens(tab: Tab, real: Real) -> None:
    page = tab.show(real.page)
    flagged = worst_first(real.frame)
    assert here(page) == flagged[:100]
    assert str(len(flagged)) in page.locator("#table-count").inner_text()


def test_without_scripts_the_verdict_and_the_numbers_are_there(browser: Browser, korean: Shown) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    try:
        page = context.new_page()
        page.goto(korean.path.as_uri())
        assert page.locator("h1#verdict").is_visible()
        assert page.locator("ol.worst > li").count() == 3
        assert page.locator("section.measure").count() == 3
        assert page.locator("#facts").is_visible()
    finally:
        context.close()


def test_what_lies_behind_each_plot_can_be_read_as_a_table(tab: Tab, english: Shown) -> None:
    page = tab.show(english.path)
    measures = page.locator("#measures > section.measure").all()
    assert [measure.get_attribute("data-analyzer") for measure in measures] == ["tokens", "similarity", "topics"]
    for measure in measures:
        behind = measure.locator("details.behind").first
        behind.locator("summary").click()
        table = behind.locator("table")
        assert table.locator("th[scope=col]").count() >= 2
        assert table.locator("tbody tr").count() >= 2


@pytest.mark.parametrize("required", [True, False])
def test_where_there_is_no_browser_the_fix_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, required: bool
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("CHUNKEVAL_BROWSER", "required" if required else "")
    with (
        pytest.raises(pytest.fail.Exception if required else pytest.skip.Exception, match="apt-get install") as told,
        started(),
    ):
        pass
    assert told.value.msg == FIX
