"""The boundaries analyzer: a product of named factors, and what flags make of its marks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkeval import api, runs
from chunkeval.analyzers.base import Features, Groups
from chunkeval.analyzers.boundaries import FACTORS, LIMIT, BoundariesAnalyzer
from chunkeval.flags import INERT, REASONS
from chunkeval.text.edges import BIT, MARKS

WEAK = set(MARKS) & set(INERT)

SECTIONS = [
    "## 하나\n\n첫 절의 글이다. 여기서 끝난다.",
    "## 둘\n\n둘째 절의 글이다. 여기서 끝난다.\n\n## 셋\n\n셋째 절의 글이다. 길게 이어진다.",
]


def features(bits: list[int], heading: list[int] | None = None) -> Features:
    n = len(bits)
    nothing = np.zeros(0, np.int64)
    return Features(
        token_count=nothing,
        sentences=Groups(np.zeros(n + 1, np.int64), nothing),
        sentence_keys=np.zeros(0, np.uint64),
        word_offsets=np.zeros(1, np.int64),
        word_ids=nothing,
        vocabulary=[],
        vectors=lambda indices: np.zeros((len(indices), 1), np.float32),
        edges=np.array(bits, np.int32),
        heading=np.array(heading or [-1] * n, np.int32),
    )


def scored(*texts: str, **columns: object) -> pd.DataFrame:
    frame = pd.DataFrame({"text": texts, **columns})
    return api.flag(api.score(frame, analyzers="boundaries")).frame


def test_every_mark_has_a_factor_and_a_reason_in_its_place() -> None:
    assert set(FACTORS) == set(MARKS)
    assert set(MARKS) < set(REASONS)
    assert {"subheading_inside", "points_back"} == WEAK


def test_strong_marks_flag_alone_and_weak_ones_do_not_even_together() -> None:
    assert all(FACTORS[name] < LIMIT for name in MARKS if name not in WEAK)
    assert np.prod([FACTORS[name] for name in WEAK]) > LIMIT


def test_a_heading_inside_is_worse_than_both_ends_cut() -> None:
    assert FACTORS["heading_inside"] < FACTORS["starts_mid_sentence"] * FACTORS["ends_mid_sentence"]


@given(st.lists(st.integers(0, (1 << len(BIT)) - 1), max_size=20))
@settings(max_examples=100, deadline=None)
def test_the_score_is_the_product_of_its_factors(bits: list[int]) -> None:
    out = BoundariesAnalyzer().score(features(bits), {})
    for one, score, marks in zip(bits, out["boundary_score"], out["boundary_marks"], strict=True):
        if one & BIT["blank"]:
            assert np.isnan(score) and np.isnan(marks)
            continue
        assert score == pytest.approx(np.prod([FACTORS[name] for name in MARKS if one & BIT[name]]))
        assert 0 < score <= 1
        assert int(marks) == one & ((1 << len(MARKS)) - 1)


def test_reasons_suggestions_and_cuts() -> None:
    found = scored(*SECTIONS, "그러나 비가 왔다. 그래도 갔다.", "문을 열고 나갔지만", " ")
    assert found["reasons"].tolist() == [[], ["heading_inside"], ["points_back"], ["ends_mid_sentence"], ["blank"]]
    assert found["flag_boundaries"].tolist() == [False, True, False, True, False]
    assert found["suggestion"].tolist() == ["", "split", "", "merge", "drop"]
    assert found["suggested_cuts"].tolist() == [[], [SECTIONS[1].index("## 셋")], [], [], []]
    assert found["boundary_score"].tolist()[:4] == [1.0, 0.2, 0.9, 0.5]
    assert pd.isna(found["boundary_score"].iloc[4])


def test_the_chunk_before_tells_where_one_begins() -> None:
    text = "회사는 사원의 성별을 이유로 차별하지 아니한다. 같은 일에는 같은 임금을 지급한다."
    cut = text.index("차별")
    parts = {
        "text": [text[:cut], text[cut:]],
        "doc_id": "d",
        "position": [0, 1],
        "start": [0, cut],
        "end": [cut, len(text)],
    }
    found = scored(*parts.pop("text"), **parts)
    assert [r[0] for r in found["reasons"]] == ["ends_mid_sentence", "starts_mid_sentence"]
    alone = scored(text[cut:])
    assert alone["reasons"].tolist() == [[]]


def test_rows_in_any_order_and_shards_of_any_size_score_the_same() -> None:
    chunks = api.load("datasets/ko/chunks.csv").head(80)
    one = api.score(chunks, analyzers="boundaries").frame.set_index("chunk_id")
    other = api.score(chunks.sample(frac=1, random_state=3).reset_index(drop=True), analyzers="boundaries").frame
    pd.testing.assert_frame_equal(one, other.set_index("chunk_id").loc[one.index])


def test_good_sections_are_not_flagged() -> None:
    for language in ("ko", "en"):
        folder = Path("datasets") / language
        rows = []
        for slug, sections in json.loads((folder / "boundaries.json").read_text("utf-8")).items():
            text = (folder / "docs" / f"{slug}.md").read_text("utf-8")
            rows += [
                (slug, at, one["start"], one["end"], text[one["start"] : one["end"]]) for at, one in enumerate(sections)
            ]
        frame = pd.DataFrame(rows, columns=["doc_id", "position", "start", "end", "text"])
        found = api.flag(api.score(frame, analyzers="boundaries")).frame
        assert not found["flag_boundaries"].any()


def test_fixed_windows_are_nearly_all_flagged() -> None:
    chunks = api.load("datasets/ko/chunks.csv")
    found = api.flag(api.score(chunks, analyzers="boundaries")).frame
    assert found["flag_boundaries"].mean() > 0.95


def test_a_run_with_a_report(tmp_path: Path) -> None:
    chunks = api.load("datasets/ko/chunks.csv").head(40)
    flags = api.flag(api.score(chunks, analyzers="tokens,boundaries"))
    api.report(flags, tmp_path / "ko", lang="ko")
    api.report(flags, tmp_path / "en", lang="en")
    for language, said in (
        ("ko", ["경계 점수", "안에서 다른 절이 시작됨", "정해 둔 기준"]),
        ("en", ["boundary score", "fixed limit"]),
    ):
        page = (tmp_path / language / "report.html").read_text("utf-8")
        assert all(words in page for words in said), language
    assert (tmp_path / "ko" / "plots" / "boundaries.png").exists()
    summary = json.loads((tmp_path / "ko" / "summary.json").read_text("utf-8"))
    assert summary["analyzers"]["boundaries"]["limit"] | {"source": ""} == {
        "column": "boundary_score", "rule": "fixed", "source": "", "low": LIMIT, "high": None,
    }  # fmt: skip
    kept = runs.open_run(tmp_path / "ko").flags
    assert kept.judgements == flags.judgements
    assert kept.frame["heading_cut"].dtype == "Int64" or kept.frame["heading_cut"].isna().any()


def test_its_limit_can_be_moved() -> None:
    scores = api.score(
        pd.DataFrame({"text": ["그러나 비가 왔다. 그래도 갔다.", "문을 열고 나갔지만", SECTIONS[1]]}),
        analyzers="boundaries",
    )
    assert api.flag(scores, limit={"boundary_score": "0.3"}).frame["flagged"].tolist() == [False, False, True]
    assert api.flag(scores, limit={"boundary_score": "0.95"}).frame["flagged"].tolist() == [True, True, True]
    assert api.flag(scores, limits="card").frame["flagged"].tolist() == [False, True, True]
