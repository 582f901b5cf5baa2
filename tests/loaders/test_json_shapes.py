"""json and jsonl in the shapes that others write."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkeval.config import LoadConfig
from chunkeval.errors import SourceError, TableError
from chunkeval.loaders import json_stream, load, open_source, scan
from chunkeval.loaders.json_stream import JsonStream

DATA = Path(__file__).parents[2] / "../shared/data/chunk_tables"
NODE = {"class_name": "TextNode", "embedding": None, "text": "첫 문장.", "start_char_idx": 0, "end_char_idx": 5}


def _load(value: Any, folder: Path, name: str = "t.json") -> Any:
    (path := folder / name).write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    return load(str(path))


def _lines(folder: Path, *rows: Any) -> Path:
    (path := folder / "t.jsonl").write_text(
        "\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8"
    )
    return path


def test_objects_keyed_by_id(tmp_path: Path) -> None:
    frame = _load({"c1": {"text": "가", "tokens": 3}, "c2": {"text": "나", "tokens": 4}}, tmp_path)
    assert frame[["chunk_id", "text", "tokens"]].values.tolist() == [["c1", "가", 3], ["c2", "나", 4]]


def test_documents_with_chunks(tmp_path: Path) -> None:
    documents = [
        {"doc_id": "문서1", "content": "가. 나.", "쪽": 2, "chunks": [{"content": "가."}, {"content": "나.", "쪽": 3}]},
        {"doc_id": "문서2", "content": "다.", "쪽": 1, "chunks": []},
        {"doc_id": "문서3", "content": "라.", "쪽": 1, "chunks": [{"content": "라."}]},
    ]
    frame = _load(documents, tmp_path)
    assert frame[["doc_id", "position", "text", "쪽"]].values.tolist() == [
        ["문서1", 0, "가.", 2],
        ["문서1", 1, "나.", 3],
        ["문서3", 0, "라.", 1],
    ]
    assert load(str(_lines(tmp_path, *documents)))["text"].tolist() == ["가.", "나.", "라."]
    assert _load({"id": "a", "chunks": ["가", "나"]}, tmp_path)["doc_id"].tolist() == ["a", "a"]
    assert _load({"a": ["가", "나"], "b": [{"text": "다"}]}, tmp_path)["doc_id"].tolist() == ["a", "a", "b"]
    documents[2]["chunks"] = [{"content": None}]
    with pytest.raises(TableError, match=r"record 3, chunk 1: the text in column 'content' is null"):
        _load(documents, tmp_path)


@pytest.mark.parametrize("as_string", [False, True])
def test_llamaindex_docstore(as_string: bool, tmp_path: Path) -> None:
    def entry(kind: str, **fields: Any) -> dict[str, Any]:
        data = {**NODE, **fields}
        return {"__data__": json.dumps(data) if as_string else data, "__type__": kind}

    store = {
        "docstore/metadata": {"n1": {"doc_hash": "x"}},
        "docstore/data": {
            "d1": entry("4", id_="d1", text="첫 문장. 둘째."),
            "n1": entry("1", id_="n1", relationships={"1": {"node_id": "d1"}}),
            "n2": entry("1", text_resource={"text": "둘째."}, text=None, metadata={"file_path": "a.md"}),
        },
        "docstore/ref_doc_info": {"d1": {"node_ids": ["n1"]}},
    }
    folder = tmp_path / "storage"
    folder.mkdir()
    frame = _load(store, folder, "docstore.json")
    columns = ["chunk_id", "doc_id", "text", "start", "end"]
    assert frame[columns].values.tolist() == [["n1", "d1", "첫 문장.", 0, 5], ["n2", "a.md", "둘째.", 0, 5]]
    (folder / "index_store.json").write_text("{}")
    assert load(str(folder)).equals(frame)


def test_a_list_within_an_object_and_one_record(tmp_path: Path) -> None:
    frame = _load({"version": 1, "data": [{"text": "가"}, {"text": "나"}]}, tmp_path)
    assert frame["text"].tolist() == ["가", "나"]
    assert any("'data'" in note for note in open_source(str(tmp_path / "t.json")).notes)
    assert _load({"id": 7, "text": "가"}, tmp_path)["chunk_id"].tolist() == ["7"]
    assert _load(["가", "나"], tmp_path)["text"].tolist() == ["가", "나"]
    assert _load({"a": "가", "b": "나"}, tmp_path)["chunk_id"].tolist() == ["a", "b"]
    with pytest.raises(SourceError, match="is a list of chunks"):
        _load({"a": 1, "b": [1, 2]}, tmp_path)


def test_bulk_action_lines(tmp_path: Path) -> None:
    path = _lines(
        tmp_path,
        {"index": {"_index": "x", "_id": 1}},
        {"text": "가", "title": "제목"},
        {"create": {"_id": "b"}},
        {"text": "나"},
        {"delete": {"_id": "z"}},
        {"update": {"_id": "c"}},
        {"doc": {"text": "다"}},
        {"index": {}},
        {"text": "라"},
    )
    frame = load(str(path))
    assert frame["chunk_id"].tolist()[:3] == ["1", "b", "c"] and len(frame["chunk_id"][3]) == 16
    assert frame["text"].tolist() == ["가", "나", "다", "라"]
    assert load(str(_lines(tmp_path, {"index": {"_id": 1}}, {"id": "own", "text": "가"})))["chunk_id"].tolist() == [
        "own"
    ]


def test_lines_named_json_and_json_named_lines(tmp_path: Path) -> None:
    rows = [{"id": 1, "text": "가"}, {"id": 2, "text": "나"}]
    path = _lines(tmp_path, *rows).rename(tmp_path / "t.json")
    opened = open_source(str(path))
    assert opened.kind == "jsonl" and any("named .json and is jsonl" in note for note in opened.notes)
    assert load(str(path))["text"].tolist() == ["가", "나"]
    assert _load(rows, tmp_path, "u.jsonl")["text"].tolist() == ["가", "나"]


def test_a_second_text_column_far_down_is_found(tmp_path: Path) -> None:
    path = _lines(tmp_path, *[{"text": str(i)} for i in range(6000)], {"text": "x", "content": "y"})
    with pytest.raises(TableError, match=r"line 6001: columns 'text' and 'content' could each be the text"):
        scan(str(path))
    assert sum(map(len, scan(str(path), LoadConfig(text="text")))) == 6001


def test_a_cell_of_megabytes(tmp_path: Path) -> None:
    big = "가나다라마바사 " * 700_000
    assert _load([{"text": "a"}, {"text": big}, {"text": "b"}], tmp_path)["text"].tolist() == ["a", big, "b"]
    assert load(str(_lines(tmp_path, {"text": big}, {"text": "b"})))["text"].tolist() == [big, "b"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(
    values=st.lists(JSON, max_size=6), block=st.integers(1, 40), ascii=st.booleans(), indent=st.sampled_from([None, 1])
)
def test_the_stream_reads_what_json_reads(values: list[Any], block: int, ascii: bool, indent: int | None) -> None:
    text = json.dumps({"a": values, "b": 1}, ensure_ascii=ascii, indent=indent)
    before, json_stream._BLOCK = json_stream._BLOCK, block
    try:
        stream = JsonStream(io.StringIO(text), "t")
        found: list[Any] = []
        for _ in stream.members():
            found.append([stream.value() for _ in stream.items()] if stream.peek() == "[" else stream.value())
        stream.end()
        assert found == [values, 1]
        assert JsonStream(io.StringIO(text), "t").value() == {"a": values, "b": 1}
    finally:
        json_stream._BLOCK = before


@pytest.mark.parametrize("block", [1, 3, 1 << 20])
def test_errors_name_line_and_column(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "_BLOCK", block)
    text = '[\n {"가": 1},\n {"나": tru},\n' + ' {"다": 2},\n' * 50
    with pytest.raises(SourceError, match=r"t: line 3, column 8: broken JSON"):
        for _ in (stream := JsonStream(io.StringIO(text), "t")).items():
            stream.value()


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the optional data folder")
def test_tables_as_others_made_them() -> None:
    faq = load(str(DATA / "08_ko_shopping_chunks.jsonl"))
    assert len(faq) == 2082 and faq["doc_id"].notna().all() and faq["chunk_id"].is_unique
    units = load(str(DATA / "17_en_graphrag_text_units.parquet"))
    assert len(units) == 42 and "\ufeff" in units["text"][0] and len(units["chunk_id"][0]) == 128
    flat = load(str(DATA / "20_en_pydocchunker.jsonl"), LoadConfig(doc="metadata.original_filename"))
    assert len(flat) == 9 and set(flat["doc_id"]) == {"article1.md", "article2.md"}
    nested = load(str(DATA / "24_en_codebase_nested.json"))
    assert nested["doc_id"].nunique() == 25 and nested["chunk_id"][0] == "doc_1_chunk_0"
    assert nested["position"].tolist() == nested["original_index"].astype(int).tolist()
