"""The corpora in datasets/: every boundary, every chunk and every reference against the documents."""

import csv
import importlib.util
import json
import re
import sys
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
DATASETS = ROOT / "datasets"
LANGUAGES = sorted(path.parent.name for path in DATASETS.glob("*/docs"))
DOCUMENTS = sorted(DATASETS.glob("*/docs/*.md"))
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
KINDS = {"encyclopedia", "law", "faq", "manual", "news", "minutes", "guide"}
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


def questions(language: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text_of(DATASETS / language / "questions.jsonl").splitlines()]


def sentences(text: str) -> list[str]:
    return [part for part in SENTENCE_END.split(text.strip()) if part]


def test_there_are_enough_documents() -> None:
    counts = {language: len(list((DATASETS / language / "docs").glob("*.md"))) for language in LANGUAGES}
    assert counts["ko"] >= 24
    assert counts["en"] >= 12
    assert sum(len(questions(language)) for language in LANGUAGES) >= 150


@pytest.mark.parametrize("language", LANGUAGES)
def test_documents_are_of_every_kind_and_form(language: str) -> None:
    kinds: dict[str, str] = json.loads(text_of(DATASETS / language / "kinds.json"))
    assert set(kinds.values()) == KINDS
    text = "\n".join(text_of(path) for path in (DATASETS / language / "docs").glob("*.md"))
    assert FENCED.search(text)
    prose = FENCED.sub("", text)
    assert re.search(r"^\|(-+\|)+$", prose, re.MULTILINE)
    assert re.search(r"^- ", prose, re.MULTILINE) or re.search(r"^1\. .*\n2\. ", prose, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_documents_have_six_sections_or_more_on_average(language: str) -> None:
    counts = [len(parts) for parts in boundaries(language).values()]
    assert sum(counts) / len(counts) >= 6


def test_the_readme_gives_the_right_counts() -> None:
    readme = text_of(DATASETS / "README.md")
    for language in LANGUAGES:
        parts, asked = boundaries(language), questions(language)
        characters = sum(sections[-1]["end"] for sections in parts.values())
        cells = (
            f"`{language}`",
            len(parts),
            sum(map(len, parts.values())),
            f"{characters:,}",
            len(rows(language)),
            make_datasets.CHUNK_SIZES[language],
            len(asked),
            sum(len(question["references"]) for question in asked),
        )
        assert f"| {' | '.join(map(str, cells))} |" in readme
    kinds = {language: list(json.loads(text_of(DATASETS / language / "kinds.json")).values()) for language in LANGUAGES}
    for kind in KINDS:
        counts = kinds["ko"].count(kind), kinds["en"].count(kind)
        assert re.search(rf"^\| `{kind}` \|.*\| {counts[0]} \| {counts[1]} \|$", readme, re.MULTILINE), (kind, counts)


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
        assert len(sentences(prose)) >= 8, section[:60]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_paragraph_and_no_sentence_appears_twice(language: str) -> None:
    text = "\n\n".join(text_of(path) for path in sorted((DATASETS / language / "docs").glob("*.md")))
    # Two sets of rules may both open with a chapter of the same name.
    paragraphs = [part.strip() for part in text.split("\n\n") if not part.startswith("#")]
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reference_is_where_it_says(language: str) -> None:
    for question in questions(language):
        slug, places = question["id"].rsplit("-q", 1)[0], []
        for reference in question["references"]:
            assert reference["doc_id"] == slug
            start, end = reference["start"], reference["end"]
            text = text_of(DATASETS / language / "docs" / f"{slug}.md")
            assert text[start:end] == reference["text"] == reference["text"].strip() != ""
            assert text.count(reference["text"]) == 1
            assert any(int(p["start"]) <= start and end <= int(p["end"]) for p in boundaries(language)[slug])
            places.append((start, end))
        places.sort()
        assert all(end <= start for (_, end), (start, _) in pairwise(places)), question["id"]


def test_no_question_and_no_id_appears_twice() -> None:
    asked = [question for language in LANGUAGES for question in questions(language)]
    assert len({question["id"] for question in asked}) == len(asked)
    assert len({re.sub(r"\W", "", question["question"].casefold()) for question in asked}) == len(asked)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_a_document_has_enough_questions(path: Path) -> None:
    counts = [len(q["references"]) for q in questions(path.parents[1].name) if q["id"].rsplit("-q", 1)[0] == path.stem]
    assert len(counts) >= 5
    assert sum(count >= 2 for count in counts) >= 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_document_is_asked_in_order_of_its_name(language: str) -> None:
    hand = sorted((DATASETS / language / "questions").glob("*.json"), key=lambda path: path.stem)
    expected = [f"{path.stem}-q{n}" for path in hand for n in range(1, len(json.loads(text_of(path))) + 1)]
    assert [question["id"] for question in questions(language)] == expected
    assert {path.stem for path in hand} == set(boundaries(language))


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


def corpus(folder: Path, asked: object) -> Path:
    """Write a corpus of one document, `a`, with the questions given, or none."""
    (folder / "docs").mkdir()
    (folder / "questions").mkdir()
    (folder / "docs" / "a.md").write_text("# 가\n\n## 나\n\n하나 😀. 둘.\n\n## 다\n\n셋. 둘.\n", encoding="utf-8")
    (folder / "kinds.json").write_text('{"a": "guide"}', encoding="utf-8")
    if asked is not None:
        (folder / "questions" / "a.json").write_text(json.dumps(asked), encoding="utf-8")
    return folder


def asked_of(folder: Path) -> str:
    made: str = make_datasets.questions_jsonl(folder, make_datasets.read_corpus(folder))
    return made


def test_references_are_anchored_in_code_points(tmp_path: Path) -> None:
    folder = corpus(tmp_path, [{"question": "몇?", "references": ["하나 😀. 둘.", "셋."]}])
    assert json.loads(asked_of(folder)) == {
        "id": "a-q1",
        "question": "몇?",
        "references": [
            {"doc_id": "a", "start": 11, "end": 19, "text": "하나 😀. 둘."},
            {"doc_id": "a", "start": 27, "end": 29, "text": "셋."},
        ],
    }


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (None, r"a\.json: no questions for a"),
        ([], r"a\.json: no questions for a"),
        ([{"question": "몇?", "references": ["넷."]}], r"a\.json: question 1 \('몇\?'\): the quote '넷\.' is not in"),
        ([{"question": "몇?", "references": ["둘."]}], r"question 1 .*'둘\.' is in the document more than once"),
        ([{"question": "몇?", "references": ["둘.\n\n## 다"]}], r"question 1 .* crosses a section border"),
        ([{"question": "몇?", "references": [""]}], r"question 1 .*the quote '' is not in"),
        ([{"question": "몇?", "references": ["셋."], "answer": "3"}], r"question 1: .*unknown or missing keys: answer"),
        ([{"question": "몇?", "references": ["셋."]}, {"question": "몇?"}], r"question 2: .*missing keys: references"),
        ([{"question": "몇?", "references": []}], r"question 1 .*at least one reference"),
        ([{"question": " ", "references": ["셋."]}], r"question 1 .*needs words"),
    ],
)
def test_questions_that_cannot_be_anchored_are_refused(tmp_path: Path, asked: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        asked_of(corpus(tmp_path, asked))


def test_questions_without_a_document_are_refused(tmp_path: Path) -> None:
    folder = corpus(tmp_path, [{"question": "몇?", "references": ["셋."]}])
    (folder / "questions" / "b.json").write_text("[]", encoding="utf-8")
    with pytest.raises(ValueError, match=r"b\.json: there is no document b"):
        asked_of(folder)
