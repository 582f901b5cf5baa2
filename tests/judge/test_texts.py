"""Words of the command line to texts: the text itself, files, standard input; what is neither is refused in one line."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import chunkeval as ce
from chunkeval.config import LoadConfig
from chunkeval.errors import InputError, SourceError, TableError
from chunkeval.loaders import texts
from chunkeval.loaders.texts import Text, of_table, read_texts

READ = LoadConfig()


@pytest.mark.parametrize(
    "position", [[0, None], [0, pd.NA], ["a", 1], [0, 1.5], [0, True], [0, float("inf")], [[0], 1]]
)
def test_a_position_that_is_no_whole_number_is_named(position: list[Any]) -> None:
    table = pd.DataFrame({"text": ["가.", "나."], "doc_id": "d"}).assign(position=pd.Series(position, dtype=object))
    row = next(row for row, cell in enumerate(position, 1) if type(cell) is not int)
    with pytest.raises(TableError, match=f"^<DataFrame>: row {row}, column position: must be a whole number, not"):
        of_table(table, "<DataFrame>")


def test_a_text_as_long_as_a_document_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "LONGEST", 12)
    told = "글 하나가 길게 이어진다. 하나 더."
    (tmp_path / "긴 글.txt").write_text(told, "utf-8")
    for word, source in (told, "argument 1"), (str(tmp_path / "긴 글.txt"), "긴 글.txt"):
        with pytest.raises(TableError, match=f"{source}: {len(told)} characters are a document, not a chunk"):
            read_texts([word], READ)
    with pytest.raises(TableError, match=f"argument 2: {len(told)} characters"):
        ce.judge(["짧은 글.", told])
    (tmp_path / "표.csv").write_text(f"text\n{told}\n", "utf-8")
    assert read_texts([str(tmp_path / "표.csv")], READ)[0][0].text == told


@pytest.mark.parametrize("position", [[3, 4], ["3", "4"], [3.0, 4.0]])
@pytest.mark.parametrize("document", [["d", None], [1, None], [1.0, float("nan")]])
def test_positions_and_documents_are_read_as_a_source_would_be(position: list[Any], document: list[Any]) -> None:
    found = of_table(pd.DataFrame({"text": ["가.", "나."], "position": position, "doc_id": document}), "x")
    assert [one.position for one in found] == [3, 4]
    assert [one.doc_id for one in found] == ["d" if document[0] == "d" else "1", None]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (pd.DataFrame([["가.", "나."]], columns=["text", "text"]), "x: two columns are called 'text'"),
        (pd.DataFrame({"text": ["가."], "doc_id": [["d"]]}), "x: row 1: column 'doc_id' holds a list, not a name"),
        (pd.DataFrame({"text": [None]}), "x: row 1, column text: must be a string, not NoneType"),
        (pd.DataFrame({"content": ["가."]}), "x: has no column text"),
    ],
)
def test_a_table_that_breaks_a_rule_is_refused_by_chunkevals_own_error(table: pd.DataFrame, said: str) -> None:
    with pytest.raises(TableError, match=f"^{said}"):
        of_table(table, "x")


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


@pytest.mark.parametrize(
    "word",
    [
        "한 문장이다.",
        "안녕하세요.반갑습니다",
        "단어",
        "",
        " ",
        "- 첫째 항목이다.",
        "--이것도 글이다",
        "a/b 둘 중 하나이다.",
        "가" * 5000 + "/나",
        "하나\n둘.txt 는 파일이다",
        "nul\x00byte 이다",
    ],
)
def test_a_text_is_taken_as_it_stands(word: str) -> None:
    assert read_texts([word], READ) == ([Text(word, "argument 1")], True)


@pytest.mark.parametrize("word", ["nope.csv", "reports/nope", "./nope", "/nope/nope.txt", "C:\\nope.md", "보고서.docx"])
def test_what_looks_like_a_path_and_is_none_is_refused(word: str) -> None:
    with pytest.raises(SourceError, match="no such file: check the path; or, if this is the text itself, pipe it in"):
        read_texts([word], READ)


def test_lone_surrogates_become_replacement_characters() -> None:
    [one], _ = read_texts(["가\udcb0나 다."], READ)
    assert one.text == "가\ufffd나 다."


def test_files_of_one_text_and_of_many(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text("# 제목\n\n본문이다.\n", "utf-8")
    (tmp_path / "many.jsonl").write_text('{"id": "a", "text": "하나."}\n{"id": "b", "text": "둘."}\n', "utf-8")
    (tmp_path / "row.csv").write_text("content,doc,position\n셋.,d,4\n", "utf-8")
    one, single = read_texts([str(tmp_path / "one.md")], READ)
    assert single and one == [Text("# 제목\n\n본문이다.\n", str(tmp_path / "one.md"))]
    many, single = read_texts([str(tmp_path / "many.jsonl")], READ)
    assert not single and [(text.chunk_id, text.text, text.doc_id) for text in many] == [
        ("a", "하나.", None),
        ("b", "둘.", None),
    ]
    [row], single = read_texts([str(tmp_path / "row.csv")], READ)
    assert not single and (row.text, row.doc_id, row.position) == ("셋.", "d", 4)
    both, single = read_texts([str(tmp_path / "one.md"), "글이다."], READ)
    assert not single and [text.source for text in both] == [str(tmp_path / "one.md"), "argument 2"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949", "utf-16"])
def test_standard_input_is_one_text_in_any_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    said = '{"text": "이것은 표가 아니라 글이다."}\n한강이 서울을 가로질러 흐른다.\n'
    feed(monkeypatch, said.encode(encoding))
    assert read_texts(["-"], READ) == ([Text(said, "standard input")], True)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "standard input is empty: pipe a text"),
        (bytes(range(256)) * 20, "standard input: this is binary data, not text"),
        (b"\x80\x04\x95" + b"x" * 50, "standard input: a pickle can run any code"),
        (b"PAR1" + b"\x00" * 50, "standard input: this is a table .parquet., not a text: save it"),
        ("가나다라마바사아자차 이다.".encode() + b"\xff\xfe\xff", "standard input: line 1: byte"),
    ],
)
def test_standard_input_that_is_no_text_is_refused(monkeypatch: pytest.MonkeyPatch, data: bytes, message: str) -> None:
    feed(monkeypatch, data)
    with pytest.raises(InputError, match=message):
        read_texts(["-"], READ)


def test_standard_input_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceError, match="named twice"):
        read_texts(["-", "-"], READ)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SourceError, match="standard input is closed"):
        read_texts(["-"], READ)


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
def test_a_pipe_is_read_once_as_one_text(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=("글이다. 둘째 문장이다.".encode(),))
    writer.start()
    found = read_texts([str(pipe)], READ)
    writer.join()
    assert found == ([Text("글이다. 둘째 문장이다.", str(pipe))], True)


def test_faults_of_files_name_the_place(tmp_path: Path) -> None:
    (tmp_path / "null.jsonl").write_text('{"text": null}\n', "utf-8")
    (tmp_path / "empty.txt").write_text("", "utf-8")
    with pytest.raises(TableError, match="null.jsonl"):
        read_texts([str(tmp_path / "null.jsonl")], READ)
    with pytest.raises(SourceError, match="empty.txt: is empty"):
        read_texts([str(tmp_path / "empty.txt")], READ)
