"""The page opens from disk, says the verdict, and asks for nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from chromium import FIX, started
from outliers import here, worst_first
from pages import Real, Shown
from watch import Tab

from chunkeval.report.view import worst_rows


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
    for worst, row in zip(page.locator("ol.worst > li").all(), worst_rows(shown.view, 3), strict=True):
        assert worst.locator("a bdi").inner_text() == frame.at[row, "chunk_id"]
        assert (worst.locator("a").get_attribute("href") or "").startswith("#chunk=")
    assert not page.locator("#trial").is_visible()


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


def test_without_scripts_the_verdict_and_the_numbers_are_there(browser: object, korean: Shown) -> None:
    from playwright.sync_api import Browser

    assert isinstance(browser, Browser)
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
