"""A language model that splits what is flagged: what it says of each chunk is in the new table and in what a store has to do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fake_llm import KEY, MODEL, Fake, alone, serve, status
from made_rechunk import judged_rows
from made_replies import answers

import chunkeval as ce
from chunkeval.chunkers.base import Chunk
from chunkeval.cli.main import main
from chunkeval.errors import ConfigError
from chunkeval.rechunk.changes import Change, pieces_of, write_table
from chunkeval.results import ChunkFile, Flags, SourceInfo

pytestmark = pytest.mark.usefixtures("undrawn_runs")

LONG = "".join(f"등대지기 김 씨가 {n}번째 불을 켰다. The ship came home. " for n in range(6))
SHORT = "짧다."


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Fake]:
    alone(monkeypatch)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("CHUNKEVAL_CACHE", str(tmp_path / "cache"))
    with serve(Fake(answers=answers)) as shown:
        yield shown


def spec(fake: Fake, more: str = "", mini_size: int = 60) -> str:
    return f"agentic:mini_size={mini_size},model={MODEL},base_url={fake.base_url},retries=0{more}"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two documents, each a chunk that is too long and one that is not."""
    table = pd.DataFrame(
        {
            "doc_id": ["a", "a", "b", "b"],
            "text": [LONG, SHORT, LONG.replace("김", "이"), SHORT],
            "start": [0, len(LONG)] * 2,
            "end": [len(LONG), len(LONG) + len(SHORT)] * 2,
            "note": ["위", "아래"] * 2,
        }
    )
    table.to_parquet(tmp_path / "table.parquet")
    out = tmp_path / "run"
    limits = ["--analyzers", "tokens", "--limit", "tokens=1:40"]
    assert main(["audit", str(tmp_path / "table.parquet"), "--out", str(out), *limits, "--quiet"]) == 0
    return out


def test_titles_and_summaries_go_to_the_table_and_to_the_store(run: Path, fake: Fake) -> None:
    out = run.with_name("again")
    command = ["rechunk", str(run), "--chunker", spec(fake), "--keep-worse", "--out", str(out), "--quiet"]
    assert main(command) == 0
    table = pd.read_parquet(out / "chunks.parquet")
    fresh, kept = table[table["parent_ids"].notna()], table[table["parent_ids"].isna()]
    assert len(fresh) == 4 and list(kept["text"]) == [SHORT, SHORT]
    assert fresh["title"].str.startswith("제목 ").all() and (fresh["summary"] == "요약").all()
    assert kept[["title", "summary"]].isna().all(axis=None) and table["fallback"].isna().all()
    assert (fresh["note"] == "위").all() and (kept["note"] == "아래").all()
    for name, text in (("a", LONG + SHORT), ("b", LONG.replace("김", "이") + SHORT)):
        mine = table[table["doc_id"] == name].sort_values("position")
        assert "".join(mine["text"]) == text
        assert all(text[row.start : row.end] == row.text for row in mine.itertuples())
    lines = [json.loads(line) for line in (out / "changes.jsonl").read_text("utf-8").splitlines()]
    inserted = {line["chunk_id"]: line for line in lines if line["op"] == "insert"}
    for row in fresh.itertuples():
        said = inserted[row.chunk_id]
        assert (said["title"], said["summary"], said["fallback"]) == (row.title, row.summary, None)
    calls = fake.calls
    asked = json.loads((out / "summary.json").read_text("utf-8"))["rechunk"]["asked"]
    assert asked["questions"] == asked["usage"]["calls"] == calls and asked["fell_back"]["share"] == 0.0
    assert main([*command, "--overwrite"]) == 0 and fake.calls == calls
    written = [path for path in run.parent.rglob("*") if path.is_file()]
    assert not [path for path in written if KEY.encode() in path.read_bytes()]


