"""flag, filter and show, on a run made without the pipeline."""

import csv
import json
import shutil
from dataclasses import replace

import pandas as pd
import pyarrow.parquet as pq
import pytest

from chunkeval import csvs
from chunkeval.runs import open_run
from chunkeval.show import lines, show


def outliers(run):
    return {
        line["chunk_id"]: line for line in map(json.loads, (run / "outliers.jsonl").read_text("utf-8").splitlines())
    }


def summary(run):
    return json.loads((run / "summary.json").read_text("utf-8"))


def decide(run, decisions, **options):
    """Fill the decision column as a spreadsheet would."""
    path = run / "outliers.csv"
    rows = list(csvs.read(path))
    with path.open("w", **{"encoding": "utf-8-sig", "newline": "", **options}) as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "decision": decisions.get(row["chunk_id"], row["decision"])} for row in rows)


def test_flag_judges_again_without_scoring(call, run):
    before = pd.read_parquet(run / "scores.parquet")
    said = call("flag", run, "--limit", "similarity=0.15")
    assert said.code == 0 and said.out.endswith(f"report: {run}/report.html\n")
    after = pd.read_parquet(run / "scores.parquet")
    assert after.loc[after["flag_similarity"], "chunk_id"].tolist() == ["c7", "c9"]
    numbers = ["token_count", "similarity", "similarity_centred", "cut_gap"]
    pd.testing.assert_frame_equal(before[numbers], after[numbers])
    assert summary(run)["analyzers"]["similarity"]["limit"]["rule"] == "given"
    assert summary(run)["settings"]["limit"] == {"similarity": "0.15"}
    assert "incoherent" not in {reason for line in outliers(run).values() for reason in line["reasons"]} - {
        "incoherent"
    }
    assert "c8" not in outliers(run)


def test_flag_of_a_flagged_run_gives_the_same_again(call, run):
    call("flag", run, "--limits", "card")
    first = {
        name: (run / name).read_bytes()
        for name in ("outliers.csv", "outliers.jsonl", "documents.csv", "scores.parquet")
    }
    before = summary(run)
    call("flag", run, "--limits", "card")
    assert {name: (run / name).read_bytes() for name in first} == first
    assert {k: v for k, v in summary(run).items() if k != "seconds"} == {
        k: v for k, v in before.items() if k != "seconds"
    }


def test_flag_carries_decisions_over_also_through_limits_that_unflag(call, run):
    call("flag", run, "--limits", "card")
    decide(run, {"c7": "keep", "c8": "drop"})
    call("flag", run, "--limit", "similarity=0.15")
    assert outliers(run)["c7"]["decision"] == "keep" and "c8" not in outliers(run)
    call("flag", run, "--limits", "card")
    assert outliers(run)["c8"]["decision"] == "drop"


def test_a_decision_taken_back_stays_back(call, run):
    call("flag", run, "--limits", "card")
    decide(run, {"c7": "keep"})
    call("flag", run, "--limits", "card")
    decide(run, {"c7": ""})
    call("flag", run, "--limits", "card")
    assert outliers(run)["c7"]["decision"] is None


def test_flag_elsewhere_leaves_the_run_as_it_is(call, run, tmp_path):
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    assert call("flag", run, "--limit", "similarity=0.15", "--out", tmp_path / "other").code == 0
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
    assert summary(tmp_path / "other")["run"]["out"] == str(tmp_path / "other")
    again = call("flag", run, "--out", tmp_path / "other")
    assert again.code == 2 and again.err.startswith(f"chunkeval: error: there is a run at {tmp_path}/other already")


