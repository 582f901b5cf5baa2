"""Duplicates on the command line, from a table to a report, other limits, a sample, a baseline, and cutting again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from reading import held, read

from chunkeval import outputs
from chunkeval.cache import Cache
from chunkeval.config import RunConfig
from chunkeval.rechunk.trial import Trial
from chunkeval.runs import open_run

ROOT = Path(__file__).resolve().parents[2]
COPIES, NEAR = 3, 4


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Korean chunks, of which some come once more in another document: as they are, and with a sentence added."""
    frame = pd.read_csv(ROOT / "datasets" / "ko" / "chunks.csv").iloc[:40][
        ["chunk_id", "doc_id", "position", "content"]
    ]
    copies = frame.iloc[2 : 2 + COPIES].assign(content=lambda some: "  " + some["content"].str.replace(" ", "  "))
    near = frame.iloc[20 : 20 + NEAR].assign(content=lambda some: some["content"] + " 이 글은 다시 실었습니다.")
    more = pd.concat([copies, near]).assign(doc_id="zz-다시 실은 글", position=range(COPIES + NEAR))
    more["chunk_id"] = [f"again-{i}" for i in range(len(more))]
    pd.concat([frame, more]).to_csv(tmp_path / "chunks.csv", index=False)
    return tmp_path / "chunks.csv"


def flagged(run: Path) -> dict[str, list[str]]:
    frame = open_run(run).flags.frame
    found = frame[frame["flag_duplicates"]]
    return {name: list(reasons) for name, reasons in zip(found["chunk_id"], found["reasons"], strict=True)}


def test_from_a_table_to_a_report(call: Any, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    how = ("audit", table, "--analyzers", "tokens,duplicates", "--jobs", "1")
    assert call(*how, "--out", "run").code == 0
    run = Path("run")
    found = flagged(run)
    assert set(found) == {f"again-{i}" for i in range(COPIES + NEAR)}
    assert [("duplicate" in reasons, "near_duplicate" in reasons) for reasons in found.values()] == [
        *[(True, False)] * COPIES,
        *[(False, True)] * NEAR,
    ]
    frame = open_run(run).flags.frame.set_index("chunk_id")
    assert frame.loc["again-0", "suggestion"] == "drop" and frame.loc["again-0", "severity"] == 1
    assert frame.loc["again-0", "duplicate_of"] == frame.loc["again-0", "duplicate_group"] == frame.index[2]
    facts = json.loads((run / "summary.json").read_text("utf-8"))["analyzers"]["duplicates"]
    assert (
        facts["flagged"] == COPIES + NEAR
        and facts["beyond"] == NEAR
        and facts["marked"] == {"duplicate": COPIES, "boilerplate": 0}
    )
    assert facts["limit"]["rule"] == "fixed"
    page = (run / "report.html").read_text("utf-8")
    assert f"앞에 똑같은 글이 있는 청크는 {COPIES}개입니다" in page
    told = held(read(page))
    head, passages = told.head, told.passages
    (measure,) = [one for one in head["measures"] if one["name"] == "duplicates"]
    assert ["earlier_copies", "duplicate", 0] in measure["marks"]
    (copy,) = [one for one in passages if head["ids"][one["row"]] == "again-0"]
    assert ["같거나 거의 같은 청크", frame.index[2]] in copy["metadata"]
    assert ["중복 묶음", f"{frame.index[2]}, again-0"] in copy["metadata"]
    assert f"duplicate_of         {frame.index[2]}" in call("show", run, "again-0").out

    # What comes now is not drawn: nothing more is read of the page.
    monkeypatch.setattr(outputs, "_draw", lambda *_: None)
    assert call(*how, "--out", "run", "--resume", "--batch", "8").code == 0
    assert flagged(run) == found
    assert call("flag", run, "--limit", "near_duplicate_similarity=0.99", "--out", "strict").code == 0
    assert set(flagged(Path("strict"))) == {f"again-{i}" for i in range(COPIES)}
    assert call("flag", run, "--limit", "competitors=0", "--out", "rivals").code == 0
    assert "competitors" in flagged(Path("rivals"))[frame.index[2]]
    said = call("audit", table, "--analyzers", "tokens", "--limit", "competitors=1")
    assert said.code == 2 and "needs the analyzer 'duplicates'" in said.err
    said = call("flag", run, "--limit", "duplicate_of=1", "--out", "none")
    assert said.code == 2 and "unknown limit 'duplicate_of'" in said.err


def test_a_baseline_a_sample_and_what_is_kept(call: Any, table: Path, undrawn: None) -> None:
    how = ("audit", table, "--analyzers", "duplicates", "--jobs", "1")
    assert call(*how, "--out", "run").code == 0
    assert call(*how, "--out", "next", "--baseline", "run").code == 0
    assert json.loads(Path("next/summary.json").read_text("utf-8"))["new"]["flagged"] == 0
    assert call(*how, "--out", "some", "--sample", "30").code == 0
    some = open_run(Path("some")).flags.frame
    assert len(some) == 30 and set(some["duplicate_of"].dropna()) <= set(some["chunk_id"])
    assert call("filter", "run", "--out", "kept.csv").code == 0
    kept = pd.read_csv("kept.csv")["chunk_id"]
    assert len(kept) == 40 and not kept.str.startswith("again").any()


def test_copies_are_dropped_and_parts_on_trial_are_no_copies_of_one_another(
    call: Any, table: Path, tmp_path: Path, undrawn: None
) -> None:
    how = ("--analyzers", "tokens,duplicates", "--jobs", "1")
    assert call("audit", table, *how, "--out", "run").code == 0
    assert call("rechunk", "run", "--allow-drop", "--out", "new").code == 0
    new = open_run(Path("new")).flags.frame
    assert not {f"again-{i}" for i in range(COPIES)} & set(new["chunk_id"])
    facts = json.loads(Path("new/summary.json").read_text("utf-8"))["rechunk"]
    assert facts["changes"]["drop"] == COPIES
    text = pd.read_csv(table)["content"][20]
    trial = Trial(open_run(Path("run")).flags, RunConfig(jobs=1), Cache(tmp_path / "trial"))
    judged = trial([text, f"{text} 끝."], ["a", "a"])
    assert not {"duplicate", "near_duplicate"} & {reason for one in judged for reason in one.reasons}
