"""Scoring again by an earlier run's state."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from chunkeval import api, loaders
from chunkeval.cache import Cache
from chunkeval.config import LoadConfig, RunConfig
from chunkeval.errors import RunError
from chunkeval.progress import Silent
from chunkeval.results import Scores
from chunkeval.score import rescore


def again(scores: Scores, frame: pd.DataFrame, folder: Path) -> Scores:
    file = loaders.write_frame(frame, folder / "again.parquet", LoadConfig())
    return rescore(file, scores, RunConfig(jobs=1), Cache(folder / "cache"), Silent())


@pytest.mark.parametrize("embedder", ["use-multilingual", "lsa"])
def test_the_same_chunks_get_the_same_scores(embedder: str, tmp_path: Path) -> None:
    chunks = api.load("datasets/ko/chunks.csv").head(60)
    scores = api.score(chunks, embedder=embedder, topics=10)
    some = chunks.iloc[20:40].reset_index(drop=True)
    frame = again(scores, some, tmp_path).frame
    pd.testing.assert_frame_equal(frame, scores.frame.iloc[20:40].reset_index(drop=True), rtol=0, atol=2e-6)


def test_limits_are_learned_again_from_the_rows_of_the_new_table(tmp_path: Path) -> None:
    chunks = api.load("datasets/ko/chunks.csv")
    scores = api.score(chunks, analyzers="tokens,similarity")
    kept = chunks.iloc[:260].reset_index(drop=True)
    fewer = again(scores, kept, tmp_path)
    assert sorted(fewer.state.arrays["sample"]["rows"].tolist()) == list(range(260))
    (judged,) = [one for one in api.flag(fewer).judgements if one.measure.analyzer == "similarity"]
    assert judged.calibration is not None and judged.calibration.measured <= 260


def test_another_embedder_is_refused(tmp_path: Path) -> None:
    chunks = api.load("datasets/ko/chunks.csv").head(20)
    scores = api.score(chunks, analyzers="tokens")
    other = replace(scores, state=replace(scores.state, meta={**scores.state.meta, "tokenizer_fingerprint": "other"}))
    with pytest.raises(RunError, match="scored with tokenizer fingerprint 'other', now it is .*: audit the table once"):
        again(other, chunks, tmp_path)
