"""What the page does not hold, it says, and says where it is; redacted, it holds no text at all."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from made_views import EN, KO
from outliers import everywhere, here, opened, turn, worst_first
from pages import Shown, Write, words
from reading import held, read
from test_accessibility import assert_accessible
from views import whole
from watch import Tab

from chunkeval.report import passages
from chunkeval.report.view import Lang


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_without_texts_an_opened_chunk_gives_the_line_to_type(tab: Tab, written: Write, lang: Lang) -> None:
    view = replace(whole(lang, 400), embed="none")
    page = tab.show(written(view).path)
    row = here(page)[1]
    chunk = opened(page, row)
    assert chunk.locator(".text .sentence").count() == 0
    assert len(chunk.locator(".text").inner_text()) > 10
    assert words(chunk.locator("code.show").inner_text())[-1] == view.frame.at[row, "chunk_id"]
    assert chunk.locator("table tbody tr").count() == 3
    assert page.locator("#left_out").is_visible()
    assert_accessible(page)


def test_texts_beyond_the_worst_are_left_out(tab: Tab, written: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "WORST", 120)
    view = whole("en")
    page = tab.show(written(view).path)
    flagged = worst_first(view.frame)
    texts = dict(zip(flagged, view.texts(flagged), strict=True))
    turn(page, "next")
    for row in (flagged[118], flagged[122]):
        shown = opened(page, row).locator(".text .sentence").count()
        assert bool(shown) == (row == flagged[118])
    assert "120" in page.locator("#left_out").inner_text()
    page.locator("input[name=text]").fill("crust")
    page.wait_for_timeout(400)
    assert everywhere(page) == [row for row in flagged[:120] if "crust" in texts[row]]
    assert "120" in page.locator("#search-scope").inner_text(), "the reader knows how far the search goes"


@pytest.fixture(scope="module", params=["ko", "en"])
def redacted(request: pytest.FixtureRequest, written: Write) -> Shown:
    """A page without texts."""
    return written(replace(whole(request.param, 400), redact=True))


def test_a_redacted_page_holds_no_text_and_no_metadata(tab: Tab, redacted: Shown) -> None:
    text = redacted.path.read_text("utf-8")
    data = json.dumps(held(read(text)), ensure_ascii=False, default=str)
    sentences = [sentence for corpus in (KO, EN) for part in corpus.values() for sentence in part]
    for secret in (*sentences, "위키", "출처"):
        assert secret not in text and secret not in data, secret
    page = tab.show(redacted.path)
    chunk = opened(page, here(page)[1])
    assert len(chunk.locator(".text").inner_text()) > 5
    assert chunk.locator("dl.metadata").count() == 0
    assert chunk.locator(".neighbour blockquote").count() == 0
    assert page.locator("ol.worst > li").count() == 3
    assert_accessible(page)


def test_a_redacted_page_still_sorts_filters_and_decides(tab: Tab, redacted: Shown) -> None:
    page = tab.show(redacted.path)
    frame = redacted.view.frame
    page.locator("select[name=reason]").select_option("incoherent")
    wanted = [row for row in worst_first(frame) if "incoherent" in frame.at[row, "reasons"]]
    assert everywhere(page) == wanted
    opened(page, wanted[0]).locator('button[data-decision="split"]').click()
    page.locator("select[name=decision]").select_option("split")
    assert everywhere(page) == wanted[:1]
