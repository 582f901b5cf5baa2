"""Printed, the first page is a whole report: verdict, three numbers, the worst chunks, what to do; A4, in ink on paper."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from outliers import here, opened
from pages import Real, Shown
from playwright.sync_api import Browser, Page
from pypdf import PdfReader
from watch import Tab, visit

MILLIMETRE = 72 / 25.4


def printed(page: Page) -> PdfReader:
    """The page as a printer gets it, on the paper that its own style asks for."""
    return PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))


def squeezed(text: str) -> str:
    """Without white space: a PDF knows letters and places, not words."""
    return re.sub(r"\s+", "", text)


def assert_first_page(page: Page, document: PdfReader) -> None:
    paper = document.pages[0].mediabox
    assert (float(paper.width), float(paper.height)) == pytest.approx((210 * MILLIMETRE, 297 * MILLIMETRE), abs=1)
    first = squeezed(document.pages[0].extract_text())
    assert squeezed(page.locator("h1#verdict").inner_text()) in first
    for number in page.locator("dl.numbers > div dd.figure").all_inner_texts():
        assert squeezed(number) in first
    worst = page.locator("ol.worst > li")
    assert worst.count() == 3
    for chunk in worst.locator("a bdi").all_inner_texts():
        assert squeezed(chunk) in first
    assert squeezed(page.locator("#first .todo").first.inner_text())[:30] in first
    after = page.locator("#first ~ section h2").all_inner_texts()
    assert len(after) >= 4
    assert all(squeezed(title) not in first for title in after)
    second = squeezed(document.pages[1].extract_text())
    assert squeezed(after[0]) in second


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["korean", "english"])
def test_the_first_page_is_a_whole_report(
    browser: Browser, name: str, scheme: str, request: pytest.FixtureRequest
) -> None:
    shown: Shown = request.getfixturevalue(name)
    with visit(browser, color_scheme=scheme) as tab:
        page = tab.show(shown.path)
        assert_first_page(page, printed(page))


def test_a_real_run_prints(tab: Tab, real: Real) -> None:
    page = tab.show(real.page)
    assert_first_page(page, printed(page))


def test_an_opened_chunk_is_printed_and_controls_are_not(tab: Tab, english: Shown) -> None:
    page = tab.show(english.path)
    row = next(row for row in here(page) if english.view.sentences(row))
    opened(page, row)
    page.locator('.trial[data-analyzer="tokens"] input[type=range]').first.press("ArrowRight")
    (text,) = english.view.texts([row])
    pages = [squeezed(sheet.extract_text()) for sheet in printed(page).pages]
    start, end = english.view.sentences(row)[0]
    assert any(squeezed(text[start:end]) in sheet for sheet in pages)
    page.emulate_media(media="print")
    for control in ("#filters", "#pager", "button#download", ".trial input", "button.copy"):
        assert not page.locator(control).first.is_visible(), control


def test_paper_is_white_also_for_those_who_like_it_dark(browser: Browser, korean: Shown, tmp_path: Path) -> None:
    with visit(browser, color_scheme="dark") as tab:
        page = tab.show(korean.path)
        page.emulate_media(media="print")
        ink = page.eval_on_selector("h1#verdict", "title => getComputedStyle(title).color.match(/\\d+/g).map(Number)")
        assert sum(ink[:3]) < 3 * 90, ink
