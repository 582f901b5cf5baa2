"""The table of outliers: sorted by each key, filtered by each field, a hundred rows a page."""

from __future__ import annotations

import unicodedata

import numpy as np
import pandas as pd
import pytest
from outliers import everywhere, here, opened, row_of, turn, worst_first
from pages import Real, Shown
from playwright.sync_api import Page
from watch import Tab

SCORES = ("token_count", "similarity_centred", "topic_entropy_z")
KEYS = ("severity", "chunk_id", "doc_id", *SCORES)


def sort(page: Page, key: str) -> str:
    """Click a column's head; gives its ``aria-sort``."""
    page.locator(f'#outliers thead button[data-sort="{key}"]').click()
    head = page.locator("#outliers thead th").filter(has=page.locator(f'button[data-sort="{key}"]'))
    sorted_by = page.locator("#outliers thead th[aria-sort]:not([aria-sort=none])")
    assert sorted_by.count() == 1, "one column says how the table is sorted"
    return head.get_attribute("aria-sort") or ""


def expected(frame: pd.DataFrame, rows: list[int], key: str, direction: str) -> list[int]:
    """Rows by a column, ties in the input's order, what was not measured last."""
    values = frame[key].iloc[rows]
    order = sorted(rows) if key else rows
    values = frame[key].iloc[order]
    if key in ("chunk_id", "doc_id"):
        keyed = [natural(str(value)) for value in values]
        ranks = {value: rank for rank, value in enumerate(sorted(set(keyed)))}
        numbers = np.array([ranks[value] for value in keyed], dtype=float)
    else:
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
    missing = np.isnan(numbers)
    signed = numbers if direction == "ascending" else -numbers
    at = np.lexsort((np.arange(len(order)), np.where(missing, 0, signed), missing))
    return [order[place] for place in at]


def natural(text: str) -> tuple[str, int]:
    """Made-up names end in a number: "문서 9" comes before "문서 10"."""
    head = text.rstrip("0123456789")
    return head, int(text[len(head) :] or 0)


@pytest.mark.parametrize("key", KEYS)
def test_sorts_by_each_column_both_ways(tab: Tab, korean: Shown, key: str) -> None:
    page = tab.show(korean.path)
    frame = korean.view.frame
    directions = []
    for _ in range(2):
        direction = sort(page, key)
        directions.append(direction)
        assert everywhere(page) == expected(frame, worst_first(frame), key, direction), direction
    assert sorted(directions) == ["ascending", "descending"]


def test_all_chunks_sort_too_and_the_unmeasured_come_last(tab: Tab, english: Shown) -> None:
    page = tab.show(english.path)
    frame = english.view.frame
    page.locator("select[name=scope]").select_option("all")
    every = list(range(len(frame)))
    assert frame["similarity_centred"].isna().any()
    for key in ("similarity_centred", "severity"):
        direction = sort(page, key)
        assert everywhere(page) == expected(frame, every, key, direction)
    assert str(len(frame)) in page.locator("#table-count").inner_text().replace(",", "")


