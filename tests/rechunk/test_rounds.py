"""Several rounds: what is said of them, and what a person decided, from the first table to the last."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from made_rechunk import judged_rows

import chunkeval as ce
from chunkeval import decisions
from chunkeval.cli.main import main
from chunkeval.rechunk import Rechunked, work
from chunkeval.results import Flags
from chunkeval.runs import open_run
from chunkeval.sampling import documents_of
from chunkeval.score import rescore
from chunkeval.table import chunk_id

pytestmark = pytest.mark.usefixtures("undrawn_runs")

LONG = "하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열. "
SHORT = "짧은 글이다."


def told(count: int) -> str:
    """Sentences of which no two are equal."""
    return "".join(LONG.replace("하나", f"{number}번") for number in range(count))


@pytest.fixture(scope="module")
def flags(tmp_path_factory: pytest.TempPathFactory) -> Flags:
    """Three documents whose second chunk is too long: what is left over when it is cut is too short, and merged in a second round."""
    texts = [SHORT, told(6), told(3), SHORT, told(9), SHORT, told(7), SHORT]
    docs = ["a", "a", "a", "b", "b", "c", "c", "c"]
    return judged_rows(
        texts,
        tmp_path_factory.mktemp("rounds"),
        "10:50",
        chunk_id=list("stuvwxyz"),
        doc_id=docs,
        position=[0, 1, 2, 0, 1, 0, 1, 2],
    )


@pytest.fixture(scope="module")
def thrice(flags: Flags) -> Rechunked:
    return ce.rechunk(flags, chunker="recursive:size=60", rounds=3, keep_worse=True)


def test_ids_are_of_the_rows_as_they_end(flags: Flags, thrice: Rechunked) -> None:
    old = set(flags.frame["chunk_id"])
    for row in thrice.chunks.itertuples():
        if row.chunk_id not in old:
            assert row.chunk_id == chunk_id(str(row.doc_id), int(row.position), str(row.text))
            assert set(row.parent_ids) <= old
    for _, rows in thrice.chunks.groupby("doc_id"):
        assert rows["position"].tolist() == list(range(len(rows)))


def test_all_facts_are_of_the_first_table_against_the_last(flags: Flags, thrice: Rechunked) -> None:
    facts, rounds = thrice.facts, thrice.facts["rounds"]
    assert len(rounds) > 1
    assert facts["chunks"] == {"before": len(flags.frame), "after": len(thrice.frame)}
    assert facts["flagged"] == {
        "before": int(flags.frame["flagged"].sum()),
        "after": int(thrice.frame["flagged"].sum()),
    }
    for earlier, later in pairwise(rounds):
        assert earlier["chunks"]["after"] == later["chunks"]["before"]
    assert facts["changes"] == {kind: sum(one["changes"][kind] for one in rounds) for kind in facts["changes"]}
    held = facts["characters"]
    assert held["before"] == sum(map(len, pd.read_parquet(flags.scores.chunks.path)["text"]))
    assert held["after"] == sum(map(len, thrice.chunks["text"]))
    assert held["before"] - held["dropped"] - held["overlapped"] + held["joints"] == held["after"]
    for found in facts["reasons"].values():
        assert sum(found.values()) > 0


def test_fates_are_read_off_the_last_table(flags: Flags, thrice: Rechunked) -> None:
    children: dict[str, list[str]] = {}
    for row in thrice.chunks.itertuples():
        for parent in [row.chunk_id] if row.parent_ids is None else row.parent_ids:
            children.setdefault(parent, []).append(str(row.chunk_id))
    bad = set(thrice.frame.loc[thrice.frame["flagged"], "chunk_id"])
    long = flags.frame.loc[[("too_long" in reasons) for reasons in flags.frame["reasons"]], "chunk_id"]
    expected = {"cured": 0, "not_measurable": 0, "still": 0, "dropped": 0, "taken_back": 0, "left": 0}
    for name in long:
        if name in children.get(name, []):
            expected["taken_back"] += 1
        else:
            expected["still" if bad.intersection(children[name]) else "cured"] += 1
    assert thrice.facts["reasons"]["too_long"] == expected
    assert thrice.facts["taken_back"] == expected["taken_back"]


def test_what_a_person_keeps_is_kept_in_every_round(flags: Flags) -> None:
    done = ce.rechunk(flags, chunker="recursive:size=60", rounds=3, keep_worse=True, decisions={"t": "keep"})
    assert len(done.facts["rounds"]) > 1
    assert "t" in set(done.chunks["chunk_id"])
    assert done.facts["reasons"]["too_long"]["left"] == 1


def test_decisions_go_to_the_new_run(flags: Flags, tmp_path: Path) -> None:
    ce.report(flags, tmp_path / "run")
    listed = tmp_path / "decided.csv"
    listed.write_text("chunk_id,decision\nt,keep\nw,drop\n", "utf-8")
    options = ["--decisions", str(listed), "--chunker", "recursive:size=60", "--quiet"]
    assert main(["rechunk", str(tmp_path / "run"), "--out", str(tmp_path / "new"), *options]) == 0
    again = open_run(tmp_path / "new")
    assert decisions.current(again) == {"t": "keep"}
    row = pd.read_csv(tmp_path / "new" / "outliers.csv").set_index("chunk_id").loc["t"]
    assert row["decision"] == "keep"
    third = [str(tmp_path / "new"), "--out", str(tmp_path / "third"), "--chunker", "recursive:size=60", "--quiet"]
    assert main(["rechunk", *third]) == 0
    assert "t" in set(pd.read_parquet(tmp_path / "third" / "chunks.parquet")["chunk_id"])


def test_a_store_is_told_of_rows_that_are_numbered_anew(tmp_path: Path) -> None:
    flags = judged_rows(
        [SHORT, LONG * 9, "끝이다.", "정말 끝이다."],
        tmp_path,
        "1:50",
        chunk_id=["a", "b", "c", "d"],
        doc_id=["x"] * 4,
        position=[0, 1, 2, 3],
    )
    ce.report(flags, tmp_path / "run")
    assert main(["rechunk", str(tmp_path / "run"), "--out", str(tmp_path / "new"), "--quiet"]) == 0
    lines = [json.loads(line) for line in (tmp_path / "new" / "changes.jsonl").read_text("utf-8").splitlines()]
    assert [line["op"] for line in lines] == sorted(line["op"] for line in lines)
    store = {row.chunk_id: row.position for row in pd.read_parquet(flags.scores.chunks.path).itertuples()}
    for line in lines:
        if line["op"] == "delete":
            del store[line["chunk_id"]]
        else:
            assert (line["chunk_id"] in store) == (line["op"] == "update")
            store[line["chunk_id"]] = line["position"]
    new = pd.read_parquet(tmp_path / "new" / "chunks.parquet")
    assert store == dict(zip(new["chunk_id"], new["position"], strict=True))
    assert {line["chunk_id"] for line in lines if line["op"] == "update"} == {"c", "d"}


def test_many_rounds_end_where_none_helps(flags: Flags) -> None:
    done = ce.rechunk(flags, rounds=10**12)
    assert 1 <= len(done.facts["rounds"]) < 10


def test_a_sample_is_not_cut_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"doc_id": "d", "position": at, "text": LONG * (1 + at % 5)} for at in range(12)]
    pd.DataFrame(rows).to_parquet(tmp_path / "table.parquet")
    table, run, new = (str(tmp_path / name) for name in ("table.parquet", "run", "new"))
    limits = ["--limit", "tokens=1:8", "--quiet"]
    assert main(["audit", table, "--analyzers", "tokens", "--sample", "5", "--out", run, *limits]) == 0
    assert "a random sample of 5 of 12 chunks" in json.loads((tmp_path / "run" / "summary.json").read_text())["notes"]
    assert main(["rechunk", run, "--out", new]) == 2
    assert "5 of 12 chunks" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
    assert main(["audit", table, "--analyzers", "tokens", "--sample", "12", "--out", run, "--overwrite", *limits]) == 0
    assert main(["rechunk", run, "--out", new, "--quiet"]) == 0


def test_a_person_can_have_a_good_chunk_split(tmp_path: Path) -> None:
    """Nothing about it gets less bad, which is what cuts are tried for otherwise."""
    texts = ["하늘이 맑다. 바람이 분다.", LONG * 2, "서버를 켠다. 값을 고친다."]
    flags = judged_rows(texts, tmp_path, "1:20", chunk_id=["a", "b", "c"], doc_id=["d"] * 3, position=[0, 1, 2])
    good = [name for name in ("a", "c") if name in set(flags.frame.loc[~flags.frame["flagged"], "chunk_id"])]
    assert good == ["a", "c"]
    done = ce.rechunk(flags, decisions={"a": "split", "b": "keep"})
    assert done.facts["changes"] == {"split": 1, "move": 0, "merge": 0, "drop": 0}
    assert "".join(done.chunks["text"].iloc[:2]) == texts[0]
    assert done.chunks["chunk_id"].tolist()[2:] == ["b", "c"]
    assert "".join(done.chunks["text"]) == "".join(texts)


@pytest.mark.parametrize("words", [["--judge", "nosuch"], ["--chunker", "nosuch"], ["--chunker", "cascade"]])
def test_names_that_nothing_has_are_refused_first(
    flags: Flags, tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    ce.report(flags, tmp_path / "run")
    assert main(["rechunk", str(tmp_path / "run"), "--out", str(tmp_path / "new"), *words]) == 2
    assert words[1] in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_the_folder_at_hand_is_a_run_too(flags: Flags, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ce.report(flags, tmp_path / "run")
    monkeypatch.chdir(tmp_path / "run")
    assert main(["rechunk", ".", "--quiet"]) == 0
    assert (tmp_path / "run-rechunked" / "changes.jsonl").exists()


def test_an_empty_list_of_decisions_is_refused(
    flags: Flags, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ce.report(flags, tmp_path / "run")
    (tmp_path / "none.csv").write_bytes(b"")
    assert main(["rechunk", str(tmp_path / "run"), "--decisions", str(tmp_path / "none.csv")]) == 2
    assert "none.csv is empty" in capsys.readouterr().err


def test_columns_of_the_source_are_kept_under_another_name(flags: Flags, tmp_path: Path) -> None:
    texts = [SHORT, LONG * 5, LONG]
    flags = judged_rows(
        texts, tmp_path, doc_id=["d"] * 3, position=[0, 1, 2], derived=["x", "y", "z"], parent_ids=[1, 2, 3]
    )
    done = ce.rechunk(flags, chunker="recursive:size=30", keep_worse=True)
    chunks = done.chunks
    assert not chunks["derived"].any()
    first = chunks["position"] == 0
    assert chunks.loc[first, "source_derived"].tolist() == ["x"] and chunks.loc[
        first, "source_parent_ids"
    ].tolist() == [1]
    made = chunks[chunks["parent_ids"].notna()]
    assert set(made["source_parent_ids"]) <= {1, 2, 3} and len(made) > 1
    notes = done.flags.scores.chunks.info.notes
    assert "the table's own column derived is kept as source_derived" in notes
    assert "the table's own column parent_ids is kept as source_parent_ids" in notes


def test_unknown_documents_stay_what_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows without a document stand for one by their number; a cut before them must not move them into another."""
    texts = [told(9), *(f"{number}번째 짧은 글이다." for number in range(60))]
    flags = judged_rows(texts, tmp_path, "1:50")
    asked: list[list[str]] = []

    def seen(*given: Any, documents: list[str], **others: Any) -> Any:
        asked.append(documents)
        return rescore(*given, documents=documents, **others)

    monkeypatch.setattr(work, "rescore", seen)
    done = ce.rechunk(flags)
    before = dict(zip(flags.frame["chunk_id"], documents_of([None] * len(texts)), strict=True))
    first = flags.frame["chunk_id"].iloc[0]
    expected = [
        before[name if parents is None else parents[0]]
        for name, parents in done.chunks[["chunk_id", "parent_ids"]].values
    ]
    assert asked[-1] == expected and expected.count(before[first]) > 20
