"""What is done with each chunk, and the table that comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval.chunkers.base import Span
from chunkeval.config import SHARD
from chunkeval.rechunk.pieces import Piece
from chunkeval.results import ChunkFile, Flags, SourceInfo
from chunkeval.table import CORE, chunk_id

if TYPE_CHECKING:
    import pyarrow as pa

    from chunkeval.results import Ints

Action = Literal["keep", "leave", "split", "merge", "drop"]
"""``leave``: not to be changed, but may take a part of a neighbour; ``keep``: a person said so, and it takes none."""

NEW = ("derived", "parent_ids")
"""Columns that a rechunked table has besides."""


@dataclass(frozen=True)
class Change:
    """Rows of the earlier table, and the pieces that take their place."""

    kind: Literal["split", "move", "merge", "drop", "shift"]
    """``move``: a chunk was cut and a part went to a neighbour; ``shift``: a piece for each row, with other borders."""
    rows: tuple[int, ...]
    pieces: tuple[Piece, ...]


def actions(flags: Flags, decisions: Mapping[str, str], *, allow_drop: bool) -> list[Action]:
    """Say what to do with each chunk: what a person decided, else what is suggested for a flagged one.

    Parameters
    ----------
    flags
        Judged chunks.
    decisions
        Filled decisions by chunk_id.
    allow_drop
        Whether a suggestion to drop is followed; decisions are, always.
    """
    suggested: dict[str, Action] = {"split": "split", "merge": "merge", **({"drop": "drop"} if allow_drop else {})}
    decided: dict[str, Action] = {"keep": "keep", "drop": "drop", "split": "split", "merge": "merge"}
    columns = (flags.frame[name] for name in ("chunk_id", "flagged", "suggestion"))
    return [
        decided[decisions[name]] if decisions.get(name) else suggested.get(suggestion, "leave") if flagged else "leave"
        for name, flagged, suggestion in zip(*columns, strict=True)
    ]


def pieces_of(chunks: Path) -> tuple[list[int], list[Piece]]:
    """Read a table as pieces: rows in the order of their documents, and a piece a row in that order."""
    import pyarrow.parquet as pq

    table = pq.read_table(chunks)
    documents = table["doc_id"].to_pylist()
    seen: dict[str | None, int] = {}
    place = np.array([seen.setdefault(name, len(seen)) for name in documents], dtype=np.int64)
    known = np.array([name is not None for name in documents], dtype=bool)
    position = np.where(known, table["position"].to_numpy(), np.arange(len(documents)))
    order = np.lexsort((np.arange(len(documents)), position, place)).tolist()
    columns = [table[name].to_pylist() for name in ("chunk_id", "doc_id", "text", "start", "end", "spans")]
    derived = table["derived"].to_pylist() if "derived" in table.schema.names else [False] * len(table)
    rows = list(zip(*columns, derived, strict=True))
    found = [_piece(*rows[row]) for row in order]
    return order, _in_sequence(found, position[order])


def _in_sequence(pieces: list[Piece], position: Ints) -> list[Piece]:
    """Mark the pieces before which something of their document is missing from the table.

    That is where a position is left out, in a document whose positions count chunks (some two differ by one), unless
    the places in the document meet.
    """
    steps: dict[str | None, list[tuple[int, int]]] = {}
    for at, (first, second) in enumerate(pairwise(pieces), 1):
        if first.doc_id == second.doc_id is not None:
            steps.setdefault(first.doc_id, []).append((at, int(position[at] - position[at - 1])))
    found = list(pieces)
    for places in steps.values():
        if min(step for _, step in places) <= 1:
            for at, step in places:
                if step > 1 and not _meet(pieces[at - 1], pieces[at]):
                    found[at] = replace(pieces[at], follows=False)
    return found


def _meet(first: Piece, second: Piece) -> bool:
    if first.spans is None or second.spans is None:
        return False
    return first.spans[-1][1] >= second.spans[0][0]


def _piece(
    name: str, doc: str | None, text: str, start: int | None, end: int | None, spans: Any, derived: object
) -> Piece:
    where: tuple[Span, ...] | None = None
    if spans:
        where = tuple((int(first), int(after)) for first, after in spans)
    elif start is not None and end is not None:
        where = ((start, end),)
    if where is not None and (derived is True or sum(after - first for first, after in where) != len(text)):
        where = None  # Offsets of what was rewritten, or that do not fit the text, say nothing about its parts.
    return Piece(text, doc, where, (name,), derived is True)


def write_table(
    chunks: ChunkFile,
    order: Sequence[int],
    changes: Sequence[Change],
    path: Path,
    first: Collection[str],
    columns: Sequence[str] = (),
) -> SourceInfo:
    """Write the table with the changes made; rows that no change touches stay as they are.

    Positions are numbered anew in documents in which something changed. New rows have new ids, their parents' ids, and
    the metadata of the first row of what was changed, but for what a chunker says of them; where borders were shifted,
    each has that of its own row.

    Parameters
    ----------
    chunks
        The earlier table.
    order
        Its rows, as `pieces_of` gives them.
    changes
        What takes whose place; no row is in two.
    path
        File to write.
    first
        Ids of the table before the first round: no new row takes one of them, and rows that a round made are named
        anew where their position changes.
    columns
        Those that the chunker brings: texts, null where it says nothing.

    Returns
    -------
    SourceInfo
        Of the new table.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    old, notes = _widened(pq.read_table(chunks.path), columns)
    instead = {change.rows[0]: change for change in changes}
    gone = {row for change in changes for row in change.rows}
    # Each row of the new table: a row of the old one, or a piece with its first parent's row.
    rows: list[tuple[int, Piece | None]] = []
    for row in order:
        if row in instead:
            change = instead[row]
            own = change.rows if change.kind == "shift" else (row,) * len(change.pieces)
            rows += list(zip(own, change.pieces, strict=True))
        elif row not in gone:
            rows.append((row, None))
    docs, ids, texts = (old[name].to_pylist() for name in ("doc_id", "chunk_id", "text"))
    parents, positions = old["parent_ids"].to_pylist(), old["position"].to_pylist()
    changed = {docs[row] for row in gone}
    counted: Counter[str | None] = Counter()
    names = _Names({*first, *ids})
    fresh: list[dict[str, Any]] = []
    numbered: dict[str, list[Any]] = {"position": [], "chunk_id": [], "parent_ids": []}
    for row, piece in rows:
        doc = docs[row]
        position = counted[doc] if doc in changed and doc is not None else positions[row]
        counted[doc] += 1
        name, origin = ids[row], parents[row]
        if piece is not None:
            fresh.append(_row(piece, row, old))
            name, origin = names.new(doc, position, piece.text), list(piece.parents)
        elif name not in first and position != positions[row]:
            name, origin = names.new(doc, position, texts[row]), [name]
        for column, value in zip(numbered.values(), (position, name, origin), strict=True):
            column.append(value)
    taken = old.take(pa.array([row for row, piece in rows if piece is None], pa.int64()))
    table = pa.concat_tables([taken, pa.Table.from_pylist(fresh, schema=old.schema)]) if fresh else taken
    kept, made = iter(range(len(taken))), iter(range(len(taken), len(table)))
    table = table.take(pa.array([next(kept) if piece is None else next(made) for _, piece in rows], pa.int64()))
    for label, values in numbered.items():
        at = table.schema.get_field_index(label)
        table = table.set_column(at, table.schema.field(at), pa.array(values, table.schema.field(at).type))
    pq.write_table(table, path, row_group_size=SHARD, compression="zstd")
    return replace(chunks.info, rows=len(table), notes=(*chunks.info.notes, *notes))


