"""Which column of a source is what: the guesses, and the names given by hand."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkeval.errors import TableError
from chunkeval.table.cells import cells

if TYPE_CHECKING:
    import pandas as pd

TEXT_NAMES = (
    "text", "content", "contents", "texts", "chunk", "chunk_text", "page_content", "passage", "body", "snippet",
    "내용", "본문", "텍스트",
)  # fmt: skip
"""Columns that may hold the text; two of them are an error."""
ID_NAMES = ("chunk_id", "id", "uid", "uuid", "chunk_uid")
"""Columns that may name the chunk, first match wins."""
DOC_NAMES = (
    "doc_id", "document_id", "doc", "source", "source_id", "file", "filename", "path", "title", "url", "문서", "출처",
)  # fmt: skip
"""Columns that may name the document, first match wins."""
POSITION_NAMES = ("position", "chunk_index", "index", "order", "seq", "chunk_number", "순서")
"""Columns that may hold the order within the document, where all their values are whole numbers."""
OFFSET_NAMES = (
    ("start", "end"),
    ("start_index", "end_index"),
    ("start_char", "end_char"),
    ("start_char_idx", "end_char_idx"),
)
"""Pairs of columns that may hold code-point offsets, where all their values are whole numbers or null."""
CORE = ("chunk_id", "doc_id", "position", "text", "start", "end", "spans")
"""Columns of every chunk table, in this order."""


@dataclass(frozen=True)
class Roles:
    """Source columns by what they are; a dotted name reaches into a column of objects."""

    text: str
    chunk_id: str | None
    doc_id: str | None
    positions: tuple[str, ...]
    """Candidates in order; the first that holds is used."""
    offsets: tuple[str, str] | None
    spans: str | None
    id_given: bool = False
    """The id column was named by the caller: it is never taken for anything else."""
    doc_given: bool = False


def matches(names: Iterable[str], columns: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """Columns that bear one of the names: for each name the exact match, else the only one in another case.

    Examples
    --------
    >>> matches(["chunk_id", "id"], ["ID", "text", "Chunk_Id"])
    ['Chunk_Id', 'ID']
    """
    free = [column for column in columns if column not in set(taken)]
    found: list[str] = []
    for name in names:
        alike = [name] if name in free else [column for column in free if column.casefold() == name.casefold()]
        if len(alike) == 1:
            found.append(alike[0])
    return found


def assign(frame: pd.DataFrame, *, text: str | None, doc: str | None, chunk_id: str | None) -> Roles:
    """Decide what each column is, from the names and the first rows.

    Parameters
    ----------
    frame
        First rows of the source, columns as read.
    text, doc, chunk_id
        Columns named by the caller; None: guess.

    Raises
    ------
    TableError
        No column can be the text, more than one can, or a named column is not there.
    """
    columns = [str(column) for column in frame.columns]
    text_column = _named(frame, text, "--text") if text is not None else _guess_text(columns)
    taken = {text_column}
    if chunk_id is not None:
        taken.add(_named(frame, chunk_id, "--id"))
    if doc is not None:
        taken.add(_named(frame, doc, "--doc"))
    id_column = chunk_id if chunk_id is not None else _first(matches(ID_NAMES, columns, taken), frame)
    taken |= {id_column} if id_column else set()
    doc_column = doc if doc is not None else _first(matches(DOC_NAMES, columns, taken), frame)
    if doc_column is None:
        doc_column = _inside_metadata(frame, matches(["metadata"], columns, taken))
    taken |= {doc_column} if doc_column else set()
    offsets = [pair for names in OFFSET_NAMES if len(pair := matches(names, columns, taken)) == 2]
    return Roles(
        text=text_column,
        chunk_id=_named(frame, chunk_id, "--id") if chunk_id is not None else id_column,
        doc_id=_named(frame, doc, "--doc") if doc is not None else doc_column,
        positions=tuple(matches(POSITION_NAMES, columns, taken)),
        offsets=(offsets[0][0], offsets[0][1]) if offsets else None,
        spans=next(iter(matches(["spans"], columns, taken)), None),
        id_given=chunk_id is not None,
        doc_given=doc is not None,
    )


def text_candidates(columns: Iterable[str]) -> list[str]:
    """All columns whose name says that they hold the text."""
    known = {name.casefold() for name in TEXT_NAMES}
    return [column for column in columns if column.casefold() in known]


def two_texts(candidates: Sequence[str]) -> TableError:
    """Build the error for more than one text column."""
    listed = " and ".join(repr(name) for name in candidates)
    return TableError(f"columns {listed} could each be the text: choose one with --text, e.g. --text {candidates[0]}")


def _guess_text(columns: Sequence[str]) -> str:
    found = text_candidates(columns)
    if len(found) > 1:
        raise two_texts(found)
    if not found:
        raise TableError(f"no text column among {listing(columns)}: name it with --text COLUMN")
    return found[0]


def listing(columns: Sequence[str]) -> str:
    """Column names for a message, on one line and not endless."""
    shown = ", ".join(repr(str(column)) for column in columns[:20])
    return shown + (f" and {len(columns) - 20} more" if len(columns) > 20 else "")


def _named(frame: pd.DataFrame, name: str, option: str) -> str:
    columns = [str(column) for column in frame.columns]
    if name in columns:
        return name
    alike = [column for column in columns if column.casefold() == name.casefold()]
    if len(alike) == 1:
        return alike[0]
    outer = name.partition(".")[0]
    if "." in name and outer in columns and any(isinstance(cell, dict) for cell in cells(frame, outer)):
        return name
    near = difflib.get_close_matches(name, columns, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise TableError(f"no column {name!r} for {option}: {hint}(columns: {listing(columns)})")


def _first(found: Sequence[str], frame: pd.DataFrame) -> str | None:
    """Pass over candidates that hold objects or lists: they cannot be a name."""
    for column in found:
        if not any(isinstance(cell, dict | list) for cell in cells(frame, column)):
            return column
    return None


def _inside_metadata(frame: pd.DataFrame, metadata: Sequence[str]) -> str | None:
    for column in metadata:
        keys = {key: None for cell in cells(frame, column) if isinstance(cell, dict) for key in cell}
        found = matches(DOC_NAMES, [key for key in keys if isinstance(key, str)])
        if found:
            return f"{column}.{found[0]}"
    return None
