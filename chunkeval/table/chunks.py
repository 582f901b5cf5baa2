"""Rows of a source, the plan for them, and the chunks that a plan makes of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval.errors import TableError
from chunkeval.table.cells import as_key, as_spans, as_text, as_whole, cells, has_surrogates, scrub, scrubbed
from chunkeval.table.metadata import column

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from numpy.typing import NDArray


@dataclass(frozen=True)
class RawBatch:
    """Neighbouring rows of a source, as read."""

    frame: pd.DataFrame
    """Columns as read: objects, or a type that the source states."""
    first_row: int
    """0-based number of the first row in the whole source."""
    place: Callable[[int], str]
    """Name of the i-th row of this batch in messages: ``line 17``, ``row 17``, ``x.md``."""


@dataclass(frozen=True)
class MetadataColumn:
    """One column that goes through untouched."""

    source: str
    name: str
    """Name in the chunk table; differs where the source's is a core column's."""
    kind: pa.DataType | None
    """Type in parquet; None: stored as JSON."""


@dataclass(frozen=True)
class TablePlan:
    """What the first pass learned: which column is what, where ids come from, and every row's position."""

    columns: Mapping[str, str]
    """Core column to the source column that it is read from."""
    id_rule: Literal["given", "with_document", "made"]
    """As they are; ``doc_id:id``; from the content."""
    rows: int
    skipped_null: int
    surrogates: int
    """Texts in which lone surrogates become U+FFFD."""
    positions: NDArray[np.int64]
    """(rows,) order within the document."""
    metadata: tuple[MetadataColumn, ...]
    notes: tuple[str, ...]


def chunk_id(doc_id: str | None, position: int, text: str) -> str:
    """Id of a chunk that came without one: the first 16 hex digits of a sha256 over document, position and text.

    Parameters
    ----------
    doc_id
        None where the document is unknown.
    position
        Order within the document.
    text
        Without lone surrogates.

    Examples
    --------
    >>> chunk_id("문서 1", 0, "첫 문장이다.")
    'bbba2ec445d5e84f'
    """
    return hashlib.sha256(f"{doc_id or ''}\x1f{position}\x1f{text}".encode()).hexdigest()[:16]


def chunk_batches(plan: TablePlan, batches: Iterable[RawBatch]) -> Iterator[pd.DataFrame]:
    """Apply a plan: chunk-table rows, core columns first, then the metadata.

    Parameters
    ----------
    plan
        From the same batches.
    batches
        The source's rows once more.

    Yields
    ------
    pandas.DataFrame
        One a batch that has rows; the input is not changed.
    """
    for table in chunk_tables(plan, batches):
        yield frame_of(table)


def batch_of(frame: pd.DataFrame, first_row: int = 0) -> RawBatch:
    """Wrap rows of a DataFrame as a source's batch; rows are named by their number, from 1."""
    named = frame.set_axis([str(name) for name in frame.columns], axis=1).reset_index(drop=True)
    if not named.columns.is_unique:
        repeated = named.columns[named.columns.duplicated()][0]
        raise TableError(f"two columns are called {repeated!r}: rename one of them")
    return RawBatch(named, first_row, lambda i: f"row {first_row + i + 1}")


def texts_of(batch: RawBatch, name: str) -> list[str | None]:
    """Texts of a batch, surrogates still in them; None where null."""
    values = cells(batch.frame, name)
    if set(map(type, values)) <= {str}:
        return values
    return [None if value is None else as_text(value, name, partial(batch.place, i)) for i, value in enumerate(values)]


def keys_of(batch: RawBatch, name: str | None, option: str) -> list[str | None]:
    """Ids or documents of a batch as strings, None where null or empty."""
    if name is None:
        return [None] * len(batch.frame)
    values = cells(batch.frame, name)
    if set(map(type, values)) <= {str}:
        keys = [value or None for value in values]
    else:
        keys = [as_key(value, name, option, partial(batch.place, i)) for i, value in enumerate(values)]
    if has_surrogates("".join(key for key in keys if key is not None)):
        return [None if key is None else scrub(key) for key in keys]
    return keys


def with_document(doc_id: str | None, identifier: str | None) -> str | None:
    """Id that is unique in the whole table where it is within its document."""
    return identifier if doc_id is None or identifier is None else f"{doc_id}:{identifier}"


def kept(batch: RawBatch, texts: list[str | None]) -> RawBatch:
    """Leave out the rows whose text is null."""
    rows = [i for i, text in enumerate(texts) if text is not None]
    if len(rows) == len(texts):
        return batch
    return RawBatch(batch.frame.iloc[rows].reset_index(drop=True), batch.first_row, lambda i: batch.place(rows[i]))


def chunk_tables(plan: TablePlan, batches: Iterable[RawBatch]) -> Iterator[pa.Table]:
    """Apply a plan, as arrow tables of one schema."""
    done = 0
    for raw in batches:
        found = texts_of(raw, plan.columns["text"])
        batch = kept(raw, found)
        texts = scrubbed([text for text in found if text is not None])
        if texts:
            yield _chunk_table(plan, batch, texts, done)
        done += len(texts)


def _chunk_table(plan: TablePlan, batch: RawBatch, texts: list[str], done: int) -> pa.Table:
    import pyarrow as pa

    docs = keys_of(batch, plan.columns.get("doc_id"), "--doc")
    positions = plan.positions[done : done + len(texts)]
    given = keys_of(batch, plan.columns.get("chunk_id"), "--id") if plan.id_rule != "made" else [None] * len(texts)
    if plan.id_rule == "with_document":
        given = [with_document(doc, name) for doc, name in zip(docs, given, strict=True)]
    ids = [
        name if name is not None else chunk_id(doc, int(position), text)
        for name, doc, position, text in zip(given, docs, positions, texts, strict=True)
    ]

    def numbers(name: str, read: Callable[[Any], Any]) -> list[Any]:
        source = plan.columns.get(name)
        if source is None:
            return [None] * len(texts)
        return [None if cell in (None, "") else read(cell) for cell in cells(batch.frame, source)]

    arrays: dict[str, Any] = {
        "chunk_id": pa.array(ids, pa.large_string()),
        "doc_id": pa.array(docs, pa.large_string()),
        "position": pa.array(positions, pa.int64()),
        "text": pa.array(texts, pa.large_string()),
        "start": pa.array(numbers("start", as_whole), pa.int64()),
        "end": pa.array(numbers("end", as_whole), pa.int64()),
        "spans": pa.array(numbers("spans", as_spans), pa.list_(pa.list_(pa.int64()))),
    }
    for item in plan.metadata:
        arrays[item.name] = column(batch.frame, item.source, item.kind)
    return pa.table(arrays)


def frame_of(table: pa.Table) -> pd.DataFrame:
    """DataFrame of a chunk table: whole numbers stay whole, null stays null."""
    import pandas as pd
    import pyarrow as pa

    frame: pd.DataFrame = table.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get, split_blocks=True)
    frame["position"] = frame["position"].astype("int64")
    frame["spans"] = pd.Series(table["spans"].to_pylist(), index=frame.index, dtype=object)
    return frame
