"""What every loader must do: the same table in every kind of source gives the same chunks."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

from chunkeval import registry
from chunkeval.config import SHARD, LoadConfig
from chunkeval.errors import InputError
from chunkeval.loaders import Loader, load, open_source, scan, write_chunks
from chunkeval.progress import Silent

TEXTS = [
    "서울은 대한민국의 수도이다.",
    "서울은 한강을 끼고 있다.",
    "띄어쓰기가없는문장도하나의문장이다",
    "전각 문장부호。그리고！물음표？",
    "👩‍👩‍👧‍👦 이모지 👍🏽 and mixed 漢字 scripts",
    'quotes "inside", commas,\nline breaks\n\nand\ttabs',
    "\ufeffmark at the start and \ufeff inside",
    "  spaces kept \u2028 separators \x85 kept  ",
    "",
    "naïve café – “quotes”",
]
ROWS = [
    {"chunk_id": f"c{i}", "doc_id": f"문서 {i // 4}", "text": text, "쪽": str(i + 1)} for i, text in enumerate(TEXTS)
]


def _csv(folder: Path) -> Path:
    pd.DataFrame(ROWS).to_csv(path := folder / "t.csv", index=False)
    return path


def _tsv(folder: Path) -> Path:
    pd.DataFrame(ROWS).to_csv(path := folder / "t.tsv", index=False, sep="\t")
    return path


def _json(folder: Path) -> Path:
    (path := folder / "t.json").write_text(json.dumps(ROWS, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def _jsonl(folder: Path) -> Path:
    (path := folder / "t.jsonl").write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n\n" for row in ROWS), encoding="utf-8", newline="\n"
    )
    return path


def _parquet(folder: Path) -> Path:
    pd.DataFrame(ROWS).to_parquet(path := folder / "t.parquet")
    return path


def _xlsx(folder: Path) -> Path:
    # a spreadsheet has no difference between an empty text and no text, and no control characters
    rows = [{**row, "text": row["text"].replace("\x85", "") or " "} for row in ROWS]
    pd.DataFrame(rows).to_excel(path := folder / "t.xlsx", index=False)
    return path


def _text(folder: Path) -> Path:
    path = folder / "texts"
    path.mkdir()
    for i, text in enumerate(TEXTS):
        (path / f"{i}.{'md' if i % 2 else 'txt'}").write_text("끝: " + text, encoding="utf-8", newline="")
    return path


MAKE: dict[str, Callable[[Path], Path]] = {
    "csv": _csv,
    "tsv": _tsv,
    "json": _json,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "xlsx": _xlsx,
    "text": _text,
}
EXPECTED = {
    "xlsx": [text.replace("\x85", "") or " " for text in TEXTS],
    "text": ["끝: " + text for text in TEXTS],
}


@pytest.fixture(params=sorted(registry.entries("loaders")))
def kind(request: pytest.FixtureRequest) -> str:
    assert request.param in MAKE, f"give loader {request.param!r} an entry in this suite"
    return str(request.param)


def test_is_a_loader(kind: str) -> None:
    loader = registry.find("loaders", kind)
    assert isinstance(loader, Loader)
    assert loader.endings and all(ending.startswith(".") and ending == ending.lower() for ending in loader.endings)


def test_endings_are_of_one_loader_each() -> None:
    endings = [ending for kind in registry.entries("loaders") for ending in registry.find("loaders", kind).endings]
    assert len(endings) == len(set(endings))


def test_texts_come_back_exactly(kind: str, tmp_path: Path) -> None:
    source = MAKE[kind](tmp_path)
    opened = open_source(str(source))
    assert opened.kind == kind
    assert (opened.encoding is not None) == registry.find("loaders", kind).text
    frame = load(str(source))
    assert frame["text"].tolist() == EXPECTED.get(kind, TEXTS)
    if kind == "text":
        assert frame["doc_id"].tolist() == [f"{i}.{'md' if i % 2 else 'txt'}" for i in range(len(TEXTS))]
        return
    assert frame["chunk_id"].tolist() == [row["chunk_id"] for row in ROWS]
    assert frame["doc_id"].tolist() == [row["doc_id"] for row in ROWS]
    assert frame["position"].tolist() == [i % 4 for i in range(len(ROWS))]
    assert frame["쪽"].tolist() == [row["쪽"] for row in ROWS]


def test_batches_can_be_read_again_and_are_numbered(kind: str, tmp_path: Path) -> None:
    batches = open_source(str(MAKE[kind](tmp_path))).batches()
    for _ in range(2):
        row = 0
        for batch in batches:
            assert batch.first_row == row
            places = [batch.place(i) for i in range(len(batch.frame))]
            assert len(set(places)) == len(places) and all(places)
            row += len(batch.frame)
        assert row == len(TEXTS)


def test_a_file_of_chunks_has_row_groups_of_a_shard(kind: str, tmp_path: Path) -> None:
    source = MAKE[kind](tmp_path)
    made = write_chunks(str(source), LoadConfig(), tmp_path / "chunks.parquet", Silent())
    file = pq.ParquetFile(made.path)
    assert file.metadata.num_rows == made.info.rows == len(TEXTS) <= SHARD
    assert file.schema_arrow.names[:7] == ["chunk_id", "doc_id", "position", "text", "start", "end", "spans"]
    assert made.info.kind == kind and len(made.info.sha256) == 64
    assert sorted(path.name for path in tmp_path.glob("chunks*")) == ["chunks.parquet"]
    pd.testing.assert_frame_equal(pd.concat(scan(str(source)), ignore_index=True), load(str(source)))


def test_the_fingerprint_is_of_the_bytes(kind: str, tmp_path: Path) -> None:
    source = MAKE[kind](tmp_path)
    first = open_source(str(source)).sha256
    assert open_source(str(source)).sha256 == first
    changed = next(source.glob("*")) if source.is_dir() else source
    changed.write_bytes(changed.read_bytes().replace(b"0", b"1") + b"\n")
    if kind not in ("parquet", "xlsx"):
        assert open_source(str(source)).sha256 != first


def test_damaged_bytes_are_an_error_in_one_line_or_still_a_table(kind: str, tmp_path: Path) -> None:
    source = MAKE[kind](tmp_path)
    source = source / "0.txt" if source.is_dir() else source
    whole = source.read_bytes()
    draw = random.Random(kind)
    for _ in range(25):
        damaged = bytearray(whole)
        for _ in range(draw.choice([1, 2, 10])):
            at = draw.randrange(len(damaged))
            damaged[at : at + draw.choice([0, 1, 20])] = bytes(draw.choices(b'",\n\t{}[]:\x00\xff 1', k=2))
        source.write_bytes(damaged)
        try:
            assert len(load(str(source))) > 0
        except InputError as error:
            assert "\n" not in str(error)
            assert str(source) in str(error)


def test_streamed_from_standard_input(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = MAKE[kind](tmp_path)
    if source.is_dir():
        source = source / "0.txt"
    with source.open("rb") as stream:
        monkeypatch.setattr("sys.stdin", _Stdin(stream))
        opened = open_source("-")
    assert opened.source == "-" and opened.kind == kind
    assert sum(len(batch.frame) for batch in opened.batches()) == (1 if kind == "text" else len(TEXTS))


class _Stdin:
    closed = False

    def __init__(self, buffer: Any) -> None:
        self.buffer = buffer
