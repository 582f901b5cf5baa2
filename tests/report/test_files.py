import csv
import json
import math

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval import csvs
from chunkeval.errors import TableError
from chunkeval.report import files


def test_scores_have_the_contracts_types(flags, tmp_path):
    files.write_scores(flags.frame, tmp_path / "scores.parquet")
    schema = pq.read_schema(tmp_path / "scores.parquet")
    assert schema.names == list(flags.frame.columns)
    kinds = {name: str(schema.field(name).type) for name in schema.names}
    assert kinds["chunk_id"] == kinds["doc_id"] == kinds["suggestion"] == "string"
    assert {kinds[n] for n in ("position", "start", "end", "token_count", "sentences", "weakest_cut")} == {"int64"}
    assert {kinds[n] for n in ("similarity", "similarity_centred", "repetition", "cut_gap", "severity")} == {"double"}
    assert {kinds[n] for n in schema.names if n.startswith("flag")} == {"bool"}
    assert schema.field("reasons").type == pa.list_(pa.string())
    assert schema.field("suggested_cuts").type == pa.list_(pa.int64())


def test_what_is_not_measured_is_null_and_flags_never_are(flags, tmp_path):
    files.write_scores(flags.frame, tmp_path / "scores.parquet")
    table = pq.read_table(tmp_path / "scores.parquet")
    assert table.column("similarity")[3].as_py() is None
    assert not any(math.isnan(v) for v in table.column("similarity").to_pylist() if v is not None)
    judged = [n for n in table.column_names if n.startswith("flag")] + [
        "reasons",
        "severity",
        "suggestion",
        "suggested_cuts",
    ]
    assert all(table.column(name).null_count == 0 for name in judged)


def test_scores_come_back_as_they_were(flags, tmp_path):
    files.write_scores(flags.frame, tmp_path / "scores.parquet")
    back = files.read_scores(tmp_path / "scores.parquet")
    assert list(back.columns) == list(flags.frame.columns)
    for name in back.columns:
        was, now = flags.frame[name], back[name]
        assert was.isna().tolist() == now.isna().tolist(), name
        assert was.dropna().tolist() == now.dropna().tolist(), name


@pytest.fixture
def outliers(flags, tmp_path):
    files.write_outliers(flags.frame, flags.scores.chunks.path, tmp_path, decisions={"c7": "keep"})
    return tmp_path


def test_outliers_are_the_flagged_ones_worst_first(flags, outliers):
    lines = [json.loads(line) for line in (outliers / "outliers.jsonl").read_text("utf-8").splitlines()]
    assert {line["chunk_id"] for line in lines} == set(flags.frame.loc[flags.frame["flagged"], "chunk_id"])
    assert [line["severity"] for line in lines] == sorted((line["severity"] for line in lines), reverse=True)
    assert list(lines[0]) == list(files.OUTLIERS)


def test_jsonl_is_exact(flags, outliers):
    texts = pq.read_table(flags.scores.chunks.path).to_pandas().set_index("chunk_id")["text"]
    lines = [json.loads(line) for line in (outliers / "outliers.jsonl").read_text("utf-8").splitlines()]
    assert {line["chunk_id"]: line["text"] for line in lines} == {
        line["chunk_id"]: texts[line["chunk_id"]] for line in lines
    }
    by_id = {line["chunk_id"]: line for line in lines}
    assert by_id["c3"]["similarity"] is None and by_id["c3"]["topic_entropy"] is None
    assert by_id["c7"]["decision"] == "keep" and by_id["c8"]["decision"] is None
    assert isinstance(by_id["c7"]["token_count"], int)


def test_csv_opens_in_excel_and_runs_nothing(outliers):
    raw = (outliers / "outliers.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    with (outliers / "outliers.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["chunk_id"]: row for row in csv.DictReader(file)}
    assert list(rows["c7"]) == list(files.OUTLIERS)
    assert rows["c7"]["text"].startswith("'=1+1")
    assert rows["c8"]["text"].startswith("''@이름")
    assert rows["c9"]["text"] == "a\u2028b\r\nc\x00d. 끝."
    assert rows["c7"]["reasons"] == "incoherent"
    assert rows["c11"]["text"].endswith("… [cut at 32,000 of 33,000 characters]")
    assert len(rows["c11"]["text"]) < 32_767
    assert rows["c3"]["similarity"] == ""
    assert not any(cell[:1] in ("=", "+", "-", "@", "\t", "\r") for row in rows.values() for cell in row.values())


def test_csv_comes_back_exactly_but_for_cut_texts(outliers):
    lines = {r["chunk_id"]: r for r in map(json.loads, (outliers / "outliers.jsonl").read_text("utf-8").splitlines())}
    for row in csvs.read(outliers / "outliers.csv"):
        exact = lines[row["chunk_id"]]
        if len(exact["text"]) <= csvs.LONGEST:
            assert row["text"] == exact["text"]
        assert row["reasons"].split(";") == exact["reasons"]
        assert [int(cut) for cut in row["suggested_cuts"].split(";") if cut] == exact["suggested_cuts"]


@given(st.text(alphabet=st.sampled_from("'=+-@\t\r a가👍"), max_size=6))
def test_a_guard_can_be_undone(text):
    guarded = csvs.guard(text)
    assert csvs.unguard(guarded) == text
    assert guarded[:1] not in ("=", "+", "-", "@", "\t", "\r")


def test_numbers_are_untouched():
    assert [csvs.cell(v) for v in (-0.5, -3, 0.0, True)] == [-0.5, -3, 0.0, True]
    assert csvs.cell(float("nan")) == "" == csvs.cell(None)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949", "utf-16"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_list_is_read_as_excel_saves_it(tmp_path, encoding, mark):
    path = tmp_path / "saved.csv"
    path.write_text(
        mark.join(["chunk_id", "decision", "text"]) + "\r\n" + mark.join(["'=c5", "drop", "한글"]) + "\r\n", encoding
    )
    assert list(csvs.read(path)) == [{"chunk_id": "=c5", "decision": "drop", "text": "한글"}]


def test_a_missing_list_is_an_input_error(tmp_path):
    with pytest.raises(TableError, match="cannot read .*No such file"):
        list(csvs.read(tmp_path / "none.csv"))


def test_only_some_rows_are_listed_where_asked(flags, tmp_path):
    files.write_outliers(flags.frame, flags.scores.chunks.path, tmp_path, only=[7, 20])
    lines = (tmp_path / "outliers.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["chunk_id"] for line in lines] == ["c7"]


def test_documents_count_and_name_the_worst(flags, tmp_path):
    table = files.documents(flags.frame)
    assert table["chunks"].sum() == len(flags.frame)
    assert table["flagged"].sum() == flags.frame["flagged"].sum()
    assert table["flagged"].is_monotonic_decreasing
    first = table.iloc[0]
    mine = flags.frame[(flags.frame["doc_id"] == first["doc_id"]) & flags.frame["flagged"]]
    assert first["worst_severity"] == mine["severity"].max()
    files.write_documents(table, tmp_path / "documents.csv")
    assert next(csvs.read(tmp_path / "documents.csv"))["doc_id"] == "문서 0"


def test_documents_are_empty_where_none_is_named(flags):
    frame = flags.frame.assign(doc_id=np.array([None] * len(flags.frame), dtype=object))
    assert list(files.documents(frame).columns)[:4] == ["doc_id", "chunks", "flagged", "flagged_share"]
    assert files.documents(frame).empty