def test_pages_hold_a_hundred_rows_each(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    flagged = worst_first(korean.view.frame)
    assert 200 < len(flagged) < 300
    assert not turn(page, "previous")
    assert here(page) == flagged[:100]
    page.locator("#pager button[data-page=next]").click()
    assert here(page) == flagged[100:200]
    assert turn(page, "last")
    assert here(page) == flagged[len(flagged) // 100 * 100 :]
    assert turn(page, "first")
    assert here(page) == flagged[:100]
    assert page.locator("#pager-said").inner_text()


def test_filters_by_reason(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    frame = korean.view.frame
    select = page.locator("select[name=reason]")
    codes = {code for reasons in frame["reasons"] for code in reasons}
    assert codes <= set(select.locator("option").evaluate_all("options => options.map(option => option.value)"))
    for code in sorted(codes):
        select.select_option(code)
        wanted = [row for row in worst_first(frame) if code in frame.at[row, "reasons"]]
        assert everywhere(page) == wanted, code
        assert str(len(wanted)) in page.locator("#table-count").inner_text()


@pytest.mark.parametrize("name", ["korean", "english"])
def test_filters_by_document(tab: Tab, name: str, request: pytest.FixtureRequest) -> None:
    shown: Shown = request.getfixturevalue(name)
    page = tab.show(shown.path)
    frame = shown.view.frame
    document = frame.at[worst_first(frame)[0], "doc_id"]
    field = page.locator("input[name=document]")
    offered = page.locator(f"datalist#{field.get_attribute('list')} option")
    assert document in offered.evaluate_all("options => options.map(option => option.value)")
    field.fill(document)
    page.wait_for_function(
        "wanted => document.querySelectorAll('#outliers tbody tr[data-row]').length < wanted", arg=100
    )
    found = everywhere(page)
    exact = [row for row in worst_first(frame) if frame.at[row, "doc_id"] == document]
    assert [row for row in found if frame.at[row, "doc_id"] == document] == exact
    assert all(document in frame.at[row, "doc_id"] for row in found)
    field.fill("nowhere to be found 없는 문서")
    page.wait_for_function("() => !document.querySelector('#outliers tbody tr[data-row]')")
    assert "0" in page.locator("#table-count").inner_text()


@pytest.mark.parametrize(("name", "part"), [("korean", "칠게"), ("korean", "７일"), ("english", "HOT stone")])
def test_filters_by_text(tab: Tab, name: str, part: str, request: pytest.FixtureRequest) -> None:
    shown: Shown = request.getfixturevalue(name)
    page = tab.show(shown.path)
    frame = shown.view.frame
    flagged = worst_first(frame)
    texts = dict(zip(flagged, shown.view.texts(flagged), strict=True))
    wanted = [row for row in flagged if part.lower() in texts[row].lower()]
    assert 0 < len(wanted) < len(flagged)
    page.locator("input[name=text]").fill(part)
    page.wait_for_function(
        "wanted => document.querySelector('#table-count').textContent.includes(wanted)", arg=str(len(wanted))
    )
    assert everywhere(page) == wanted


def test_text_finds_composed_and_decomposed_hangul_alike(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    counts = []
    for form in ("NFC", "NFD"):
        page.locator("input[name=text]").fill(unicodedata.normalize(form, "칠게"))
        page.wait_for_timeout(500)
        counts.append(len(everywhere(page)))
    assert counts[0] == counts[1] > 0


def test_filters_by_decision_and_all_at_once(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    frame = korean.view.frame
    flagged = worst_first(frame)
    decided = dict(zip(flagged[:6], ("keep", "drop", "split", "merge", "keep", "split"), strict=True))
    for row, decision in decided.items():
        row_of(page, row).locator("select.decision").select_option(decision)
    choice = page.locator("select[name=decision]")
    for value in ("keep", "drop", "split", "merge"):
        choice.select_option(value)
        assert everywhere(page) == [row for row in flagged if decided.get(row) == value]
    choice.select_option("decided")
    assert everywhere(page) == list(decided)
    choice.select_option("open")
    assert everywhere(page) == [row for row in flagged if row not in decided]
    choice.select_option("decided")
    reason = frame.at[flagged[0], "reasons"][0]
    page.locator("select[name=reason]").select_option(reason)
    (text,) = korean.view.texts([flagged[0]])
    page.locator("input[name=document]").fill(frame.at[flagged[0], "doc_id"])
    page.locator("input[name=text]").fill(text.strip()[:8])
    page.wait_for_timeout(500)
    texts = dict(zip(decided, korean.view.texts(list(decided)), strict=True))
    wanted = [
        row
        for row in decided
        if reason in frame.at[row, "reasons"]
        and frame.at[flagged[0], "doc_id"] in frame.at[row, "doc_id"]
        and text.strip()[:8] in texts[row]
    ]
    assert everywhere(page) == wanted
    assert flagged[0] in wanted


def test_a_sort_holds_while_filters_change(tab: Tab, english: Shown) -> None:
    page = tab.show(english.path)
    frame = english.view.frame
    direction = sort(page, "token_count")
    page.locator("select[name=reason]").select_option("too_long")
    wanted = [row for row in worst_first(frame) if "too_long" in frame.at[row, "reasons"]]
    assert everywhere(page) == expected(frame, wanted, "token_count", direction)


def test_thousands_of_rows_do_not_stutter(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    page.locator("select[name=scope]").select_option("all")
    taken = page.evaluate(
        """() => {
            const button = document.querySelector('#outliers thead button[data-sort="token_count"]');
            const began = performance.now();
            button.click();
            return performance.now() - began;
        }"""
    )
    assert taken < 300


def test_a_real_run_sorts_and_filters(tab: Tab, real: Real) -> None:
    page = tab.show(real.page)
    frame = real.frame
    flagged = worst_first(frame)
    direction = sort(page, "similarity_centred")
    assert everywhere(page) == expected(frame, flagged, "similarity_centred", direction)
    page.locator("select[name=scope]").select_option("all")
    assert len(everywhere(page)) == len(frame)
    opened(page, here(page)[0])
