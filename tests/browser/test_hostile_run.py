"""A table whose every field is hostile, audited by the command, opened, read, decided and downloaded."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
import pytest
from hostile_strings import HOSTILE, ODD
from outliers import everywhere, here, opened, row_of, turn, worst_first
from pages import Real, words
from playwright.sync_api import Browser, Page
from spreadsheet import assert_no_formula
from test_accessibility import too_wide
from watch import Tab, visit

from chunkeval import csvs, decisions
from chunkeval.report.visible import plain, shell_word

FOLDER = "out $(touch pwned) `touch pwned` '\"><img src=x onerror=window.__pwned=20>"
TEXT, ID, DOCUMENT = HOSTILE[0], HOSTILE[1], HOSTILE[19]


def read_as(text: str) -> str:
    """As a table gives it: what is no character becomes U+FFFD."""
    return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)


def records() -> list[dict[str, Any]]:
    """Two chunks a string, so that documents have neighbours: every field holds one of them."""
    strings = (*HOSTILE, *ODD)
    made = []
    for at, string in enumerate(strings):
        turned = [strings[(at + step) % len(strings)] for step in (0, 7, 13, 29)]
        for identity in (string, f"{at}th: {string}"):
            text = f"{turned[1]} 그다음 문장은 이 글과 상관이 없다. {turned[2]}. The last sentence ends here."
            extra = {name: turned[3] for name in HOSTILE if name not in (TEXT, ID, DOCUMENT)}
            made.append({ID: identity, DOCUMENT: turned[0], TEXT: text, **extra})
    return made


def write(records: list[dict[str, Any]], path: Path) -> None:
    """Write a table as another program would: csv has no lone surrogates, json has their escapes."""
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(record) + "\n" for record in records), "ascii")
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(records[0]))
        writer.writeheader()
        writer.writerows({name: read_as(value) for name, value in record.items()} for record in records)


JSONL = pytest.mark.parametrize("hostile", ["jsonl"], indirect=True)
BOTH = pytest.mark.parametrize("hostile", ["jsonl", "csv"], indirect=True)


@pytest.fixture(scope="module")
def audited(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Real]:
    """Audit the table once as csv and once as jsonl; every chunk is flagged, so that every text is in the page."""

    @cache
    def audit(kind: str) -> Real:
        run = Real(tmp_path_factory.mktemp("hostile"), FOLDER)
        source = run.folder / f'"><img src=x onerror=alert(21),window.__pwned=21>.{kind}'
        write(records(), source)
        columns = ("--text", TEXT, "--id", ID, "--doc", DOCUMENT, "--by", HOSTILE[2])
        options = ("--embedder", "lsa", "--limit", "tokens=5000:9000", "--topic-seeds", "1")
        options = (*options, "--out", run.name, "--no-progress")
        done = run.call("audit", source.name, *columns, *options)
        assert done.returncode == 0, done.stderr
        return run

    return audit


@pytest.fixture
def hostile(request: pytest.FixtureRequest, audited: Callable[[str], Real]) -> Real:
    """The table's run."""
    return audited(request.param)


@pytest.mark.parametrize(("hostile", "width"), [("jsonl", 1280), ("csv", 390)], indirect=["hostile"])
def test_every_row_opens_and_nothing_runs(browser: Browser, hostile: Real, width: int) -> None:
    frame = hostile.frame
    assert frame["chunk_id"].tolist() == [read_as(record[ID]) for record in records()]
    wanted = worst_first(frame)
    assert len(wanted) == len(frame) == 2 * len(HOSTILE + ODD)
    with visit(browser, viewport={"width": width, "height": 800}) as tab:
        page = tab.show(hostile.page)
        assert_layout_holds(page)
        seen = []
        while True:
            for row in here(page):
                assert_opens(page, row, str(frame.at[row, "chunk_id"]))
                seen.append(row)
            if not turn(page, "next"):
                break
        assert seen == wanted


def assert_layout_holds(page: Page) -> None:
    """Nothing makes the page scroll sideways, and nothing is hidden."""
    assert too_wide(page, page.evaluate("innerWidth")) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).display") != "none"


def assert_opens(page: Page, row: int, identity: str) -> None:
    """A row says whose it is, opens, keeps the layout, and closes."""
    chunk = opened(page, row)
    button = row_of(page, row).locator("button.open")
    if identity.strip() and len(identity) < 4_000:
        assert plain(identity).split() == button.inner_text().split()
    assert chunk.locator(".text").is_visible()
    assert chunk.locator("dl.metadata dt").count() > 0
    assert_layout_holds(page)
    button.click()


