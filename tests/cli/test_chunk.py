"""``chunkeval chunk``: documents of every kind to a chunk table with exact offsets, and OpenSearch pipelines."""

from __future__ import annotations

import io
import json
import sys
import unicodedata
from pathlib import Path

import pandas as pd
import pytest

import chunkeval as ce
from chunkeval.cli.main import main

TEXTS = {
    "가.md": "# 제목\n\n훈민정음은 세종이 만들었다. 각 글자는 소리를 나타낸다.\r\n\r\n끝. 👩‍🎨\n",
    "b.txt": unicodedata.normalize("NFD", "한글 분해형 글입니다. ") * 20,
    "c.html": "<html><body><p>One. Two.</p><p>셋.</p></body></html>",
    "empty.txt": " ",
}
CUT = "fixed_char_length:char_limit=20"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in TEXTS.items():
        (docs / name).write_bytes(text.encode())
    return docs


def chunk(source: Path | str, out: Path, *options: str) -> int:
    return main(["chunk", str(source), "--chunker", CUT, "--out", str(out), "--quiet", *options])


def assert_exact(chunks: pd.DataFrame, documents: dict[str, str]) -> None:
    for name, text in documents.items():
        mine = chunks[chunks["doc_id"] == name].sort_values("position")
        assert "".join(mine["text"]) == text
        assert [text[a:b] for a, b in zip(mine["start"], mine["end"], strict=True)] == mine["text"].tolist()
    assert not chunks["chunk_id"].duplicated().any()


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "csv"])
def test_a_folder_becomes_a_table_that_an_audit_takes(folder: Path, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"chunks.{ending}"
    assert chunk(folder, out) == 0
    assert_exact(ce.load(out), TEXTS)


def test_rows_of_a_table_are_documents(tmp_path: Path) -> None:
    source = tmp_path / "docs.jsonl"
    rows = [{"id": name, "title": "같은 제목", "text": text} for name, text in TEXTS.items()]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert chunk(source, tmp_path / "out.parquet") == 0
    assert_exact(ce.load(tmp_path / "out.parquet"), TEXTS)


def test_documents_without_names_are_numbered(tmp_path: Path) -> None:
    source = tmp_path / "docs.jsonl"
    source.write_text('{"text": "하나. 둘."}\n{"text": "셋."}\n', "utf-8")
    assert chunk(source, tmp_path / "out.parquet") == 0
    assert ce.load(tmp_path / "out.parquet")["doc_id"].tolist() == ["1", "2"]


def test_a_table_of_chunks_is_no_table_of_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "docs.csv"
    source.write_text("doc_id,text\na,하나\na,둘\n", "utf-8")
    assert chunk(source, tmp_path / "out.parquet") == 2
    assert "names the documents and repeats, and a document is one row" in capsys.readouterr().err
    assert not (tmp_path / "out.parquet").exists()


def test_the_same_table_for_any_number_of_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkeval.chunking.TOGETHER", 200)
    monkeypatch.setattr("chunkeval.chunking.WORTH_WORKERS", 400)
    source = tmp_path / "docs.jsonl"
    source.write_text(
        "".join(json.dumps({"id": f"d{n}", "text": f"{n}번 문서. " * 30}) + "\n" for n in range(12)), "utf-8"
    )
    for jobs in ("1", "2"):
        assert chunk(source, tmp_path / f"{jobs}.parquet", "--jobs", jobs) == 0
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "1.parquet"), pd.read_parquet(tmp_path / "2.parquet"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--chunker", "fixed_char_length:char_limt=20"], "did you mean 'char_limit'"),
        (["--chunker", "fixed_char_lenght"], "did you mean 'fixed_char_length'"),
        (["--chunker", "fixed_char_length:char_limit=0"], "char_limit"),
        (["--chunker", "fixed_char_length:char_limit"], "is no key=value"),
        (["--out", "chunks.txt"], "give a table by its ending"),
    ],
)
def test_bad_settings_are_one_line_and_write_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    given = {"--chunker": CUT, "--out": str(tmp_path / "out.parquet"), **dict([options])}
    assert main(["chunk", str(folder), *[word for pair in given.items() for word in pair]]) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docs"]


