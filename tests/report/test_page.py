"""The page: what it says, that it is safe, and that it stands on its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from made_views import changed
from reading import Element, held, read

from chunkeval.report import passages
from chunkeval.report.page import render
from chunkeval.report.view import View

pytest_plugins = ["view_fixtures"]


def facts(page: Element) -> list[tuple[str, str, str]]:
    """The three numbers as a reader sees them."""
    boxes = page.one("dl", cls="numbers").all("div")
    return [(box.one("dt").text, box.one("dd", cls="figure").text, box.one("dd", cls="base").text) for box in boxes]


def test_korean_first_screen(korean_page: str) -> None:
    page = read(korean_page)
    first = page.one(id="first")
    assert page.one("html").attributes["lang"] == "ko"
    assert page.one("h1").text == "청크 400개 가운데 60개(15%)를 점검해야 합니다."
    assert "약 9%는" in first.one(cls="share").text
    assert "95% 구간 6~13%" in first.one(cls="share").text
    assert "청크 54개부터 나누세요" in first.one(cls="todo").text
    assert facts(page) == [
        ("점검 대상", "15%", "400개 중 60개"),
        ("섞인 글처럼 읽히는 비율(추정)", "약 9%", "95% 구간 6~13% · 측정한 청크 387개 기준"),
        ("살펴본 청크", "400", "문서 20개"),
    ]


def test_english_first_screen(english_page: str) -> None:
    page = read(english_page)
    assert page.one("html").attributes["lang"] == "en"
    assert page.one("h1").text == "60 of 400 chunks (15%) need another look."
    assert facts(page)[1][1:] == ("about 9%", "95% interval 6\u201313% · of 387 measured chunks")
    assert not any("\uac00" <= character <= "\ud7a3" for character in page.one("main").text)


def test_each_measure_has_plot_limits_and_base(english_page: str) -> None:
    measures = read(english_page).all("section", cls="measure")
    assert [measure.one("h3").text for measure in measures] == ["Length", "Sentence similarity", "Topic mixing"]
    similarity = measures[1]
    rows = [
        [cell.text for cell in row.all() if cell.tag in ("th", "td")]
        for row in similarity.one("table", cls="limits").one("tbody").all("tr")
    ]
    assert rows == [
        ["limit learned from this corpus In use", "centred similarity below 0.15", "42 of 387 measured (11%)"],
        ["published limit", "sentence similarity below 0.4", "45 of 387 measured (12%)"],
    ]
    assert "0.97 (95% interval 0.95\u20130.98)" in similarity.text
    assert len(similarity.all("img")) == 2
    for picture in (picture for measure in measures for picture in measure.all("picture")):
        image = picture.one("img")
        assert len(image.attributes["alt"] or "") > 40
        assert (image.attributes["src"] or "").startswith("data:image/svg+xml;base64,")
        assert picture.one("source").attributes["media"] == "screen and (prefers-color-scheme: dark)"


def text_of(passage: dict[str, Any]) -> str:
    """A chunk's text as the page's script puts it together."""
    return "".join(words for _, _, words in passage["pieces"])


def test_the_first_screen_shows_three_of_the_worst_with_their_weak_place(korean: View, korean_page: str) -> None:
    cards = read(korean_page).one("ol", cls="worst").all("li")
    frame = korean.frame.set_index("chunk_id")
    ids = [card.one("a").one("bdi").text for card in cards]
    worst = frame[frame["flagged"] & (frame["reasons"].str[0] != "blank")].sort_values("severity", ascending=False)
    assert ids[0] == worst.index[0] and len({frame.at[name, "doc_id"] for name in ids}) == 3
    assert [card.one("a").attributes["href"] for card in cards] == [f"#chunk={name}" for name in ids]
    marked = next(card for card in cards if card.all(cls="cut"))
    name = marked.one("a").one("bdi").text
    (text,) = korean.texts([int(korean.frame.index[korean.frame["chunk_id"] == name][0])])
    parts = marked.one(cls="text").children
    at = next(place for place, part in enumerate(parts) if isinstance(part, Element))
    before = "".join(part for part in parts[:at] if isinstance(part, str))
    assert len(before) == frame.at[name, "suggested_cuts"][0] and text.startswith(before)


def test_the_page_holds_every_score_and_the_worst_texts(korean: View, korean_page: str) -> None:
    found = held(read(korean_page))
    frame = korean.frame
    assert found.head["ids"] == frame["chunk_id"].tolist()
    for name in ("token_count", "similarity", "similarity_centred", "topic_entropy_z", "severity", "cut_gap"):
        assert found.columns[name] == [None if value != value else value for value in frame[name].tolist()]
    assert [found.head["reasons"][int(code)] for code in found.columns["reasons"]] == frame["reasons"].tolist()
    worst = frame[frame["flagged"]].sort_values("severity", ascending=False, kind="stable").index.tolist()
    assert [passage["row"] for passage in found.passages] == worst
    for passage, text in zip(found.passages, korean.texts(worst), strict=True):
        cuts = [place for place, piece in enumerate(passage["pieces"]) if piece[0] == "cut"]
        assert text_of(passage) == (text if text.strip() else "")
        for cut in cuts:
            left = "".join(words for _, _, words in passage["pieces"][:cut])
            assert len(left) in frame.at[passage["row"], "suggested_cuts"]


def test_neighbours_stand_beside_a_text(korean: View, korean_page: str) -> None:
    found = held(read(korean_page))
    passage = next(one for one in found.passages if one["row"] % 20 not in (0, 19))
    texts = korean.texts([passage["row"] - 1, passage["row"] + 1])
    assert [passage["before"], passage["after"]] == texts
    assert next(one for one in found.passages if one["row"] % 20 == 0)["before"] is None


@pytest.mark.usefixtures("undrawn")
def test_how_much_text_is_embedded(remade: Callable[..., View]) -> None:
    view = remade("en", 60)
    flagged = int(view.frame["flagged"].sum())
    pages = {
        name: read(render(replace(view, **changes)))
        for name, changes in {"all": {"embed": "all"}, "none": {"embed": "none"}, "redacted": {"redact": True}}.items()
    }
    assert [len(held(page).passages) for page in pages.values()] == [flagged, 0, 0]
    options = {name: held(page).head["options"] for name, page in pages.items()}
    assert options == {"all": ["--embed", "all"], "none": ["--embed", "none"], "redacted": ["--redact"]}
    assert "made without texts" in pages["redacted"].one("ol", cls="worst").text
    assert f"0 of the {flagged} flagged chunks" in pages["none"].one(id="left_out").text
    noted = replace(view, summary={**view.summary, "notes": ["an opening such as 'secret'"]})
    assert "secret" in render(noted) and "secret" not in render(replace(noted, redact=True))
    raw = render(replace(view, redact=True, metadata=lambda rows: [{"note": "secret"} for _ in rows]))
    told = read(raw)
    assert not any(sentence in told.text for sentence in ("A tide is", "Sourdough rises", "A lichen is"))
    assert held(told).passages == [] and "secret" not in json.dumps(held(told).head)


def test_what_is_left_out_is_said(korean_page: str) -> None:
    assert "점검 대상의 본문은 모두 실었습니다" in read(korean_page).one(id="left_out").text


@pytest.mark.usefixtures("undrawn")
def test_long_texts_leave_room_for_fewer(remade: Callable[..., View], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passages, "BUDGET", 500)
    view = remade("ko", 60)
    page = read(render(view))
    held_now = len(held(page).passages)
    assert 0 < held_now < int(view.frame["flagged"].sum())
    assert f"가운데 {held_now}개의 본문만" in page.one(id="left_out").text


def test_input_settings_and_versions_are_listed(english_page: str) -> None:
    text = read(english_page).one(id="facts").text
    for part in (
        "cp949",
        "text: content, doc_id: title",
        "use-multilingual",
        "3.11.2",
        "The text is in column 'content'.",
    ):
        assert part in text


@pytest.mark.usefixtures("undrawn")
def test_what_is_new_since_the_baseline_is_marked(remade: Callable[..., View]) -> None:
    view = remade("en", 60)
    flagged = list(view.frame.loc[view.frame["flagged"], "chunk_id"])
    new = {"baseline": "old", "flagged": 1, "flagged_share": 0.0167, "mended": 0}
    view = replace(changed(view, new=new), earlier=frozenset(flagged[1:]))
    page = read(render(view))
    assert page.one("h1").text == f"1 newly flagged (of {len(flagged)} flagged) among 60 chunks."
    found = held(page)
    assert [
        name for name, new in zip(found.head["ids"], found.head["new"], strict=True) if new and name in flagged
    ] == flagged[:1]
    marked = [card.one("a").text for card in page.one("ol", cls="worst").all("li") if card.all(cls="tag")]
    assert set(marked) <= set(flagged[:1])


def test_why_the_two_shares_differ_is_said(korean_page: str, english_page: str) -> None:
    assert "두 비율은 서로 다릅니다" in read(korean_page).one(id="findings").text
    assert "The two shares differ because" in read(english_page).one(id="findings").text


def test_documents_are_listed_worst_first(english_page: str) -> None:
    rows = read(english_page).one(id="documents").one("tbody").all("tr")
    counts = [int(row.all("td")[0].text) for row in rows]
    assert len(rows) == 15
    assert counts == sorted(counts, reverse=True)


def without(view: View, *analyzers: str) -> View:
    """The audit as if these analyzers had not run."""
    left = {name: facts for name, facts in view.summary["analyzers"].items() if name not in analyzers}
    columns = {
        "similarity": [
            "similarity",
            "similarity_centred",
            "sentences",
            "repetition",
            "weakest_cut",
            "cut_gap",
            "flag_similarity",
        ],
        "topics": ["topic_entropy", "topic_entropy_card", "topic_entropy_z", "content_words", "flag_topics"],
        "tokens": ["token_count", "flag_tokens"],
    }
    frame = view.frame.drop(columns=[column for name in analyzers for column in columns[name]])
    return replace(changed(view, analyzers=left), frame=frame)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize(
    "gone", [("similarity", "topics"), ("tokens", "topics"), ("tokens", "similarity"), ("topics",)]
)
def test_missing_analyzers(remade: Callable[..., View], lang: str, gone: tuple[str, ...]) -> None:
    view = without(remade(lang, 60), *gone)
    page = read(render(view))
    assert len(page.all("section", cls="measure")) == 3 - len(gone)
    assert len(held(page).head["measures"]) == 3 - len(gone)
    if {"similarity", "topics"} <= set(gone):
        assert facts(page)[1][1] == {"ko": "알 수 없음", "en": "cannot tell"}[lang]


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_nothing_flagged(remade: Callable[..., View], lang: str) -> None:
    view = remade(lang, 60)
    frame = view.frame.assign(flagged=False, severity=0.0, suggestion=None)
    documents = view.documents.assign(flagged=0, worst=0.0)
    analyzers = {name: {**facts, "flagged": 0} for name, facts in view.summary["analyzers"].items()}
    view = replace(changed(view, flagged=0, flagged_share=0.0, analyzers=analyzers), frame=frame, documents=documents)
    page = read(render(view))
    assert (
        page.one("h1").text
        == {
            "ko": "청크 60개 가운데 점검이 필요한 것은 없습니다.",
            "en": "None of the 60 chunks needs another look.",
        }[lang]
    )
    assert facts(page)[0][1] == "0%"
    assert not page.all("ol", cls="worst") and held(page).passages == []


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_no_chunks_at_all(remade: Callable[..., View], lang: str) -> None:
    view = remade(lang, 30)
    empty = replace(view, frame=view.frame.iloc[:0], documents=view.documents.iloc[:0], recombined={})
    page = read(render(changed(empty, chunks=0, documents=0, flagged=0, flagged_share=0.0, analyzers={})))
    assert page.one("h1").text == {"ko": "살펴볼 청크가 없습니다.", "en": "There are no chunks to examine."}[lang]


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("lang", ["ko", "en"])
def test_all_blank(remade: Callable[..., View], lang: str) -> None:
    view = remade(lang, 30)
    scores = view.frame.assign(
        similarity=np.nan, similarity_centred=np.nan, topic_entropy=np.nan, topic_entropy_card=np.nan
    )
    frame = scores.assign(
        topic_entropy_z=np.nan,
        token_count=0.0,
        flagged=True,
        severity=1.0,
        suggestion="drop",
        reasons=[["blank"]] * 30,
        suggested_cuts=[[]] * 30,
        weakest_cut=pd.array([None] * 30, dtype="Int64"),
    )
    unable = {"auroc": None, "share": None, "why": "only 0 measured", "measured": 0, "documents": 2}
    analyzers = view.summary["analyzers"]
    analyzers = {
        "tokens": {**analyzers["tokens"], "flagged": 0, "q1": 0.0, "median": 0.0, "q3": 0.0},
        **{
            name: {**analyzers[name], "measured": 0, "flagged": 0, "limit": None, "calibrated": unable}
            for name in ("similarity", "topics")
        },
    }
    view = replace(
        changed(view, flagged=30, analyzers=analyzers),
        frame=frame,
        texts=lambda rows: [" "] * len(rows),
        sentences=lambda row: [],
    )
    page = read(render(view))
    assert page.one("h1").text == {"ko": "청크 30개가 모두 비어 있습니다.", "en": "All 30 chunks are blank."}[lang]
    assert {"ko": "(빈 글)", "en": "(blank)"}[lang] in page.one("ol", cls="worst").text


@pytest.mark.usefixtures("undrawn")
def test_calibration_that_cannot_tell_is_said(english: View) -> None:
    analyzers = dict(english.summary["analyzers"])
    unable = {"auroc": 0.55, "share": None, "why": "auroc below 0.7", "measured": 387, "documents": 20}
    analyzers["similarity"] = {
        **analyzers["similarity"],
        "flagged": 300,
        "calibrated": unable,
        "limit": {"column": "similarity", "low": 0.4, "high": None, "rule": "card", "source": "published"},
    }
    analyzers.pop("topics")
    page = read(render(changed(english, analyzers=analyzers)))
    assert "AUROC 0.55, and it takes 0.70" in page.one(cls="share").text
    notices = page.one("div", cls="notices").text
    assert "the published limit flags 78% of what was measured" in notices
    assert "The published limit was used instead." in notices
    assert "Doubt the limit first" in page.one(cls="todo").text


@pytest.mark.usefixtures("undrawn")
def test_by_and_missing_documents(korean: View) -> None:
    groups = [{"value": "위키", "chunks": 300, "flagged": 33}, {"value": None, "chunks": 100, "flagged": 27}]
    view = replace(changed(korean, by={"column": "출처", "groups": groups}, documents=0), documents=pd.DataFrame())
    page = read(render(view))
    rows = [
        [cell.text for cell in row.all() if cell.tag in ("th", "td")][:4] for row in page.one(id="groups").all("tr")[1:]
    ]
    assert rows == [["위키", "300", "33", "11%"], ["(비어 있음)", "100", "27", "27%"]]
    assert "문서별로 모아 볼 수 없습니다" in page.one(id="documents").text


@pytest.mark.usefixtures("undrawn")
def test_a_huge_chunk_is_cut_short(remade: Callable[..., View]) -> None:
    view = remade("ko", 30)
    huge = "가나다 " * 1_250_000
    frame = view.frame.assign(flagged=True, suggested_cuts=[[2_000_000]] * 30)
    spans = [(start, start + 3) for start in range(0, 40_000, 4)]
    view = replace(view, frame=frame, texts=lambda rows: [huge] * len(rows), sentences=lambda row: spans)
    text = render(view)
    assert len(text) < 2_500_000
    first = held(read(text)).passages[0]["pieces"]
    assert [kind for kind, _, _ in first if kind in ("elided", "cut")] == ["elided", "cut", "elided"]
    assert (
        sum(number for kind, number, _ in first if kind == "elided") + sum(len(words) for _, _, words in first)
        == 5_000_000
    )
