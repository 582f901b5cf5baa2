"""The loop on real text: the demo corpus cut badly, cut again, and judged by the same limits."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from made_rechunk import judged_rows

import chunkeval as ce
from chunkeval.cli.main import main
from chunkeval.rechunk import Rechunked
from chunkeval.results import Flags
from chunkeval.runs import open_run
from chunkeval.table import frame_of

pytestmark = pytest.mark.usefixtures("undrawn_runs")

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "datasets" / "ko" / "docs"
BOUNDARIES = DOCS.parent / "boundaries.json"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of some Korean documents: enough to calibrate on."""
    table = pd.read_csv(ROOT / "datasets" / "ko" / "chunks.csv")
    some = table[table["doc_id"].isin(table["doc_id"].unique()[:10])]
    folder = tmp_path_factory.mktemp("rechunk")
    some.to_csv(folder / "chunks.csv", index=False)
    assert (
        main(
            [
                "audit",
                str(folder / "chunks.csv"),
                "--out",
                str(folder / "run"),
                "--analyzers",
                "tokens,similarity",
                "--quiet",
            ]
        )
        == 0
    )
    return folder / "run"


@pytest.fixture(scope="module")
def flags(run: Path) -> Flags:
    return open_run(run).flags


@pytest.fixture(scope="module")
def done(flags: Flags) -> Rechunked:
    return ce.rechunk(flags, boundaries=str(BOUNDARIES))


def documents(frame: pd.DataFrame) -> dict[str, str]:
    """Texts of a table's chunks joined, a document."""
    found: dict[str, str] = defaultdict(str)
    for row in frame.sort_values(["doc_id", "position"]).itertuples():
        found[str(row.doc_id)] += str(row.text)
    return dict(found)


def test_no_character_is_lost_and_every_offset_holds(done: Rechunked) -> None:
    chunks = done.chunks
    assert done.facts["characters"]["before"] == done.facts["characters"]["after"]
    for name, text in documents(chunks).items():
        document = (DOCS / f"{name}.md").read_text("utf-8")
        assert text == document
        for row in chunks[chunks["doc_id"] == name].itertuples():
            assert document[row.start : row.end] == row.text
    assert not chunks["chunk_id"].duplicated().any()


def test_what_is_not_touched_stays_as_it_is(done: Rechunked, flags: Flags) -> None:
    old = pd.read_parquet(flags.scores.chunks.path).set_index("chunk_id")
    new = done.chunks.set_index("chunk_id")
    kept = new[new["parent_ids"].isna()]
    assert set(kept.index) <= set(old.index)
    columns = [name for name in old.columns if name != "position"]
    pd.testing.assert_frame_equal(kept[columns], old.loc[kept.index, columns], check_dtype=False)
    fresh = new[new["parent_ids"].notna()]
    named = {parent for parents in fresh["parent_ids"] for parent in parents}
    assert named == set(old.index) - set(kept.index)


def test_it_helps_more_than_as_many_random_cuts(done: Rechunked, flags: Flags) -> None:
    splits = done.facts["splits"]
    assert splits["chunks"] > 0 and splits["changed"] > 0
    assert splits["severity"]["after"] < splits["severity"]["random"]["mean"] <= splits["severity"]["before"]
    assert splits["judge"]["after"] > splits["judge"]["before"]
    assert int(done.frame["flagged"].sum()) < int(flags.frame["flagged"].sum())
    assert done.flags.judgements == flags.judgements


def test_every_flagged_chunk_has_one_fate_a_reason(done: Rechunked, flags: Flags) -> None:
    counted = pd.Series(
        [reason for reasons in flags.frame.loc[flags.frame["flagged"], "reasons"] for reason in reasons]
    )
    tails = int((counted == "tail").sum()) + int((counted == "too_short").sum())
    fates = {reason: sum(found.values()) for reason, found in done.facts["reasons"].items()}
    assert fates["incoherent"] == int((counted == "incoherent").sum())
    assert fates["too_short"] == tails


def test_decisions_are_followed(flags: Flags) -> None:
    good = flags.frame.loc[~flags.frame["flagged"], "chunk_id"].tolist()
    bad = flags.frame.loc[flags.frame["suggestion"] == "split", "chunk_id"].tolist()
    done = ce.rechunk(flags, decisions={good[3]: "drop", **dict.fromkeys(bad, "keep")})
    assert done.facts["changes"]["drop"] == 1 and done.facts["changes"]["split"] == done.facts["changes"]["move"] == 0
    assert good[3] not in set(done.chunks["chunk_id"])
    assert set(bad) <= set(done.chunks["chunk_id"])
    assert done.facts["characters"]["dropped"] > 0


