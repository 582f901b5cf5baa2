"""The documents that all strategies cut: read, or pieced together from the tables, and checked against them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval import loaders
from chunkeval.config import LoadConfig
from chunkeval.errors import TableError
from chunkeval.loaders.documents import Documents

if TYPE_CHECKING:
    from chunkeval.compare.strategies import Strategy

NAMED = 5
"""Documents that a message names."""

Span = tuple[int, int]


@dataclass(frozen=True)
class Corpus:
    """Texts of documents, on disk in a stream and in memory by name."""

    stored: Documents
    texts: Mapping[str, str]
    exact: frozenset[str]
    """Documents whose code points are those that the tables' offsets count; of others only the texts are known."""


@dataclass(frozen=True)
class Row:
    """What a comparison needs of a chunk."""

    name: str
    doc_id: str | None
    text: str
    spans: tuple[Span, ...] | None
    """Of the document; None where unknown, or where the text was rewritten."""


def rows_of(strategy: Strategy) -> tuple[list[int], list[Row]]:
    """Read a table's chunks in the order of their documents: places in the table, and the chunks."""
    import numpy as np
    import pyarrow.parquet as pq

    columns = ["chunk_id", "doc_id", "position", "text", "start", "end", "spans", "derived"]
    there = pq.read_schema(strategy.file.path).names
    table = pq.read_table(strategy.file.path, columns=[name for name in columns if name in there]).to_pydict()
    seen: dict[str | None, int] = {}
    place = np.array([seen.setdefault(name, len(seen)) for name in table["doc_id"]], dtype=np.int64)
    position = np.array(table["position"], dtype=np.int64)
    order: list[int] = np.lexsort((np.arange(len(place)), position, place)).tolist()
    return order, [_row({name: values[at] for name, values in table.items()}) for at in order]


def _row(values: Mapping[str, Any]) -> Row:
    spans: tuple[Span, ...] | None = None
    known = values.get("derived") is not True
    if known and values["spans"]:
        spans = tuple((int(first), int(after)) for first, after in values["spans"])
    elif known and values["start"] is not None and values["end"] is not None:
        spans = ((values["start"], values["end"]),)
    return Row(values["chunk_id"], values["doc_id"], values["text"], spans)


def read_texts(stored: Documents) -> Corpus:
    """Hold documents that were read."""
    texts = {document.doc_id: document.text for document in stored}
    return Corpus(stored, texts, frozenset(texts))


def pieced(tables: Mapping[str, Sequence[Row]], folder: Path) -> Corpus | None:
    """Piece documents together from chunks: exactly where offsets tile them, else by joining the first table's texts.

    Returns
    -------
    Corpus or None
        None where no table names its documents.
    """
    exact: dict[str, str] = {}
    joined: dict[str, str] = {}
    for rows in tables.values():
        for name, own in _by_document(rows).items():
            whole = _tiled(own)
            if whole is not None and len(whole) > len(exact.get(name, "")):
                exact[name] = whole
            joined.setdefault(name, "".join(row.text for row in own))
    if not joined:
        return None
    import pandas as pd

    texts = {name: exact.get(name, text) for name, text in joined.items()}
    frame = pd.DataFrame({"doc_id": list(texts), "text": list(texts.values())})
    held = loaders.write_frame(frame, folder / "documents.parquet", LoadConfig(text="text", doc="doc_id"))
    return Corpus(Documents(held.path, held.info, "doc_id"), texts, frozenset(exact))


def _by_document(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.doc_id is not None:
            found.setdefault(row.doc_id, []).append(row)
    return found


def _tiled(rows: Sequence[Row]) -> str | None:
    """Text of a document that chunks of one span cover from its start on without a gap."""
    whole = ""
    for row in sorted(rows, key=lambda row: row.spans[0] if row.spans else (0, 0)):
        if row.spans is None or len(row.spans) > 1:
            return None
        start, end = row.spans[0]
        if start > len(whole) or end - start != len(row.text):
            return None
        if end > len(whole):
            whole += row.text[len(whole) - start :]
    return whole


def check(tables: Mapping[str, Sequence[Row]], corpus: Corpus, *, given: bool) -> list[str]:
    """Refuse tables that are of other documents, and offsets that do not give the text.

    Parameters
    ----------
    tables
        Chunks by strategy.
    corpus
        The documents.
    given
        Whether the documents were read rather than pieced together from the tables.

    Returns
    -------
    list of str
        What a reader should know: documents of which a table has no chunk.

    Raises
    ------
    TableError
        The message names table, document and chunk.
    """
    notes = []
    common: set[str] | None = None
    for name, rows in tables.items():
        own = {row.doc_id for row in rows if row.doc_id is not None}
        foreign = sorted(own - corpus.texts.keys())
        if given and foreign:
            raise TableError(
                f"table {name!r} has chunks of documents that are not among those given: {named(foreign)}: "
                f"give the documents that it was cut from, or name its column of documents with --doc"
            )
        for row in rows:
            if row.doc_id in corpus.exact and row.spans is not None:
                _check_text(name, row, corpus.texts[row.doc_id], given=given)
        lacking = sorted(corpus.texts.keys() - own)
        if own and common is not None and not own & common:
            raise TableError(
                f"table {name!r} has none of the documents that the tables before it have in common "
                f"({named(sorted(common))}), but {named(sorted(own))}: compare tables of the same ones"
            )
        if own:
            common = own if common is None else own & common
        if lacking and own:
            notes.append(f"{name}: no chunk of {counted(lacking)} ({named(lacking)})")
        if not own:
            notes.append(f"{name}: its chunks name no document, so that nothing can be compared document by document")
    return notes


def _check_text(name: str, row: Row, document: str, *, given: bool) -> None:
    assert row.spans is not None
    if "".join(document[start:end] for start, end in row.spans) != row.text:
        fix = "give the documents that it was cut from" if given else "give them with --docs"
        raise TableError(
            f"table {name!r}, chunk {row.name!r}: its offsets do not give its text in document {row.doc_id!r}: {fix}, "
            f"or leave start and end out of the table"
        )


def counted(documents: Sequence[str]) -> str:
    """Say how many documents there are.

    Examples
    --------
    >>> counted(["가"]), counted(["가", "나"])
    ('1 document', '2 documents')
    """
    return "1 document" if len(documents) == 1 else f"{len(documents):,} documents"


def named(names: Sequence[str]) -> str:
    """Name some of several things."""
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(map(repr, names[:NAMED])) + more
