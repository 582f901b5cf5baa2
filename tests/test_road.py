"""The whole road, run as a user runs it: same numbers whatever the way there, nothing lost on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from chunkeval import api, settings
from chunkeval.errors import RunError

pytestmark = pytest.mark.usefixtures("undrawn_runs")

ROOT = Path(__file__).parents[1]
KOREAN = ROOT / "datasets/ko/chunks.csv"
FLAGS = ["flag_tokens", "flag_similarity", "flag_topics", "flag_similarity_card", "flag_topics_card", "flagged"]


def audit(source: Path, out: Path, cache: Path, **options: Any) -> tuple[pd.DataFrame, dict[str, Any]]:
    config = settings.build({"out": str(out), "cache": str(cache), **options})[0]
    api.audit(source, config)
    return read(out)


def read(out: Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    scores = pd.read_parquet(out / "scores.parquet").set_index("chunk_id")
    return scores, json.loads((out / "summary.json").read_text("utf-8"))


def assert_same(got: pd.DataFrame, wanted: pd.DataFrame) -> None:
    got = got.loc[wanted.index]
    numbers = [c for c in wanted.columns if wanted[c].dtype.kind in "fi" and c not in ("start", "end")]
    assert {"similarity", "similarity_centred", "topic_entropy_z", "token_count", "severity"} <= set(numbers)
    for column in numbers:
        a, b = got[column].to_numpy(float), wanted[column].to_numpy(float)
        # severity divides by a distance that may be small: what differs by a hair there differs by some hairs
        np.testing.assert_allclose(a, b, atol=2e-5 if column == "severity" else 2.1e-6, err_msg=column)
    for column in FLAGS:
        assert got[column].tolist() == wanted[column].tolist(), column
    assert got["reasons"].map(list).tolist() == wanted["reasons"].map(list).tolist()


@pytest.fixture(scope="module")
def korean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nine of the Korean documents: enough to calibrate on, and six audits of them are soon done."""
    table = pd.read_csv(KOREAN)
    path = tmp_path_factory.mktemp("korean") / "chunks.csv"
    table[table["doc_id"].isin(table["doc_id"].unique()[:9])].to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory, korean: Path) -> tuple[pd.DataFrame, dict[str, Any], Path]:
    folder = tmp_path_factory.mktemp("reference")
    scores, summary = audit(korean, folder / "run", folder / "cache", jobs=2)
    assert summary["analyzers"]["similarity"]["limit"]["rule"] == "calibrated"
    return scores, summary, folder


def test_a_second_run_gives_the_same_summary_but_for_time(
    reference: tuple[pd.DataFrame, dict[str, Any], Path], korean: Path, tmp_path: Path
) -> None:
    scores, summary, folder = reference
    again, second = audit(korean, tmp_path / "run", folder / "cache", jobs=2)
    pd.testing.assert_frame_equal(again, scores)
    changing = ("run", "seconds")
    assert {k: v for k, v in second.items() if k not in changing} == {
        k: v for k, v in summary.items() if k not in changing
    }
    assert second["run"]["resumed"] > summary["run"]["resumed"]


def test_decisions_outlive_the_finished_run_that_resume_replaces(korean: Path, tmp_path: Path) -> None:
    options = {"analyzers": "tokens", "resume": True}
    audit(korean, tmp_path / "run", tmp_path / "cache", **options)
    path = tmp_path / "run" / "outliers.csv"
    listed = pd.read_csv(path, dtype=str, keep_default_na=False)
    listed.loc[0, "decision"] = "drop"
    listed.to_csv(path, index=False, encoding="utf-8-sig")
    audit(korean, tmp_path / "run", tmp_path / "cache", **options)
    again = pd.read_csv(path, dtype=str, keep_default_na=False).set_index("chunk_id")
    assert again.loc[listed.loc[0, "chunk_id"], "decision"] == "drop"
    assert (again["decision"] != "").sum() == 1
    pd.read_csv(korean).head(40).to_csv(tmp_path / "other.csv", index=False)
    with pytest.raises(RunError, match=r"is of another input and holds decisions \(1\): give another --out"):
        audit(tmp_path / "other.csv", tmp_path / "run", tmp_path / "cache", **options)
    pd.testing.assert_frame_equal(pd.read_csv(path, dtype=str, keep_default_na=False).set_index("chunk_id"), again)


