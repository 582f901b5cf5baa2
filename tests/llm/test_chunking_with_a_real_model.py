"""The whole way with a real model, from documents to an audit's table: too small to group well, and that is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from fake_llm import alone
from grouping_model import assert_conserved
from real_llm import REAL_MODEL

import chunkeval as ce
from chunkeval.chunkers.base import Chunk
from chunkeval.cli.main import main

pytestmark = pytest.mark.llm

TEXTS = {
    "tide": "The tide comes in twice a day. Anna keeps the lighthouse.",
    "불": "등대지기 김 씨가 불을 켠다.",
}


def test_the_table_is_valid_and_what_fell_back_is_counted(
    real_model: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone(monkeypatch)
    docs, out = tmp_path / "docs.jsonl", tmp_path / "out.parquet"
    docs.write_text("".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in TEXTS.items()), "utf-8")
    spec = f"agentic:model={REAL_MODEL},base_url={real_model},mini_size=40,timeout=600,concurrency=1"
    words = ["chunk", str(docs), "--chunker", spec, "--cache", str(tmp_path / "cache"), "--json"]
    assert main([*words, "--out", str(out)]) == 0
    told = json.loads(capsys.readouterr().out)
    table = ce.load(out)
    for name, text in TEXTS.items():
        rows = table[table["doc_id"] == name]
        spans = zip(rows["start"].tolist(), rows["end"].tolist(), strict=True)
        assert_conserved(text, [Chunk((span,)) for span in spans])
        assert "".join(rows["text"]) == text
    asked = told["asked"]
    fell_back = int(table.loc[table["fallback"].notna(), "text"].str.len().sum())
    assert asked["questions"] == 1 and asked["usage"]["calls"] <= 2 and asked["usage"]["unreported"] == 0
    assert asked["fell_back"]["characters"] == fell_back
    assert asked["failed"]["questions"] == table.loc[table["fallback"].notna(), "doc_id"].nunique()
    assert asked["failed"]["questions"] or table.loc[table["doc_id"] == "tide", "title"].notna().all()
    assert main([*words, "--out", str(tmp_path / "again.parquet")]) == 0
    assert json.loads(capsys.readouterr().out)["asked"]["usage"]["calls"] == 0
    pd.testing.assert_frame_equal(pd.read_parquet(out), pd.read_parquet(tmp_path / "again.parquet"))
