"""parquet: one file, or a folder of them read one after the other; types stay as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from chunkeval.errors import SourceError
from chunkeval.loaders.source import Content, Loader, SourceFile
from chunkeval.table import RawBatch

if TYPE_CHECKING:
    import pyarrow.parquet as pq

ROWS = 1024
"""Rows of a batch: few, since nothing says how long texts are."""


def _open(files: Sequence[SourceFile]) -> Content:
    for file in files:
        with _reader(file) as reader:
            names = _names(file, reader)
            repeated = [name for name in names if names.count(name) > 1]
            if repeated:
                raise SourceError(f"{file.name}: two columns are called {repeated[0]!r}: rename one of them")
    return Content(lambda: _batches(files))


def _reader(file: SourceFile) -> pq.ParquetFile:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(file.path)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _broken(file, error) from error


def _names(file: SourceFile, reader: pq.ParquetFile) -> list[str]:
    try:
        return list(reader.schema_arrow.names)
    except ValueError as error:
        raise _broken(file, error) from error


def _broken(file: SourceFile, error: Exception) -> SourceError:
    reason = " ".join(str(error).split())[:160]
    return SourceError(f"{file.name}: broken parquet ({reason}): write the file again")


def _batches(files: Sequence[SourceFile]) -> Iterator[RawBatch]:
    import pandas as pd
    import pyarrow as pa

    first = 0
    for file in files:
        before = first
        prefix = f"{file.relative}, " if len(files) > 1 else ""
        with _reader(file) as reader:
            batches = reader.iter_batches(batch_size=ROWS)
            while True:
                try:
                    batch: Any = next(batches, None)
                    if batch is None:
                        break
                    batch.validate(full=True)
                    # what pandas once noted about its index is no part of the table, and may be damaged
                    frame = batch.replace_schema_metadata(None).to_pandas(types_mapper=pd.ArrowDtype)
                except (pa.ArrowException, OSError, ValueError) as error:
                    raise _broken(file, error) from error
                yield RawBatch(frame, first, partial(_place, prefix, first - before))
                first += len(frame)


def _place(prefix: str, start: int, i: int) -> str:
    return f"{prefix}row {start + i + 1}"


PARQUET = Loader(endings=(".parquet", ".pq"), text=False, folder=True, open=_open)
