"""Documents on one line, and chunk tables on it: a chunk's spans say where it is, also which document it is of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.chunkers.anchoring import places_of
from chunkeval.errors import InputError, TableError
from chunkeval.retrieval.placing import Places

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.results import Ints
    from chunkeval.retrieval.metrics import Mode, Span, Spans
    from chunkeval.retrieval.questions import Reference

_SHOWN = 3


class Line:
    """All documents one behind the other, with a gap so that none touches the next.

    Parameters
    ----------
    documents
        Id to text.

    Examples
    --------
    >>> line = Line({"가": "하나 둘", "나": "셋"})
    >>> line.starts, line.end
    ({'가': 0, '나': 5}, 7)
    """

    def __init__(self, documents: Mapping[str, str]) -> None:
        self.documents = documents
        self.places = Places(documents)
        self.starts: dict[str, int] = {}
        self.end = 0
        for doc_id, text in documents.items():
            self.starts[doc_id] = self.end
            self.end += len(text) + 1

    def spans(self, references: Sequence[Reference]) -> list[Span]:
        """Give references as spans of the line.

        Raises
        ------
        InputError
            One is of a document that is not on it.
        """
        for reference in references:
            if reference.doc_id not in self.starts:
                raise InputError(
                    f"a question refers to document {reference.doc_id!r}, which is not among those given: "
                    "read the questions with the same documents"
                )
        return [(self.starts[r.doc_id] + r.start, self.starts[r.doc_id] + r.end) for r in references]


@dataclass(frozen=True)
class Placed:
    """The chunks of a table on the line, in the table's order."""

    texts: list[str]
    spans: list[Spans]
    """A chunk that is in no known document lies behind the line's end."""
    documents: list[str | None]
    """Ids on the line."""
    flagged: list[bool] | None
    _flat: Ints
    """(m, 3): start, end and chunk of every span."""

    def near(self, references: Spans) -> list[int]:
        """Give the chunks that overlap a reference or touch it."""
        start, end, chunk = self._flat.T
        found = [chunk[(start <= last) & (end >= first)] for first, last in references]
        return [int(row) for row in np.unique(np.concatenate(found))]


def placed(name: str, table: pd.DataFrame, line: Line, mode: Mode) -> Placed:
    """Put a table's chunks on the line.

    Offsets are taken where the document has the chunk's text there. Chunks of a document that lack them, or whose
    offsets are wrong, are looked for one after the other. With ``chroma``, every chunk is where its text without a final
    full stop occurs first.

    Parameters
    ----------
    name
        The strategy's, for messages.
    table
        As `evaluate` takes it.

    Raises
    ------
    TableError
        A column is missing, there is no chunk, or none of a document on the line.
    """
    for column in ("doc_id", "text"):
        if column not in table.columns:
            raise TableError(f"strategy {name!r}: its table has no column {column!r}: give one")
    if not len(table):
        raise TableError(f"strategy {name!r} has no chunks: leave it out, or give its table")
    texts = [str(text) for text in table["text"]]
    documents = [_known(value, line) for value in table["doc_id"]]
    if not any(documents):
        theirs, ours = (
            ", ".join(map(repr, list(dict.fromkeys(ids))[:_SHOWN])) for ids in (table["doc_id"], line.starts)
        )
        raise TableError(
            f"strategy {name!r}: none of its documents ({theirs}) is known (known: {ours}): "
            "give the documents that it was cut from, or name the right column with --doc"
        )
    spans: list[Spans | None] = [None] * len(texts)
    if mode == "strict":
        given = zip(documents, texts, _given(table), strict=True)
        spans = [_checked(line, doc_id, text, told) for doc_id, text, told in given]
    _look_for(line, documents, texts, spans, mode)
    behind = line.end
    for row, text in enumerate(texts):
        if spans[row] is None:
            spans[row] = ((behind, behind + len(text)),)
            behind += len(text) + 1
    whole = [each for each in spans if each is not None]
    flat = np.array([(a, b, row) for row, each in enumerate(whole) for a, b in each], np.int64)
    flagged = [bool(value) for value in table["flagged"].fillna(False)] if "flagged" in table.columns else None
    return Placed(texts, whole, documents, flagged, flat.reshape(-1, 3))


def _known(value: Any, line: Line) -> str | None:
    return None if value is None or value != value else line.places.meant(str(value))


def _given(table: pd.DataFrame) -> Iterator[Spans | None]:
    """What the table says of each chunk's place in its document."""
    from chunkeval.table.cells import as_spans, as_whole, cells

    columns = (cells(table, name) for name in ("start", "end", "spans"))
    for start, end, several in zip(*columns, strict=True):
        first, last = as_whole(start), as_whole(end)
        if first is not None and last is not None:
            yield ((first, last),)
        else:
            told = None if several is None else as_spans([list(pair) for pair in several])
            yield None if told is None else tuple((a, b) for a, b in told)


def _checked(line: Line, doc_id: str | None, text: str, told: Spans | None) -> Spans | None:
    if doc_id is None or not told:
        return None
    document, at = line.documents[doc_id], line.starts[doc_id]
    inside = all(0 <= a <= b <= len(document) for a, b in told)
    if not inside or "".join(document[a:b] for a, b in told) != text:
        return None
    return tuple((at + a, at + b) for a, b in told)


def _look_for(
    line: Line, documents: Sequence[str | None], texts: Sequence[str], spans: list[Spans | None], mode: Mode
) -> None:
    """Fill in the places that are not known, where the text is in its document."""
    lacking: dict[str, list[int]] = {}
    for row, doc_id in enumerate(documents):
        if spans[row] is None and doc_id is not None:
            lacking.setdefault(doc_id, []).append(row)
    for doc_id, rows in lacking.items():
        document, at = line.documents[doc_id], line.starts[doc_id]
        found = places_of(document, [texts[row] for row in rows])
        for row, span in zip(rows, found, strict=True):
            if mode == "chroma":
                wanted = texts[row].removesuffix(".")
                first = document.find(wanted) if wanted else -1
                span = (first, first + len(wanted)) if first >= 0 else span
            if span is not None:
                spans[row] = ((at + span[0], at + span[1]),)
