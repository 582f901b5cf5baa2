"""Texts judged by a run that measured coherence."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import chunkeval as ce
from chunkeval.cli.main import main

pytestmark = pytest.mark.usefixtures("undrawn_runs")

TABLE = Path(__file__).resolve().parents[2] / "datasets" / "ko" / "chunks.csv"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("coherence") / "run"
    assert main(["audit", str(TABLE), "--out", str(folder), "--analyzers", "coherence", "--quiet"]) == 0
    return folder


def test_a_texts_coherence_depends_on_the_text_alone(run: Path) -> None:
    texts = ce.load(TABLE)["text"].tolist()[:12]
    ahead, back = ce.judge(texts, run), ce.judge([*texts[::-1], texts[0]], run)
    found = [one.scores["coherence"] for one in ahead]
    assert [one.scores["coherence"] for one in back] == [*found[::-1], found[0]]
    assert len(set(found) - {None}) > 6


def test_rows_of_the_runs_table_are_judged_as_its_audit_did(run: Path) -> None:
    table = ce.load(TABLE).head(60)
    audited = pd.read_parquet(run / "scores.parquet").set_index("chunk_id")["coherence"]
    for row, one in zip(table["chunk_id"], ce.judge(table, run), strict=True):
        known = None if pd.isna(audited[row]) else pytest.approx(audited[row], abs=2e-6)
        assert one.scores["coherence"] == known
