"""Decisions are clicked, remembered, downloaded, and taken by the commands."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from outliers import everywhere, here, opened, row_of, worst_first
from pages import Real, Shown, Write
from playwright.sync_api import Page
from spreadsheet import assert_no_formula
from views import whole
from watch import Tab

from chunkeval import csvs, decisions


def download(page: Page, folder: Path) -> Path:
    """Download the decisions as a reader does."""
    with page.expect_download() as started:
        page.locator("button#download").click()
    assert started.value.suggested_filename == "decisions.csv"
    path = folder / "decisions.csv"
    started.value.save_as(path)
    return path


def pressed(page: Page, row: int) -> list[str]:
    """Which decisions an opened chunk shows as made."""
    buttons = opened(page, row).locator('fieldset.decide button[data-decision][aria-pressed="true"]')
    return [button.get_attribute("data-decision") or "" for button in buttons.all()]


def decide_four(page: Page) -> dict[int, str]:
    """Decide four chunks, by the row's list and by the opened chunk's buttons in turn."""
    chosen = dict(zip(here(page)[:8:2], ("keep", "drop", "split", "merge"), strict=True))
    for at, (row, decision) in enumerate(chosen.items()):
        if at % 2:
            row_of(page, row).locator("select.decision").select_option(decision)
        else:
            opened(page, row).locator(f'button[data-decision="{decision}"]').click()
    return chosen


def test_both_ways_to_decide_agree_and_survive_a_reload(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    assert page.locator("button#download").is_disabled()
    chosen = decide_four(page)
    for _ in range(2):
        for row, decision in chosen.items():
            assert row_of(page, row).locator("select.decision").input_value() == decision
            assert pressed(page, row) == [decision]
        assert "4" in page.locator("output#decided-count").inner_text()
        page.reload()
        page.wait_for_selector('html[data-ready="true"]', state="attached")
    first = next(iter(chosen))
    opened(page, first).locator('button[data-decision="keep"]').click()
    assert row_of(page, first).locator("select.decision").input_value() == ""
    assert "3" in page.locator("output#decided-count").inner_text()


def test_another_run_remembers_nothing_of_it(tab: Tab, korean: Shown, english: Shown) -> None:
    decide_four(tab.show(korean.path))
    page = tab.show(english.path)
    page.locator("select[name=decision]").select_option("decided")
    assert everywhere(page) == []


def test_clearing_asks_first(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    decide_four(page)
    tab.expect_question(answer=False)
    page.locator("button#clear-decisions").click()
    assert "4" in page.locator("output#decided-count").inner_text()
    tab.expect_question(answer=True)
    page.locator("button#clear-decisions").click()
    page.reload()
    page.wait_for_selector('html[data-ready="true"]', state="attached")
    page.locator("select[name=decision]").select_option("decided")
    assert everywhere(page) == []


def test_the_download_is_read_as_it_was_clicked(tab: Tab, korean: Shown, tmp_path: Path) -> None:
    page = tab.show(korean.path)
    chosen = decide_four(page)
    path = download(page, tmp_path)
    ids = korean.view.frame["chunk_id"]
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert decisions.read(path, set(ids)) == {ids[row]: decision for row, decision in chosen.items()}


def test_the_commands_take_the_download(tab: Tab, real: Real, tmp_path: Path) -> None:
    page = tab.show(real.page)
    page.locator("select[name=scope]").select_option("all")
    frame = real.frame
    flagged = worst_first(frame)
    kept = flagged[0]
    opened(page, kept).locator('button[data-decision="keep"]').click()
    gone = next(row for row in here(page) if not frame.at[row, "flagged"])
    opened(page, gone).locator('button[data-decision="drop"]').click()
    path = download(page, real.folder)
    done = real.call("filter", real.name, "--decisions", str(path), "--out", "kept.csv", "--overwrite", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["kept"], told["left_out"]) == (len(frame) - len(flagged), len(flagged))
    assert (told["kept_by_hand"], told["left_out_by_hand"]) == (1, 1)
    stays = set(pd.read_csv(real.folder / "kept.csv")["chunk_id"])
    assert frame.at[kept, "chunk_id"] in stays
    assert frame.at[gone, "chunk_id"] not in stays


HOSTILE_IDS = ["=1+1", "+82-10", "-x", "@all", "'=quoted", "\tTab", 'say "hi", then\nleave', "정상", "''@two"]


def test_ids_that_a_spreadsheet_would_run_are_guarded(tab: Tab, written: Write, tmp_path: Path) -> None:
    view = whole("ko", 60)
    flagged = worst_first(view.frame)[: len(HOSTILE_IDS)]
    names = list(view.frame["chunk_id"])
    for row, name in zip(flagged, HOSTILE_IDS, strict=False):
        names[row] = name
    frame = view.frame.assign(chunk_id=names, doc_id=[f"={name}" for name in names])
    page = tab.show(written(replace(view, frame=frame)).path)
    for row in flagged:
        row_of(page, row).locator("select.decision").select_option("split")
    path = download(page, tmp_path)
    assert assert_no_formula(path) == len(flagged)
    assert decisions.read(path, set(names)) == {names[row]: "split" for row in flagged}
    assert [row["doc_id"] for row in csvs.read(path)] == [f"={names[row]}" for row in flagged]


@pytest.mark.parametrize("given", [{"c00003": "drop"}])
def test_what_was_decided_before_is_there_and_can_be_undone(
    tab: Tab, written: Write, tmp_path: Path, given: dict[str, str]
) -> None:
    view = replace(whole("en", 60), decisions=given)
    page = tab.show(written(view).path, "#chunk=c00003")
    row = 3
    assert row_of(page, row).locator("select.decision").input_value() == "drop"
    assert "1" in page.locator("output#decided-count").inner_text()
    assert decisions.read(download(page, tmp_path)) == given
    row_of(page, row).locator("select.decision").select_option("")
    page.reload()
    page.wait_for_selector('html[data-ready="true"]', state="attached")
    assert row_of(page, row).locator("select.decision").input_value() == ""
