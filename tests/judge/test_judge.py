"""Texts judged by a run are judged as its audit judged them; without one, by what is shipped, and nothing is invented."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import chunkeval as ce
from chunkeval.assessment import Assessment
from chunkeval.cli.main import main
from chunkeval.config import AuditConfig, ScoreConfig
from chunkeval.errors import ConfigError, RunError, TableError
from chunkeval.judge import Judge
from chunkeval.loaders.texts import Text, of_table
from chunkeval.profiles import mean_vector, profile
from chunkeval.runs import Run, open_run

pytestmark = pytest.mark.usefixtures("undrawn_runs")

ROOT = Path(__file__).resolve().parents[2]
KOREAN = "서울은 대한민국의 수도이다. 한강이 서울을 가로지른다. 서울에는 궁궐이 여럿 있다."
MIXED = (
    "공기청정기는 먼지와 냄새를 줄일 뿐 일산화탄소와 이산화탄소는 없애지 못합니다. "
    "방청객에게는 안건마다 한 사람씩 3분 동안 의견을 말할 기회를 주기로 하였다. 이때 요금은 카드에 충전된 돈에서 빠져나갑니다. "
    "시청의 상황실에는 첫날에만 3,120통의 전화가 걸려 왔고, 가장 많은 물음은 내 버스가 어디로 갔느냐는 것이었다. "
    "새로 합류한 분은 첫날에 다음과 같이 설정해 주십시오. 숨을 참고 내려갔던 사람이 떠올라 막힌 숨을 한꺼번에 토하는 숨비소리이다. "
    "왕실 조상의 공을 노래한 용비어천가가 이 무렵 우리말 노랫말로 지어졌다."
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of some Korean documents, with headings before every chunk of one of them and overlaps in another."""
    table = pd.read_csv(ROOT / "datasets" / "ko" / "chunks.csv")
    table = table[table["doc_id"].isin(table["doc_id"].unique()[:10])].drop(columns=["start", "end"])
    first, second = table["doc_id"].unique()[:2]
    headed = table["doc_id"] == first
    table.loc[headed, "content"] = "[새결 공기청정기 설명서] " + table.loc[headed, "content"]
    overlapping = table["doc_id"] == second
    before = table.loc[overlapping, "content"].shift(fill_value="").str[-60:]
    table.loc[overlapping, "content"] = before + table.loc[overlapping, "content"]
    folder = tmp_path_factory.mktemp("judge")
    table.to_csv(folder / "chunks.csv", index=False)
    said = ["audit", str(folder / "chunks.csv"), "--out", str(folder / "run"), "--topics", "10", "--quiet"]
    assert main([*said, "--cache", str(folder / "cache")]) == 0
    return folder / "run"


@pytest.fixture(scope="module")
def opened(run: Path) -> Run:
    return open_run(run)


@pytest.fixture(scope="module")
def by_run(opened: Run) -> Judge:
    return Judge(opened, AuditConfig(), {"ko"})


@pytest.fixture(scope="module")
def by_shipped() -> Judge:
    return Judge(None, AuditConfig(), {"ko", "en"})


def texts(*several: str) -> list[Text]:
    return [Text(text, f"argument {number}") for number, text in enumerate(several, 1)]


def same(told: list[Assessment], rows: pd.DataFrame) -> None:
    """Hold assessments against the run's own rows."""
    words = [name for name in told[0].scores if not pd.api.types.is_numeric_dtype(rows[name])]
    for column in words:
        assert [one.scores[column] for one in told] == [cell or None for cell in rows[column].fillna("")], column
    for column in (name for name in told[0].scores if name not in words):
        ours = np.array([np.nan if one.scores[column] is None else one.scores[column] for one in told], float)
        theirs = rows[column].to_numpy(float, na_value=np.nan)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=2e-6, err_msg=column)
    assert [one.flagged for one in told] == rows["flagged"].tolist()
    for one, (_, row) in zip(told, rows.iterrows(), strict=True):
        assert abs(one.severity - row["severity"]) <= 2e-6
        assert one.suggestion == row["suggestion"] and list(one.suggested_cuts) == list(row["suggested_cuts"])
        for measure in one.measures:
            assert measure.flagged == row[f"flag_{measure.analyzer}"]


