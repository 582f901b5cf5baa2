"""The chunk table's rules: which column is what, ids, documents, positions, nulls."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkeval.config import SHARD, LoadConfig
from chunkeval.errors import TableError
from chunkeval.loaders import write_chunks, write_frame
from chunkeval.progress import Silent
from chunkeval.results import SourceInfo
from chunkeval.table import CORE, DOC_NAMES, ID_NAMES, TEXT_NAMES, check, chunk_id
from chunkeval.table.keys import hashes, paired, repeated_rows, running_number

KOREAN = "각" + "\u1100\u1161\u11a8" + " 띄어쓰기없는긴문장。👩‍👩‍👧 漢字"


def _read(rows: Sequence[Mapping[str, Any]], folder: Path, **config: Any) -> tuple[pd.DataFrame, SourceInfo]:
    frame = pd.DataFrame({name: pd.Series([row.get(name) for row in rows], dtype=object) for name in rows[0]})
    made = write_frame(frame, folder / "chunks.parquet", LoadConfig(**config))
    return pd.read_parquet(made.path, dtype_backend="numpy_nullable"), made.info


@pytest.mark.parametrize("name", TEXT_NAMES)
@pytest.mark.parametrize("change", [str, str.upper, str.title])
def test_every_text_name_in_any_case(name: str, change: Any, tmp_path: Path) -> None:
    frame, info = _read([{"쪽": 1, change(name): KOREAN}], tmp_path)
    assert frame["text"].tolist() == [KOREAN]
    assert info.columns == {"text": change(name)}


@pytest.mark.parametrize(("names", "role"), [(ID_NAMES, "chunk_id"), (DOC_NAMES, "doc_id")])
def test_the_first_name_for_ids_and_documents_wins(names: Sequence[str], role: str, tmp_path: Path) -> None:
    for first, second in pairwise(names):
        frame, info = _read([{second: "나", first.upper(): "가", "text": "x"}], tmp_path)
        assert info.columns[role] == first.upper()
        assert frame[role].tolist() == ["가"]
        if second not in CORE:
            assert frame[second].tolist() == ["나"]


def test_an_exact_name_goes_before_another_case_and_two_other_cases_are_no_match(tmp_path: Path) -> None:
    assert _read([{"ID": "a", "id": "b", "text": "x"}], tmp_path)[1].columns["chunk_id"] == "id"
    assert _read([{"ID": "a", "Id": "b", "uid": "c", "text": "x"}], tmp_path)[1].columns["chunk_id"] == "uid"


def test_named_columns(tmp_path: Path) -> None:
    rows = [{"text": "a", "content": "b", "metadata": {"source": "x.pdf", "쪽": 3}, "k": 1.0}]
    frame, info = _read(rows, tmp_path, text="content", doc="metadata.source", id="k")
    assert info.columns == {"text": "content", "doc_id": "metadata.source", "chunk_id": "k"}
    assert frame[["chunk_id", "doc_id", "text", "text (source)"]].values.tolist() == [["1", "x.pdf", "b", "a"]]
    assert json.loads(frame["metadata"][0]) == {"source": "x.pdf", "쪽": 3}
    with pytest.raises(TableError, match=r"no column 'contnt' for --text: did you mean 'content'\?"):
        _read(rows, tmp_path, text="contnt")
    with pytest.raises(TableError, match=r"'text' and 'content' could each be the text"):
        _read(rows, tmp_path)
    with pytest.raises(TableError, match=r"row 1: column 'metadata' holds an object, not a name"):
        _read(rows, tmp_path, text="text", doc="metadata")


def test_documents_within_metadata_objects(tmp_path: Path) -> None:
    rows = [{"page_content": KOREAN, "metadata": {"source": "가.pdf", "page": i}} for i in range(3)]
    frame, info = _read(rows, tmp_path)
    assert info.columns == {"text": "page_content", "doc_id": "metadata.source"}
    assert frame["position"].tolist() == [0, 1, 2]


def test_made_ids_are_the_documented_hash(tmp_path: Path) -> None:
    rows = [{"doc_id": doc, "text": KOREAN} for doc in ("가", "가", None, "")]
    frame, _ = _read(rows, tmp_path)
    assert frame["position"].tolist() == [0, 1, 0, 1]
    assert frame["doc_id"].isna().tolist() == [False, False, True, True]
    for made, doc, position in zip(frame["chunk_id"], ("가", "가", "", ""), (0, 1, 0, 1), strict=True):
        assert made == hashlib.sha256(f"{doc}\x1f{position}\x1f{KOREAN}".encode()).hexdigest()[:16]
    assert frame["chunk_id"][2] == chunk_id(None, 0, KOREAN)


def test_ids_that_are_numbers(tmp_path: Path) -> None:
    frame, _ = _read([{"id": i, "doc": d, "text": "x"} for i, d in ((1, 1.0), (2.0, 2), ("3", "2.0"))], tmp_path)
    assert frame["chunk_id"].tolist() == ["1", "2", "3"]
    assert frame["doc_id"].tolist() == ["1", "2", "2.0"]


def test_ids_unique_within_a_document_get_its_name(tmp_path: Path) -> None:
    rows = [{"id": i, "doc_id": doc, "text": "x"} for doc in "ab" for i in range(2)]
    frame, info = _read(rows, tmp_path)
    assert frame["chunk_id"].tolist() == ["a:0", "a:1", "b:0", "b:1"]
    assert any("doc_id:id" in note for note in info.notes)


def test_guessed_ids_that_repeat_with_positions_name_the_document(tmp_path: Path) -> None:
    rows = [{"id": doc, "title": "같은 제목", "position": i, "text": f"{doc}{i}"} for doc in "ab" for i in (2, 1)]
    frame, info = _read(rows, tmp_path)
    assert info.columns == {"text": "text", "doc_id": "id", "position": "position"}
    assert frame["doc_id"].tolist() == ["a", "a", "b", "b"]
    assert frame["position"].tolist() == [2, 1, 2, 1]
    assert frame["title"].tolist() == ["같은 제목"] * 4
    assert frame["chunk_id"].is_unique
    assert (
        "Ids in column 'id' repeat (2 rows) and are unique together with 'position': they name the document, column 'title' "
        "does not. If they are to name chunks, --id 'id' says which rows to mend."
    ) in info.notes
    with pytest.raises(TableError, match=r"row 1 and row 2 have the same id 'a' in column 'id' \(2 rows repeat"):
        _read(rows, tmp_path, id="id")


def test_other_repeats_name_the_rows(tmp_path: Path) -> None:
    rows = [{"id": i, "doc_id": "d", "text": "x"} for i in ("a", "b", "b")]
    with pytest.raises(TableError, match=r"row 2 and row 3 have the same id 'b' in column 'id': make ids unique"):
        _read(rows, tmp_path)


def test_rows_without_an_id_get_one(tmp_path: Path) -> None:
    frame, info = _read([{"id": i, "text": "x"} for i in ("a", None, "")], tmp_path)
    assert frame["chunk_id"].tolist() == ["a", chunk_id(None, 1, "x"), chunk_id(None, 2, "x")]
    assert any("of 2 rows: made from" in note for note in info.notes)


@pytest.mark.parametrize("name", ["position", "chunk_index", "index", "order", "seq", "chunk_number", "순서"])
def test_positions_are_taken_where_whole_and_unique_within_a_document(name: str, tmp_path: Path) -> None:
    frame, info = _read([{"doc_id": d, name: p, "text": "x"} for d in "ab" for p in ("3", 1.0, 2)], tmp_path)
    assert info.columns["position"] == name
    assert frame["position"].tolist() == [3, 1, 2] * 2
    for bad in ("a", 1.5, None, True, 3):
        frame, info = _read([{"doc_id": "a", name: p, "text": "x"} for p in (3, bad)], tmp_path)
        assert "position" not in info.columns
        assert frame["position"].tolist() == [0, 1]
        assert f"{name} (source)" in frame.columns or name in set(frame.columns) - set(CORE)
        assert any(repr(name) in note for note in info.notes)


def test_offsets_and_spans(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"text": "가나", "start": "0", "end": 2.0, "spans": None},
        {"text": "x", "start": None, "end": "", "spans": "[[0, 1], [5, 5]]"},
        {"text": "y", "start": None, "end": None, "spans": [[7, 9]]},
    ]
    frame, info = _read(rows, tmp_path)
    assert frame["start"].tolist() == [0, pd.NA, pd.NA] and frame["end"].tolist() == [2, pd.NA, pd.NA]
    assert [None if s is None else [list(p) for p in s] for s in frame["spans"]] == [None, [[0, 1], [5, 5]], [[7, 9]]]
    assert not any("as long as" in note for note in info.notes)
    rows[0]["start"] = "00:01"
    rows[2]["spans"] = "later"
    frame, info = _read(rows, tmp_path)
    assert frame["start"].isna().all() and frame["start (source)"][0] is not None
    assert "spans" not in info.columns and len([n for n in info.notes if "kept as metadata" in n]) == 2
    frame, info = _read([{"text": "abc", "start": 5, "end": 6}], tmp_path)
    assert frame["start"].tolist() == [5] and any("as long as" in note for note in info.notes)


def test_null_texts(tmp_path: Path) -> None:
    rows = [{"id": i, "text": t} for i, t in enumerate(["a", None, "", float("nan"), pd.NA, " "])]
    with pytest.raises(TableError, match=r"<DataFrame>: row 2: the text in column 'text' is null"):
        _read(rows, tmp_path)
    frame, info = _read(rows, tmp_path, on_null="skip")
    assert frame["text"].tolist() == ["a", "", " "]
    assert (info.rows, info.skipped_null) == (3, 3)
    assert frame["chunk_id"].tolist() == ["0", "2", "5"] and frame["position"].tolist() == [0, 1, 2]
    with pytest.raises(TableError, match="null in every row"):
        _read([{"text": None}], tmp_path, on_null="skip")
    with pytest.raises(TableError, match="no rows"):
        write_frame(pd.DataFrame({"text": []}), tmp_path / "x.parquet", LoadConfig())


def test_texts_that_are_numbers_and_what_is_no_text(tmp_path: Path) -> None:
    frame, _ = _read([{"text": t} for t in (123, 1.5, np.int64(7), "가", b"\xea\xb0\x80")], tmp_path)
    assert frame["text"].tolist() == ["123", "1.5", "7", "가", "가"]
    for bad in ([1], {"a": 1}, True, np.array([1, 2]), b"\xff"):
        with pytest.raises(TableError, match=r"row 2: column 'text' holds"):
            _read([{"text": "a"}, {"text": bad}], tmp_path)


def test_lone_surrogates_are_replaced_and_counted(tmp_path: Path) -> None:
    rows = [{"id": "i\ud800", "text": t, "쪽": "m\udfff"} for t in ("가\ud800나",)]
    frame, info = _read([*rows, {"id": "j", "text": "\ud83d\ude00", "쪽": ""}], tmp_path)
    assert frame["text"].tolist() == ["가\ufffd나", "😀"]
    assert frame["chunk_id"][0] == "i\ufffd" and frame["쪽"][0] == "m\ufffd"
    assert info.surrogates == 2
    assert "Lone surrogates in 2 texts became U+FFFD." in info.notes
    assert "Lone surrogates in 1 text became U+FFFD." in _read(rows, tmp_path)[1].notes


def test_metadata_goes_through_untouched(tmp_path: Path) -> None:
    rows = [
        {"text": "a", "n": 1, "f": 1.5, "b": True, "s": "['가', 1]", "l": ["가"], "d": {"가": 1}, "m": 1, "e": None},
        {"text": "b", "n": None, "f": 2, "b": None, "s": "", "l": [], "d": None, "m": "x", "e": None},
    ]
    frame, info = _read(rows, tmp_path)
    assert frame["n"].tolist() == [1, pd.NA] and str(frame["n"].dtype) == "Int64"
    assert frame["f"].tolist() == [1.5, 2.0] and frame["b"].tolist() == [True, pd.NA]
    assert frame["s"].tolist() == ["['가', 1]", ""]
    assert [list(x) for x in frame["l"]] == [["가"], []]
    assert frame["d"].tolist() == ['{"가": 1}', pd.NA] and frame["m"].tolist() == ["1", '"x"']
    assert frame["e"].isna().all()
    assert any("'d', 'm'" in note for note in info.notes)


def test_typed_frames_keep_their_types(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "text": pd.Series(["가", "나"], dtype="string"),
            "when": pd.to_datetime(["2026-01-01", None]).tz_localize("Asia/Seoul"),
            "kind": pd.Categorical(["a", "b"]),
            "n": np.array([1, 2], dtype=np.uint8),
            "x": [1.0, np.nan],
        }
    )
    before = frame.copy()
    table = pq.read_table(write_frame(frame, tmp_path / "c.parquet", LoadConfig()).path)
    pd.testing.assert_frame_equal(frame, before)
    assert [str(table.schema.field(name).type) for name in ("kind", "n", "x")] == ["large_string", "uint8", "double"]
    assert "Asia/Seoul" in str(table.schema.field("when").type)
    assert table["x"].null_count == 1


def test_row_groups_are_shards_whatever_the_batches(tmp_path: Path) -> None:
    frame = pd.DataFrame({"text": [f"{i}번" for i in range(3 * SHARD + 5)]})
    made = write_frame(frame, tmp_path / "c.parquet", LoadConfig())
    metadata = pq.ParquetFile(made.path).metadata
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [SHARD] * 3 + [5]
    assert pd.read_parquet(made.path)["text"].tolist() == frame["text"].tolist()


def test_row_order_changes_no_id_where_a_table_has_positions(tmp_path: Path) -> None:
    rows = [{"doc_id": d, "position": p, "text": f"{d}{p}"} for d in "가나" for p in range(5)]
    one, _ = _read(rows, tmp_path)
    other, _ = _read(rows[::-1], tmp_path)
    assert one.set_index("text")["chunk_id"].to_dict() == other.set_index("text")["chunk_id"].to_dict()


def test_check_types_the_core_columns() -> None:
    frame = pd.DataFrame({"쪽": [1, 2], "text": ["가", "나"], "start": [0, None], "end": [1, None]})
    table = check(frame)
    assert tuple(table.columns) == (*CORE, "쪽")
    assert str(table["position"].dtype) == "int64" and str(table["start"].dtype) == "Int64"
    assert table["start"].tolist() == [0, pd.NA]
    assert list(frame.columns) == ["쪽", "text", "start", "end"]
    with pytest.raises(TableError):
        check(pd.DataFrame({"content": ["a"]}))
    assert check(table).equals(table)


def test_hashes_that_collide_do_not_count_as_repeating() -> None:
    codes = np.array([5, 9, 5, 0, 0, 9, 5], dtype=np.uint64)
    pairs, count = repeated_rows(codes)
    assert pairs.tolist() == [[0, 2], [1, 5], [2, 6]] and count == 3
    assert running_number(codes).tolist() == [0, 0, 1, 0, 1, 1, 2]
    grid = paired(np.repeat(hashes([f"d{i}" for i in range(300)]), 300), np.tile(np.arange(300), 300))
    assert len(np.unique(grid)) == 90_000


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
MANY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@MANY
@given(texts=st.lists(TEXT, min_size=1, max_size=20))
@pytest.mark.parametrize("kind", ["csv", "jsonl", "json", "parquet"])
def test_any_text_survives_the_way_through_a_file(kind: str, texts: list[str], tmp_path: Path) -> None:
    source = tmp_path / f"t.{kind}"
    rows = [{"n": str(i), "text": text} for i, text in enumerate(texts)]
    if kind == "csv":
        with source.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerows([["n", "text"], *([row["n"], row["text"]] for row in rows)])
    elif kind == "jsonl":
        source.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8", newline="")
    elif kind == "json":
        source.write_text(json.dumps(rows, ensure_ascii=False, indent=2), encoding="utf-8", newline="")
    else:
        pd.DataFrame(rows).to_parquet(source)
    made = write_chunks(str(source), LoadConfig(), tmp_path / "chunks.parquet", Silent())
    assert pq.read_table(made.path)["text"].to_pylist() == texts
