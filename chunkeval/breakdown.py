"""Flags by the values of a metadata column."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from chunkeval.errors import ConfigError, unknown_name

GROUPS = 50
"""Values that a breakdown by a metadata column lists; the rest are counted together."""


def breakdown(chunks: Path, name: str, flagged: Any) -> dict[str, Any]:
    """Count flags by a metadata column's values, most frequent first; what is beyond `GROUPS` values is counted together.

    Raises
    ------
    ConfigError
        The table has no such column, or it holds lists.
    """
    check_by(chunks, name)
    import pyarrow.parquet as pq

    chunk_count: Counter[str | None] = Counter()
    flag_count: Counter[str | None] = Counter()
    row = 0
    with pq.ParquetFile(chunks) as file:
        for batch in file.iter_batches(columns=[name]):
            values = [None if value is None else str(value) for value in batch.column(0).to_pylist()]
            chunk_count.update(values)
            flag_count.update(value for value, bad in zip(values, flagged[row : row + len(values)], strict=True) if bad)
            row += len(values)
    ordered = sorted(chunk_count, key=lambda value: (-chunk_count[value], value is None, value or ""))
    groups = [_group(value, chunk_count[value], flag_count[value]) for value in ordered[:GROUPS]]
    rest = ordered[GROUPS:]
    found: dict[str, Any] = {"column": name, "groups": groups}
    if rest:
        found["others"] = {
            "values": len(rest),
            **_group(None, sum(chunk_count[v] for v in rest), sum(flag_count[v] for v in rest)),
        }
        del found["others"]["value"]
    return found


def check_by(chunks: Path, name: str) -> None:
    """Refuse a column that no breakdown can be made by; cheap, so that it can come before the work.

    Raises
    ------
    ConfigError
        The table has no such column; the message gives the nearest. Or the column is the text, or holds lists.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pq.read_schema(chunks)
    if name not in schema.names:
        raise ConfigError(f"--by: {unknown_name('column', name, schema.names)}")
    if name == "text" or pa.types.is_nested(schema.field(name).type):
        raise ConfigError(f"--by {name}: its values name no groups; give a column such as a source or a category")


def _group(value: str | None, chunks: int, flagged: int) -> dict[str, Any]:
    return {"value": value, "chunks": chunks, "flagged": flagged, "flagged_share": share(flagged, chunks)}


def share(count: int, total: int) -> float:
    """Give a part of a whole, rounded as a summary says it; 0 of nothing."""
    return round(count / total, 6) if total else 0.0
