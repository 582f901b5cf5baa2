"""Make boundaries.json, chunks.csv and questions.jsonl of every language in datasets/ from what was written by hand.

Run it after a document or its questions changed:

    python scripts/make_datasets.py

Sections come from the `## ` headings. The chunks are cut on purpose by a mediocre chunker: every so many
characters, wherever that falls, so that there is something to find. Questions are written with the exact words that answer them;
here each of those quotes gets its place in the document, so that a question outlives any way of cutting.
"""

import argparse
import csv
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATASETS = Path(__file__).resolve().parents[1] / "datasets"
CHUNK_SIZES = {"ko": 200, "en": 320}
COLUMNS = ("chunk_id", "doc_id", "position", "start", "end", "content", "section", "kind")
QUESTION_KEYS = {"question", "references"}
FENCE = "```"


@dataclass(frozen=True)
class Section:
    """A stretch of a document on one subject: `document[start:end]`, in code points."""

    title: str
    start: int
    end: int


@dataclass(frozen=True)
class Document:
    """A document of a corpus; `slug` is its file's name without the ending."""

    slug: str
    kind: str
    text: str
    sections: tuple[Section, ...]


def read_document(path: Path) -> str:
    """Give the text of a file as it stands, line ends untouched.

    Raises
    ------
    ValueError
        If the file has carriage returns: offsets would then differ from one system to the next.
    """
    text = path.read_bytes().decode("utf-8")
    if "\r" in text:
        raise ValueError(f"{path}: has carriage returns; save it with \\n line ends")
    return text


def sections_of(text: str) -> tuple[Section, ...]:
    r"""Cut a Markdown document at its `## ` headings, those inside a code fence aside.

    The first section begins at 0, so that it holds the title too, and the sections joined are the document.

    Raises
    ------
    ValueError
        If the document has no `## ` heading.

    Examples
    --------
    >>> sections_of("# T\n\n## A\n\nOne.\n\n## B\n\nTwo.\n")
    (Section(title='A', start=0, end=17), Section(title='B', start=17, end=28))
    """
    starts: list[int] = []
    titles: list[str] = []
    offset, fenced = 0, False
    for line in text.splitlines(keepends=True):
        if line.startswith(FENCE):
            fenced = not fenced
        elif line.startswith("## ") and not fenced:
            starts.append(offset)
            titles.append(line[3:].strip())
        offset += len(line)
    if not starts:
        raise ValueError("the document has no '## ' heading; add one for each section")
    starts[0] = 0
    return tuple(
        Section(title, start, end) for title, start, end in zip(titles, starts, [*starts[1:], len(text)], strict=True)
    )


def read_corpus(folder: Path) -> list[Document]:
    """Read the documents of a language, in order of their names.

    Raises
    ------
    ValueError
        If kinds.json and docs/ do not name the same documents.
    """
    kinds: dict[str, str] = json.loads((folder / "kinds.json").read_text(encoding="utf-8"))
    paths = sorted((folder / "docs").glob("*.md"), key=lambda path: path.stem)
    if {path.stem for path in paths} != set(kinds):
        odd = sorted({path.stem for path in paths} ^ set(kinds))
        raise ValueError(f"{folder}: kinds.json and docs/ differ in {', '.join(odd)}; give each document its kind")
    documents = []
    for path in paths:
        text = read_document(path)
        documents.append(Document(path.stem, kinds[path.stem], text, sections_of(text)))
    return documents


def boundaries_json(documents: list[Document]) -> str:
    """Give the content of boundaries.json: for each slug its sections, one a line."""
    blocks = []
    for document in documents:
        rows = [
            json.dumps({"title": part.title, "start": part.start, "end": part.end}, ensure_ascii=False)
            for part in document.sections
        ]
        blocks.append(f"  {json.dumps(document.slug)}: [\n    " + ",\n    ".join(rows) + "\n  ]")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