@pytest.mark.parametrize("options", [{"jobs": 1}, {"jobs": 2, "batch": 5}], ids=["one job", "other batches"])
def test_jobs_and_batches_change_no_number(
    reference: tuple[pd.DataFrame, dict[str, Any], Path], korean: Path, tmp_path: Path, options: dict[str, int]
) -> None:
    scores, _ = audit(korean, tmp_path / "run", tmp_path / "cache", **options)
    assert_same(scores, reference[0])


def test_row_order_changes_no_number(
    reference: tuple[pd.DataFrame, dict[str, Any], Path], korean: Path, tmp_path: Path
) -> None:
    table = pd.read_csv(korean).sample(frac=1, random_state=3)
    table.to_csv(tmp_path / "shuffled.csv", index=False)
    scores, _ = audit(tmp_path / "shuffled.csv", tmp_path / "run", tmp_path / "cache", jobs=2)
    assert scores.index.tolist() == table["chunk_id"].tolist()
    assert_same(scores, reference[0])


def test_batches_of_a_sentence_transformers_model_change_no_number(tmp_path: Path, minilm_folder: str) -> None:
    pd.read_csv(KOREAN).head(30).to_csv(tmp_path / "few.csv", index=False)
    options = {"embedder": minilm_folder, "analyzers": "similarity"}
    one, _ = audit(tmp_path / "few.csv", tmp_path / "a", tmp_path / "cache-a", jobs=1, batch=32, **options)
    other, _ = audit(tmp_path / "few.csv", tmp_path / "b", tmp_path / "cache-b", jobs=2, batch=3, **options)
    for column in ("similarity", "similarity_centred", "cut_gap"):
        np.testing.assert_allclose(one[column].astype(float), other[column].astype(float), atol=2.1e-6)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "terminated"])
def test_a_stopped_run_goes_on_where_it_was(
    reference: tuple[pd.DataFrame, dict[str, Any], Path], korean: Path, tmp_path: Path, how: signal.Signals
) -> None:
    out, cache = tmp_path / "run", tmp_path / "cache"
    command = [
        sys.executable,
        "-m",
        "chunkeval",
        "audit",
        str(korean),
        "--out",
        str(out),
        "--cache",
        str(cache),
        "--no-progress",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        deadline = time.monotonic() + 120
        while not list(cache.glob("vectors/*/*.keys.npy")) and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.02)
        assert process.poll() is None, "the run ended before it could be stopped"
        if how is signal.SIGKILL:
            os.killpg(process.pid, how)
        else:
            process.send_signal(how)
        _, said = process.communicate(timeout=60)
    assert not out.exists()
    if how is signal.SIGTERM:
        assert process.returncode == 143
        assert said.endswith(
            "chunkeval: terminated; finished parts are kept, the same command with --resume continues\n"
        )
    done = subprocess.run([*command, "--resume", "--json"], capture_output=True, text=True, check=True)
    scores, summary = read(out)
    assert json.loads(done.stdout) == summary
    assert summary["run"]["resumed"] > 0
    assert_same(scores, reference[0])
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_the_article_preset_walks_its_own_way(tmp_path: Path, minilm_folder: str) -> None:
    pytest.importorskip("konlpy")
    pd.read_csv(KOREAN).head(24).to_csv(tmp_path / "few.csv", index=False)
    scores, summary = audit(
        tmp_path / "few.csv", tmp_path / "run", tmp_path / "cache", preset="article", embedder=minilm_folder, topics=20
    )
    assert summary["settings"]["sentences"] == "naive"
    assert summary["settings"]["inclusive"] is True
    assert summary["analyzers"]["similarity"]["limit"] | {"source": ""} == {
        "column": "similarity", "rule": "card", "source": "", "low": 0.4, "high": None,
    }  # fmt: skip
    measured = scores["similarity"].notna()
    assert scores.loc[measured, "flag_similarity"].tolist() == (scores.loc[measured, "similarity"] <= 0.4).tolist()