def test_a_runs_table_is_judged_as_the_run_judged_it(by_run: Judge, opened: Run, run: Path) -> None:
    table = ce.load(run / "chunks.parquet")
    told = by_run(of_table(table, "chunks.parquet"))
    same(told, opened.flags.frame)
    assert [list(one.reasons) for one in told] == [list(reasons) for reasons in opened.flags.frame["reasons"]]
    assert {one.run for one in told} == {str(run)}


def test_a_runs_chunks_by_themselves_too_also_behind_a_heading_that_many_share(
    by_run: Judge, opened: Run, run: Path
) -> None:
    table, frame = ce.load(run / "chunks.parquet"), opened.flags.frame
    # Where a chunk repeats the end of the one before, only the table tells.
    alone = [place for place, reasons in enumerate(_traits(opened)) if "overlap" not in reasons]
    assert any("prefix" in _traits(opened)[place] for place in alone) and len(alone) < len(table)
    told = by_run(texts(*table["text"].iloc[alone]))
    rows = frame.iloc[alone].reset_index(drop=True)
    same(told, rows)
    assert [list(one.reasons) for one in told] == [
        ["too_short" if reason == "tail" else reason for reason in reasons] for reasons in rows["reasons"]
    ]


def _traits(opened: Run) -> list[set[str]]:
    from chunkeval.results import TRAITS

    bits = opened.flags.scores.state.arrays["text"]["traits"]
    return [{name for number, name in enumerate(TRAITS) if int(row) >> number & 1} for row in bits]


@pytest.mark.parametrize("places", [[5, 5], [0, 40, 80], [200, 3, 17, 3]])
def test_what_is_said_of_a_text_does_not_depend_on_the_others(by_run: Judge, run: Path, places: list[int]) -> None:
    several = ce.load(run / "chunks.parquet")["text"].tolist()
    together = by_run(texts(*(several[place] for place in places)))
    for one, place in zip(together, places, strict=True):
        [alone] = by_run(texts(several[place]))
        assert one.scores == pytest.approx(alone.scores, abs=2e-6)
        assert (one.reasons, one.suggested_cuts, one.unmeasured) == (
            alone.reasons,
            alone.suggested_cuts,
            alone.unmeasured,
        )


def test_limits_given_by_hand_take_the_runs_place(opened: Run, by_run: Judge) -> None:
    from chunkeval.config import FlagConfig

    strict = Judge(opened, AuditConfig(flag=FlagConfig(limit={"tokens": "1:2"})), {"ko"})
    [one] = strict(texts(KOREAN))
    assert one.flagged and "too_long" in one.reasons and one.measures[0].rule == "given"
    [other] = by_run(texts(KOREAN))
    assert other.measures[1:] == one.measures[1:]


def test_composed_and_decomposed_korean_are_judged_alike(by_run: Judge, by_shipped: Judge) -> None:
    for judge in (by_run, by_shipped):
        composed, decomposed = judge(texts(MIXED, unicodedata.normalize("NFD", MIXED)))
        assert composed.flagged == decomposed.flagged and composed.reasons == decomposed.reasons
        for column, value in composed.scores.items():
            assert decomposed.scores[column] == pytest.approx(value, abs=2e-6), column


def test_without_a_run_the_shipped_limit_judges_and_topics_are_not_invented(by_shipped: Judge) -> None:
    good, bad = by_shipped(texts(KOREAN, MIXED))
    assert good.verdict == "fit" and good.run is None
    assert bad.verdict == "not_fit" and bad.reasons == ("incoherent",) and 0 < bad.severity <= 1
    assert bad.suggestion == "split" and bad.weakest is not None
    assert bad.suggested_cuts == (bad.weakest.cut,) and MIXED[bad.weakest.cut :].startswith(bad.weakest.after)
    tokens, similarity = bad.measures
    shipped = profile("use-multilingual", "ko", "similarity_centred")
    assert shipped is not None
    assert (similarity.column, similarity.low, similarity.rule) == ("similarity_centred", shipped.limit, "profile")
    assert (tokens.low, tokens.high, tokens.rule, tokens.flagged) == (None, None, "none", False)
    assert [(one.analyzer, one.why) for one in bad.unmeasured] == [
        ("topics", "no_corpus"),
        ("coherence", "no_corpus"),
    ]