def test_flag_with_a_baseline_lists_only_what_is_new(call, run, tmp_path):
    call("flag", run, "--limit", "similarity=0.15", "--out", tmp_path / "old")
    said = call("flag", run, "--limits", "card", "--baseline", tmp_path / "old", "--max-flagged", "0")
    assert list(outliers(run)) == ["c8"]
    assert summary(run)["new"] == {
        "baseline": str(tmp_path / "old"),
        "flagged": 1,
        "flagged_share": round(1 / 60, 6),
        "mended": 0,
    }
    assert said.code == 1 and said.err.endswith("1 of 60 chunks is newly flagged (1.7%); --max-flagged allows 0\n")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("--limit simlarity=0.3", "unknown limit 'simlarity': did you mean 'similarity'?"),
        ("--by topci", "--by: unknown column 'topci': did you mean 'topic'?"),
        ("--baseline nosuch", "there is no run at nosuch"),
        ("--max-flagged many", "--max-flagged 'many': give a share"),
    ],
)
def test_bad_words_leave_the_run_as_it_is(call, run, words, line):
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    said = call("flag", run, *words.split())
    assert said.code == 2 and said.err.startswith(f"chunkeval: error: {line}") and said.err.count("\n") == 1
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
    assert not list(run.parent.glob(".run*"))


@pytest.mark.parametrize(
    ("decision", "line"),
    [
        ("kep", "unknown decision 'kep': did you mean 'keep'?"),
        ("삭제", "unknown decision '삭제' (known: drop, keep, merge, split)"),
    ],
)
def test_an_unknown_decision_names_its_row(call, run, decision, line):
    decide(run, {"c9": decision})
    said = call("flag", run)
    place = f"{run}/outliers.csv, row {1 + 1 + list(outliers(run)).index('c9')}, column decision"
    assert said.code == 2 and said.err.startswith(f"chunkeval: error: {place}: {line}")


def read(path):
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "csv"])
def test_filter_parts_the_table_exactly(call, run, tmp_path, ending):
    said = call("filter", run, "--out", tmp_path / f"kept.{ending}")
    assert said.code == 0 and said.out == ""
    flagged = set(outliers(run))
    table = pq.read_table(run / "chunks.parquet").to_pylist()
    kept, gone = read(tmp_path / f"kept.{ending}"), read(tmp_path / f"kept.left_out.{ending}")
    assert [row["chunk_id"] for row in kept] == [row["chunk_id"] for row in table if row["chunk_id"] not in flagged]
    assert {row["chunk_id"] for row in gone} == flagged
    texts = {row["chunk_id"]: row["text"] for row in table}
    assert all(row["text"] == texts[row["chunk_id"]] for row in [*kept, *gone])
    assert list(kept[0]) == list(table[0])
    assert list(gone[0]) == [*table[0], "decision", "reasons", "severity", "suggestion", "suggested_cuts"]
    assert (
        said.err
        == f"{len(kept)} chunks to {tmp_path}/kept.{ending}, {len(gone)} to {tmp_path}/kept.left_out.{ending}\n"
    )


def test_filter_goes_by_what_a_person_decided(call, run, tmp_path):
    decide(run, {"c7": "keep", "c8": "split", "=c5": "drop"})
    found = json.loads(call("filter", run, "--out", tmp_path / "kept.parquet", "--json").out)
    kept = {row["chunk_id"] for row in read(tmp_path / "kept.parquet")}
    assert "c7" in kept and "c8" not in kept and "c9" not in kept
    assert (found["decided"], found["kept_by_hand"], found["left_out_by_hand"]) == (2, 1, 1)
    said = call("filter", run, "--out", tmp_path / "again.parquet").err
    assert said.endswith(" (1 kept, 1 left out by hand)\n")
    assert found["kept"] == len(kept) == 60 - found["left_out"]
    assert {row["chunk_id"]: row["decision"] for row in read(tmp_path / "kept.left_out.parquet")}["c8"] == "split"


