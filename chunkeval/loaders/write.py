"""From a source to the chunk table, on disk or in memory: a first pass checks all of it, a second writes."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from chunkeval.config import SHARD, LoadConfig
from chunkeval.errors import SourceError, TableError
from chunkeval.loaders.source import open_source
from chunkeval.progress import Progress, Silent
from chunkeval.results import ChunkFile, SourceInfo
from chunkeval.table import RawBatch, TablePlan, batch_of, chunk_batches, chunk_tables, frame_of, plan

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_GUESS = LoadConfig()
_SLICE = 4096
"""Rows of a DataFrame that are looked at together."""


def write_chunks(source: str, config: LoadConfig, path: Path, progress: Progress) -> ChunkFile:
    """Read a source into a parquet file of checked chunks.

    Parameters
    ----------
    source
        A file, a folder, or ``-`` for standard input.
    config
        Columns named by the caller, and what to do with null texts.
    path
        File to write, in row groups of `chunkeval.config.SHARD` rows; it appears only when it is whole.
    progress
        Told of the second pass, in rows.

    Raises
    ------
    SourceError
        The source cannot be read; the message names the place and the fix.
    TableError
        A rule of the chunk table is broken; nothing was written.
    """
    opened = open_source(source)
    batches = opened.batches()
    with _named(_display(source)):
        made = plan(batches, config)
    _write(chunk_tables(made, batches), path, made.rows, progress)
    return ChunkFile(path, _info(made, source, opened.kind, opened.sha256, opened.encoding, opened.notes))


def write_frame(frame: pd.DataFrame, path: Path, config: LoadConfig) -> ChunkFile:
    """Write a DataFrame as a parquet file of checked chunks; see `write_chunks`.

    Raises
    ------
    TableError
        A rule of the chunk table is broken; nothing was written.
    """
    batches = _Slices(frame)
    with _named("<DataFrame>"):
        made = plan(batches, config)
    digest = hashlib.sha256()
    _write(_hashed(chunk_tables(made, batches), digest), path, made.rows, Silent())
    return ChunkFile(path, _info(made, "<DataFrame>", "dataframe", digest.hexdigest(), None, ()))


def load(source: str, config: LoadConfig = _GUESS) -> pd.DataFrame:
    """Read a source into one DataFrame of checked chunks.

    Parameters
    ----------
    source
        A file, a folder, or ``-`` for standard input.
    config
        Columns named by the caller, and what to do with null texts.

    Returns
    -------
    pandas.DataFrame
        Columns ``chunk_id``, ``doc_id``, ``position``, ``text``, ``start``, ``end``, ``spans``, then the metadata.

    Raises
    ------
    SourceError, TableError
        One line that names the place and the fix.
    """
    import pyarrow as pa

    batches = open_source(source).batches()
    with _named(_display(source)):
        made = plan(batches, config)
    return frame_of(pa.concat_tables(chunk_tables(made, batches)))


def scan(source: str, config: LoadConfig = _GUESS) -> Iterator[pd.DataFrame]:
    """Read a source as DataFrames of a few thousand chunks each; the whole of it is checked before the first one.

    Parameters
    ----------
    source
        A file, a folder, or ``-`` for standard input.
    config
        Columns named by the caller, and what to do with null texts.

    Raises
    ------
    SourceError, TableError
        One line that names the place and the fix; raised by the call, not by the first step of the iterator.
    """
    batches = open_source(source).batches()
    with _named(_display(source)):
        made = plan(batches, config)
    return chunk_batches(made, batches)


class _Slices:
    """A DataFrame as batches."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def __iter__(self) -> Iterator[RawBatch]:
        for first in range(0, max(len(self._frame), 1), _SLICE):
            yield batch_of(self._frame.iloc[first : first + _SLICE], first)


def _display(source: str) -> str:
    return "standard input" if source == "-" else source


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Put the source's name before what is wrong with its table."""
    try:
        yield
    except TableError as error:
        raise TableError(f"{name}: {error}") from error
    except OSError as error:
        raise SourceError(
            f"{name}: cannot be read on: {error.strerror or error}: check the disk and try again"
        ) from error


def _hashed(tables: Iterable[pa.Table], digest: hashlib._Hash) -> Iterator[pa.Table]:
    for table in tables:
        for name in ("chunk_id", "doc_id", "text"):
            for value in table[name].to_pylist():
                digest.update(b"\x00" if value is None else value.encode() + b"\x1f")
        yield table


def _write(tables: Iterable[pa.Table], path: Path, rows: int, progress: Progress) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    partial = path.with_name(f"{path.name}.partial")
    try:
        with progress.step("read the table", rows) as step:
            tables = iter(tables)
            first = next(tables)
            with pq.ParquetWriter(partial, first.schema, compression="zstd") as writer:
                pending, waiting = [first], first.num_rows
                for table in itertools.chain(tables, [None]):
                    whole = pa.concat_tables(pending)
                    full = waiting - waiting % SHARD if table is not None else waiting
                    for start in range(0, full, SHARD):
                        writer.write_table(whole.slice(start, SHARD), row_group_size=SHARD)
                    step.advance(full)
                    if table is not None:
                        pending, waiting = [whole.slice(full), table], waiting - full + table.num_rows
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _info(
    made: TablePlan, source: str, kind: str, sha256: str, encoding: str | None, notes: tuple[str, ...]
) -> SourceInfo:
    return SourceInfo(
        source=source,
        kind=kind,
        sha256=sha256,
        rows=made.rows,
        encoding=encoding,
        columns=made.columns,
        skipped_null=made.skipped_null,
        surrogates=made.surrogates,
        notes=(*notes, *made.notes),
    )
