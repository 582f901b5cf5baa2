"""The tables behind the figures: they hold what numpy and pandas count, and say where the limit lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_views import changed
from reading import read

from chunkeval.report.figures import behind, plots
from chunkeval.report.figures.published import with_published
from chunkeval.report.phrases import say
from chunkeval.report.sections import measures
from chunkeval.report.view import View
from chunkeval.results import Recombined

pytest_plugins = ["view_fixtures"]

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False).map(lambda value: round(value, 6))


def counts(table: behind.Table | None) -> list[int]:
    assert table is not None
    return [int(row.cells[1].replace(",", "")) for row in table.rows]


@given(st.lists(NUMBERS, min_size=1, max_size=80), st.none() | NUMBERS)
def test_bins_add_up_to_what_was_measured_and_are_numpys(values: list[float], low: float | None) -> None:
    limit = {} if low is None else {"low": low}
    scores = np.asarray(values)
    ends = behind.bins(scores, limit, {}, None, counts=False)
    table = behind.histogram(np.r_[scores, np.nan], "ease", limit, {}, None, "en")
    assert np.all(np.diff(ends) > 0)
    assert counts(table) == np.histogram(scores, ends)[0].tolist()
    assert sum(counts(table)) == len(values)


@given(st.lists(st.integers(0, 500_000), min_size=1, max_size=80))
def test_bins_of_counts_name_the_first_and_the_last_count_in_them(values: list[int]) -> None:
    table = behind.histogram(np.asarray(values, dtype=float), "token_count", {}, {}, None, "en")
    assert table is not None and sum(counts(table)) == len(values)
    assert table.head[:2] == ("From", "To")
    for row, number in zip(table.rows, counts(table), strict=True):
        low, high = (text.replace(",", "").replace("\N{MINUS SIGN}", "-") for text in (row.name, row.cells[0]))
        first = -np.inf if low == "\N{EN DASH}" else float(low)
        last = np.inf if high == "\N{EN DASH}" else float(high)
        assert sum(first <= value <= last for value in values) == number


def test_curves_become_shares_that_add_up(english: View) -> None:
    column = "similarity_centred"
    values, made = english.frame[column].to_numpy(float), english.recombined[column]
    table = behind.histogram(values, column, {"low": 0.15}, {}, made, "en")
    assert table is not None
    assert table.head == ("From", "Below", "Chunks", "Mixed chunks", "Spliced chunks", "Limit")
    ends = behind.bins(values[np.isfinite(values)], {"low": 0.15}, {}, made, counts=False)
    assert 18 <= len(table.rows) <= 26
    assert behind._shares(made.mixes, ends).sum() == pytest.approx(1)
    inner = np.histogram(made.splices, np.r_[-np.inf, ends[1:-1], np.inf])[0] / len(made.splices)
    assert behind._shares(made.splices, ends) == pytest.approx(inner)


def test_the_bin_that_holds_the_limit_is_marked_in_words() -> None:
    values = np.linspace(0, 1, 500)
    table = behind.histogram(values, "similarity", {"low": 0.3}, {"low": 0.4}, None, "en")
    assert table is not None
    (marked,) = [row for row in table.rows if row.marked]
    assert marked.cells[-1] == "limit 0.3 lies here" and float(marked.name) == 0.3
    assert [row.cells[-1] for row in table.rows].count("published limit 0.4 lies here") == 1
    assert {row.cells[-1] for row in table.rows if float(row.name) < 0.25} == {"beyond the limit"}
    card = behind.histogram(values, "similarity", {}, {"low": 0.4}, None, "ko")
    assert card is not None and [row.cells[-1] for row in card.rows if row.marked] == ["이 구간에 공개된 기준 0.4"]


def test_groups_are_those_of_pandas(english: View) -> None:
    x, y = (english.frame[name].to_numpy(float) for name in ("content_words", "topic_entropy_z"))
    flagged = english.frame["flag_topics"].to_numpy(bool)
    found = behind.groups(x, y, flagged)
    assert 2 <= len(found) <= behind.GROUPS
    frame = pd.DataFrame({"x": x, "y": y, "flagged": flagged}).dropna()
    cuts = [group.low for group in found] + [np.inf]
    grouped = frame.groupby(pd.cut(frame["x"], cuts, right=False), observed=True)
    assert [group.measured for group in found] == grouped.size().tolist()
    assert [group.flagged for group in found] == grouped["flagged"].sum().tolist()
    for at, share in enumerate((0.25, 0.5, 0.75)):
        assert [group.quartiles[at] for group in found] == pytest.approx(grouped["y"].quantile(share).tolist())
    assert sum(group.measured for group in found) == len(frame)


def test_few_values_have_a_group_each() -> None:
    found = behind.groups(np.r_[2.0, 2, 3, np.nan], np.r_[0.1, 0.3, np.nan, 0.5], np.r_[True, False, False, True])
    assert found == [behind.Group(2.0, 2.0, 2, pytest.approx((0.15, 0.2, 0.25)), 1)]
    table = behind.scatter(np.r_[2.0, 3.0], np.r_[0.1, 0.3], np.r_[True, False], ("sentences", "similarity"), "ko")
    assert table is not None
    assert [(row.name, row.cells) for row in table.rows] == [
        ("2", ("1", "0.100", "0.100", "0.100", "1 (100%)")),
        ("3", ("1", "0.300", "0.300", "0.300", "0 (0%)")),
    ]


@pytest.mark.parametrize(
    "values", [[0.5], [7.0] * 40, [0.0] * 3, [3.0] * 60 + [5e6], [-1e-9, 1e-9], [5e6] * 9 + [5e6 + 1]]
)
def test_odd_values_have_a_table(values: list[float]) -> None:
    for column in ("token_count", "similarity"):
        table = behind.histogram(np.asarray(values), column, {"low": 0.4}, {}, None, "en")
        assert sum(counts(table)) == len(values)
    made = Recombined(np.full(3, np.nan), np.full(1, 0.2))
    table = behind.histogram(np.asarray(values), "similarity", {}, {}, made, "en")
    assert table is not None and len(table.head) == 5


def test_nothing_measured_has_no_table(remade: Callable[..., View]) -> None:
    none = np.full(40, np.nan)
    assert behind.histogram(none, "similarity", {"low": 0.4}, {}, None, "ko") is None
    assert behind.scatter(none, none, np.zeros(40, bool), ("sentences", "similarity"), "ko") is None
    view = remade("ko", 40)
    view = replace(view, frame=view.frame.assign(token_count=none))
    assert [picture.tables for picture in plots.pictures(view, "tokens")] == [()]


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_the_page_has_a_table_under_every_figure(korean_page: str, english_page: str, lang: str) -> None:
    page = read(korean_page if lang == "ko" else english_page)
    behinds = [element for element in page.all("details") if element.attributes.get("class") == "behind"]
    assert len(behinds) == len(list(page.all("figure"))) == 5
    for element in behinds:
        assert element.one("summary").text.strip() == say(lang, "behind_summary")
        for table in element.all("table"):
            assert table.one("caption").text.strip()
            heads = [cell.attributes.get("scope") for cell in table.all("th")]
            rows = list(table.one("tbody").all("tr"))
            assert heads.count("row") == len(rows) > 1
            assert all(len(list(row.all("td"))) + 1 == heads.count("col") for row in rows)
    sections = [section for section in page.all("section") if section.attributes.get("class") == "measure"]
    assert [section.attributes["data-analyzer"] for section in sections] == ["tokens", "similarity", "topics"]
    trials = [
        element.attributes["data-analyzer"] for element in page.all("div") if element.attributes.get("class") == "trial"
    ]
    assert trials == ["tokens", "similarity", "topics"]


def test_the_published_rule_for_tokens_is_told_where_another_judges(english: View, undrawn: None) -> None:
    facts = {
        **english.summary["analyzers"]["tokens"],
        "limit": {"column": "token_count", "high": 800.0, "rule": "given"},
    }
    view = changed(english, analyzers={**english.summary["analyzers"], "tokens": facts})
    tokens = view.frame["token_count"].to_numpy(float)
    q1, q3 = np.quantile(tokens, (0.25, 0.75))
    low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    card = with_published(facts, tokens)["card"]
    assert (card["low"], card["high"]) == (low, high)
    assert card["flagged"] == int(((tokens < low) | (tokens > high)).sum())
    built = measures.build(view)
    assert built is not None
    (part, *_) = built["parts"]
    assert f"would flag {card['flagged']} " in part["found"][-1]
    assert [row.rule for row in part["limits"]] == ["limit you gave", "interquartile fences (IQR)"]
