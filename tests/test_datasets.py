"""The corpora in datasets/: every boundary and every chunk against the documents."""

import csv
import importlib.util
import json
import re
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
DATASETS = ROOT / "datasets"
LANGUAGES = sorted(path.parent.name for path in DATASETS.glob("*/docs"))
DOCUMENTS = sorted(DATASETS.glob("*/docs/*.md"))
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
INVISIBLE = {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"}


@dataclass(frozen=True)
class Row:
    """One row of a chunks.csv."""

    chunk_id: str
    doc_id: str
    position: int
    start: int
    end: int
    content: str
    section: str
    kind: str


def load_script() -> ModuleType:
    """Import scripts/make_datasets.py, which is no package."""
    spec = importlib.util.spec_from_file_location("make_datasets", ROOT / "scripts" / "make_datasets.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


make_datasets = load_script()


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def boundaries(language: str) -> dict[str, list[dict[str, str | int]]]:
    loaded: dict[str, list[dict[str, str | int]]] = json.loads(text_of(DATASETS / language / "boundaries.json"))
    return loaded


def sections(path: Path) -> list[str]:
    text = text_of(path)
    return [text[int(part["start"]) : int(part["end"])] for part in boundaries(path.parents[1].name)[path.stem]]


def rows(language: str) -> list[Row]:
    with (DATASETS / language / "chunks.csv").open(encoding="utf-8-sig", newline="") as file:
        return [
            Row(
                row["chunk_id"],
                row["doc_id"],
                int(row["position"]),
                int(row["start"]),
                int(row["end"]),
                row["content"],
                row["section"],
                row["kind"],
            )
            for row in csv.DictReader(file)
        ]


def sentences(text: str) -> list[str]:
    return [part for part in SENTENCE_END.split(text.strip()) if part]


def test_there_are_enough_documents() -> None:
    counts = {language: len(list((DATASETS / language / "docs").glob("*.md"))) for language in LANGUAGES}
    assert counts["ko"] >= 8
    assert counts["en"] >= 4


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_a_document_is_clean_text(path: Path) -> None:
    text = text_of(path)
    assert unicodedata.normalize("NFC", text) == text
    odd = {character for character in text if unicodedata.category(character) in INVISIBLE and character != "\n"}
    assert not odd
    assert "\ufffd" not in text
    assert text.startswith("# ") and text.endswith("\n") and not text.endswith("\n\n")
    assert not re.search(r" \n|\n\n\n", FENCED.sub("code", text))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_sections_joined_are_the_document(path: Path) -> None:
    parts = boundaries(path.parents[1].name)[path.stem]
    assert len(parts) >= 5
    assert parts[0]["start"] == 0
    assert [part["end"] for part in parts[:-1]] == [part["start"] for part in parts[1:]]
    assert "".join(sections(path)) == text_of(path)
    assert len({part["title"] for part in parts}) == len(parts)
    for number, (part, section) in enumerate(zip(parts, sections(path), strict=True)):
        heading = f"## {part['title']}\n"
        assert heading in section if number == 0 else section.startswith(heading)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_each_section_has_enough_sentences(path: Path) -> None:
    for section in sections(path):
        prose = re.sub(r"(?m)^[#|].*$", "", FENCED.sub("", section))
        assert len(sentences(prose)) >= 5, section[:60]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_paragraph_and_no_sentence_appears_twice(language: str) -> None:
    text = "\n\n".join(text_of(path) for path in sorted((DATASETS / language / "docs").glob("*.md")))
    paragraphs = [part.strip() for part in text.split("\n\n")]
    assert sorted(paragraphs) == sorted(set(paragraphs))
    long_sentences = [part for part in sentences(text) if len(part) >= 20]
    assert sorted(long_sentences) == sorted(set(long_sentences))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_chunk_is_where_it_says(language: str) -> None:
    titles = boundaries(language)
    kinds: dict[str, str] = json.loads(text_of(DATASETS / language / "kinds.json"))
    for row in rows(language):
        text = text_of(DATASETS / language / "docs" / f"{row.doc_id}.md")
        assert text[row.start : row.end] == row.content
        assert row.chunk_id == f"{row.doc_id}-{row.position + 1:04d}"
        (section,) = (p for p in titles[row.doc_id] if int(p["start"]) <= row.start < int(p["end"]))
        assert row.section == section["title"]
        assert row.kind == kinds[row.doc_id]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_chunks_joined_are_the_document(path: Path) -> None:
    own = [row for row in rows(path.parents[1].name) if row.doc_id == path.stem]
    assert [row.position for row in own] == list(range(len(own)))
    assert "".join(row.content for row in own) == text_of(path)


@pytest.mark.parametrize(("language", "least"), [("ko", 200), ("en", 100)])
def test_enough_chunks_can_be_measured(language: str, least: int) -> None:
    chunks = rows(language)
    assert len({row.chunk_id for row in chunks}) == len(chunks)
    assert sum(len(sentences(row.content)) >= 2 for row in chunks) >= least


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_made_again_byte_for_byte(language: str) -> None:
    for name, content in make_datasets.generated(DATASETS / language).items():
        assert (DATASETS / language / name).read_bytes() == content, f"run scripts/make_datasets.py: {name} is old"


@pytest.mark.parametrize("language", LANGUAGES)
def test_excel_opens_the_chunks(language: str) -> None:
    content = (DATASETS / language / "chunks.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in content


def test_headings_inside_a_fence_are_no_sections() -> None:
    text = "# 제목\n\n## 가 😀\n\n글.\n\n```\n## 아님\n```\n\n## 나\n\n끝.\n"
    first, second = make_datasets.sections_of(text)
    assert (first.title, first.start, second.title, second.end) == ("가 😀", 0, "나", len(text))
    assert text[second.start : second.end] == "## 나\n\n끝.\n"


def test_a_document_without_sections_is_refused() -> None:
    with pytest.raises(ValueError, match="no '## ' heading"):
        make_datasets.sections_of("# 제목뿐\n")


def test_carriage_returns_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes("# 가\r\n".encode())
    with pytest.raises(ValueError, match="carriage returns"):
        make_datasets.read_document(path)


def test_a_document_without_a_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# 가\n\n## 나\n\n끝.\n", encoding="utf-8")
    (tmp_path / "kinds.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="differ in a"):
        make_datasets.read_corpus(tmp_path)
