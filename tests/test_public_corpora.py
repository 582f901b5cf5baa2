"""Audits of tables that others made, where their folder is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from chunkeval import api, settings

DATA = Path(__file__).parents[2] / "shared" / "data"
TABLES = DATA / "chunk_tables"
pytestmark = pytest.mark.skipif(not TABLES.is_dir(), reason="the public corpora are not here")


def audit(source: Path, out: Path, **options: Any) -> dict[str, Any]:
    given = {"out": str(out), "cache": str(out.parent / "cache"), "embedder": "lsa", "analyzers": "tokens,similarity"}
    api.audit(source, settings.build({**given, **options})[0])
    summary: dict[str, Any] = json.loads((out / "summary.json").read_text("utf-8"))
    assert summary["chunks"] == len(pd.read_parquet(out / "scores.parquet"))
    assert (out / "report.html").stat().st_size > 10_000
    return summary


@pytest.mark.parametrize(
    ("name", "chunks", "encoding"),
    [
        ("08_ko_shopping_chunks.jsonl", 2082, "utf-8"),
        ("17_en_graphrag_text_units.parquet", 42, None),
        ("20_en_pydocchunker.jsonl", 9, "utf-8"),
        ("24_en_codebase_nested.json", 164, "utf-8"),
    ],
)
def test_tables_from_the_wild(tmp_path: Path, name: str, chunks: int, encoding: str | None) -> None:
    summary = audit(TABLES / name, tmp_path / "run")
    assert summary["chunks"] == chunks
    assert summary["input"]["encoding"] == encoding
    assert summary["analyzers"]["tokens"]["measured"] == chunks


def test_both_encodings_of_a_text_give_the_same_run(tmp_path: Path) -> None:
    korean = audit(TABLES / "12_ko_appendix_cp949.txt", tmp_path / "a")
    utf8 = audit(TABLES / "12b_ko_appendix_utf8.txt", tmp_path / "b")
    assert korean["input"]["encoding"].lower() in ("cp949", "euc-kr", "euc_kr", "uhc")
    assert utf8["input"]["encoding"] == "utf-8"
    texts = [pd.read_parquet(tmp_path / run / "chunks.parquet")["text"].tolist() for run in "ab"]
    assert texts[0] == texts[1]
    scores = [pd.read_parquet(tmp_path / run / "scores.parquet")["token_count"].tolist() for run in "ab"]
    assert scores[0] == scores[1]


def test_all_paragraphs_of_korquad(tmp_path: Path) -> None:
    data = json.loads((DATA / "korquad/KorQuAD_v1.0_dev.json").read_text("utf-8"))["data"]
    rows = [{"doc": d["title"], "content": p["context"]} for d in data for p in d["paragraphs"]]
    pd.DataFrame(rows).to_csv(tmp_path / "korquad.csv", index=False)
    summary = audit(tmp_path / "korquad.csv", tmp_path / "run")
    assert (summary["chunks"], summary["documents"]) == (964, 140)
    assert summary["analyzers"]["similarity"]["limit"]["rule"] == "calibrated"
    assert summary["analyzers"]["similarity"]["flagged"] < 0.05 * 964