def test_each_text_is_judged_by_the_limit_of_its_language(by_shipped: Judge) -> None:
    english = "Cats sleep most of the day. A cat naps in the sun. Cats hunt at night."
    japanese = "今日は晴れ。明日は雨が降る。"
    ko, en, ja = by_shipped(texts(KOREAN, english, japanese))
    assert [one.language for one in (ko, en, ja)] == ["ko", "en", "ja"]
    assert ko.measures[1].low != en.measures[1].low
    assert (ja.measures[1].column, ja.measures[1].low, ja.measures[1].rule) == ("similarity", 0.4, "card")
    assert ja.scores["similarity_centred"] is None and ja.scores["similarity"] is not None


def test_profiles_hold_what_centring_and_severity_need() -> None:
    for tongue in ("ko", "en"):
        mean, shipped = (
            mean_vector("use-multilingual", tongue),
            profile("use-multilingual", tongue, "similarity_centred"),
        )
        assert mean is not None and mean.shape == (512,) and 0 < float(np.linalg.norm(mean)) < 1
        assert shipped is not None and shipped.percentiles[0] < shipped.limit < shipped.percentiles[1]
    assert mean_vector("use-multilingual", "ja") is None and mean_vector("nope", "ko") is None


def test_one_sentence_cannot_be_measured_and_is_not_flagged(by_shipped: Judge, by_run: Judge) -> None:
    [one] = by_shipped(texts("한 문장뿐이다."))
    assert (one.verdict, one.flagged, one.weakest) == ("unmeasured", False, None)
    assert ("similarity", "one_sentence") in {(lack.analyzer, lack.why) for lack in one.unmeasured}
    [one] = by_run(texts("한 문장뿐이다."))
    assert {(lack.analyzer, lack.why) for lack in one.unmeasured} == {
        ("similarity", "one_sentence"),
        ("topics", "few_words"),
        ("coherence", "one_sentence"),
    }


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b", "\u3000"])
def test_blank_texts_are_flagged(by_shipped: Judge, text: str) -> None:
    [one] = by_shipped(texts(text))
    assert (one.verdict, one.reasons, one.suggestion, one.severity) == ("not_fit", ("blank",), "drop", 1.0)
    assert {lack.why for lack in one.unmeasured} == {"blank", "no_corpus"}
    assert one.weakest is None


def test_odd_texts_are_judged(by_shipped: Judge) -> None:
    odd = [
        "🙂🙂 가나.\x00 나다! 👩‍👩‍👧",
        "a\ufffdb. c\ufffdd.",
        "가" * 5000,
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "\x1b[31m빨강. 파랑.",
    ]
    told = by_shipped(texts(*odd))
    assert len(told) == len(odd)
    json.dumps([one.to_dict() for one in told], allow_nan=False)


def test_longer_than_the_embedder_reads_is_noticed(by_shipped: Judge) -> None:
    short = Judge(None, AuditConfig(score=ScoreConfig(context=5)), {"ko"})
    [one] = short(texts(KOREAN))
    assert "over_context" in one.reasons and one.suggestion == "split" and not one.flagged
    [other] = by_shipped(texts(KOREAN))
    assert "over_context" not in other.reasons


ENGLISH = (
    "The river rises in the northern hills. It carries silt down to the sea. Herons stand in its shallows all year."
)
OVERLAP = KOREAN.partition(". ")[2]