def test_what_fell_back_says_so_and_a_lost_server_may_be_an_error(
    run: Path, fake: Fake, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.always, out = status(500, f"no {KEY}"), run.with_name("again")
    command = ["rechunk", str(run), "--chunker", spec(fake, ",max_size=150"), "--keep-worse", "--out", str(out)]
    assert main([*command, "--fallback", "none"]) == 3
    said = capsys.readouterr().err
    assert "no answer from http://127.0.0.1:" in said and "(log: " in said and not out.exists()
    assert main(command) == 0
    said += capsys.readouterr().err
    assert "cut by the recursive chunker instead: 100.0 % of the characters" in said and KEY not in said
    table = pd.read_parquet(out / "chunks.parquet")
    fresh = table[table["parent_ids"].notna()]
    assert len(fresh) and (fresh["fallback"] == "no answer from the server").all() and fresh["title"].isna().all()
    fake.always = status(401, f"no {KEY}")
    assert main([*command, "--overwrite"]) == 2
    said = capsys.readouterr().err
    assert "refuses the key (401)" in said and said.count("\n") <= 3 and KEY not in said


@pytest.mark.parametrize("own", ["texts", "numbers", "nothing"])
def test_a_tables_own_titles_stay_with_what_stays(tmp_path: Path, own: str) -> None:
    kind = {"texts": pa.large_string(), "numbers": pa.int64(), "nothing": pa.null()}[own]
    titles = {"texts": ["긴 글", "짧은 글"], "numbers": [1, 2], "nothing": [None, None]}[own]
    columns = {"chunk_id": ["x", "y"], "doc_id": ["a", "a"], "position": [0, 1], "text": [LONG, SHORT]}
    places = dict.fromkeys(("start", "end"), pa.nulls(2, pa.int64())) | {"spans": pa.nulls(2, pa.list_(pa.int64()))}
    source, out = tmp_path / "source.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({**columns, **places, "title": pa.array(titles, kind)}), source)
    order, pieces = pieces_of(source)
    parts = [
        replace(part, said={"title": title}) for part, title in zip(pieces[0].cut([20]), ("앞", None), strict=True)
    ]
    info = SourceInfo("t", "parquet", "0", 2, None, {})
    told = write_table(
        ChunkFile(source, info), order, [Change("split", (0,), tuple(parts))], out, {"x", "y"}, ["title"]
    )
    table = pq.read_table(out)
    assert table["title"].to_pylist() == ["앞", None, "짧은 글" if own == "texts" else None]
    assert ("source_title" in table.schema.names) == bool(told.notes) == (own == "numbers")
    assert own != "numbers" or table["source_title"].to_pylist() == [1, 1, 2]


def test_what_was_rewritten_is_cut_and_its_parts_have_no_place(fake: Fake, tmp_path: Path) -> None:
    (tmp_path / "글.txt").write_text(LONG, "utf-8")
    made = f"proposition:model={MODEL},base_url={fake.base_url}"
    out = tmp_path / "stated.parquet"
    assert main(["chunk", str(tmp_path / "글.txt"), "--chunker", made, "--out", str(out), "--quiet"]) == 0
    stated = pd.read_parquet(out)
    assert stated["derived"].all() and stated["title"].notna().all()
    flags = ce.flag(ce.score(ce.load(out), analyzers=("tokens",)), limit={"tokens": "1:9"})
    done = ce.rechunk(flags, chunker=spec(fake, mini_size=20), cache=str(tmp_path), keep_worse=True, rounds=1)
    fresh = done.chunks[done.chunks["parent_ids"].notna()]
    assert len(fresh) and fresh["derived"].all() and fresh["title"].notna().all()
    assert fresh[["start", "end", "spans"]].isna().all(axis=None)
    assert sorted("".join(done.chunks["text"])) == sorted("".join(stated["text"]))


def test_offsets_of_what_was_rewritten_are_not_trusted(tmp_path: Path) -> None:
    pd.DataFrame(
        {
            "chunk_id": ["a"], "doc_id": ["d"], "position": [0], "text": ["가나"],
            "start": pd.array([None], "Int64"), "end": pd.array([None], "Int64"), "spans": [[[3, 5]]], "derived": [True],
        }
    ).to_parquet(path := tmp_path / "t.parquet")  # fmt: skip
    [piece] = pieces_of(path)[1]
    assert piece.spans is None and piece.derived


class Lossy:
    """Cuts as another library might: leaves out what stands before the first chunk."""

    columns = ("title",)

    def split(self, text: str) -> list[Chunk]:
        return [Chunk(((3, 20),), {"title": "뒤"}), Chunk(((20, len(text)),), {})]


def test_a_part_of_which_a_chunker_says_nothing_has_nothing(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkeval.chunkers.spec.make", lambda spec: Lossy())
    flags = judged_rows([LONG, SHORT], tmp_path, "1:40", doc_id=["a", "a"])
    table = ce.rechunk(flags, chunker="delimiter", cache=str(tmp_path), keep_worse=True, rounds=1).chunks
    assert "".join(table["text"]) == LONG + SHORT
    assert table["title"].isna().tolist() == [True, False, True, True]


def test_several_places_are_refused(fake: Fake, flags: Flags) -> None:
    with pytest.raises(ConfigError, match="of several places"):
        ce.rechunk(flags, chunker=spec(fake, ",contiguous=false"))
