"""csv, xlsx, parquet and folders in the shapes that others write."""

from __future__ import annotations

import datetime
import os
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from chunkeval.config import LoadConfig
from chunkeval.errors import SourceError, TableError
from chunkeval.loaders import delimited, load, open_source, records, write_chunks
from chunkeval.progress import Silent


def _csv(folder: Path, text: str) -> str:
    (path := folder / "t.csv").write_text(text, encoding="utf-8", newline="")
    return str(path)


def test_semicolons_and_tabs_in_a_csv(tmp_path: Path) -> None:
    assert load(_csv(tmp_path, "id;text\n1;가, 나\n"))["text"].tolist() == ["가, 나"]
    assert any("';'" in note for note in open_source(str(tmp_path / "t.csv")).notes)
    assert load(_csv(tmp_path, "id\ttext\n1\t가\n"))["text"].tolist() == ["가"]
    assert load(_csv(tmp_path, 'text,"a;b;c"\n가,나\n'))["text"].tolist() == ["가"]


def test_quoted_cells_blank_lines_and_empty_cells(tmp_path: Path) -> None:
    frame = load(_csv(tmp_path, 'id,text\r\n\r\n1,"가 ""나""\n\n다,"\r\n2,\r\n3,5\'11" tall\r\n'))
    assert frame["text"].tolist() == ['가 "나"\n\n다,', "", "5'11\" tall"]


def test_headers_that_repeat_or_are_empty(tmp_path: Path) -> None:
    frame = load(_csv(tmp_path, "text,a,a,,id,id\n가,1,2,3,x,y\n"))
    assert frame.iloc[0][["text", "a", "a (2)", "unnamed 4", "chunk_id", "id (2)"]].tolist() == [
        "가",
        "1",
        "2",
        "3",
        "x",
        "y",
    ]


def test_stringified_lists_html_and_zeros_stay_strings(tmp_path: Path) -> None:
    frame = load(_csv(tmp_path, "text,목록,code\n<b>가</b>,\"['a', {'b': 1}]\",007\n"))
    assert frame.iloc[0][["text", "목록", "code"]].tolist() == ["<b>가</b>", "['a', {'b': 1}]", "007"]


def test_cells_of_megabytes(tmp_path: Path) -> None:
    big = "가나다 \n" * 1_000_000
    assert load(_csv(tmp_path, f'id,text\n1,"{big}"\n2,b\n'))["text"].tolist() == [big, "b"]


def test_an_unclosed_quote_does_not_read_the_rest_into_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import csv

    monkeypatch.setattr(delimited, "CELL", 200_000)
    before = csv.field_size_limit(1000)
    try:
        source = _csv(tmp_path, 'id,text\n1,a\n2,"b\n' + "3,나머지\n" * 100_000)
        with pytest.raises(SourceError, match="line 3: a quote opened here is never closed"):
            load(source)
    finally:
        csv.field_size_limit(before)


def test_batches_are_bounded_by_rows_and_by_size(tmp_path: Path) -> None:
    source = _csv(tmp_path, "text\n" + "가\n" * 10_000)
    assert max(len(batch.frame) for batch in open_source(source).batches()) == records.ROWS
    source = _csv(tmp_path, "text\n" + ("가" * 1_000_000 + "\n") * 20)
    assert max(len(batch.frame) for batch in open_source(source).batches()) < 10


def _xlsx(folder: Path, rows: list[list[Any]], *more: str) -> str:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    for name in more:
        book.create_sheet(name)
    book.save(path := folder / "t.xlsx")
    return str(path)


def test_spreadsheets_with_mostly_empty_cells(tmp_path: Path) -> None:
    day = datetime.datetime(2026, 1, 2, 3, 4)
    rows: list[list[Any]] = [
        [],
        [None, "내용", "id", None, "날짜", None],
        [None, "가", 1, None, day, None],
        [],
        [None, 123, 2.0, None, None, None],
        [None, "나", 3, None, None, "옆"],
    ]
    source = _xlsx(tmp_path, rows, "둘째")
    frame = load(source)
    assert frame[["chunk_id", "text"]].values.tolist() == [["1", "가"], ["2", "123"], ["3", "나"]]
    assert list(frame.columns[7:]) == ["날짜", "unnamed 6"]
    assert frame["날짜"][0] == pd.Timestamp(day) and frame["unnamed 6"][2] == "옆"
    assert any("2 sheets" in note for note in open_source(source).notes)
    rows[4][1] = None
    with pytest.raises(TableError, match=r"t\.xlsx: row 5: the text in column '내용' is null"):
        load(_xlsx(tmp_path, rows))
    assert len(load(_xlsx(tmp_path, rows), LoadConfig(on_null="skip"))) == 2
    with pytest.raises(SourceError, match="columns 1 and 2 are both called 'text'"):
        load(_xlsx(tmp_path, [["text", "text"], ["a", "b"]]))


