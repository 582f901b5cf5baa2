"""From an opened page to downloaded decisions without a mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from outliers import here, row_of, worst_first
from pages import Shown
from playwright.sync_api import Page
from watch import Tab

from chunkeval import decisions

FOCUS = "document.activeElement"


def walk(page: Page, selector: str, key: str = "Tab", most: int = 400) -> int:
    """Press a key until the focus is on what matches; gives how often."""
    for pressed in range(most):
        if page.evaluate(f"selector => {FOCUS}.matches(selector)", selector):
            return pressed
        page.keyboard.press(key)
    raise AssertionError(
        f"{key} does not reach {selector}; the focus is on {page.evaluate(f'{FOCUS}.outerHTML')[:200]}"
    )


def focused_row(page: Page) -> int:
    """The row in which the focus is."""
    return int(page.evaluate(f"{FOCUS}.closest('tr[data-row]').dataset.row"))


@pytest.mark.parametrize("name", ["korean", "english"])
def test_from_load_to_download(tab: Tab, tmp_path: Path, name: str, request: pytest.FixtureRequest) -> None:
    shown: Shown = request.getfixturevalue(name)
    page = tab.show(shown.path)
    rows = here(page)
    ids = shown.view.frame["chunk_id"]
    walk(page, "#outliers button.open")
    assert focused_row(page) == rows[0]
    page.keyboard.press("1")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("j")
    assert focused_row(page) == rows[2]
    page.keyboard.press("ArrowUp")
    assert focused_row(page) == rows[1]
    page.keyboard.press("Enter")
    assert page.locator(f'tr.detail[data-row="{rows[1]}"]').is_visible()
    page.keyboard.press("3")
    assert page.locator(f'tr.detail[data-row="{rows[1]}"] button[aria-pressed="true"]').count() == 1
    walk(page, "article.chunk *")
    page.keyboard.press("2")
    walk(page, 'article.chunk button[data-decision="split"]')
    page.keyboard.press("Enter")
    walk(page, f'tr[data-row="{rows[2]}"] button.open')
    page.keyboard.press("4")
    page.keyboard.press("k")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert focused_row(page) == rows[3]
    page.keyboard.press("2")
    page.keyboard.press("0")
    walk(page, "button#download", most=700)
    with page.expect_download() as started:
        page.keyboard.press("Enter")
    path = tmp_path / "decisions.csv"
    started.value.save_as(path)
    assert decisions.read(path) == {ids[rows[0]]: "keep", ids[rows[1]]: "split", ids[rows[2]]: "merge"}


def test_the_focus_is_seen_wherever_it_goes(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    seen: list[str] = []
    for _ in range(45):
        page.keyboard.press("Tab")
        ring = page.evaluate(
            f"""() => {{
                const style = getComputedStyle({FOCUS});
                const drawn = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
                return drawn ? "" : {FOCUS}.outerHTML.slice(0, 120);
            }}"""
        )
        seen.append(ring)
    assert [lost for lost in seen if lost] == []


def test_enter_sorts_and_typing_in_a_field_decides_nothing(tab: Tab, english: Shown) -> None:
    page = tab.show(english.path)
    walk(page, "#filters input[name=text]")
    page.keyboard.type("1234 j")
    page.wait_for_timeout(300)
    page.locator("#filters input[name=text]").fill("")
    page.wait_for_timeout(300)
    assert page.locator("button#download").is_disabled()
    walk(page, '#outliers thead button[data-sort="token_count"]')
    page.keyboard.press("Enter")
    values = english.view.frame["token_count"]
    listed = [values[row] for row in here(page)]
    assert listed in (sorted(listed), sorted(listed, reverse=True))
    assert here(page) != worst_first(english.view.frame)[:100]
    assert page.evaluate(f"{FOCUS}.dataset.sort") == "token_count", "the focus stays where it was"


def test_every_control_has_a_name(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    row_of(page, here(page)[0]).locator("button.open").click()
    page.locator('.trial[data-analyzer="tokens"] input[type=range]').first.press("ArrowRight")
    client = page.context.new_cdp_session(page)
    nodes = client.send("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "combobox", "textbox", "slider", "spinbutton", "link", "searchbox"}
    unnamed = [
        node
        for node in nodes
        if not node.get("ignored") and node["role"]["value"] in roles and not node.get("name", {}).get("value")
    ]
    assert unnamed == []