def test_filter_takes_decisions_from_elsewhere_also_as_excel_saves_them(call, run, tmp_path):
    (tmp_path / "mine.csv").write_text("chunk_id;decision\r\nc0;drop\r\n'=c5;drop\r\nc9;keep\r\n", "cp949")
    assert call("filter", run, "--out", tmp_path / "k.jsonl", "--decisions", tmp_path / "mine.csv").code == 0
    kept = {row["chunk_id"] for row in read(tmp_path / "k.jsonl")}
    assert not {"c0", "=c5"} & kept and "c9" in kept and "c7" not in kept


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("chunk_id,decision\nc999,drop\n", "row 2, column decision: chunk_id 'c999' is not in this run"),
        ("chunk_id,decision\nc1,drop\nc1,keep\n", "row 3, column decision: 'c1' is decided twice, drop and keep"),
        ("id,decision\nc1,drop\n", "has no column chunk_id: give an outliers.csv of a run"),
    ],
)
def test_bad_decisions_are_one_line(call, run, tmp_path, content, line):
    (tmp_path / "d.csv").write_text(content)
    said = call("filter", run, "--out", tmp_path / "k.csv", "--decisions", tmp_path / "d.csv")
    assert said.code == 2 and line in said.err and said.err.count("\n") == 1
    assert not (tmp_path / "k.csv").exists()


def test_filter_refuses_to_overwrite_and_unknown_endings(call, run, tmp_path):
    (tmp_path / "kept.csv").write_text("mine")
    said = call("filter", run, "--out", tmp_path / "kept.csv")
    assert said.code == 2 and "is there already: --overwrite replaces it" in said.err
    assert (tmp_path / "kept.csv").read_text() == "mine"
    assert call("filter", run, "--out", tmp_path / "kept.csv", "--overwrite").code == 0
    assert "by its ending, .parquet, .jsonl, .csv" in call("filter", run, "--out", tmp_path / "kept.xls").err


def test_show_says_where_no_place_to_cut_is_known(run):
    shown = replace(show(open_run(run), "c7"), suggested_cuts=())
    assert lines(shown)[1].endswith(
        "suggestion: split (no place is known that leaves more than a scrap on either side)"
    )
    assert lines(replace(shown, suggestion="review"))[1].endswith("suggestion: review")


def test_show_tells_all_about_a_chunk(call, run):
    said = call("show", run, "c7")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "c7: chunk 7 in 문서 0"
    assert lines[1].startswith("flagged: incoherent; severity 0.") and "suggestion: split at 25" in lines[1]
    assert "! similarity           0.1          bad below 0.4 (card)" in lines
    assert lines[lines.index("     ---- weakest place ----") - 1] == "   0 =1+1 은 수식이 아니라 그냥 글로 읽힌다."
    assert "before: c6 (chunk 6)" in lines and "after: c8 (chunk 8, flagged)" in lines


def test_show_as_json_is_exact(call, run):
    found = json.loads(call("show", run, "c9", "--json").out)
    assert found["text"] == "a\u2028b\r\nc\x00d. 끝."
    assert found["sentences"][1] == {"start": 9, "end": len(found["text"]), "text": " 끝."}
    assert found["scores"]["similarity"] == 0.05 and found["weakest_cut"] == 1
    assert found["limits"][1]["flagged"] and found["limits"][1]["low"] == 0.4
    assert found["before"]["chunk_id"] == "c8" and found["after"] is None


def test_show_does_nothing_to_the_terminal(call, run):
    assert "\x00" not in call("show", run, "c9").out and "\\x00" in call("show", run, "c9").out


def test_show_names_the_nearest(call, run):
    said = call("show", run, "c77")
    assert (said.code, said.err) == (2, f"chunkeval: error: the run at {run} has no chunk 'c77': did you mean 'c7'?\n")


def test_a_run_can_be_moved(call, run, tmp_path):
    shutil.move(run, tmp_path / "옮긴 폴더")
    assert call("show", tmp_path / "옮긴 폴더", "c7").code == 0
    assert call("flag", tmp_path / "옮긴 폴더").code == 0


def test_flag_draws_the_report_again(call, run, drawn):
    assert call("flag", run, "--by", "topic").code == 0
    names = {path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file()}
    assert {"report.html", "report.png", "scores.parquet", "outliers.csv", "outliers.jsonl", "documents.csv"} <= names
    assert {"summary.json", "chunks.parquet", "state/state.json"} <= names and any(
        n.startswith("plots/") for n in names
    )
    page = (run / "report.html").read_text("utf-8")
    assert 'lang="ko"' in page and "음식" in page
    assert not list(run.parent.glob(".run*"))