def test_a_folder_of_parquet_files_with_other_columns_each(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    (folder / "sub").mkdir(parents=True)
    pd.DataFrame({"text": ["가", "나"], "n": [1, 2]}).to_parquet(folder / "a.parquet")
    pd.DataFrame({"text": ["다"], "n": [2.5], "m": ["x"]}).to_parquet(folder / "sub" / "b.parquet")
    (folder / "_SUCCESS").touch()
    (folder / "README.md").write_text("about")
    frame = load(str(folder))
    assert frame["text"].tolist() == ["가", "나", "다"]
    assert frame["n"].tolist() == [1.0, 2.0, 2.5] and frame["m"].tolist()[2] == "x"
    pd.DataFrame({"text": [None]}).to_parquet(folder / "c.parquet")
    with pytest.raises(TableError, match=r"parts: c\.parquet, row 1: the text"):
        load(str(folder))


def test_structs_lists_and_dates_of_parquet_stay_what_they_are(tmp_path: Path) -> None:
    table = pa.table(
        {
            "text": ["가", "나"],
            "meta": [{"source": "a.pdf", "쪽": 1}, {"source": "b.pdf", "쪽": None}],
            "tags": [["x"], None],
            "day": [datetime.date(2026, 1, 2), None],
            "vector": pa.array([[0.5, 1.0], [1.0, 2.0]], pa.list_(pa.float32(), 2)),
            "kind": pa.array(["a", "a"]).dictionary_encode(),
            "none": pa.nulls(2),
        }
    )
    pq.write_table(table, source := tmp_path / "t.parquet")
    made = write_chunks(str(source), LoadConfig(), tmp_path / "c.parquet", Silent())
    read = pq.read_table(made.path)
    for name in ("meta", "tags", "day", "vector"):
        assert read.schema.field(name).type == table.schema.field(name).type or name in ("tags", "vector")
        assert read[name].to_pylist() == table[name].to_pylist()
    assert read["kind"].to_pylist() == ["a", "a"] and read["none"].null_count == 2
    assert load(str(source), LoadConfig(doc="meta.source"))["doc_id"].tolist() == ["a.pdf", "b.pdf"]


def test_bytes_that_are_no_text_in_a_parquet_column(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": pa.array(["가".encode(), b"\xff"])}), source := tmp_path / "t.parquet")
    with pytest.raises(TableError, match=r"row 2: column 'text' holds bytes that are not UTF-8"):
        load(str(source))


def test_a_folder_of_texts(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "b" / "나.md").write_bytes("# 제목\r\n".encode("cp949"))
    (tmp_path / "a.txt").write_bytes("\ufeff가\n".encode())
    (tmp_path / "empty.txt").touch()
    (tmp_path / ".hidden" / "c.txt").write_text("no")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    frame = load(str(tmp_path))
    assert frame[["doc_id", "position", "text"]].values.tolist() == [
        ["a.txt", 0, "가\n"],
        ["b/나.md", 0, "# 제목\r\n"],
        ["empty.txt", 0, ""],
    ]
    assert open_source(str(tmp_path)).encoding == "utf-8-sig, cp949, utf-8"
    (tmp_path / "bad.txt").write_bytes(b"\x80\x04\x95pickle")
    with pytest.raises(SourceError, match=r"bad\.txt: a pickle"):
        load(str(tmp_path))


def test_a_named_pipe_is_copied_first(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, '{"text": "가"}\n{"text": "나"}\n'.encode())
    os.close(write)
    try:
        assert load(f"/dev/fd/{read}")["text"].tolist() == ["가", "나"]
    finally:
        os.close(read)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("id,내용\n1,가\n", "csv"),
        ("chunk_text\n가, 나, 다\n", "csv"),
        ("a,b\n1,2\n3,4\n", "csv"),
        ("a\tb\n1\t2\n3\t4\n", "tsv"),
        ('{"text": "가"}\n{"text": "나"}\n', "jsonl"),
        ('\n [{"text": "가"}]', "json"),
        ('{\n "a": {"text": "가"}\n}', "json"),
        ("안녕하세요, 저는 글입니다.\n그냥 글이에요.\n", "text"),
    ],
)
def test_kinds_without_a_name(content: str, kind: str, tmp_path: Path) -> None:
    (path := tmp_path / "stream").write_text(content, encoding="utf-8")
    assert open_source(str(path)).kind == kind