@JSONL
def test_texts_are_shown_letter_by_letter(tab: Tab, hostile: Real) -> None:
    page = tab.show(hostile.page)
    texts = pd.read_parquet(hostile.folder / hostile.name / "chunks.parquet")["text"]
    for row in here(page):
        if len(texts[row]) < 4_000:
            shown = (
                opened(page, row)
                .locator(".text")
                .evaluate(
                    """box => [...box.childNodes].filter((node) => !node.classList?.contains("mark"))
                    .map((node) => node.textContent).join("")"""
                )
            )
            assert shown == plain(texts[row])


@JSONL
def test_every_permalink_and_every_line_to_type_names_its_chunk(tab: Tab, hostile: Real) -> None:
    page = tab.show(hostile.page)
    frame = hostile.frame
    for row, identity in list(enumerate(frame["chunk_id"]))[::2]:
        fragment = f"#chunk={quote(identity, safe='')}"
        page.evaluate("hash => { location.hash = hash; }", fragment)
        chunk = page.locator(f'#outliers tr.detail[data-row="{row}"] article.chunk')
        chunk.wait_for()
        assert page.evaluate(
            "text => decodeURIComponent(text)", chunk.locator("a.permalink").get_attribute("href")
        ) == (f"#chunk={identity}")
        line = chunk.locator("code.show")
        if shell_word(identity) is None:
            assert line.count() == 0
        else:
            told = words(line.inner_text())
            assert [word for word in told if word != "--"] == ["show", FOLDER, identity]
            assert ("--" in told) == identity.startswith("-")
        row_of(page, row).locator("button.open").click()
    assert not (hostile.folder / "pwned").exists()


@JSONL
def test_lines_to_type_do_what_they_say(tab: Tab, hostile: Real) -> None:
    page = tab.show(hostile.page)
    frame = hostile.frame
    for identity in ("-x", "$(touch pwned) `touch pwned` \"quoted\" 'quoted'"):
        page.evaluate("hash => { location.hash = hash; }", f"#chunk={quote(identity, safe='')}")
        (row,) = frame.index[frame["chunk_id"] == identity]
        line = page.locator(f'#outliers tr.detail[data-row="{row}"] code.show')
        done = hostile.shell(line.inner_text())
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(f"{identity}: ")
    assert not (hostile.folder / "pwned").exists()


@BOTH
def test_lists_open_in_a_spreadsheet_without_a_formula(tab: Tab, hostile: Real, tmp_path: Path) -> None:
    frame = hostile.frame
    listed = hostile.folder / hostile.name / "outliers.csv"
    assert assert_no_formula(listed) == len(frame)
    assert [row["chunk_id"] for row in csvs.read(listed)] == frame["chunk_id"].iloc[worst_first(frame)].tolist()
    page = tab.show(hostile.page)
    chosen: dict[str, str] = {}
    while True:
        for at, row in enumerate(here(page)):
            choice = decisions.DECISIONS[at % 4]
            row_of(page, row).locator("select.decision").select_option(choice)
            chosen[str(frame.at[row, "chunk_id"])] = choice
        if not turn(page, "next"):
            break
    with page.expect_download() as started:
        page.locator("button#download").click()
    path = tmp_path / "decisions.csv"
    started.value.save_as(path)
    assert assert_no_formula(path) == len(frame)
    assert decisions.read(path, set(frame["chunk_id"])) == chosen
    done = hostile.call(
        "filter", hostile.name, "--decisions", str(path), "--out", str(tmp_path / "kept.jsonl"), "--json"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["kept"] == sum(choice == "keep" for choice in chosen.values())


@JSONL
def test_what_is_searched_and_filtered_stays_text(tab: Tab, hostile: Real) -> None:
    page = tab.show(hostile.page)
    frame = hostile.frame
    for string in HOSTILE:
        if len(string) > 200 or string != plain(string):
            continue
        page.locator("#filters input[name=document]").fill(string)
        page.wait_for_timeout(250)
        found = everywhere(page)
        assert [row for row in found if frame.at[row, "doc_id"] == string] == [
            row for row in worst_first(frame) if frame.at[row, "doc_id"] == string
        ]
    page.locator("#filters input[name=document]").fill("")
    for key in ("chunk_id", "doc_id", "severity"):
        page.locator(f'#outliers thead button[data-sort="{key}"]').click()
        assert len(everywhere(page)) == len(frame)
