"""Cutting again, in a browser: the lanes are drawn, named and reached in every light, and nothing is refused by the policy."""

from __future__ import annotations

import pytest
from hostile_strings import HOSTILE
from made_rechunk import cut_again
from pages import Shown, Write
from playwright.sync_api import Browser
from test_accessibility import assert_accessible, too_wide
from test_print import assert_first_page, printed, squeezed
from views import whole
from watch import Tab, visit


@pytest.fixture(scope="module")
def again(written: Write) -> Shown:
    """A Korean audit of a table that came of cutting another one again."""
    return written(cut_again(whole("ko", 400)))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible_with_the_tables_open(browser: Browser, again: Shown, scheme: str) -> None:
    with visit(browser, color_scheme=scheme) as tab:
        page = tab.show(again.path)
        for behind in page.locator("#rechunk details > summary").all():
            behind.click()
        assert_accessible(page)
        drawing = page.get_by_role(
            "img", name="자르기 전 5개 중 점검 대상 3개, 다시 자른 뒤 5개 중 점검 대상 1개"
        ).first
        assert drawing.is_visible()


def test_the_lanes_are_drawn_to_scale(tab: Tab, again: Shown) -> None:
    page = tab.show(again.path)
    drawing = page.locator("#rechunk svg.drawing").first
    width = drawing.evaluate("element => element.getBoundingClientRect().width")
    boxes = drawing.locator("rect.box").evaluate_all(
        "(rects) => rects.map((rect) => [rect.x.baseVal.value, rect.y.baseVal.value, rect.width.baseVal.value])"
    )
    upper, lower = [box for box in boxes if box[1] == 18], [box for box in boxes if box[1] == 70]
    assert [box[0] / width for box in upper] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8], abs=1e-3)
    assert [box[2] / width for box in lower] == pytest.approx([0.28, 0.12, 0.1, 0.1, 0.4], abs=1e-3)
    # A hatch and not a colour alone: its stripes are there to be painted with.
    fill = drawing.locator("rect.flagged").first.evaluate("element => getComputedStyle(element).fill")
    assert fill == 'url("#lane-flagged")'
    assert page.locator("#lane-flagged rect.stripe").evaluate("element => getComputedStyle(element).fill") != "none"


def test_a_new_chunk_is_one_click_away(tab: Tab, again: Shown) -> None:
    page = tab.show(again.path)
    page.locator("#rechunk details > summary").first.click()
    page.locator("#rechunk figure.lanes a").first.click()
    chunk = again.view.frame["chunk_id"].iloc[0]
    page.locator(f'article.chunk[aria-label*="{chunk}"]').wait_for()


def test_a_phone_scrolls_down_only(browser: Browser, again: Shown) -> None:
    with visit(browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True) as tab:
        page = tab.show(again.path)
        for behind in page.locator("#rechunk details > summary").all():
            behind.press("Enter")
        assert too_wide(page, 360) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert_accessible(page)


def test_it_prints_after_the_first_page(tab: Tab, again: Shown) -> None:
    page = tab.show(again.path)
    document = printed(page)
    assert_first_page(page, document)
    told = "".join(squeezed(sheet.extract_text()) for sheet in document.pages)
    assert squeezed("문서별로 본 바뀐 경계") in told and squeezed("옮긴 경계") in told


def test_hostile_names_do_nothing(browser: Browser, written: Write) -> None:
    for name in (HOSTILE[2], HOSTILE[4], HOSTILE[22], "a" * 10_000):
        shown = written(cut_again(whole("en", 60), 1, name=name))
        with visit(browser, viewport={"width": 360, "height": 740}) as tab:
            page = tab.show(shown.path)
            assert page.locator("#rechunk figure.lanes").count() == 1
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
