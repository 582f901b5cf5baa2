"""Tables for other programs, written in a stream: parquet, jsonl or csv by their ending; texts exact, nothing cut or guarded."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval.errors import ConfigError, RunError

if TYPE_CHECKING:
    import pyarrow as pa

ENDINGS = (".parquet", ".jsonl", ".csv")

Write = Callable[["pa.RecordBatch"], None]


def check_out(paths: Sequence[Path], *, overwrite: bool) -> None:
    """Refuse a table of no known kind, and one that is there already.

    Raises
    ------
    ConfigError
        The ending is of no kind of table.
    RunError
        A table is there already.
    """
    for path in paths:
        if path.suffix.lower() not in ENDINGS:
            raise ConfigError(f"--out {path}: give a table by its ending, {', '.join(ENDINGS)}")
        if path.exists() and not overwrite:
            raise RunError(f"{path} is there already: --overwrite replaces it, --out names another")


@contextmanager
def table(path: Path, schema: pa.Schema) -> Iterator[Write]:
    """Open a table for writing in batches; it gets its name when all is in."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    kinds = {".parquet": _parquet, ".jsonl": _jsonl, ".csv": _csv}
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with kinds[path.suffix.lower()](unfinished, schema) as write:
            yield write
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def _parquet(path: Path, schema: pa.Schema) -> Iterator[Write]:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(path, schema) as writer:
        yield writer.write_batch


@contextmanager
def _jsonl(path: Path, schema: pa.Schema) -> Iterator[Write]:
    from chunkeval.report.files import json_line
    from chunkeval.summary import plain

    with path.open("w", encoding="utf-8", newline="\n") as file:
        yield lambda batch: file.writelines(json_line(plain(record)) for record in batch.to_pylist())


@contextmanager
def _csv(path: Path, schema: pa.Schema) -> Iterator[Write]:
    import json

    from chunkeval.summary import plain

    def cell(value: Any) -> Any:
        return json.dumps(plain(value), ensure_ascii=False) if isinstance(value, list | dict) else value

    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(schema.names)
        yield lambda batch: writer.writerows([cell(value) for value in record.values()] for record in batch.to_pylist())
