"""Printed, the first page is a whole report: verdict, three numbers, the worst chunks, what to do; A4, in ink on paper."""

from __future__ import annotations

import io
import re
import unicodedata
from typing import Any

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
    """Without white space and ligatures: a PDF knows shapes and places, not words."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))


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


def inks(document: PdfReader) -> set[float]:
    """How bright the letters of the first page are, from 0 to 1."""
    found, now = set(), [0.0]

    def see(operator: bytes, operands: list[Any], *_: Any) -> None:
        if operator == b"rg":
            red, green, blue = (float(part) for part in operands)
            now[0] = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        elif operator in (b"Tj", b"TJ"):
            found.add(now[0])

    document.pages[0].extract_text(visitor_operand_before=see)
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ink_is_dark_whatever_the_screen(browser: Browser, korean: Shown, scheme: str) -> None:
    with visit(browser, color_scheme=scheme) as tab:
        found = inks(printed(tab.show(korean.path)))
    assert found and max(found) < 0.5, found


def test_pictures_are_printed_light_whatever_the_screen(browser: Browser, korean: Shown) -> None:
    with visit(browser, color_scheme="dark") as tab:
        page = tab.show(korean.path)
        page.emulate_media(media="print")
        page.wait_for_function(
            "() => [...document.querySelectorAll('#measures img')].every((img) => img.currentSrc === img.src)",
            timeout=5_000,
        )
