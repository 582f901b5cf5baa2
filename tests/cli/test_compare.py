"""``chunkeval compare``: documents by chunkers and tables by name, questions, files, gate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from cut_tables import DOCUMENTS, every, halves, table

from chunkeval.report import comparison

LIGHT = ("--analyzers", "tokens", "--embedder", "lsa", "--no-progress")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    pd.DataFrame({"id": list(DOCUMENTS), "text": list(DOCUMENTS.values())}).to_json(
        tmp_path / "docs.jsonl", orient="records", lines=True, force_ascii=False
    )
    table(halves).to_parquet(tmp_path / "now.parquet")
    table(every(30)).to_parquet(tmp_path / "new.parquet")
    asked = [
        {
            "id": f"질문{at}",
            "question": "판다는 무엇을 먹나?",
            "references": [{"doc_id": name, "start": at_, "end": at_ + 9}],
        }
        for at, (name, text) in enumerate(DOCUMENTS.items())
        if (at_ := text.find("대나무를 먹는다.")) >= 0
    ]
    lost = {"id": "없음", "question": "어디에?", "references": [{"doc_id": "문서00", "text": "없는 말"}]}
    (tmp_path / "questions.jsonl").write_text(
        "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in [*asked, lost]), "utf-8"
    )
    return tmp_path


def facts_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "comparison.json").read_text("utf-8"))
    return found


def test_tables_and_chunkers_on_questions(call: Any, sources: Path) -> None:
    ran = call(
        "compare", "docs.jsonl", "--chunkers", "sentence:size=60,unit=chars; recursive:size=40",
        "--tables", "now=now.parquet", "--questions", "questions.jsonl", "--budget", "20", "--lang", "ko", *LIGHT,
    )  # fmt: skip
    assert (ran.code, ran.err) == (0, ran.err)
    assert ran.out.splitlines()[-1] == f"report: {Path('reports/comparison/report.html')}"
    facts = facts_of(sources / "reports" / "comparison")
    assert [one["name"] for one in facts["strategies"] if not one["baseline"]] == [
        "sentence:size=60,unit=chars",
        "recursive:size=40",
        "now",
    ]
    assert facts["metric"] == {"name": "recall", "better": "higher", "retriever": "semantic", "k": None, "budget": 20}
    assert facts["questions"]["skipped"]["questions"][0]["question_id"] == "없음"
    assert "note: 1 of 17 questions are left out: '없음': '없는 말' is not in document '문서00'" in ran.err
    assert "No column names the documents" not in ran.err
    assert facts["questions"]["used"] == facts["statistics"]["questions"] == 16
    assert all(one["questions"]["tokens_read"] <= 20 for one in facts["strategies"])
    page = (sources / "reports" / "comparison" / "report.html").read_text("utf-8")
    assert 'id="compare_apart"' in page and "재현율" in page


def test_strict_refuses_a_question_without_a_place(call: Any, sources: Path) -> None:
    ran = call(
        "compare", "--tables", "now=now.parquet", "new=new.parquet", "--questions", "questions.jsonl", "--strict", *LIGHT
    )  # fmt: skip
    assert ran.code == 2
    assert "없음" in ran.err and ran.err.count("\n") == 1
    assert not (sources / "reports").exists()


def test_a_regression_fails_once_all_is_written(call: Any, sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "draw", lambda view, folder: [])  # drawn in the first test
    first = call("compare", "--tables", "a=now.parquet", "b=new.parquet", "--metric", "broken", "--out", "then", "--lang",
                 "en", "--analyzers", "tokens,boundaries", *LIGHT[2:])  # fmt: skip
    assert first.code == 0
    again = ("--metric", "broken", "--lang", "en", "--analyzers", "tokens,boundaries", "--fail-on-regression", "then")
    same = call("compare", "--tables", "a=now.parquet", "b=new.parquet", "--out", "same", *again, *LIGHT[2:])
    assert same.code == 0
    worse = call("compare", "--tables", "a=new.parquet", "b=new.parquet", "--out", "worse", *again, *LIGHT[2:])
    assert worse.code == 1
    assert "worse than the baseline: a: broken" in worse.err
    assert (sources / "worse" / "report.html").is_file()
    refused = call("compare", "--tables", "a=now.parquet", "--out", "same", *again, *LIGHT[2:])
    assert refused.code == 2 and "--overwrite replaces it" in refused.err
    one = call("compare", "--tables", "a=now.parquet", "--out", "one", *again, *LIGHT[2:])
    assert one.code == 0 and "note: 'b' was compared in then, but is not now" in one.err
    assert "was compared in" not in same.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--tables", "now"), "write NAME=TABLE"),
        (("--tables", "a=now.parquet", "a=new.parquet"), "'a' is named twice"),
        (("--tables", "a=none.parquet"), "no such file"),
        (("docs.jsonl", "--docs", "docs.jsonl", "--chunkers", "sentence"), "named twice"),
        (("docs.jsonl",), "nothing to compare"),
        (("docs.jsonl", "--chunkers", "sentence:sise=3"), "did you mean 'size'"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(call: Any, sources: Path, words: tuple[str, ...], said: str) -> None:
    ran = call("compare", *words, *LIGHT)
    assert ran.code == 2
    assert said in ran.err and ran.err.count("\n") == 1
    assert not (sources / "reports").exists()
