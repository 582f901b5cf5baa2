"""Bad sources: one line each that names the file, the place and the fix, and nothing written."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from chunkeval.config import LoadConfig
from chunkeval.errors import InputError
from chunkeval.loaders import load, write_chunks
from chunkeval.progress import Silent


def _parquet() -> bytes:
    pd.DataFrame({"text": ["가" * 1000 + str(i) for i in range(5000)]}).to_parquet(
        buffer := io.BytesIO(), compression=None
    )
    return buffer.getvalue()


def _npy() -> bytes:
    np.save(buffer := io.BytesIO(), np.array([{"a": 1}], dtype=object), allow_pickle=True)
    return buffer.getvalue()


def _zip(name: str) -> bytes:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        archive.writestr(name, b"\x80\x04.")
    return buffer.getvalue()


PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
NOISE = np.random.default_rng(1).integers(0, 256, 5000, dtype=np.uint8).tobytes()
CASES = [
    ("empty.csv", b"", r"is empty: give a table"),
    ("blank.jsonl", b"\n\n", r"no rows"),
    ("header.csv", b"id,text\n", r"no rows, only a header"),
    ("list.json", b"[]", r"no rows"),
    ("columns.csv", "가,나\n1,2\n".encode(), r"no text column among '가', '나': name it with --text"),
    ("two.csv", b"text,Content\na,b\n", r"columns 'text' and 'Content' could each be the text"),
    ("twice.csv", b"text,text\na,b\n", r"columns 1 and 2 are both called 'text'"),
    ("quote.csv", b'id,text\n1,a\n2,"open\n3,b\n', r"line 3: a quote opened here is never closed"),
    ("later.csv", b'id,text\n"1\n\n","open\n3,b\n', r"line 4: a quote opened here is never closed"),
    ("inner.csv", b'id,text\n1,"a"b\n', r"line 2: a quote within a quoted cell is not doubled"),
    (
        "ragged.csv",
        "id,text\n1,a\n\n2,가,나\n".encode(),
        r"line 4: 3 cells where the header has 2: put cells that hold ','",
    ),
    ("short.tsv", b"id\ttext\n1\ta\n2\n", r"line 3: 1 cells where the header has 2"),
    (
        "null.jsonl",
        b'{"text": "a"}\n\n{"text": null}\n',
        r"line 3: the text in column 'text' is null: .*--on-null skip",
    ),
    ("absent.json", b'[{"text": "a"}, {"id": 3}]', r"record 2: the text in column 'text' is null"),
    ("object.jsonl", b'{"text": {"a": 1}}\n', r"line 1: column 'text' holds an object, not text"),
    ("list.jsonl", b'{"text": "a"}\n[1]\n', r"line 2: a list where an object with a text is needed"),
    ("broken.jsonl", '{"text": "가"}\n{"text": "b"\n'.encode(), r"line 2, column \d+: broken JSON"),
    ("broken.json", '[{"text": "가"},\n {"text" "b"}]'.encode(), r"line 2, column 10: broken JSON: .*: mend it there"),
    ("cut.json", b'[{"text": "a"},\n {"text": "b', r"line 2, column 11: broken JSON"),
    ("more.json", b'[{"text": "a"}]\n x', r"line 2, column 2: broken JSON: more after"),
    ("columnar.json", b'{"text": {"0": "a"}, "id": {"0": 1}}', r"column by column: write a list of records"),
    ("number.json", b"3", r"a list or an object of chunks is needed"),
    ("ids.csv", b"id,text\n7,a\n8,b\n7,c\n", r"line 2 and line 4 have the same id '7' in column 'id'"),
    ("pickle.csv", pickle.dumps([{"text": "a"}]), r"a pickle can run any code"),
    ("old.parquet", pickle.dumps({"text": "a"}, protocol=2), r"a pickle can run any code"),
    ("text.pkl", pickle.dumps("a", protocol=0), r"a pickle can run any code"),
    ("array.csv", _npy(), r"a numpy array"),
    ("model.csv", _zip("archive/data.pkl"), r"archive of pickles"),
    ("some.zip", _zip("a.csv"), r"a zip archive, not a chunk table: unpack it"),
    ("torn.xlsx", b"PK\x03\x04 nothing", r"broken xlsx"),
    ("noise.xlsx", b"not a zip at all", r"broken xlsx"),
    ("image.csv", PNG, r"a PNG image"),
    ("noise.csv", NOISE, r"binary data"),
    ("nuls.csv", b"\x00\x01\x02" * 500, r"binary data"),
    ("broken.parquet", b"PAR1" + b"x" * 100, r"broken parquet"),
    ("torn.parquet", _parquet()[:-2000], r"broken parquet"),
    ("worn.parquet", (lambda b: b[:3000] + b"\xff" * 9000 + b[12000:])(_parquet()), r"broken parquet"),
    ("what.xyz", b"just a line of text", r"of no known kind"),
]


@pytest.mark.parametrize(("name", "content", "message"), CASES, ids=[case[0] for case in CASES])
def test_bad_files(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    source = tmp_path / name
    source.write_bytes(content)
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(InputError, match=message) as caught:
        write_chunks(str(source), LoadConfig(), out / "chunks.parquet", Silent())
    said = str(caught.value)
    assert "\n" not in said and said.startswith(str(source)) and ": " in said
    assert not list(out.iterdir())


def test_missing_files_and_empty_folders(tmp_path: Path) -> None:
    (tmp_path / "chunks.csv").write_text("text\na\n")
    with pytest.raises(InputError, match=r"chunk\.csv: no such file or folder \(did you mean '.*chunks\.csv'\?\)"):
        load(str(tmp_path / "chunk.csv"))
    with pytest.raises(InputError, match=r"holds no txt, md or parquet files \(found 'chunks\.csv'\)"):
        load(str(tmp_path))
    (tmp_path / "a.txt").write_text("a")
    pd.DataFrame({"text": ["a"]}).to_parquet(tmp_path / "b.parquet")
    with pytest.raises(InputError, match=r"1 parquet and 1 text files: give a folder of one kind"):
        load(str(tmp_path))
    with pytest.raises(InputError):
        load("\x00")


def test_an_error_in_the_last_row_of_many_leaves_nothing(tmp_path: Path) -> None:
    rows = [json.dumps({"id": i, "text": f"{i}번째 문장"}, ensure_ascii=False) for i in range(10_000)]
    (source := tmp_path / "t.jsonl").write_text("\n".join([*rows, '{"id": 3, "text": "again"}']), encoding="utf-8")
    with pytest.raises(InputError, match=r"line 4 and line 10001 have the same id '3'"):
        write_chunks(str(source), LoadConfig(), tmp_path / "chunks.parquet", Silent())
    assert [path.name for path in tmp_path.iterdir()] == ["t.jsonl"]
