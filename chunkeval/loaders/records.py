"""Objects of JSON as rows: batches of a bounded size, documents unfolded into their chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chunkeval.table import RawBatch
from chunkeval.table.columns import DOC_NAMES, ID_NAMES, TEXT_NAMES

if TYPE_CHECKING:
    import pandas as pd

ROWS = 4096
"""Rows of a batch at most."""
CHARACTERS = 1 << 23
"""Characters after which a batch is full, whatever its rows."""
_DOCUMENT_IDS = ("doc_id", "document_id")
_TEXTS = frozenset(name.casefold() for name in TEXT_NAMES)


@dataclass(frozen=True)
class Record:
    """One row as read."""

    row: Mapping[str, Any]
    place: str
    size: int
    """Characters, about."""


def batches(records: Iterable[Record]) -> Iterator[RawBatch]:
    """Gather records into batches of at most `ROWS` rows and about `CHARACTERS` characters."""
    pending: list[Record] = []
    size = first = 0
    for record in records:
        pending.append(record)
        size += record.size
        if len(pending) >= ROWS or size >= CHARACTERS:
            yield _batch(pending, first)
            first += len(pending)
            pending, size = [], 0
    if pending:
        yield _batch(pending, first)


def _batch(records: list[Record], first_row: int) -> RawBatch:
    names = dict.fromkeys(name for record in records for name in record.row)
    places = [record.place for record in records]
    return RawBatch(
        object_frame({name: [r.row.get(name) for r in records] for name in names}), first_row, places.__getitem__
    )


def object_frame(columns: Mapping[str, list[Any]]) -> pd.DataFrame:
    """DataFrame whose cells are the objects given, untouched."""
    import pandas as pd

    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})


def unfold(record: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Rows of a document that holds its chunks under ``chunks``; None where it holds none.

    A row has the chunk's fields and those of its document that the chunk lacks, but for the document's own text.
    The ``id`` of a document that has no ``doc_id`` becomes its chunks' ``doc_id``.

    Examples
    --------
    >>> unfold({"id": "문서1", "content": "가. 나.", "chunks": [{"content": "가."}, "나."]})
    [{'doc_id': '문서1', 'content': '가.'}, {'doc_id': '문서1', 'text': '나.'}]
    """
    chunks = record.get("chunks")
    if not isinstance(chunks, list) or not all(isinstance(chunk, dict | str) for chunk in chunks):
        return None
    shared = {name: value for name, value in record.items() if name != "chunks" and name.casefold() not in _TEXTS}
    if not any(name.casefold() in _DOCUMENT_IDS for name in shared):
        named = next((name for name in ID_NAMES[1:] if name in shared), None)
        if named is not None:
            shared = {"doc_id": shared.pop(named), **shared}
    return [{**shared, **(chunk if isinstance(chunk, dict) else {"text": chunk})} for chunk in chunks]


def rows_of(value: Any, place: str, size: int, refuse: Callable[[str], Exception]) -> Iterator[Record]:
    """Rows of one JSON value: an object is one, a document with chunks several, a string a text.

    Parameters
    ----------
    refuse
        Makes the error for a value that is neither.
    """
    if isinstance(value, str):
        yield Record({"text": value}, place, size)
        return
    if not isinstance(value, dict):
        raise refuse(f"{place}: {_called(value)} where an object with a text is needed")
    chunks = unfold(value)
    if chunks is None:
        yield Record(value, place, size)
        return
    for number, chunk in enumerate(chunks, 1):
        yield Record(chunk, f"{place}, chunk {number}", size // len(chunks))


def _called(value: Any) -> str:
    return "a list" if isinstance(value, list) else "null" if value is None else f"the value {str(value)[:40]!r}"


def names_a_document(row: Mapping[str, Any]) -> bool:
    """Whether a row says what document it is from."""
    return any(name.casefold() in DOC_NAMES for name in row)
