"""The files of a run that other programs read: scores, outliers, documents."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval import csvs, rows
from chunkeval.results import INTEGERS

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

OUTLIERS = (
    "chunk_id",
    "doc_id",
    "position",
    "start",
    "end",
    "token_count",
    "similarity",
    "topic_entropy",
    "reasons",
    "severity",
    "suggestion",
    "suggested_cuts",
    "decision",
    "text",
)
"""Columns of the outlier lists, whichever analyzers ran."""

_WHOLE = frozenset({"position", "start", "end", *INTEGERS})
_WORDS = frozenset({"chunk_id", "doc_id", "suggestion", "duplicate_of", "duplicate_group", "coherence_reason"})


def write_scores(frame: pd.DataFrame, path: Path) -> None:
    """Write ``scores.parquet``: a row a chunk in the input's order, null where not measured.

    Parameters
    ----------
    frame
        Scores with their flag columns, as `chunkeval.flag` gives them.
    path
        File to write.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = [str(name) for name in frame.columns]
    pq.write_table(pa.table([_column(frame[name], name) for name in names], names=names), path)


def read_scores(path: Path) -> pd.DataFrame:
    """Read ``scores.parquet`` back: lists as lists, whole numbers whole also where some are null."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    columns: dict[str, Any] = {}
    for name in table.column_names:
        column = table.column(name)
        if pa.types.is_list(column.type):
            values = np.empty(len(table), dtype=object)
            values[:] = column.to_pylist()
            columns[name] = values
        elif pa.types.is_integer(column.type) and column.null_count:
            columns[name] = pd.array(column.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get))
        else:
            columns[name] = column.to_pandas()
    return pd.DataFrame(columns)


def _column(series: pd.Series[Any], name: str) -> pa.Array:
    import pyarrow as pa

    if name in ("reasons", "suggested_cuts"):
        kind = pa.list_(pa.string() if name == "reasons" else pa.int64())
        return pa.array([list(item) for item in series], type=kind)
    if name in _WORDS:
        return pa.array(series, from_pandas=True).cast(pa.string())
    if name in _WHOLE:
        return pa.array(series, from_pandas=True).cast(pa.int64())
    if name == "flagged" or name.startswith("flag_"):
        return pa.array(series.to_numpy(dtype=bool))
    return pa.array(series, from_pandas=True)


def write_outliers(
    frame: pd.DataFrame,
    chunks: Path,
    folder: Path,
    *,
    only: Sequence[int] | None = None,
    decisions: Mapping[str, str] | None = None,
) -> None:
    """Write ``outliers.csv`` (for people, texts cut) and ``outliers.jsonl`` (exact), worst first.

    Parameters
    ----------
    frame
        Scores with their flag columns.
    chunks
        ``chunks.parquet`` of the same rows; texts are read from it in a stream, those of flagged rows only.
    folder
        Where the two files go.
    only
        Places in the frame to list; every flagged one where not given.
    decisions
        chunk_id to what a person decided.
    """
    listed = worst_first(frame, only)
    decided = decisions or {}
    known = [_listed(frame.iloc[listed], name) for name in OUTLIERS[:-2]]
    with (
        _spooled(chunks, listed) as text_of,
        (folder / "outliers.jsonl").open("w", encoding="utf-8", newline="\n") as exact,
    ):

        def lines() -> Iterator[list[Any]]:
            for row, *values in zip(listed, *known, strict=True):
                line = [*values, decided.get(values[0]), text_of(row)]
                exact.write(json_line(dict(zip(OUTLIERS, line, strict=True))))
                yield line

        csvs.write(folder / "outliers.csv", OUTLIERS, lines())


def worst_first(frame: pd.DataFrame, only: Sequence[int] | None = None) -> list[int]:
    """Places of the flagged chunks, by severity, then in the input's order; of those in ``only`` where given."""
    listed = np.flatnonzero(frame["flagged"].to_numpy(dtype=bool))
    if only is not None:
        listed = listed[np.isin(listed, np.asarray(only, dtype=np.int64))]
    severity = frame["severity"].to_numpy(dtype=np.float64)[listed]
    return [int(row) for row in listed[np.argsort(-severity, kind="stable")]]


def json_line(record: Mapping[str, Any]) -> str:
    """One line of JSON, also for readers that take U+2028 and its like for line ends.

    Examples
    --------
    >>> json_line({"text": "김치" + chr(0x2028)}).count("u2028")
    1
    """
    line = json.dumps(record, ensure_ascii=False, allow_nan=False)
    for mark in ("\u2028", "\u2029", "\x85"):
        line = line.replace(mark, f"\\u{ord(mark):04x}")
    return line + "\n"


def _listed(frame: pd.DataFrame, name: str) -> list[Any]:
    """A column as JSON has it: lists, whole numbers, None where there is none or the analyzer did not run."""
    if name not in frame:
        return [None] * len(frame)
    if name in ("reasons", "suggested_cuts"):
        of = str if name == "reasons" else int
        return [[of(item) for item in items] for items in frame[name]]
    kind: type = int if name in _WHOLE else str if name in _WORDS else float
    return [None if none else kind(value) for value, none in zip(frame[name], frame[name].isna(), strict=True)]


@contextmanager
def _spooled(chunks: Path, listed: Sequence[int]) -> Iterator[Any]:
    # Worst first is no order to read a file in: texts go to a spool in the file's order, then come by their place.
    places: dict[int, tuple[int, int]] = {}
    with tempfile.TemporaryFile() as spool:
        for row, values in rows.pick(chunks, listed, ["text"]):
            data = values["text"].encode("utf-8")
            places[row] = (spool.tell(), len(data))
            spool.write(data)

        def text_of(row: int) -> str:
            at, size = places[row]
            spool.seek(at)
            return spool.read(size).decode("utf-8")

        yield text_of


def documents(frame: pd.DataFrame) -> pd.DataFrame:
    """Count flags by document: doc_id, chunks, flagged, flagged_share, worst (chunk_id), worst_severity; worst documents first.

    Parameters
    ----------
    frame
        Scores with their flag columns.

    Returns
    -------
    DataFrame
        A row a document that the table names; empty where it names none. ``worst`` is null where nothing is flagged.
    """
    import pandas as pd

    known = frame[frame["doc_id"].notna()]
    grouped = known.groupby("doc_id", sort=False, observed=True)["flagged"].agg(["size", "sum"])
    counts = pd.DataFrame(
        {
            "doc_id": grouped.index.astype(str),
            "chunks": grouped["size"].to_numpy(int),
            "flagged": grouped["sum"].to_numpy(int),
        }
    )
    counts["flagged_share"] = (counts["flagged"] / counts["chunks"]).round(6)
    flagged = known[known["flagged"].to_numpy(bool)]
    order = np.argsort(-flagged["severity"].to_numpy(float), kind="stable")
    worst = flagged.iloc[order].drop_duplicates("doc_id").set_index("doc_id")
    counts["worst"] = worst["chunk_id"].reindex(counts["doc_id"]).to_numpy()
    counts["worst_severity"] = worst["severity"].reindex(counts["doc_id"]).to_numpy()
    return counts.sort_values(["flagged", "flagged_share"], ascending=False, kind="stable", ignore_index=True)


def write_documents(table: pd.DataFrame, path: Path) -> None:
    """Write ``documents.csv``."""
    csvs.write(path, [str(name) for name in table.columns], table.itertuples(index=False, name=None))
