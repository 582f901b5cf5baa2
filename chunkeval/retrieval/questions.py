"""Questions with the places that answer them: on the documents, so that they survive any way of cutting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chunkeval.errors import SourceError
from chunkeval.retrieval.placing import Place, Places
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
