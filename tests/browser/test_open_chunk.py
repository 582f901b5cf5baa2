"""A row opens its chunk: sentences, the weak place, scores, neighbours, metadata, a link, the line to type."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote

import numpy as np
import pytest
from outliers import here, opened, place, row_of, worst_first
from pages import Real, Shown, Write, words
from playwright.sync_api import Browser, Locator, Page
from watch import Tab, visit

from chunkeval.report.phrases import say


def runs(text: Locator) -> list[tuple[str, str, str]]:
    """The pieces of an opened text in order: class, number, words."""
    found: list[list[str]] = text.evaluate(
        """box => [...box.childNodes].map((node) => node.nodeType === Node.TEXT_NODE
            ? ["", "", node.textContent] : [node.className, node.dataset.n ?? "", node.textContent])"""
    )
    return [(kind, number, words) for kind, number, words in found]


def read(chunk: Locator) -> tuple[str, list[str], list[tuple[int, str]]]:
    """The text as shown without marks, its sentences, and at which code point each mark stands."""
    text, sentences, marks = "", [], []
    for kind, _, said in runs(chunk.locator(".text")):
        if "mark" in kind.split():
            marks.append((len(text), kind))
            continue
        if "sentence" in kind.split():
            sentences.append(said)
        text += said
    return text, sentences, marks


def the_cut_one(shown: Shown) -> int:
    """The worst chunk with a place to cut."""
    frame = shown.view.frame
    return next(row for row in worst_first(frame) if len(frame.at[row, "suggested_cuts"]))


@pytest.mark.parametrize("name", ["korean", "english"])
def test_the_text_stands_there_whole_with_its_weak_place(tab: Tab, name: str, request: pytest.FixtureRequest) -> None:
    shown: Shown = request.getfixturevalue(name)
    page = tab.show(shown.path)
    row = the_cut_one(shown)
    text, sentences, marks = read(opened(page, row))
    (whole,) = shown.view.texts([row])
    spans = shown.view.sentences(row)
    assert text == whole
    assert sentences == [whole[start:end] for start, end in spans]
    assert [(at, "cut" in kind.split()) for at, kind in marks] == [
        (shown.view.frame.at[row, "suggested_cuts"][0], True)
    ]


def test_sentences_are_numbered_and_told_apart_by_more_than_colour(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    row = the_cut_one(korean)
    chunk = opened(page, row)
    numbers = [number for kind, number, _ in runs(chunk.locator(".text")) if "sentence" in kind.split()]
    assert len(numbers) == 4 and [number.lstrip("AB") for number in numbers] == ["1", "2", "3", "4"]
    drawn = chunk.locator(".text .sentence").first.evaluate("one => getComputedStyle(one, '::before').content")
    assert numbers[0] in drawn
    assert chunk.locator(".text .mark").first.inner_text().strip()


def test_a_weak_place_is_marked_where_no_cut_is_suggested(tab: Tab, english: Shown) -> None:
    page = tab.show(english.path)
    frame = english.view.frame
    row = next(
        row for row in worst_first(frame) if not len(frame.at[row, "suggested_cuts"]) and english.view.sentences(row)
    )
    _, _, marks = read(opened(page, row))
    start = english.view.sentences(row)[int(frame.at[row, "weakest_cut"])][0]
    assert [(at, "weak" in kind.split()) for at, kind in marks] == [(start, True)]


def test_a_split_without_a_place_says_that_none_is_known(tab: Tab, english: Shown, written: Write) -> None:
    frame = english.view.frame.copy()
    split = [row for row in worst_first(frame) if frame.at[row, "suggestion"] == "split"][:2]
    frame["suggested_cuts"] = [[] if row == split[0] else cuts for row, cuts in enumerate(frame["suggested_cuts"])]
    page = tab.show(written(replace(english.view, frame=frame)).path)
    without, with_cut = (opened(page, row).locator(".suggestion").inner_text() for row in split)
    assert without == say("en", "suggest_split_nowhere") and with_cut == say("en", "suggest_split_here")


def test_scores_stand_against_their_limits(tab: Tab, english: Shown) -> None:
    page = tab.show(english.path)
    frame = english.view.frame
    row = the_cut_one(english)
    table = opened(page, row).locator("table").first
    lines = table.locator("tbody tr").all()
    assert len(lines) == 3
    tokens, similarity, topics = (line.inner_text() for line in lines)
    assert f"{int(frame.at[row, 'token_count'])}" in tokens.replace(",", "")
    assert f"{abs(frame.at[row, 'similarity_centred']):.3f}" in similarity
    assert f"{abs(frame.at[row, 'topic_entropy_z']):.3f}" in topics
    assert ("▼" in similarity) == bool(frame.at[row, "flag_similarity"])
    assert ("▲" in topics) == bool(frame.at[row, "flag_topics"])
    assert ("▲" in tokens or "▼" in tokens) == bool(frame.at[row, "flag_tokens"])
    assert table.locator("thead th[scope=col]").count() >= 3
    assert table.locator("tbody th[scope=row]").count() == 3


def test_neighbours_and_metadata_are_there(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    frame = korean.view.frame
    row = next(row for row in worst_first(frame) if 0 < frame.at[row, "position"] < 19)
    chunk = opened(page, row)
    for side, other in (("before", row - 1), ("after", row + 1)):
        neighbour = chunk.locator(f".neighbour.{side}")
        assert frame.at[other, "chunk_id"] in neighbour.inner_text()
        (text,) = korean.view.texts([other])
        assert (text.strip()[-20:] if side == "before" else text.strip()[:20]) in neighbour.inner_text()
    told = dict(
        zip(
            chunk.locator("dl.metadata dt").all_inner_texts(),
            chunk.locator("dl.metadata dd").all_inner_texts(),
            strict=True,
        )
    )
    (known,) = korean.view.metadata([row])
    assert told == {name: f"{value}" for name, value in known.items() if value is not None}
    first = next(row for row in worst_first(frame) if frame.at[row, "position"] == 0)
    if first in here(page):
        assert opened(page, first).locator(".neighbour.before").count() == 0


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_neighbour_can_be_followed(browser: Browser, korean: Shown, motion: str) -> None:
    with visit(browser, reduced_motion=motion) as tab:
        follow_a_neighbour(tab, korean)


def follow_a_neighbour(tab: Tab, korean: Shown) -> None:
    """From a flagged chunk to one that is not flagged, hence not in the list."""
    page = tab.show(korean.path)
    frame = korean.view.frame
    row = next(row for row in here(page) if 0 < frame.at[row, "position"] < 19 and not frame.at[row + 1, "flagged"])
    opened(page, row).locator(".neighbour.after a").click()
    article = page.locator(f'#outliers tr.detail[data-row="{row + 1}"] article.chunk')
    article.wait_for()
    assert_in_view(page, row + 1)


def assert_in_view(page: Page, row: int) -> None:
    """The opened chunk is where the reader looks."""
    page.wait_for_function(
        """row => {
            const line = document.querySelector(`#outliers tr[data-row="${row}"]:not(.detail)`);
            const detail = document.querySelector(`#outliers tr.detail[data-row="${row}"]`);
            if (!line || !detail) return false;
            const [top, end] = [line.getBoundingClientRect().top, detail.getBoundingClientRect().top];
            return end < innerHeight && top > -10;
        }""",
        arg=row,
    )


@pytest.mark.parametrize("which", ["worst", "on another page", "not flagged"])
def test_the_permalink_opens_in_a_fresh_page(tab: Tab, korean: Shown, which: str) -> None:
    frame = korean.view.frame
    flagged = worst_first(frame)
    row = {
        "worst": flagged[0],
        "on another page": flagged[-1],
        "not flagged": int(np.flatnonzero(~frame["flagged"])[7]),
    }[which]
    identity = frame.at[row, "chunk_id"]
    page = tab.show(korean.path, f"#chunk={quote(identity, safe='')}")
    chunk = page.locator(f'#outliers tr.detail[data-row="{row}"] article.chunk')
    chunk.wait_for()
    assert_in_view(page, row)
    assert row_of(page, row).locator("button.open").get_attribute("aria-expanded") == "true"
    assert chunk.locator("a.permalink").get_attribute("href") == f"#chunk={quote(identity, safe='')}"
    if which == "not flagged":
        assert "chunkeval show" in chunk.inner_text()


def test_the_permalink_opens_when_the_address_changes(tab: Tab, english: Shown) -> None:
    page = tab.show(english.path)
    frame = english.view.frame
    worst = page.locator("ol.worst > li a").first
    identity = worst.locator("bdi").inner_text()
    worst.click()
    row = place(frame, identity)
    page.locator(f'#outliers tr.detail[data-row="{row}"] article.chunk').wait_for()
    page.locator("select[name=reason]").select_option("blank")
    other = worst_first(frame)[40]
    page.evaluate("hash => { location.hash = hash; }", f"#chunk={frame.at[other, 'chunk_id']}")
    page.locator(f'#outliers tr.detail[data-row="{other}"] article.chunk').wait_for()
    assert_in_view(page, other)
    for odd in ("#chunk=no%20such", "#chunk=%E0%A4%A", "#chunk=", "#facts"):
        page.evaluate("hash => { location.hash = hash; }", odd)
    assert page.locator(f'#outliers tr.detail[data-row="{other}"]').count() == 1


def test_the_line_to_type_shows_this_chunk(tab: Tab, real: Real) -> None:
    page = tab.show(real.page)
    frame = real.frame
    row = here(page)[0]
    chunk = opened(page, row)
    line = chunk.locator("code.show").inner_text()
    assert words(line) == ["show", real.name, frame.at[row, "chunk_id"]]
    done = real.shell(line)
    assert done.returncode == 0, done.stderr
    _, sentences, _ = read(chunk)
    assert done.stdout.startswith(str(frame.at[row, "chunk_id"]))
    assert max(sentences[0].splitlines(), key=len) in done.stdout


def test_the_line_can_be_copied(tab: Tab, real: Real) -> None:
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = tab.show(real.page)
    chunk = opened(page, here(page)[0])
    chunk.locator("button.copy").click()
    page.wait_for_timeout(200)
    assert page.evaluate("navigator.clipboard.readText()") == chunk.locator("code.show").inner_text()


def test_every_row_of_a_real_run_opens(tab: Tab, real: Real) -> None:
    page = tab.show(real.page)
    for row in here(page):
        assert opened(page, row).is_visible()
    assert page.locator("#outliers article.chunk").count() == len(here(page))


def test_a_second_click_closes(tab: Tab, korean: Shown) -> None:
    page = tab.show(korean.path)
    row = here(page)[2]
    chunk = opened(page, row)
    row_of(page, row).locator("button.open").click()
    assert chunk.count() == 0
    assert row_of(page, row).locator("button.open").get_attribute("aria-expanded") == "false"