def chunks_csv(documents: list[Document], size: int) -> str:
    """Give the content of chunks.csv, without its byte order mark: every `size` code points a chunk."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for document in documents:
        for position, start in enumerate(range(0, len(document.text), size)):
            end = min(start + size, len(document.text))
            section = next(part.title for part in document.sections if part.start <= start < part.end)
            name = f"{document.slug}-{position + 1:04d}"
            content = document.text[start:end]
            writer.writerow((name, document.slug, position, start, end, content, section, document.kind))
    return out.getvalue()


def anchor(quote: str, document: Document) -> tuple[int, int]:
    r"""Find where a quote stands in a document: `document.text[start:end] == quote`.

    Raises
    ------
    ValueError
        If it does not occur exactly once, or does not lie within one section.

    Examples
    --------
    >>> text = "# T\n\n## A\n\nOne.\n\n## B\n\nTwo.\n"
    >>> anchor("Two.", Document("t", "guide", text, sections_of(text)))
    (23, 27)
    """
    start = document.text.find(quote)
    if not quote or start < 0:
        raise ValueError("is not in the document; copy the words exactly as they stand there")
    if document.text.find(quote, start + 1) >= 0:
        raise ValueError("is in the document more than once; take more words around it")
    end = start + len(quote)
    if not any(part.start <= start and end <= part.end for part in document.sections):
        raise ValueError("crosses a section border; make it one reference a section")
    return start, end


def read_questions(path: Path, document: Document) -> list[dict[str, Any]]:
    """Read a document's questions and anchor their references: the rows of questions.jsonl.

    Raises
    ------
    ValueError
        If there is none, or one has other keys, no words, no references or a quote that cannot be anchored.
    """
    questions = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    if not questions:
        raise ValueError(f"{path}: no questions for {document.slug}; every document needs some")
    rows = []
    for number, asked in enumerate(questions, start=1):
        place = f"{path}: question {number}"
        if set(asked) != QUESTION_KEYS:
            odd = ", ".join(sorted(set(asked) ^ QUESTION_KEYS))
            raise ValueError(f"{place}: has unknown or missing keys: {odd}; it needs question and references")
        if not asked["question"].strip() or not asked["references"]:
            raise ValueError(f"{place} ({asked['question']!r}): needs words and at least one reference")
        references = []
        for quote in asked["references"]:
            try:
                start, end = anchor(quote, document)
            except ValueError as error:
                raise ValueError(f"{place} ({asked['question']!r}): the quote {quote!r} {error}") from error
            references.append({"doc_id": document.slug, "start": start, "end": end, "text": quote})
        rows.append({"id": f"{document.slug}-q{number}", "question": asked["question"], "references": references})
    return rows


def questions_jsonl(folder: Path, documents: list[Document]) -> str:
    """Give the content of questions.jsonl: a question a line, in order of slug, then as the files have them.

    Raises
    ------
    ValueError
        If a document has no questions, or a file of questions no document.
    """
    slugs = {document.slug for document in documents}
    for path in sorted((folder / "questions").glob("*.json")):
        if path.stem not in slugs:
            raise ValueError(f"{path}: there is no document {path.stem}; name the file like docs/<slug>.md")
    rows = [
        row
        for document in documents
        for row in read_questions(folder / "questions" / f"{document.slug}.json", document)
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def generated(folder: Path) -> dict[str, bytes]:
    """Give the bytes of each file that is made from the documents and questions in `folder`, by name."""
    documents = read_corpus(folder)
    return {
        "boundaries.json": boundaries_json(documents).encode("utf-8"),
        "chunks.csv": chunks_csv(documents, CHUNK_SIZES[folder.name]).encode("utf-8-sig"),
        "questions.jsonl": questions_jsonl(folder, documents).encode("utf-8"),
    }


def main() -> int:
    """Write the files; with `--check` only say which are out of date and give 1 if any is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is out of date")
    check: bool = parser.parse_args().check
    stale = 0
    for language in CHUNK_SIZES:
        for name, content in generated(DATASETS / language).items():
            path = DATASETS / language / name
            if path.exists() and path.read_bytes() == content:
                continue
            stale += 1
            print(f"{'out of date' if check else 'wrote'}: {path.relative_to(DATASETS.parent)}")
            if not check:
                path.write_bytes(content)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
