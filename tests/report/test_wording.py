"""Sentences, numbers and signs."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import string
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.assessment import Assessment
from chunkeval.report.excerpt import pieces
from chunkeval.report.figures.poster import wrap
from chunkeval.report.judge_wording import lines
from chunkeval.report.measure_wording import found, means, notices
from chunkeval.report.phrases import BOOKS
from chunkeval.report.sections.measures import limit_rows
from chunkeval.report.view import View
from chunkeval.report.visible import plain, visible
from chunkeval.report.wording import fell_back, verdict

pytest_plugins = ["view_fixtures"]

MODULES = [
    module.name
    for module in pkgutil.walk_packages(importlib.import_module("chunkeval.report").__path__, "chunkeval.report.")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("analyzer", ["tokens", "similarity", "topics", "readability"])
def test_a_measure_is_explained_in_two_sentences(analyzer: str, lang: Any) -> None:
    assert len(re.split(r"(?<=[.?!])\s+", means(analyzer, lang))) == 2


def test_the_fences_are_the_published_rule_for_tokens(english: View) -> None:
    assert found("tokens", english.summary, "en")[-1] == "The limit in use is the published one."


def test_both_languages_say_the_same_things_with_the_same_blanks() -> None:
    ko, en = BOOKS["ko"], BOOKS["en"]
    assert {plainly(key) for key in en} == {plainly(key) for key in ko}
    for key in {*en, *ko}:
        common = plainly(key)
        assert blanks(ko.get(key, ko[common])) - {"n"} == blanks(en[common]) - {"n"}, key
        assert key != common or blanks(ko[key]) == blanks(en[key]), key


def plainly(key: str) -> str:
    """Name a phrase without the ending of its forms for one and nothing."""
    return key.removesuffix("_one").removesuffix("_zero")


def blanks(phrase: str) -> set[str | None]:
    """Names of the blanks in a phrase."""
    return {name for _, name, _, _ in string.Formatter().parse(phrase) if name is not None}


def summary(**facts: Any) -> dict[str, Any]:
    """A summary of 1,000 chunks whose similarity is as given."""
    similarity = {
        "measured": 900,
        "flagged": 30,
        "limit": {"column": "similarity_centred", "low": 0.1, "rule": "calibrated"},
    }
    told = {"auroc": 0.95, "share": 0.04, "share_ci": [0.02, 0.07]}
    similarity |= {"card": {"low": 0.4, "flagged": 792}, "calibrated": told} | facts
    return {"chunks": 1000, "documents": 40, "flagged": 30, "analyzers": {"similarity": similarity}}


def test_verdict_in_korean() -> None:
    assert verdict(summary() | {"suggestions": {"split": 25, "merge": 5}}, "ko") == (
        "청크 1,000개 가운데 30개(3.0%)를 점검해야 합니다. "
        "문장들이 서로 이어지는 정도로 보면, 청크의 약 4%는 서로 다른 글을 섞어 놓은 것처럼 읽힙니다(95% 구간 2~7%). "
        "여러 이야기가 섞였거나 너무 긴 청크 25개부터 나누세요. 나눌 만한 자리는 보고서에 표시해 두었습니다."
    )


def test_verdict_in_english() -> None:
    assert verdict(summary() | {"suggestions": {"drop": 30}}, "en") == (
        "30 of 1,000 chunks (3.0%) need another look. "
        "Judging by how well its sentences hang together, about 4% of the corpus reads like text from different places "
        "mixed together (95% interval 2\u20137%). "
        "Start by dropping what is blank or a duplicate (30)."
    )


def test_one_is_singular_in_english() -> None:
    assert verdict(summary() | {"flagged": 1}, "en").startswith("1 of 1,000 chunks (0.1%) needs another look.")


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (
            {"measured": 120, "calibrated": {"share": None, "why": "x", "measured": 120}},
            "측정할 수 있는 청크가 120개뿐입니다",
        ),
        ({"calibrated": {"share": None, "why": "x", "documents": 3}}, "문서가 3개뿐입니다"),
        (
            {"calibrated": {"share": None, "why": "x", "documents": 3, "documents_before": 16}},
            "문서 16개 가운데 3개만 남습니다(5개 이상 필요). 사본이나, 다른 문서를 모두 담은 문서를 빼고",
        ),
        ({"calibrated": {"share": None, "why": "x", "auroc": 0.612}}, "AUROC 0.61, 0.70 이상 필요"),
        ({"calibrated": {"share": None, "why": "뜻밖의 까닭"}}, "뜻밖의 까닭"),
        ({"calibrated": {"share": 0.001, "share_ci": [0.0, 0.012]}}, "거의 없습니다(95% 구간 0~1%)"),
    ],
)
def test_what_cannot_be_told_is_said(facts: dict[str, Any], said: str) -> None:
    assert said in verdict(summary(**facts), "ko")


def test_a_text_to_split_without_a_place_says_so() -> None:
    told = Assessment(
        "argument 1", None, "not_fit", True, ("incoherent",), 0.5, "split", (), (), (), None, {}, "en", None, False
    )
    assert "no place is known that leaves more than a scrap" in lines(told, "en")[-1]
    assert "자를 자리를 찾지 못함" in lines(told, "ko")[-1]
    assert lines(replace(told, suggested_cuts=(25,)), "en")[-1] == "Suggestion: Split (before character 25)"
    assert lines(replace(told, suggestion="review"), "en")[-1] == "Suggestion: Read and decide"


def test_fits_with_nothing_to_rank_are_not_said_to_differ() -> None:
    facts = {"measured": 900, "limit": {"rule": "none"}, "calibrated": {"share": 0.1}}
    assert "nothing to rank" in str(fell_back({**facts, "repeats": None}, {}, "en"))
    assert "순서를 매길 것이 없습니다" in str(fell_back({**facts, "repeats": None}, {}, "ko"))
    assert "0.40" in str(fell_back({**facts, "repeats": 0.4}, {}, "en"))
    assert fell_back(facts, {}, "en") is None


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        (0, "no chunk could be measured"),
        (1, "only 1 chunk could be measured"),
        (120, "only 120 chunks could be measured"),
    ],
)
def test_counts_agree_in_english(measured: int, said: str) -> None:
    unable = {"share": None, "why": "x", "measured": measured}
    assert said in verdict(summary(measured=measured, calibrated=unable), "en")


def test_one_chunk_is_not_all_in_korean() -> None:
    told = {"chunks": 1, "documents": 1, "flagged": 1, "reasons": {"blank": 1}, "analyzers": {}}
    assert verdict(told, "ko").startswith("청크 1개가 비어 있습니다.")
    assert verdict(told | {"reasons": {}}, "ko").startswith("청크 1개가 점검 대상입니다.")


def test_with_a_baseline_the_headline_is_what_is_new() -> None:
    told = summary() | {"new": {"baseline": "old", "flagged": 1, "flagged_share": 0.001, "mended": 2}}
    assert verdict(told, "en").startswith(
        "1 newly flagged (of 30 flagged) among 1,000 chunks. Compared with the earlier run (old); no longer flagged: 2. "
    )
    assert verdict(told, "ko").startswith(
        "청크 1,000개 가운데 1개가 새로 걸렸습니다(점검 대상은 모두 30개). "
        "이전 결과(old)와 견주었고, 그때 걸렸다가 이제 걸리지 않는 청크는 2개입니다. "
    )


def test_a_limit_that_flags_most_is_doubted() -> None:
    told = summary(flagged=700, limit={"column": "similarity", "low": 0.4, "rule": "card"}) | {"flagged": 700}
    assert "기준부터 의심하세요" in verdict(told, "ko")
    assert "the one for sentence similarity alone flags 78% of" in verdict(told, "en")
    assert any("절반" in line or "78%" in line for line in notices(told, "ko"))


def test_a_corpus_flagged_for_a_third_needs_other_settings() -> None:
    told = summary(flagged=310) | {"flagged": 310}
    assert "자르는 방식부터 바꾸는 편이 낫습니다" in verdict(told, "ko")


def test_the_published_limit_is_always_told() -> None:
    said = " ".join(found("similarity", summary(), "en"))
    assert "The published limit (sentence similarity below 0.4) would flag 792 (88%)." in said
    assert "That is more than half" in said


def test_topics_away_from_400_have_no_published_limit() -> None:
    topics = {"measured": 900, "flagged": 0, "num_topics": 22, "limit": None, "card": None}
    told = {"chunks": 1000, "documents": 40, "flagged": 0, "analyzers": {"topics": topics}}
    assert any("토픽이 22개인 여기에는 쓸 수 없습니다" in line for line in notices(told, "ko"))


def test_one_size_chunks_are_noticed() -> None:
    limit = {"column": "token_count", "low": 380.0, "high": 640.0, "rule": "iqr"}
    tokens = {"measured": 1000, "flagged": 0, "q1": 510.0, "median": 512.0, "q3": 512.0, "limit": limit}
    told = {"chunks": 1000, "documents": 40, "flagged": 0, "analyzers": {"tokens": tokens}}
    assert any("고정 길이" in line for line in notices(told, "ko"))


def test_a_sample_is_said_with_its_interval(english: View) -> None:
    told = summary() | {"settings": {"sample": 1000}, "input": {"rows": 84_000}, "flagged_share_ci": [0.02, 0.042]}
    said = verdict(told, "en")
    assert "1,000 chunks drawn at random from the 84,000" in said
    assert "2\u20134% (95% interval)" in said


@given(st.text(), st.lists(st.integers(0, 30), max_size=6), st.lists(st.integers(-2, 30), max_size=3))
def test_pieces_hold_the_text_exactly(text: str, edges: list[int], cuts: list[int]) -> None:
    places = sorted({min(edge, len(text)) for edge in edges})
    spans = list(zip(places[::2], places[1::2], strict=False))
    shown = pieces(text, spans, cuts, 3)
    assert "".join(piece.text for piece in shown) == text
    sentences = [span for span in spans if span[0] < span[1]]
    numbers = {piece.number for piece in shown if piece.kind == "sentence"}
    assert numbers == {spans.index(span) + 1 for span in sentences}


@given(st.text(alphabet=st.characters(exclude_categories=[])))
def test_visible_text_can_always_be_written(text: str) -> None:
    assert plain(text).encode("utf-8").decode("utf-8") == plain(text)
    assert plain(plain(text)) == plain(text)
    assert "<" not in str(visible(text)).replace('<span class="hidden">', "").replace("</span>", "")


@given(st.text(alphabet=st.characters(exclude_categories=["C", "Z"]) | st.just(" ")), st.integers(4, 60))
def test_wrapped_lines_lose_nothing(text: str, columns: int) -> None:
    assert "".join(wrap(text, columns)).replace(" ", "") == text.replace(" ", "")


def test_a_published_limit_that_does_not_apply_is_said_so() -> None:
    card = {"column": "topic_entropy_card", "low": None, "high": None, "rule": "none", "flagged": 0}
    limit = {"column": "topic_entropy_z", "low": None, "high": -0.5, "rule": "calibrated"}
    topics = {"measured": 900, "flagged": 9, "num_topics": 22, "limit": limit, "card": card}
    told = {"chunks": 1000, "documents": 40, "flagged": 9, "analyzers": {"topics": topics}}
    assert "The published limit does not apply here." in found("topics", told, "en")
    assert limit_rows(topics, "en")[1].value == "does not apply here"
    assert limit_rows(topics, "en")[0].in_use
    assert not limit_rows({**topics, "limit": {"column": "topic_entropy_z", "rule": "none"}}, "en")[0].in_use
    assert notices(told, "en") == []


def test_a_limit_other_than_the_measure_alone_would_set_is_explained() -> None:
    own = {
        "column": "similarity_centred",
        "low": 0.2,
        "share": 0.12,
        "share_mix": 0.03,
        "share_splice": 0.09,
        "flagged": 29,
    }
    told = summary(flagged=6, calibrated=own)
    best = {
        "measured": 900,
        "flagged": 5,
        "limit": {},
        "calibrated": {"share": 0.07, "share_mix": 0.01, "share_splice": 0.06},
    }
    told["analyzers"]["coherence"] = best
    told["false_flags"] = {
        "allowed": 0.05,
        "certainty": 0.5,
        "share_mix": 0.01,
        "share_splice": 0.06,
        "by_analyzer": {},
    }
    said = found("similarity", told, "en")
    assert said[1] == (
        "By itself, from its own estimate of 12%, this measure would flag 29 for centred similarity below 0.2; the limit in use is "
        "another, because a corpus has one share of bad chunks and coherence tells it best, at 7%."
    )
    assert "일관성의 추정값(7%)을 따르므로 다른 기준을 썼습니다" in found("similarity", told, "ko")[1]
    rows = limit_rows(told["analyzers"]["similarity"], "en")
    assert (rows[-1].value, rows[-1].in_use) == ("centred similarity below 0.2", False)
    certain = told | {"false_flags": told["false_flags"] | {"certainty": 0.8, "share_mix": 0.03, "share_splice": 0.09}}
    assert found("similarity", certain, "en")[1].endswith(
        "is another, because it flags only from a certainty of 80% on, to stay within 5% wrong flags."
    )
    told["analyzers"]["similarity"]["limit"]["low"] = 0.2
    assert not any("the limit in use is another" in line for line in found("similarity", told, "en"))
    assert len(limit_rows(told["analyzers"]["similarity"], "en")) == len(rows) - 1


def test_flagging_fewer_than_estimated_is_explained() -> None:
    assert any("more likely mixed than not" in line for line in found("similarity", summary(flagged=9), "en"))
    assert not any("more likely mixed than not" in line for line in found("similarity", summary(flagged=36), "en"))
