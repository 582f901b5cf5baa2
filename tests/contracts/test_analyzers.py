"""Every registered analyzer keeps the contract: its columns, whatever the shards, the jobs and the rows' order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from chunkeval import api, loaders, registry
from chunkeval.cache import Cache
from chunkeval.config import LoadConfig, RunConfig
from chunkeval.limits import beyond
from chunkeval.progress import Silent
from chunkeval.results import INTEGERS, Scores
from chunkeval.score import rescore
from chunkeval.scoring import analyzer_of

NAMES = sorted(registry.entries("analyzers"))
WORDS = ("duplicate_of", "duplicate_group")


@pytest.fixture(scope="module")
def chunks() -> pd.DataFrame:
    """Korean chunks with a blank one, a copy, nearly a copy, and one of a single letter."""
    frame = api.load("datasets/ko/chunks.csv").head(40)
    texts = frame["text"].tolist()
    more = [" \n", texts[3], texts[5].replace("다", "다 ", 1) + " 덧붙인다.", "가", texts[3].upper()]
    added = pd.DataFrame({"chunk_id": [f"x{i}" for i in range(len(more))], "doc_id": "나중 문서", "text": more})
    return pd.concat([frame, added.assign(position=range(len(more)))], ignore_index=True)


def scored(chunks: pd.DataFrame, name: str, **options: Any) -> Scores:
    return api.score(chunks, analyzers=name, topics=5 if name == "topics" else None, **options)


@pytest.fixture(scope="module", params=NAMES)
def run(request: pytest.FixtureRequest, chunks: pd.DataFrame) -> tuple[str, Scores]:
    return request.param, scored(chunks, request.param)


def test_it_gives_its_columns_and_judges_one(run: tuple[str, Scores]) -> None:
    name, scores = run
    analyzer = analyzer_of(name)
    assert analyzer.name == analyzer.measure.analyzer == name
    assert set(scores.frame.columns) == {"chunk_id", "doc_id", "position", "start", "end", *analyzer.columns}
    assert {analyzer.measure.column, *(mark.column for mark in analyzer.measure.marks)} <= set(analyzer.columns)
    for column in set(analyzer.columns) - set(WORDS):
        assert (scores.frame[column].dtype == "Int64") == (column in INTEGERS)


def test_it_says_what_its_scope_is(run: tuple[str, Scores]) -> None:
    analyzer = analyzer_of(run[0])
    assert analyzer.scope in ("row", "corpus") and hasattr(analyzer, "join") == (analyzer.scope == "corpus")


def test_row_order_and_jobs_change_nothing(
    run: tuple[str, Scores], chunks: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, scores = run
    mixed = chunks.sample(frac=1, random_state=4).reset_index(drop=True)
    again = scored(mixed, name, jobs=2, cache=tmp_path).frame.set_index("chunk_id").loc[chunks["chunk_id"]]
    for column in analyzer_of(name).columns:
        one, other = scores.frame[column], again[column]
        if column in WORDS:
            assert one.astype(object).fillna("").tolist() == other.astype(object).fillna("").tolist()
        else:
            values = (side.to_numpy(np.float64, na_value=np.nan) for side in (one, other))
            np.testing.assert_allclose(*values, rtol=0, atol=2e-6)


def test_it_can_be_judged_and_a_blank_chunk_has_no_other_reason(run: tuple[str, Scores]) -> None:
    name, scores = run
    flags = api.flag(scores)
    assert flags.frame[f"flag_{name}"].dtype == bool
    assert flags.frame.loc[flags.frame["chunk_id"] == "x0", "reasons"].tolist()[0][0] == "blank"
    (judged,) = flags.judgements
    low, high = beyond(scores.frame[judged.limit.column].to_numpy(np.float64, na_value=np.nan), judged.limit, False)
    assert not ((low | high) & ~flags.frame[f"flag_{name}"].to_numpy()).any()


def test_an_analyzer_of_the_corpus_says_nothing_of_a_text_by_itself(
    run: tuple[str, Scores], chunks: pd.DataFrame, tmp_path: Path
) -> None:
    name, scores = run
    if analyzer_of(name).scope != "corpus":
        pytest.skip("judges rows one by one")
    file = loaders.write_frame(chunks, tmp_path / "again.parquet", LoadConfig())
    alone = rescore(file, scores, RunConfig(jobs=1), Cache(tmp_path), Silent(), corpus=False)
    assert alone.frame[list(analyzer_of(name).columns)].isna().all(axis=None)
    assert not api.flag(alone).frame[f"flag_{name}"].any()
