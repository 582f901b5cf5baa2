"""Contextual prefixes and overlaps: what is left out, and what must not be."""

import json
import random
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from chunkeval.results import ChunkFile, SourceInfo
from chunkeval.text.context import contextual
from chunkeval.text.traits import BIT

Row = tuple[str | None, int, str]

KORQUAD = Path(__file__).parents[3] / "shared/data/korquad/KorQuAD_v1.0_dev.json"

NOUNS = (
    "학교",
    "바다",
    "하늘",
    "나무",
    "음악",
    "역사",
    "경제",
    "과학",
    "우주",
    "요리",
    "여행",
    "건강",
    "법률",
    "도시",
    "농업",
    "언어",
    "수학",
    "철학",
    "미술",
    "운동",
)


def table(folder: Path, rows: list[Row]) -> ChunkFile:
    columns = {
        "chunk_id": pa.array([str(number) for number in range(len(rows))]),
        "doc_id": pa.array([row[0] for row in rows], pa.string()),
        "position": pa.array([row[1] for row in rows], pa.int64()),
        "text": pa.array([row[2] for row in rows], pa.large_string()),
    }
    path = folder / "chunks.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=64)
    return ChunkFile(path, SourceInfo("made", "parquet", "", len(rows)))


def prose(seed: int, sentences: int) -> str:
    draw = random.Random(seed)
    return " ".join(
        f"{draw.choice(NOUNS)}에서 {draw.choice(NOUNS)}까지 {draw.randint(10, 99)}번 이어진다."
        for _ in range(sentences)
    )


def documents(count: int = 6, chunks: int = 5) -> list[Row]:
    return [(f"문서{d}", i, prose(100 * d + i, 6)) for d in range(count) for i in range(chunks)]


def test_normal_text_is_left_alone(tmp_path: Path) -> None:
    unknown: list[Row] = [(None, i, text) for i, (_, _, text) in enumerate(documents())]
    for rows in (documents(), unknown):
        found = contextual(table(tmp_path, rows))
        assert not found.skip.any() and not found.traits.any() and found.notes == ()


def test_korquad_is_left_alone(tmp_path: Path) -> None:
    if not KORQUAD.exists():
        pytest.skip("KorQuAD is not there")
    data = json.loads(KORQUAD.read_text(encoding="utf-8"))["data"]
    rows: list[Row] = [(d["title"], i, p["context"]) for d in data for i, p in enumerate(d["paragraphs"])]
    assert not contextual(table(tmp_path, rows)).skip.any()
    assert not contextual(table(tmp_path, [(None, i, row[2]) for i, row in enumerate(rows)])).skip.any()


@pytest.mark.parametrize(
    "opening",
    [
        "{d} 안내서\n",
        "문서: {d} > 제{i}장\n",
        "Document: {d} > S{i}\nSection: part {i}\n\n",
        "[{d} 운영 규정집] ",
        "제목: {d} 개요\n\n",
        "{d} 이용 약관 | ",
    ],
)
def test_prefix_in_known_documents(tmp_path: Path, opening: str) -> None:
    rows: list[Row] = [(d, i, opening.format(d=d, i=i) + text) for d, i, text in documents()]
    found = contextual(table(tmp_path, rows))
    assert [text[skip:].lstrip() for (_, _, text), skip in zip(rows, found.skip, strict=True)] == [
        r[2] for r in documents()
    ]
    assert (found.traits == BIT["prefix"]).all()
    assert len(found.notes) == 1 and "30 chunks" in found.notes[0]


def test_prefix_without_documents(tmp_path: Path) -> None:
    rows: list[Row] = [(None, n, f"{d} 안내서\n{text}") for n, (d, _, text) in enumerate(documents())]
    assert (contextual(table(tmp_path, rows)).skip == len("문서0 안내서\n")).all()


def test_prefix_of_most_chunks_only_where_it_stands(tmp_path: Path) -> None:
    rows = documents(1, 8)
    rows = [(d, i, ("공통 머리글\n" if i < 6 else "") + text) for d, i, text in rows]
    assert contextual(table(tmp_path, rows)).skip.tolist() == [7] * 6 + [0] * 2