class _Names:
    """Ids of new chunks, none twice and none that a chunk had."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken

    def new(self, doc_id: str | None, position: int, text: str) -> str:
        name, again = chunk_id(doc_id, position, text), 0
        while name in self._taken:
            again += 1
            name = chunk_id(doc_id, position, f"{text}\x1f{again}")
        self._taken.add(name)
        return name


def _widened(table: pa.Table, brought: Sequence[str]) -> tuple[pa.Table, list[str]]:
    """Add the columns that say where a chunk is from, and those that a chunker brings.

    A source's own columns of these names are taken for them where they are of their type, else they are named anew.

    Returns
    -------
    Table, list of str
        The table, and a note for each column that has another name now.
    """
    import pyarrow as pa

    kinds = {"derived": pa.bool_(), "parent_ids": pa.list_(pa.string()), **dict.fromkeys(brought, pa.string())}
    notes = []
    for name, kind in kinds.items():
        at = table.schema.get_field_index(name)
        own = table.schema.field(at).type if at >= 0 else None
        if own == kind or (name in brought and own == pa.large_string()):
            continue
        if own == pa.null():
            table = table.remove_column(at)
        elif own is not None:
            other = next(o for n in count(1) if (o := f"source_{name}" + "_" * (n - 1)) not in table.schema.names)
            table = table.rename_columns([other if column == name else column for column in table.schema.names])
            notes.append(f"the table's own column {name} is kept as {other}")
        rows = len(table)
        table = table.append_column(name, pa.array([False] * rows, kind) if name == "derived" else pa.nulls(rows, kind))
    return table, notes


def _row(piece: Piece, parent: int, old: pa.Table) -> dict[str, Any]:
    one = piece.spans[0] if piece.spans is not None and len(piece.spans) == 1 else (None, None)
    several = [list(span) for span in piece.spans] if piece.spans is not None and len(piece.spans) > 1 else None
    metadata = {name: old[name][parent].as_py() for name in old.schema.names if name not in (*CORE, *NEW)}
    return {
        "doc_id": piece.doc_id,
        "text": piece.text,
        "start": one[0],
        "end": one[1],
        "spans": several,
        **metadata,
        **(piece.said or {}),
        "derived": piece.derived,
    }