def test_a_table_that_is_there_is_kept(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.parquet"
    out.write_bytes(b"mine")
    assert chunk(folder, out) == 2
    assert "--overwrite replaces it" in capsys.readouterr().err and out.read_bytes() == b"mine"
    assert chunk(folder, out, "--overwrite") == 0


PIPELINE = {
    "description": "자르기",
    "processors": [
        {"text_chunking": {"field_map": {"body": "parts"}, "algorithm": {"delimiter": {"delimiter": "다."}}}}
    ],
}


def test_a_pipeline_runs_over_json_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = tmp_path / "pipeline.json"
    pipeline.write_text(json.dumps(PIPELINE), "utf-8")
    lines = '{"id": 1.10, "body": "갔다. 왔다. \\ud800"}\n\n{"body": " "}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode()), encoding="utf-8"))
    assert main(["chunk", "-", "--pipeline", str(pipeline)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        '{"id": 1.10, "body": "갔다. 왔다. \\ud800", "parts": ["갔다.", " 왔다.", " \\ud800"]}',
        '{"body": " ", "parts": []}',
    ]


def test_a_bad_document_is_named_and_nothing_comes_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline, docs, out = tmp_path / "pipeline.json", tmp_path / "docs.jsonl", tmp_path / "out.jsonl"
    pipeline.write_text(json.dumps(PIPELINE), "utf-8")
    docs.write_text('{"body": "좋다."}\n{"body": 3}\n', "utf-8")
    assert main(["chunk", str(docs), "--pipeline", str(pipeline), "--out", str(out)]) == 2
    captured = capsys.readouterr()
    assert "line 2" in captured.err and captured.out == "" and not out.exists()


def test_input_that_is_not_utf_8_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline, docs, raw = tmp_path / "pipeline.json", tmp_path / "docs.jsonl", b'{"body": ""}\n{"body": "\xe9"}\n'
    pipeline.write_text(json.dumps(PIPELINE), "utf-8")
    docs.write_bytes(raw)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
    for source in ("-", str(docs)):
        assert main(["chunk", source, "--pipeline", str(pipeline)]) == 2
        captured = capsys.readouterr()
        assert "line 2 is not UTF-8" in captured.err and captured.out == ""
    pipeline.write_bytes(raw)
    assert main(["chunk", str(docs), "--pipeline", str(pipeline)]) == 2
    assert "is not UTF-8" in capsys.readouterr().err


def test_a_key_that_a_pipeline_has_twice_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline, docs = tmp_path / "pipeline.json", tmp_path / "docs.jsonl"
    pipeline.write_text('{"processors": [], "processors": []}', "utf-8")
    docs.write_text("{}", "utf-8")
    assert main(["chunk", str(docs), "--pipeline", str(pipeline)]) == 2
    assert "pipeline.json: key 'processors' is there twice" in capsys.readouterr().err


def test_what_a_library_lost_and_a_minimum_missed_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("langchain_text_splitters")
    source = tmp_path / "docs.jsonl"
    source.write_text(json.dumps({"id": "가", "text": "하나 둘 셋\n\n넷 다섯 여섯"}) + "\n", "utf-8")
    spec = "langchain:RecursiveCharacterTextSplitter:chunk_size=8,chunk_overlap=0"
    assert main(["chunk", str(source), "--chunker", spec, "--out", str(tmp_path / "a.parquet"), "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["told"] == {"lost_space": 2}
    assert "characters of white space in no chunk: 2" in told.err
    assert main(["chunk", str(source), "--chunker", "semantic", "--out", str(tmp_path / "b.parquet")]) == 0
    assert "where the maximum left no choice: 1" in capsys.readouterr().err


def test_vectors_are_kept_where_the_caller_says(tmp_path: Path) -> None:
    source = tmp_path / "docs.jsonl"
    source.write_text(json.dumps({"id": "가", "text": "서울은 크다. 부산은 바다다. 대구는 덥다."}) + "\n", "utf-8")
    cache = tmp_path / "mine"
    options = ["--chunker", "semantic", "--cache", str(cache), "--jobs", "1"]
    assert main(["chunk", str(source), *options, "--out", str(tmp_path / "a.parquet")]) == 0
    assert list((cache / "vectors").iterdir())


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("cascade", "chunker 'cascade' lacks its steps: give cascade:steps=…"),
        ("langchain", "chunker 'langchain' lacks its name: give langchain:NAME"),
        ("chonkie:", "chunker 'chonkie:' lacks its name: give chonkie:NAME"),
    ],
)
def test_a_chunker_that_lacks_something_says_what(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], spec: str, words: str
) -> None:
    (tmp_path / "글.txt").write_text("하나. 둘.", "utf-8")
    assert main(["chunk", str(tmp_path), "--chunker", spec, "--out", str(tmp_path / "out.csv")]) == 2
    assert words in capsys.readouterr().err


def test_a_pipeline_and_a_chunker_at_once_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline = tmp_path / "pipeline.json"
    pipeline.write_text(json.dumps(PIPELINE), "utf-8")
    assert main(["chunk", "docs.jsonl", "--pipeline", str(pipeline), "--chunker", "sentence"]) == 2
    assert "leave out --chunker, or --pipeline" in capsys.readouterr().err


def test_files_of_a_folder_that_are_not_read_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "하나.txt").write_text("하나. 둘.", "utf-8")
    for name in ("a.pdf", "b.docx", "c.xls", "d.png"):
        (docs / name).write_bytes(b"x")
    assert main(["chunk", str(docs), "--out", str(tmp_path / "out.csv")]) == 0
    assert "files of the folder that are not read: 4 ('a.pdf', 'b.docx', 'c.xls', …)" in capsys.readouterr().err