def test_no_prefix_from_few_or_equal_chunks(tmp_path: Path) -> None:
    few: list[Row] = [("가", i, f"같은 머리글\n{prose(i, 3)}") for i in range(2)] + documents(2, 3)
    assert not contextual(table(tmp_path, few)).skip.any()
    same: list[Row] = [("가", i, "같은 머리글\n같은 본문이다.") for i in range(5)]
    assert not contextual(table(tmp_path, same)).skip.any()
    half: list[Row] = [("가", i, ("같은 머리글\n" if i % 2 else f"머리 {i}\n") + prose(i, 3)) for i in range(6)]
    assert not contextual(table(tmp_path, half)).skip.any()
    faq: list[Row] = [(None, i, f"Q: {prose(i, 1)}\nA: {prose(i + 50, 1)}") for i in range(20)]
    assert not contextual(table(tmp_path, faq)).skip.any()


def test_never_a_whole_chunk(tmp_path: Path) -> None:
    rows: list[Row] = [("가", i, "같은 머리글\n" + ("" if i == 2 else prose(i, 3))) for i in range(6)]
    assert contextual(table(tmp_path, rows)).skip.tolist() == [7, 7, 0, 7, 7, 7]


def windows(text: str, size: int, overlap: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text) - overlap, size - overlap)]


def overlapping(prefix: str = "") -> tuple[list[Row], list[int]]:
    rows: list[Row] = []
    wanted: list[int] = []
    for d in range(5):
        before = ""
        for i, piece in enumerate(windows(prose(d, 60), 300, 60)):
            rows.append((f"문서{d}", i, prefix.format(d=d) + piece))
            shared = len(before[-60:].rstrip())
            wanted.append(len(prefix.format(d=d)) + (shared if len(piece) >= 120 else 0))
            before = piece
    return rows, wanted


@pytest.mark.parametrize("prefix", ["", "문서: {d}번\n"])
def test_overlap_in_any_row_order(tmp_path: Path, prefix: str) -> None:
    rows, wanted = overlapping(prefix)
    found = contextual(table(tmp_path, rows))
    assert found.skip.tolist() == wanted
    order = list(range(len(rows)))
    random.Random(7).shuffle(order)
    mixed = contextual(table(tmp_path, [rows[i] for i in order]))
    assert mixed.skip.tolist() == [wanted[i] for i in order]
    assert mixed.traits.tolist() == found.traits[order].tolist()


def test_overlap_without_documents(tmp_path: Path) -> None:
    rows: list[Row] = [(None, i, piece) for i, piece in enumerate(windows(prose(3, 60), 300, 60))]
    found = contextual(table(tmp_path, rows))
    assert (np.abs(found.skip[1:-1] - 60) <= 1).all() and found.skip[0] == 0
    assert (found.traits[1:-1] == BIT["overlap"]).all()


def test_overlap_between_stripped_chunks(tmp_path: Path) -> None:
    text = prose(4, 40)
    rows: list[Row] = [("가", i, piece.strip()) for i, piece in enumerate(windows(text, 300, 61))]
    assert (np.abs(contextual(table(tmp_path, rows)).skip[1:-1] - 61) <= 2).all()


def test_no_overlap_from_rules_short_ends_or_more_than_half(tmp_path: Path) -> None:
    line = "-" * 60
    rows: list[Row] = [("가", 0, prose(1, 3) + line), ("가", 1, line + prose(2, 3))]
    assert not contextual(table(tmp_path, rows)).skip.any()
    short: list[Row] = [("가", 0, prose(1, 3) + " 짧은 끝"), ("가", 1, "짧은 끝 " + prose(2, 3))]
    assert not contextual(table(tmp_path, short)).skip.any()
    inside = prose(1, 3)
    most: list[Row] = [("가", 0, inside), ("가", 1, inside[5:])]
    assert not contextual(table(tmp_path, most)).skip.any()


def test_no_rows(tmp_path: Path) -> None:
    found = contextual(table(tmp_path, []))
    assert len(found.skip) == len(found.traits) == 0


def test_one_chunk_is_said_to_be_one(tmp_path: Path) -> None:
    rows = documents()
    end = rows[0][2][-60:]
    rows[1] = (rows[1][0], 1, f"{end} {rows[1][2]}")
    assert [note.split(" with the end")[0] for note in contextual(table(tmp_path, rows)).notes] == ["1 chunk starts"]
