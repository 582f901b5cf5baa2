"""What the page says about cutting again: against chance first, reason by reason, and two lanes a document."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import pytest
from hostile_strings import HOSTILE, ODD
from made_rechunk import cut_again, facts
from made_views import changed
from reading import Element, read

from chunkeval.report import lanes
from chunkeval.report.page import render
from chunkeval.report.view import View
from chunkeval.report.visible import plain

pytest_plugins = ["view_fixtures"]
pytestmark = pytest.mark.usefixtures("undrawn")

DRAWN_TAGS = re.compile(
    "figcaption|bdi|span|svg|text|rect|line|circle|path|details|summary|table|caption|thead|tbody|tr|th|td|div"
)


def section(view: View) -> Element:
    return read(render(view)).one("section", id="rechunk")


def cells(row: Element) -> list[str]:
    return [cell.text for cell in row.all() if cell.tag in ("th", "td")]


def test_the_verdict_is_the_gain_over_random_cuts(korean: View, english: View) -> None:
    told = section(cut_again(korean)).all("p")
    assert told[0].text == "다시 자른 결과는 무작위로 자를 때보다 분명히 낫습니다. 심각도가 0.24만큼 더 낮습니다."
    assert "자르기 전 0.62, 다시 자른 뒤 0.22이고" in told[1].text and "평균 0.46입니다" in told[1].text
    assert "다른 임베더로 재어도 무작위로 자를 때보다 낫습니다" in told[1].text
    told = section(cut_again(english)).all("p")
    assert told[0].text == "The new cuts are clearly better than random ones: they bring severity 0.24 lower."
    assert told[2].text == (
        "Flagged before: 90 of 402 (22%); after: 60 of 400 (15%). Done: 2 split, 1 border moved, 3 merged, "
        "4 left as they were, since nothing made them better."
    )


def severity(after: float, low: float, high: float) -> dict[str, Any]:
    mean = (low + high) / 2
    return {
        "severity": {"before": 0.6, "after": after, "random": {"mean": mean, "min": low, "max": high}},
        "gain": mean - after,
    }


@pytest.mark.parametrize(
    ("splits", "said"),
    [
        (severity(0.2, 0.4, 0.5), "clearly better than random"),
        (severity(0.35, 0.4, 0.5), "may be chance"),
        (severity(0.45, 0.4, 0.5), "no better than random"),
        (severity(0.55, 0.4, 0.5), "no better than random"),
        ({"changed": 0}, "left as they are: no cut made them better"),
        ({"chunks": 0}, "no chunk to split"),
    ],
)
def test_no_gain_is_claimed_that_is_none(english: View, splits: dict[str, Any], said: str) -> None:
    shown = section(cut_again(english, **splits))
    assert said in shown.all("p")[0].text
    assert bool(shown.all("table", cls="proof")) == ("severity" in splits)


@pytest.mark.parametrize(
    ("after", "said"), [(0.12, "also finds them better"), (0.095, "though not clearly"), (0.07, "does not find them")]
)
def test_the_second_judge_may_differ(english: View, after: float, said: str) -> None:
    judge = {"before": 0.05, "after": after, "random": {"mean": 0.08, "min": 0.07, "max": 0.09}}
    assert said in section(cut_again(english, judge=judge)).all("p")[1].text


def test_what_cannot_be_measured_any_more_is_not_cured(english: View) -> None:
    table = section(cut_again(english)).one("table", cls="fates")
    heads, rows = table.one("thead").all("tr")[1], table.one("tbody").all("tr")
    assert cells(heads) == [
        "Reason",
        "Before",
        "After",
        "Cured",
        "Not measurable any more",
        "Still flagged",
        "No better, left as it was",
    ]
    assert [cells(row)[1:] for row in rows] == [
        ["26", "14", "12", "3", "11", "0"],
        ["10", "4", "6", "0", "0", "4"],
    ]


def test_moved_limits_are_said(english: View) -> None:
    view = cut_again(english)
    assert not section(view).all("p", cls="notices")
    analyzers = {**view.summary["analyzers"]}
    analyzers["similarity"] = {**analyzers["similarity"], "limit": {**analyzers["similarity"]["limit"], "low": 0.1}}
    assert "60 chunks are flagged now" in section(changed(view, analyzers=analyzers)).one("p", cls="notices").text


def test_the_lanes_are_drawn_where_the_chunks_lie(english: View) -> None:
    drawing = section(cut_again(english)).all("svg", cls="drawing")[0]
    boxes = [
        [rect.attributes[name] for name in ("y", "x", "width", "class")] for rect in drawing.all("rect", cls="box")
    ]
    assert boxes[:2] == [
        ["18", "0.000%", "20.000%", "box fine changed"],
        ["18", "20.000%", "20.000%", "box flagged changed"],
    ]
    assert boxes[5:8] == [
        ["70", "0.000%", "28.000%", "box fine changed"],
        ["70", "28.000%", "12.000%", "box flagged changed"],
        ["70", "40.000%", "10.000%", "box unmeasured changed"],
    ]
    (moved,) = drawing.all("line", cls="moved")
    assert [moved.attributes[name] for name in ("x1", "x2")] == ["20.000%", "28.000%"]
    assert [line.attributes["x1"] for line in drawing.all("line", cls="kept")] == ["40.000%", "60.000%"]
    assert len(drawing.all("path", cls="new")) == len(drawing.all("path", cls="gone")) == 1
    hatched = [rect for rect in drawing.all("rect") if rect.attributes.get("fill") == "url(#lane-flagged)"]
    assert len(hatched) == 4 == sum("flagged" in str(box[3]) for box in boxes)
    assert drawing.attributes["role"] == "img"
    assert "Before: 5 chunks, 3 flagged; after: 5 chunks, 1 flagged." in str(drawing.attributes["aria-label"])
    assert "kept: 2, moved: 1, new: 1, gone: 1" in str(drawing.attributes["aria-label"])


def test_the_table_says_the_same(korean: View) -> None:
    view = cut_again(korean)
    shown = section(view)
    assert "문서 10개에서" in shown.text and "3개만 그렸습니다. 나머지 7개" in shown.text
    assert "다른 곳에서 바뀐 것이 2군데 더 있습니다." in shown.all("figure", cls="lanes")[2].text
    rows = shown.all("figure", cls="lanes")[0].one("tbody").all("tr")
    assert [cells(row)[0] for row in rows] == ["경계 옮김", "나눔", "합침"]
    assert [link.attributes["href"] for link in rows[0].all("a")] == ["#chunk=c00000", "#chunk=c00001"]
    assert "old-2 101~200 점검 대상" in cells(rows[0])[1].replace("\n", " ")
    assert "유사도를 잴 수 없음" in cells(rows[1])[2]


@pytest.mark.parametrize("name", [*HOSTILE, *ODD])
def test_a_hostile_name_is_only_a_name(remade: Callable[..., View], name: str) -> None:
    view = cut_again(remade("en", 60), 1, name=name)
    drawn = view.lanes
    assert drawn is not None
    steps = (lanes.Step("split", ((1, name),), ((1, name), (2, name))),)
    view = replace(view, lanes=replace(drawn, drawn=(replace(drawn.drawn[0], steps=steps),)))
    page = read(render(view))
    figure = page.one("section", id="rechunk").one("figure", cls="lanes")
    assert figure.one("figcaption").one("bdi").text == plain(name)
    assert {cell.text for cell in figure.one("tbody").all("bdi")} == {plain(name)}
    assert all(DRAWN_TAGS.fullmatch(one.tag) for one in figure.all())
    for element in page.all():
        for attribute in element.attributes:
            assert not attribute.startswith("on") and attribute != "style"


def test_redacted_it_holds_no_text(english: View) -> None:
    view = replace(cut_again(english), redact=True)
    shown = section(view).text
    for text in view.texts(range(100)):
        assert not text.strip() or text[:30] not in shown
    assert "document 0" in shown, "names are shown as everywhere in a redacted page"


def test_a_table_that_was_not_cut_again_has_no_such_section(english_page: str) -> None:
    assert read(english_page).all("section", id="rechunk") == []


def test_without_lanes_the_numbers_stand_alone(english: View) -> None:
    shown = section(replace(changed(english, rechunk={**facts(), "limits": {}}), lanes=None))
    assert shown.all("svg") == [] and shown.all("table", cls="fates")


def test_lanes_survive_a_file(english: View) -> None:
    drawn = cut_again(english).lanes
    assert drawn is not None
    assert lanes.read(json.loads(json.dumps(asdict(drawn)))) == drawn


def test_known_boundaries_have_a_row_where_there_are_some(english: View) -> None:
    found = {"before": 0, "after": 3, "random": {"mean": 1.0, "min": 0.0, "max": 2.0}}
    none = section(cut_again(english, boundaries={"documents": 0, "sections": 0, "inside": 0}))
    some = section(cut_again(english, boundaries={"documents": 2, "sections": 9, "inside": 8, "found": found}))
    assert "Known section boundaries found, of 8 inside these chunks" in some.text
    assert "Known section boundaries" not in none.text


def test_chunks_left_out_beside_the_drawn_stretch_are_not_drawn(english: View) -> None:
    view = cut_again(english, documents=1)
    assert view.lanes is not None
    (one,) = view.lanes.drawn
    far = replace(one, steps=(*one.steps, lanes.Step("drop", ((1, "old-1"), (6, "old-6"), (700, "old-700")), ())))
    shown = section(replace(view, lanes=replace(view.lanes, drawn=(far,))))
    assert "700" in shown.text