def test_a_named_chunker_splits_unless_it_makes_things_worse(flags: Flags) -> None:
    spec = "fixed_char_length:char_limit=60"
    careful = ce.rechunk(flags, chunker=spec)
    kept = ce.rechunk(flags, chunker=spec, keep_worse=True)
    assert kept.facts["changes"]["split"] > careful.facts["changes"]["split"]
    assert careful.facts["splits"]["severity"]["after"] <= careful.facts["splits"]["severity"]["before"]
    assert kept.facts["characters"]["before"] == kept.facts["characters"]["after"]


def test_the_command_writes_the_same_table_and_what_a_store_has_to_do(
    run: Path, tmp_path: Path, done: Rechunked
) -> None:
    out = tmp_path / "again"
    assert main(["rechunk", str(run), "--out", str(out), "--jobs", "1", "--quiet"]) == 0
    pd.testing.assert_frame_equal(frame_of(pq.read_table(out / "chunks.parquet")), done.chunks)
    lines = [json.loads(line) for line in (out / "changes.jsonl").read_text("utf-8").splitlines()]
    old, new = (set(pd.read_parquet(path / "chunks.parquet")["chunk_id"]) for path in (run, out))
    assert {line["chunk_id"] for line in lines if line["op"] == "delete"} == old - new
    assert {line["chunk_id"] for line in lines if line["op"] == "insert"} == new - old
    assert [line["op"] for line in lines] == sorted(line["op"] for line in lines)
    summary = json.loads((out / "summary.json").read_text("utf-8"))
    assert summary["rechunk"]["flagged"]["after"] == summary["flagged"]
    assert open_run(out).flags.frame["flagged"].sum() == summary["flagged"]


def test_a_dry_run_writes_nothing_and_says_the_same(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], done: Rechunked
) -> None:
    before = sorted(path.name for path in run.parent.iterdir())
    assert main(["rechunk", str(run), "--boundaries", str(BOUNDARIES), "--dry-run", "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told["changes"] == done.facts["changes"] and told["splits"] == done.facts["splits"]
    assert sorted(path.name for path in run.parent.iterdir()) == before


def test_cuts_are_compared_with_known_boundaries(done: Rechunked) -> None:
    found = done.facts["splits"]["boundaries"]
    assert found["documents"] > 0 and found["found"]["before"] == 0 <= found["found"]["after"] <= found["inside"]
    assert found["gain"]["low"] <= found["gain"]["mean"] <= found["gain"]["high"]


def test_boundaries_that_cannot_be_read_end_it_before_anything_is_written(run: Path, tmp_path: Path) -> None:
    assert main(["rechunk", str(run), "--out", str(tmp_path / "new"), "--boundaries", str(tmp_path / "none")]) == 2
    assert list(tmp_path.iterdir()) == []


def test_the_run_itself_is_never_written_over(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rechunk", str(run), "--out", str(run), "--overwrite"]) == 2
    assert "is the run itself" in capsys.readouterr().err


def test_equal_texts_get_ids_of_their_own(tmp_path: Path) -> None:
    """Two pieces alike in a table without documents, and one like a chunk that was there."""
    same = "오늘은 날씨가 맑고 바람이 붑니다. "
    done = ce.rechunk(
        judged_rows([same * 6, same, same * 6], tmp_path), chunker="delimiter:delimiter='. '", keep_worse=True
    )
    chunks = done.chunks
    assert len(chunks) > 3 and not chunks["chunk_id"].duplicated().any()
    assert "".join(chunks["text"]) == same * 13


def test_a_second_rechunk_leaves_the_parents_of_what_it_does_not_touch(done: Rechunked) -> None:
    again = ce.rechunk(done.flags).chunks.set_index("chunk_id")["parent_ids"]
    before = done.chunks.set_index("chunk_id")["parent_ids"].dropna()
    kept = before.index.intersection(again.index)
    assert len(kept) > 0
    assert [list(again[name]) for name in kept] == [list(before[name]) for name in kept]


def test_the_second_judge_is_never_the_runs_own_embedder(done: Rechunked, flags: Flags) -> None:
    own = str(flags.scores.settings["embedder"])
    assert ce.rechunk(flags, judge=own).facts["splits"]["judge"] == done.facts["splits"]["judge"]
