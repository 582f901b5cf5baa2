"""The chunks of two tables, document by document, and the places at which they begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from chunkeval.report.lanes import Standing
from chunkeval.results import Flags

Side = list[tuple[int, int]]
"""Where each chunk of a lane begins and ends."""

Parts = Sequence[tuple[Sequence[int], Sequence[int]]]
"""Earlier and new chunks, by number, that lie between the same two borders."""


@dataclass(frozen=True)
class Row:
    """What drawing needs of a chunk."""

    name: str
    length: int
    """Code points of its text, but for a line break of ours."""
    spans: tuple[tuple[int, int], ...]
    """Of the document; none where unknown."""
    parents: tuple[str, ...]
    standing: Standing


def documents(before: Flags, after: Flags) -> dict[str | None, tuple[list[Row], list[Row]]]:
    """Give the documents in which a chunk is gone or new, in the earlier table's order, with the rows of both tables."""
    import pandas as pd

    old, new = before.frame, after.frame
    here, there = set(old["chunk_id"]), set(new["chunk_id"])
    changed = {
        None if pd.isna(doc) else str(doc)
        for frame, others in ((old, there), (new, here))
        for doc in frame.loc[~frame["chunk_id"].isin(others).to_numpy(dtype=bool), "doc_id"].astype(object)
    }
    lanes = [_rows(flags, changed) for flags in (before, after)]
    return {name: (rows, lanes[1].get(name, [])) for name, rows in lanes[0].items()}


def laid(old: Sequence[Row], new: Sequence[Row], parts: Parts, *, known: bool = True) -> tuple[tuple[Side, Side], bool]:
    """Say where chunks lie: in code points of the document where all are known and in order, else by their lengths.

    Returns
    -------
    tuple of two lanes, and bool
        Whether they are code points of the document.
    """
    sides = _hulls(old), _hulls(new)
    if known and sides[0] is not None and sides[1] is not None:
        return (sides[0], sides[1]), True
    before = _summed(0, [row.length for row in old])
    after: Side = [(0, 0)] * len(new)
    for there, here in parts:
        start, end = before[there[0]][0], before[there[-1]][1]
        lengths = [new[number].length for number in here]
        # What was said twice, or put in between, is shared out: the parts fill the place of what they were made of.
        scale = (end - start) / (sum(lengths) or 1)
        ends = [start + round(reached * scale) for reached in accumulate(lengths, initial=0)]
        for number, place in zip(here, pairwise(ends), strict=True):
            after[number] = place
    return (before, after), False


def _hulls(rows: Sequence[Row]) -> Side | None:
    """From the first to the last code point of each; nothing where one is unknown or lies among the others."""
    if not all(row.spans for row in rows):
        return None
    found = [(row.spans[0][0], row.spans[-1][1]) for row in rows]
    several = [len(row.spans) > 1 for row in rows]
    for (one, split), (other, _) in pairwise(zip(found, several, strict=True)):
        if other[0] < one[0] or (split and other[0] < one[1]):
            return None
    return found


def _summed(start: int, lengths: Sequence[int]) -> Side:
    return list(pairwise(accumulate(lengths, initial=start)))


def _rows(flags: Flags, wanted: set[str | None]) -> dict[str | None, list[Row]]:
    """Rows of these documents, each in its order; those without a document in the table's."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    path = flags.scores.chunks.path
    docs = pq.read_table(path, columns=["doc_id"])["doc_id"].to_pylist()
    places = np.array([row for row, doc in enumerate(docs) if doc in wanted], dtype=np.int64)
    names = pq.read_schema(path).names
    columns = ["chunk_id", "doc_id", "position", "text", "start", "end", "spans", "derived", "parent_ids"]
    table = pq.read_table(path, columns=[name for name in columns if name in names]).take(pa.array(places))
    lengths = pc.utf8_length(table["text"]).to_pylist()
    standings = _standings(flags)
    found: dict[str | None, list[tuple[int, int, Row]]] = {}
    for row, length, values in zip(places.tolist(), lengths, table.drop_columns(["text"]).to_pylist(), strict=True):
        made = Row(
            name=values["chunk_id"],
            length=max(length - bool(values.get("derived")), 0),
            spans=_spans(values, length),
            parents=tuple(values.get("parent_ids") or ()),
            standing=standings[row],
        )
        doc = values["doc_id"]
        found.setdefault(doc, []).append((row if doc is None else values["position"], row, made))
    return {doc: [made for *_, made in sorted(rows, key=lambda row: row[:2])] for doc, rows in found.items()}


def _spans(values: dict[str, Any], length: int) -> tuple[tuple[int, int], ...]:
    spans = values["spans"] or ()
    if not spans and values["start"] is not None and values["end"] is not None:
        spans = [(values["start"], values["end"])]
    found = tuple((int(first), int(after)) for first, after in spans)
    # Offsets that do not fit the text say nothing about where it is.
    return found if sum(after - first for first, after in found) == length else ()


def _standings(flags: Flags) -> list[Standing]:
    frame = flags.frame
    flagged = frame["flagged"].to_numpy(dtype=bool)
    unmeasured = np.zeros(len(frame), dtype=bool)
    if "similarity_centred" in frame:
        unmeasured = ~np.isfinite(frame["similarity_centred"].to_numpy(np.float64))
    return [
        "flagged" if bad else "unmeasured" if unknown else "fine"
        for bad, unknown in zip(flagged, unmeasured, strict=True)
    ]