@pytest.mark.parametrize(
    "second", [f"{ENGLISH} {ENGLISH}", f"{ENGLISH} {ENGLISH} {ENGLISH} {ENGLISH} 마지막 문장이다."]
)
def test_neighbours_in_two_languages_are_neighbours(by_shipped: Judge, second: str) -> None:
    """What the second chunk repeats of the first is left out of it whatever language the rest is in."""
    one = Text(KOREAN, "table", "a", "문서", 0)
    mixed = by_shipped([one, Text(f"{OVERLAP} {second}", "table", "b", "문서", 1)])
    plain = by_shipped([one, Text(f"{OVERLAP} {MIXED}", "table", "b", "문서", 1)])
    alone = by_shipped(texts(second, MIXED))
    assert [told.language for told in mixed] == ["ko", "en"]
    assert mixed[1].scores["sentences"] == alone[0].scores["sentences"]
    assert mixed[0].scores == plain[0].scores
    held, wanted = mixed[1].measures[1], alone[0].measures[1]
    assert (held.column, held.rule, held.low) == (wanted.column, wanted.rule, wanted.low)
    assert plain[1].scores["sentences"] == alone[1].scores["sentences"]


def test_rows_with_offsets_are_judged_as_their_audit_judged_them(tmp_path: Path) -> None:
    """Whether a chunk ends inside a sentence can depend on whether the next one begins where it ends."""
    table = pd.read_csv(ROOT / "datasets" / "ko" / "chunks.csv")
    table = table[table["doc_id"].isin(table["doc_id"].unique()[:6])]
    table.to_csv(tmp_path / "chunks.csv", index=False)
    said = ["audit", str(tmp_path / "chunks.csv"), "--out", str(tmp_path / "run"), "--quiet"]
    assert main([*said, "--analyzers", "tokens,boundaries", "--cache", str(tmp_path / "cache")]) == 0
    audited = open_run(tmp_path / "run").flags.frame.set_index("chunk_id")
    loaded = ce.load(tmp_path / "chunks.csv")
    told = {one.chunk_id: one for one in ce.judge(loaded, tmp_path / "run")}
    without = {one.chunk_id: one for one in ce.judge(loaded.drop(columns=["start", "end"]), tmp_path / "run")}
    assert [told[name].scores["boundary_score"] for name in audited.index] == audited["boundary_score"].tolist()
    assert [told[name].flagged for name in audited.index] == audited["flagged"].tolist()
    assert any(without[name].scores["boundary_score"] != told[name].scores["boundary_score"] for name in audited.index)


def test_from_python(run: Path) -> None:
    [one] = ce.judge(KOREAN, run)
    two = ce.judge([KOREAN, MIXED], limit={"tokens": "1:2"})
    assert one.run == str(run) and [told.flagged for told in two] == [True, True]
    rows = ce.judge(ce.load(run / "chunks.parquet").head(3), run)
    assert [told.chunk_id for told in rows] == ce.load(run / "chunks.parquet")["chunk_id"].head(3).tolist()
    with pytest.raises(TableError, match="text 2 must be a string, not int"):
        ce.judge([KOREAN, 3])  # type: ignore[list-item]
    with pytest.raises(ConfigError, match="embedder and run are both given"):
        ce.judge(KOREAN, run, embedder="lsa")
    with pytest.raises(ConfigError, match="lsa learns from a corpus: audit one"):
        ce.judge(KOREAN, embedder="lsa")
    with pytest.raises(RunError, match="there is no run at"):
        ce.judge(KOREAN, run / "nope")


def test_a_run_of_another_embedder_version_is_refused(opened: Run) -> None:
    state = opened.flags.scores.state
    meta = {**state.meta, "embedder_fingerprint": "other"}
    scores = replace(opened.flags.scores, state=replace(state, meta=meta))
    with pytest.raises(RunError, match="scored with embedder fingerprint 'other'"):
        Judge(replace(opened, flags=replace(opened.flags, scores=scores)), AuditConfig())


def test_a_run_of_lsa_judges_by_what_it_learned(tmp_path: Path, run: Path) -> None:
    said = ["audit", str(run.parent / "chunks.csv"), "--out", str(tmp_path / "run"), "--embedder", "lsa", "--quiet"]
    assert main([*said, "--analyzers", "tokens,similarity", "--cache", str(tmp_path / "cache")]) == 0
    other = open_run(tmp_path / "run")
    table = ce.load(tmp_path / "run" / "chunks.parquet")
    same(Judge(other, AuditConfig(), {"ko"})(of_table(table, "table")), other.flags.frame)
