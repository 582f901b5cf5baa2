"""A run's table without its bad chunks, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.errors import RunError
from chunkeval.writing import check_out, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.runs import Run


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

    beside = left_out_path(out)
    check_out((out, beside), overwrite=overwrite)
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
        with table(out, schema) as stay, table(beside, wide) as leave, pq.ParquetFile(chunks) as file:
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
