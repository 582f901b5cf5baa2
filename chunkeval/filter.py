"""A run's table without its bad chunks, and what was left out."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.errors import ConfigError, RunError

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from chunkeval.runs import Run

ENDINGS = (".parquet", ".jsonl", ".csv")

Write = Callable[["pa.RecordBatch"], None]


@dataclass(frozen=True)
class Filtered:
    """What went where."""

    kept: int
    left_out: int
    out: Path
    left_out_path: Path
    kept_by_hand: int
    """Chunks that stay because a person said so."""
    left_out_by_hand: int
    """Chunks that go because a person said so."""

    @property
    def decided(self) -> int:
        """Chunks that a person's decision settled."""
        return self.kept_by_hand + self.left_out_by_hand

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as the command prints them with ``--json``."""
        return {
            "kept": self.kept,
            "left_out": self.left_out,
            "decided": self.decided,
            "kept_by_hand": self.kept_by_hand,
            "left_out_by_hand": self.left_out_by_hand,
            "out": str(self.out),
            "left_out_path": str(self.left_out_path),
        }


def keeps(run: Run, decisions: Mapping[str, str]) -> NDArray[np.bool_]:
    """Say which chunks stay: those not flagged, but where a person decided, ``keep`` stays and ``drop``, ``split``, ``merge`` go.

    Parameters
    ----------
    run
        An opened run.
    decisions
        Filled decisions by chunk_id.

    Returns
    -------
    array of bool
        One a chunk, in the table's order.
    """
    frame = run.flags.frame
    kept: NDArray[np.bool_] = ~frame["flagged"].to_numpy(dtype=bool)
    if decisions:
        decided = frame["chunk_id"].map(dict(decisions))
        known = decided.notna().to_numpy(dtype=bool)
        kept[known] = (decided[known] == "keep").to_numpy(dtype=bool)
    return kept


def left_out_path(out: Path) -> Path:
    """Where the rest of a table goes: ``kept.csv`` to ``kept.left_out.csv``."""
    return out.with_name(f"{out.stem}.left_out{out.suffix}")


def filter_run(run: Run, out: Path, decisions: Mapping[str, str], *, overwrite: bool = False) -> Filtered:
    """Write what stays of a run's table, and beside it what does not, with its reasons.

    Both are exact copies of the table's rows: no text is cut or guarded. Written in a stream.

    Parameters
    ----------
    run
        An opened run.
    out
        Table to write; its ending says how: parquet, jsonl or csv.
    decisions
        Filled decisions by chunk_id; they override the flags.
    overwrite
        Replace tables that are there.

    Raises
    ------
    ConfigError
        The ending is of no kind of table.
    RunError
        A table is there already, or cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if out.suffix.lower() not in ENDINGS:
        raise ConfigError(f"--out {out}: give a table by its ending, {', '.join(ENDINGS)}")
    beside = left_out_path(out)
    for path in (out, beside):
        if path.exists() and not overwrite:
            raise RunError(f"{path} is there already: --overwrite replaces it, --out names another")
    kept = keeps(run, decisions)
    chunks = run.flags.scores.chunks.path
    schema = pq.read_schema(chunks).remove_metadata()
    frame = run.flags.frame
    told = {"decision": frame["chunk_id"].map(dict(decisions))} | {
        name: frame[name] for name in ("reasons", "severity", "suggestion", "suggested_cuts")
    }
    kinds = {
        "decision": pa.string(),
        "reasons": pa.list_(pa.string()),
        "severity": pa.float64(),
        "suggestion": pa.string(),
        "suggested_cuts": pa.list_(pa.int64()),
    }
    wide = schema
    for name, kind in kinds.items():
        wide = wide.append(pa.field(name if name not in schema.names else f"chunkeval_{name}", kind))
    row = 0
    try:
        with _table(out, schema) as stay, _table(beside, wide) as leave, pq.ParquetFile(chunks) as file:
            for batch in file.iter_batches():
                here = slice(row, row + len(batch))
                stay(batch.filter(pa.array(kept[here])).replace_schema_metadata())
                gone = np.flatnonzero(~kept[here])
                why = [pa.array([_value(v) for v in told[name].iloc[row + gone]], kind) for name, kind in kinds.items()]
                leave(pa.record_batch([*batch.take(pa.array(gone)).columns, *why], schema=wide))
                row += len(batch)
    except OSError as error:
        raise RunError(f"cannot write {out}: {error.strerror or error}; name another table with --out") from None
    decided = frame["chunk_id"].isin(decisions.keys()).to_numpy(dtype=bool)
    by_hand = int((decided & kept).sum()), int((decided & ~kept).sum())
    return Filtered(int(kept.sum()), int((~kept).sum()), out, beside, *by_hand)


def _value(value: Any) -> Any:
    return None if isinstance(value, float) and value != value else value


@contextmanager
def _table(path: Path, schema: pa.Schema) -> Iterator[Write]:
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
