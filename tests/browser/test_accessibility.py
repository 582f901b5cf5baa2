"""For everyone: axe-core finds nothing serious, dark and narrow screens work, nothing moves for those who asked for rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from made_views import build, changed
from outliers import here, opened
from pages import Shown, Write
from playwright.sync_api import Browser, Page
from watch import visit

from chunkeval.report.view import View

GRAVE = ("serious", "critical")


def assert_accessible(page: Page) -> None:
    """No serious or critical violation; axe runs beside the page's scripts, so that the page's policy stays in force."""
    violations: list[dict[str, Any]] = Axe().run(page).response["violations"]
    grave = [
        f"{found['id']} ({found['impact']}): {node['target']} {node['failureSummary']}"
        for found in violations
        if found["impact"] in GRAVE
        for node in found["nodes"][:5]
    ]
    assert grave == [], "\n".join(grave)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["korean", "english"])
def test_axe_finds_nothing_serious(browser: Browser, name: str, scheme: str, request: pytest.FixtureRequest) -> None:
    shown: Shown = request.getfixturevalue(name)
    with visit(browser, color_scheme=scheme) as tab:
        page = tab.show(shown.path)
        assert_accessible(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nor_in_what_was_opened_moved_and_decided(browser: Browser, korean: Shown, scheme: str) -> None:
    with visit(browser, color_scheme=scheme) as tab:
        page = tab.show(korean.path)
        row = here(page)[0]
        chunk = opened(page, row)
        chunk.locator('button[data-decision="split"]').click()
        page.locator('.trial[data-analyzer="similarity"] input[type=range]').first.press("ArrowRight")
        for behind in page.locator("details.behind > summary").all():
            behind.click()
        page.wait_for_selector("#trial:not([hidden])")
        assert_accessible(page)


def nothing(lang: str) -> View:
    """An audit of an empty table."""
    view = build("ko" if lang == "ko" else "en", 30)
    empty = replace(view, frame=view.frame.iloc[:0], documents=view.documents.iloc[:0], recombined={})
    return changed(empty, chunks=0, documents=0, flagged=0, flagged_share=0.0, analyzers={})


def unflagged() -> View:
    """An audit in which nothing is flagged."""
    view = build("en", 60)
    flags = {name: False for name in view.frame if str(name).startswith("flag")}
    frame = view.frame.assign(**flags, severity=0.0, suggestion=None)
    frame["reasons"] = [[] for _ in range(60)]
    analyzers = {name: {**facts, "flagged": 0} for name, facts in view.summary["analyzers"].items()}
    documents = view.documents.assign(flagged=0, worst=None, worst_severity=np.nan)
    return replace(changed(view, flagged=0, flagged_share=0.0, analyzers=analyzers), frame=frame, documents=documents)


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_an_empty_audit_is_a_whole_page(browser: Browser, written: Write, lang: str) -> None:
    shown = written(nothing(lang))
    with visit(browser) as tab:
        page = tab.show(shown.path, ready=False)
        assert page.locator("h1#verdict").inner_text()
        assert here(page) == []
        assert_accessible(page)


def test_an_audit_without_flags_is_a_whole_page(browser: Browser, written: Write) -> None:
    shown = written(unflagged())
    with visit(browser) as tab:
        page = tab.show(shown.path)
        assert here(page) == []
        page.locator("select[name=scope]").select_option("all")
        assert here(page) == list(range(60))
        assert_accessible(page)


def test_a_breakdown_is_a_whole_page(browser: Browser, written: Write) -> None:
    groups = [{"value": "위키", "chunks": 300, "flagged": 33}, {"value": None, "chunks": 100, "flagged": 27}]
    view = replace(changed(build("ko"), by={"column": "출처", "groups": groups}, documents=0), documents=pd.DataFrame())
    with visit(browser) as tab:
        page = tab.show(written(view).path)
        assert page.locator("#groups tbody tr").count() == 2
        assert_accessible(page)


def brightness(page: Page, selector: str) -> float:
    """Perceived brightness of what lies behind an element, from 0 to 1."""
    found: float = page.eval_on_selector(
        selector,
        """element => {
            for (let at = element; at; at = at.parentElement) {
                const [r, g, b, a = 1] = getComputedStyle(at).backgroundColor.match(/[\\d.]+/g).map(Number);
                if (a > 0) return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
            }
            return matchMedia("(prefers-color-scheme: dark)").matches
                && getComputedStyle(document.documentElement).colorScheme.includes("dark") ? 0 : 1;
        }""",
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dark_is_dark(browser: Browser, korean: Shown, scheme: str) -> None:
    with visit(browser, color_scheme=scheme) as tab:
        page = tab.show(korean.path)
        opened(page, here(page)[0])
        for selector in ("body", "#first", "#outliers", "article.chunk .text", "#filters select"):
            lit = brightness(page, selector)
            assert lit < 0.25 if scheme == "dark" else lit > 0.75, (selector, lit)


def test_nothing_moves_for_those_who_asked_for_rest(browser: Browser, korean: Shown) -> None:
    with visit(browser, reduced_motion="reduce") as tab:
        page = tab.show(korean.path)
        opened(page, here(page)[0])
        moving = page.evaluate(
            """() => [...document.querySelectorAll("*")].filter((element) => {
                const style = getComputedStyle(element);
                const seconds = `${style.transitionDuration},${style.animationDuration}`.split(",").map(parseFloat);
                return Math.max(...seconds) > 0.01 || style.scrollBehavior === "smooth";
            }).map((element) => element.outerHTML.slice(0, 80))"""
        )
        assert moving == []


def too_wide(page: Page, width: int) -> list[str]:
    """Elements that stick out on the right, but for those inside a box that scrolls by itself."""
    found: list[str] = page.evaluate(
        """width => [...document.body.querySelectorAll("*")].filter((element) => {
            if (element.getBoundingClientRect().right <= width + 1) return false;
            for (let at = element; at; at = at.parentElement) {
                const style = getComputedStyle(at);
                if (style.overflowX !== "visible" || style.position === "fixed") return false;
            }
            return true;
        }).map((element) => `${element.tagName}.${element.className} ${element.textContent.slice(0, 40)}`).slice(0, 8)""",
        width,
    )
    return found


@pytest.mark.parametrize("name", ["korean", "english"])
def test_a_phone_scrolls_down_only(browser: Browser, name: str, request: pytest.FixtureRequest) -> None:
    shown: Shown = request.getfixturevalue(name)
    with visit(browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True) as tab:
        page = tab.show(shown.path)
        for behind in page.locator("details > summary").all():
            behind.press("Enter")
        chunk = opened(page, next(row for row in here(page) if shown.view.sentences(row)))
        box = chunk.locator(".text").bounding_box()
        assert box is not None and box["x"] + box["width"] <= 360, "an opened text is read without scrolling sideways"
        page.locator('.trial[data-analyzer="tokens"] input[type=range]').first.press("ArrowRight")
        assert too_wide(page, 360) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert_accessible(page)
