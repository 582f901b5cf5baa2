"""Texts that the page holds: which chunks', how much of each, and what stands before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from chunkeval.report.excerpt import Piece, pieces
from chunkeval.report.numerals import whole
from chunkeval.report.phrases import say
from chunkeval.report.view import View, worst_rows
from chunkeval.report.wording import column_of, why_incoherent

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORST = 2_000
"""Flagged chunks whose text is in the page, where no other number was asked for."""

BUDGET = 6_000_000
"""Characters of text at most in the page, unless all were asked for: very long chunks leave room for fewer."""

BESIDE = 160
"""Characters shown of the chunk before and the chunk after."""

CELL, CELLS = 300, 24
"""Characters of a metadata value, and metadata columns, shown at most."""

MEMBERS = 12
"""Chunks of a group of duplicates that are named."""

AT_ONCE = 256
"""Chunks read at once."""


def embedded_rows(view: View) -> list[int]:
    """Rows that may have their text in the page, worst first."""
    if view.redact or view.embed == "none":
        return []
    return worst_rows(view, WORST if view.embed == "worst" else len(view.frame))


def passages(view: View, before: NDArray[np.int64], after: NDArray[np.int64]) -> Iterator[dict[str, Any]]:
    """Yield a record a chunk, worst first, until the budget of characters is spent.

    Parameters
    ----------
    view
        The audit.
    before, after
        ``(n,)`` rows of the neighbours, -1 where there is none.

    Yields
    ------
    dict
        row; pieces, each ``[kind, number, text]``; before and after, the neighbours' nearest words (None without
        one); metadata, ``[[column, value], …]``.
    """
    wanted, spent = embedded_rows(view), 0
    groups = _groups(view.frame, wanted)
    for first in range(0, len(wanted), AT_ONCE):
        rows = wanted[first : first + AT_ONCE]
        beside = [int(row) for table in (before, after) for row in table[rows] if row >= 0]
        needed = sorted({*rows, *beside})
        texts = dict(zip(needed, view.texts(needed), strict=True))
        for row, values in zip(rows, view.metadata(rows), strict=True):
            shown = chunk_pieces(view, row, texts[row])
            spent += sum(len(piece.text) for piece in shown)
            if spent > BUDGET and view.embed != "all":
                return
            yield {
                "row": row,
                "pieces": [[piece.kind, piece.number, piece.text] for piece in shown],
                "before": _tail(texts[before[row]]) if before[row] >= 0 else None,
                "after": _head(texts[after[row]]) if after[row] >= 0 else None,
                "metadata": [*_like_it(view, row, groups), *_metadata(values)],
                "why": _why(view, row),
            }


def _why(view: View, row: int) -> str | None:
    """What makes a chunk that is flagged for it incoherent, in words."""
    if "coherence_reason" not in view.frame or not view.frame["flag_coherence"].iloc[row]:
        return None
    return why_incoherent(view.frame["coherence_reason"].iloc[row], view.lang)


def chunk_pieces(view: View, row: int, text: str) -> list[Piece]:
    """Cut one chunk's text at its sentences, its suggested cuts and its weakest place; none for a blank one."""
    if not text.strip():
        return []
    values = view.frame.iloc[row]
    cuts = [int(cut) for cut in listed(values.get("suggested_cuts"))]
    return pieces(text, view.sentences(row), cuts, weakest(view, row))


def weakest(view: View, row: int) -> int | None:
    """Code point at which a chunk's weakest place is, None where it has none."""
    value = view.frame["weakest_cut"].iloc[row] if "weakest_cut" in view.frame else None
    if value is None or pd.isna(value):
        return None
    spans = view.sentences(row)
    return spans[int(value)][0] if 0 < int(value) < len(spans) else None


def neighbours(frame: pd.DataFrame) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of the chunks before and after in the same document by position, -1 at its ends.

    Chunks of unknown documents follow one another in the table's order.

    Examples
    --------
    >>> before, after = neighbours(pd.DataFrame({"doc_id": ["a", "b", "a"], "position": [1, 0, 0]}))
    >>> before.tolist(), after.tolist()
    ([2, -1, -1], [-1, -1, 0])
    """
    documents = pd.factorize(frame["doc_id"])[0]
    positions = np.where(documents >= 0, frame["position"].to_numpy(dtype=np.int64), np.arange(len(frame)))
    order = np.lexsort((np.arange(len(frame)), positions, documents))
    same = documents[order][1:] == documents[order][:-1]
    if len(order):
        lone = (documents[order][1:] < 0) & (order[1:] != order[:-1] + 1)
        same &= ~lone
    before = np.full(len(frame), -1, dtype=np.int64)
    after = before.copy()
    before[order[1:][same]] = order[:-1][same]
    after[order[:-1][same]] = order[1:][same]
    return before, after


def listed(value: Any) -> Sequence[Any]:
    """Give a cell's list, empty where there is none; parquet gives lists back as arrays and a column without any as nulls."""
    return list(value) if isinstance(value, Sequence) or hasattr(value, "tolist") else []


def _groups(frame: pd.DataFrame, rows: Sequence[int]) -> dict[str, list[str]]:
    """Members of the groups of duplicates that some rows are in."""
    if "duplicate_group" not in frame:
        return {}
    wanted = set(frame["duplicate_group"].iloc[list(rows)].dropna())
    some = frame[frame["duplicate_group"].isin(wanted)]
    return {str(name): list(map(str, ids)) for name, ids in some.groupby("duplicate_group", sort=False)["chunk_id"]}


def _like_it(view: View, row: int, groups: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Say which chunk says the same, and which others do."""
    if "duplicate_group" not in view.frame:
        return []
    other, group = view.frame["duplicate_of"].iloc[row], view.frame["duplicate_group"].iloc[row]
    told = [] if pd.isna(other) else [[column_of("duplicate_of", view.lang), str(other)]]
    if not pd.isna(group):
        ids = groups[str(group)]
        shown = ", ".join(ids[:MEMBERS])
        more = shown if len(ids) <= MEMBERS else say(view.lang, "group_more", ids=shown, n=whole(len(ids) - MEMBERS))
        told.append([column_of("duplicate_group", view.lang), more])
    return told


def _head(text: str) -> str:
    return text if len(text) <= BESIDE else f"{text[:BESIDE]}…"


def _tail(text: str) -> str:
    return text if len(text) <= BESIDE else f"…{text[-BESIDE:]}"


def _metadata(values: Mapping[str, Any]) -> list[list[str]]:
    told = [(str(name), str(value)) for name, value in values.items() if value is not None and value == value]
    return [[name[:CELL], value if len(value) <= CELL else f"{value[:CELL]}…"] for name, value in told[:CELLS]]
