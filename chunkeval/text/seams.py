"""How neighbouring chunks meet: what the end of one tells of the start of the next, and the other way round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunkeval.text.context import order
from chunkeval.text.edges import BIT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import ChunkFile

    Bits = NDArray[np.int32]
    Rows = NDArray[np.int64]

_START, _END = BIT["starts_mid_sentence"], BIT["ends_mid_sentence"]
GAP = 8
"""Code points between two chunks that may be white space left out."""


def neighbours(chunks: ChunkFile) -> tuple[Rows, NDArray[np.float64]]:
    """Find the chunk before each one in its document, and how far it is.

    Returns
    -------
    before
        (n,) rows; -1 where there is none, the document is unknown, or a position between the two is missing.
    gap
        (n,) code points of the document between them: negative where they overlap, NaN where offsets are unknown.
    """
    import pyarrow.parquet as pq

    document, before = order(chunks)
    table = pq.read_table(chunks.path, columns=["position", "start", "end"])
    position, start, end = (table.column(name).to_numpy().astype(np.float64) for name in ("position", "start", "end"))
    before = np.where((document != 0) & (position[before] + 1 == position), before, -1)
    return before, np.where(before >= 0, start - end[before], np.nan)


def joined(bits: Bits, before: Rows, gap: NDArray[np.float64]) -> Bits:
    """Correct how chunks begin and end by how they meet.

    Korean shows the end of a sentence but not its start, English the start rather than the end: at the place where two
    chunks meet both are known. Where the one before was left open, the next begins inside the sentence; where nothing
    but letters meet, both were cut; where the one before is closed, or the next a new line after a line's end, neither.

    Parameters
    ----------
    bits
        (n,) as `edges.edges` gives them.
    before
        (n,) the chunk before in the same document, -1 where there is none.
    gap
        (n,) code points of the document between the two; negative where they overlap, NaN where unknown.

    Returns
    -------
    (n,)
        The same bits, with starts and ends in the middle of a sentence set and unset.
    """
    found = bits.copy()
    rows = np.flatnonzero((before >= 0) & ~(gap < 0) & ~(gap > GAP))
    rows = rows[(bits[rows] & BIT["blank"] == 0) & (bits[before[rows]] & BIT["blank"] == 0)]
    left, right = bits[before[rows]], bits[rows]

    def at(side: Bits, name: str) -> NDArray[np.bool_]:
        held: NDArray[np.bool_] = side & BIT[name] != 0
        return held

    prose = at(left, "prose_end") & at(right, "prose_start")
    touching = gap[rows] == 0
    line = at(left, "line_after") | at(right, "line_before")
    new = at(right, "new_start")
    # A break that is not seen, since white space was left out, may have been one of lines.
    within = touching & ~line
    word = touching & at(left, "open_end") & at(right, "open_start")
    unsure = at(left, "unmarked_end") & (new | line | (gap[rows] > 1))
    known = ~np.isnan(gap[rows])
    end = prose & (word | (within & ~at(left, "closed_end"))) | (at(left, "ends_mid_sentence") & ~(known & unsure))
    start = prose & (word | (at(left, "ends_mid_sentence") & ~unsure) | (within & ~at(left, "closed_end")))
    start |= at(right, "starts_mid_sentence") & ~(touching & line & at(left, "closed_end"))
    # What stands inside a sentence is no opening that could point back.
    found[rows] = np.where(start, (right | _START) & ~BIT["points_back"], right & ~_START)
    here = before[rows]
    found[here] = np.where(end, found[here] | _END, found[here] & ~_END)
    return found
