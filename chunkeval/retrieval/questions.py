"""Questions with the places that answer them: on the documents, so that they survive any way of cutting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chunkeval.errors import SourceError
from chunkeval.retrieval.placing import NoPlaceError, Places
from chunkeval.retrieval.question_files import Asked, Told, read_asked

_NAMED = 3
"""Skipped questions, and ids, that a message names."""


@dataclass(frozen=True)
class Reference:
    """A place that answers a question: code points ``[start, end)`` of a document."""

    doc_id: str
    start: int
    end: int


@dataclass(frozen=True)
class Question:
    """A question and all that has to be read to answer it."""

    question_id: str
    text: str
    references: tuple[Reference, ...]
    """Not empty; every one is needed."""
    answer: str | None = None
    other_answers: tuple[str, ...] = ()
    """That are as good."""

    @property
    def answers(self) -> tuple[str, ...]:
        """All that are right; none where the file names none."""
        return (() if self.answer is None else (self.answer,)) + self.other_answers

    @property
    def doc_id(self) -> str:
        """The document of its first reference: questions of one document are not independent of each other."""
        return self.references[0].doc_id


@dataclass(frozen=True)
class Questions:
    """What a file of questions gave."""

    questions: tuple[Question, ...]
    skipped: tuple[tuple[str, str], ...] = ()
    """Questions left out: id, and why."""


def read_questions(path: Path, documents: Mapping[str, str], *, strict: bool = False) -> Questions:
    """Read questions and find their references in the documents.

    A reference is a span, a text to be found, or both: a span whose text is not there is mended by its text where that
    occurs once. Texts are looked for as they are, then by their composed form with white space passed over; a text that
    is nowhere, or in several places, has no place. A question is left out as a whole where one of its references has no
    place. Documents are known by their ids, or by an id without its folder and ending where only one has that.

    Parameters
    ----------
    path
        jsonl or json of ``{id, question, references: [{doc_id, start, end, text}]}``; Chroma's csv or jsonl
        (``question, references, corpus_id``); SQuAD's or KorQuAD's json; AutoRAG's parquet
        (``qid, query, retrieval_gt``), whose references are whole documents.
    documents
        Id to text.
    strict
        Refuse the file where a question would be left out.

    Returns
    -------
    Questions

    Raises
    ------
    SourceError
        The file cannot be read, is of another shape, an id repeats, no question is left, or one is left out and
        ``strict``.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "questions.jsonl"
    >>> line = '{"id": "q1", "question": "무엇을 먹나?", "references": [{"doc_id": "판다", "text": "대나무를  먹는다."}]}'
    >>> _ = path.write_text(line, "utf-8")
    >>> found = read_questions(path, {"판다.md": "판다는 대나무를 먹는다. 곰이다."})
    >>> found.questions[0].references
    (Reference(doc_id='판다.md', start=4, end=13),)
    """
    asked = read_asked(path)
    places = Places(documents)
    kept: list[Question] = []
    skipped: list[tuple[str, str]] = []
    for one in asked:
        try:
            references = tuple(_placed(told, places) for told in one.references)
        except NoPlaceError as error:
            skipped.append((one.question_id, str(error)))
            continue
        if references:
            first, *others = one.answers or (None,)
            kept.append(Question(one.question_id, one.text, references, first, tuple(filter(None, others))))
        else:
            skipped.append((one.question_id, "nothing in the documents is said to answer it"))
    if skipped and (strict or not kept):
        raise SourceError(f"{path}: {_complaint(asked, skipped, documents)}")
    if not kept:
        raise SourceError(f"{path}: holds no question: give at least one")
    return Questions(tuple(kept), tuple(skipped))


def _placed(told: Told, places: Places) -> Reference:
    if told.within is not None:
        return _in_paragraph(told, told.within, places)
    doc_id = None if told.document is None else places.document(told.document)
    if doc_id is None and told.text is None:
        raise NoPlaceError("a reference does not say of which document it is")
    if doc_id is not None and told.whole:
        if not places.documents[doc_id].strip():
            raise NoPlaceError(f"document {doc_id!r} has no text")
        return Reference(doc_id, 0, len(places.documents[doc_id]))
    if doc_id is not None and told.start is not None and told.end is not None:
        length = len(places.documents[doc_id])
        inside = 0 <= told.start < told.end <= length
        if inside and told.text in (None, places.documents[doc_id][told.start : told.end]):
            return Reference(doc_id, told.start, told.end)
        if told.text is None:
            raise NoPlaceError(f"[{told.start}, {told.end}) is no place in {doc_id!r}, which has {length} code points")
    assert told.text is not None
    return Reference(*places.find(told.text, doc_id))


def _in_paragraph(told: Told, paragraph: str, places: Places) -> Reference:
    """Find the paragraph, then the answer in it."""
    assert told.text is not None and told.start is not None and told.end is not None
    try:
        likely = places.document(told.document) if told.document is not None else None
        at = places.find(paragraph, likely)
    except NoPlaceError:
        at = places.find(paragraph)
    start, end = at.start + told.start, at.start + told.end
    if places.documents[at.doc_id][start:end] == told.text:
        return Reference(at.doc_id, start, end)
    within = Places({at.doc_id: places.documents[at.doc_id][at.start : at.end]}).find(told.text)
    return Reference(at.doc_id, at.start + within.start, at.start + within.end)


def _complaint(asked: Sequence[Asked], skipped: Sequence[tuple[str, str]], documents: Mapping[str, str]) -> str:
    shown = "; ".join(f"question {name!r}: {why}" for name, why in skipped[:_NAMED])
    more = f" (and {len(skipped) - _NAMED:,} more)" if len(skipped) > _NAMED else ""
    left = "no question is left" if len(skipped) == len(asked) else f"{len(skipped):,} of {len(asked):,} are left out"
    known = ", ".join(map(repr, list(documents)[:_NAMED])) or "none"
    return f"{left}: {shown}{more}: mend the references, or give the documents that they are about (known: {known})"
