"""Rows of a chunk file, read where they are needed: only the row groups that hold them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chunkeval.table.columns import CORE


def pick(path: Path, rows: Sequence[int], columns: Sequence[str] | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows at these places in the file's order, whatever the order asked; one row group is in memory at a time.

    Parameters
    ----------
    path
        A parquet file.
    rows
        Places from 0; each once.
    columns
        Columns to read; all where not given.

    Yields
    ------
    tuple of int and dict
        The place and its values by column.
    """
    import pyarrow.parquet as pq

    wanted = np.unique(np.asarray(rows, dtype=np.int64))
    if not wanted.size:
        return
    with pq.ParquetFile(path) as file:
        first = 0
        for group in range(file.metadata.num_row_groups):
            after = first + file.metadata.row_group(group).num_rows
            here = wanted[np.searchsorted(wanted, first) : np.searchsorted(wanted, after)]
            if here.size:
                table = file.read_row_group(group, columns=None if columns is None else list(columns))
                yield from zip(here.tolist(), table.take(here - first).to_pylist(), strict=True)
            first = after


def texts(path: Path, rows: Sequence[int]) -> list[str]:
    """Texts of the chunks at these places, in the order asked.

    Parameters
    ----------
    path
        A run's ``chunks.parquet``.
    rows
        Places from 0.
    """
    found = {row: str(values["text"]) for row, values in pick(path, list(rows), ["text"])}
    return [found[row] for row in rows]


def metadata(path: Path, rows: Sequence[int]) -> list[dict[str, Any]]:
    """Give what the table says besides its core columns about the chunks at these places, in the order asked.

    Parameters
    ----------
    path
        A run's ``chunks.parquet``.
    rows
        Places from 0.
    """
    import pyarrow.parquet as pq

    names = [name for name in pq.read_schema(path).names if name not in CORE]
    if not names:
        return [{} for _ in rows]
    found = dict(pick(path, list(rows), names))
    return [found[row] for row in rows]


def holding(path: Path, texts: Sequence[str]) -> dict[str, int]:
    """Find the first chunk with the very same text, for each of some texts that any chunk has.

    Parameters
    ----------
    path
        A run's ``chunks.parquet``.
    texts
        Without lone surrogates, which no chunk has.

    Returns
    -------
    dict
        Text to the place of a chunk, from 0.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    found: dict[str, int] = {}
    with pq.ParquetFile(path) as file:
        wanted = pa.array(sorted(set(texts)), file.schema_arrow.field("text").type)
        first = 0
        for batch in file.iter_batches(columns=["text"]):
            for place in np.flatnonzero(pc.is_in(batch["text"], value_set=wanted)):
                found.setdefault(batch["text"][int(place)].as_py(), first + int(place))
            first += len(batch)
    return found
