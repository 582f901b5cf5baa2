"""Files of questions: what each kind tells, before the documents are looked at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkeval.errors import SourceError
from chunkeval.loaders.encoding import inspect
from chunkeval.loaders.source import open_source
from chunkeval.table.cells import as_whole, cells, scrub
from chunkeval.table.columns import listing, matches

QUESTION = ("question", "query", "질문")
IDS = ("question_id", "id", "qid", "uid", "_id")
ANSWERS = ("answer", "generation_gt", "answers", "정답", "답")
DOCUMENTS = ("doc_id", "corpus_id", "document_id", "document", "doc", "source", "title", "문서")
_TEXTS = ("text", "content", "quote")
_STARTS, _ENDS = ("start", "start_index"), ("end", "end_index")
_FORMS = (
    "give jsonl of {id, question, references: [{doc_id, start, end, text}]}, Chroma's csv or jsonl, SQuAD's json or "
    "AutoRAG's qa.parquet"
)


@dataclass(frozen=True)
class Told:
    """What a file says of a reference."""

    document: str | None = None
    start: int | None = None
    end: int | None = None
    text: str | None = None
    within: str | None = None
    """A paragraph of a document, which ``start`` counts in; ``document`` is only where it is likely to be."""

    @property
    def whole(self) -> bool:
        """The document itself is meant."""
        return self.start is None and self.text is None


@dataclass(frozen=True)
class Asked:
    """A question as the file has it."""

    question_id: str
    text: str
    references: tuple[Told, ...]
    answers: tuple[str, ...]
    """Any of them will do."""
    place: str
    """Where in the file."""


def read_asked(path: Path) -> list[Asked]:
    """Read the questions of a file.

    Raises
    ------
    SourceError
        It cannot be read, is of another shape, or an id repeats; the message names the place.
    """
    if not path.is_file():
        raise SourceError(f"{path}: no such file of questions: check the path")
    if not path.stat().st_size:
        raise SourceError(f"{path}: holds no question: give at least one")
    found = list(_of_json(path) if path.suffix.lower() == ".json" else _of_table(path))
    places: dict[str, str] = {}
    for asked in found:
        if asked.question_id in places:
            raise SourceError(
                f"{asked.place}: question {asked.question_id!r} is also at {places[asked.question_id]}: "
                "give each its own id"
            )
        places[asked.question_id] = asked.place
    return found


def _of_table(path: Path) -> Iterator[Asked]:
    opened = open_source(str(path))
    if opened.kind == "json":
        yield from _of_json(path)
        return
    for batch in opened.batches():
        columns = {str(name): cells(batch.frame, str(name)) for name in batch.frame.columns}
        for number in range(len(batch.frame)):
            row = {name: values[number] for name, values in columns.items()}
            yield _row(row, batch.first_row + number + 1, f"{path}: {batch.place(number)}")


def _of_json(path: Path) -> Iterator[Asked]:
    try:
        whole = json.loads(path.read_text(inspect(path, str(path)).encoding))
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror or error}: check its permissions") from error
    except json.JSONDecodeError as error:
        raise SourceError(f"{path}: line {error.lineno}, column {error.colno}: broken JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path}: is no JSON that can be read: {error}") from error
    if isinstance(whole, dict) and isinstance(whole.get("data"), list):
        yield from _squad(path, whole["data"])
        return
    rows = whole.get("questions") if isinstance(whole, dict) else whole
    if not isinstance(rows, list):
        raise SourceError(f"{path}: holds no list of questions: {_FORMS}")
    for number, row in enumerate(rows, 1):
        yield _row(row, number, f"{path}: question {number}")


def _squad(path: Path, articles: Sequence[Any]) -> Iterator[Asked]:
    """Rajpurkar et al. 2016 and, in Korean, Lim et al. 2019; of several answers the place of the first counts."""
    try:
        for article in articles:
            for paragraph in article["paragraphs"]:
                for asked in paragraph["qas"]:
                    answers = asked["answers"]
                    told: tuple[Told, ...] = ()
                    if answers:
                        text, start = scrub(answers[0]["text"]), int(answers[0]["answer_start"])
                        context = scrub(paragraph["context"])
                        told = (Told(article.get("title"), start, start + len(text), text, context),)
                    name = str(asked["id"])
                    right = _answers([answer["text"] for answer in answers])
                    yield Asked(name, scrub(asked["question"]), told, right, f"{path}: question {name!r}")
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SourceError(
            f"{path}: 'data' is not as SQuAD has it ({type(error).__name__}: {error}): "
            "give data: [{title, paragraphs: [{context, qas: [{id, question, answers: [{text, answer_start}]}]}]}]"
        ) from error


def _row(row: Any, number: int, place: str) -> Asked:
    if not isinstance(row, Mapping):
        raise SourceError(f"{place}: is no object: {_FORMS}")
    text = _first(row, QUESTION)
    if not isinstance(text, str) or not text.strip():
        raise SourceError(f"{place}: has no question among {listing(list(row))}: {_FORMS}")
    given = _first(row, ("references", "retrieval_gt"))
    if given is None:
        raise SourceError(f"{place}: has no references among {listing(list(row))}: {_FORMS}")
    named = _first(row, IDS)
    document = _first(row, DOCUMENTS)
    read = _pages if _first(row, ("references",)) is None else _references
    return Asked(
        str(number) if named is None else str(named),
        scrub(text),
        tuple(read(_decoded(given), None if document is None else str(document), place)),
        _answers(_first(row, ANSWERS)),
        place,
    )


def _references(given: Any, document: str | None, place: str) -> Iterator[Told]:
    for one in given if isinstance(given, list) else [given]:
        if isinstance(one, str):
            yield Told(document, text=scrub(one))
        elif isinstance(one, Mapping):
            yield _reference(one, document, place)
        elif isinstance(one, list) and len(one) == 2:
            yield _reference({"start": one[0], "end": one[1]}, document, place)
        else:
            raise SourceError(f"{place}: a reference is an object, a text or [start, end], not {one!r:.60}")


def _reference(one: Mapping[str, Any], document: str | None, place: str) -> Told:
    named, text = _first(one, DOCUMENTS), _first(one, _TEXTS)
    start, end = (None if (cell := _first(one, names)) is None else as_whole(cell) for names in (_STARTS, _ENDS))
    if text is not None and not isinstance(text, str):
        raise SourceError(f"{place}: a reference's text is no text but {text!r:.60}")
    if (start is None or end is None) and text is None:
        raise SourceError(f"{place}: a reference needs start and end, or text, not {dict(one)!r:.80}")
    if start is None or end is None:
        start = end = None
    return Told(document if named is None else str(named), start, end, None if text is None else scrub(text))


def _pages(given: Any, _: str | None, place: str) -> Iterator[Told]:
    """Kim et al. 2024, AutoRAG: all of the outer list are needed, any of an inner one will do; its first counts."""
    for one in given if isinstance(given, list) else [given]:
        named = one[0] if isinstance(one, list) and one else one
        if isinstance(named, str | int) and not isinstance(named, bool):
            yield Told(str(named))
        elif named:
            raise SourceError(f"{place}: retrieval_gt holds lists of documents' ids, not {one!r:.60}")


def _decoded(cell: Any) -> Any:
    """Lists as csv has them: JSON in a cell."""
    if isinstance(cell, str) and cell.lstrip().startswith(("[", "{")):
        try:
            return json.loads(cell)
        except (ValueError, RecursionError):
            return cell
    return cell


def _answers(cell: Any) -> tuple[str, ...]:
    """Texts of a cell, or of a list in it, each once."""
    cell = _decoded(cell)
    if isinstance(cell, list):
        return tuple(dict.fromkeys(text for one in cell for text in _answers(one)))
    return (scrub(cell),) if isinstance(cell, str) and cell.strip() else ()


def _first(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    found = matches(names, list(row))
    return next((row[name] for name in found if row[name] is not None), None)
