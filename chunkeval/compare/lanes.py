"""One document with each strategy's cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.report.lanes import Box, Strip, Strips

if TYPE_CHECKING:
    from chunkeval.compare.documents import Corpus, Row
    from chunkeval.results import Flags

CHUNKS = 12
"""Chunks of a document that are easily told apart: that one is drawn which comes nearest."""

LONGEST = 40
"""Chunks drawn of a lane at most."""


def strips(
    tables: Mapping[str, tuple[Sequence[Row], Sequence[int], Flags]],
    corpus: Corpus | None,
    gold: Mapping[str, Sequence[int]] | None,
) -> Strips | None:
    """Lay out the document in which the strategies make about a dozen chunks.

    Parameters
    ----------
    tables
        Each strategy's chunks in the order of their documents, their places in its table, and the table judged.
    corpus
        The documents.
    gold
        Document to the starts of its sections; documents that have some come first.

    Returns
    -------
    Strips or None
        None where no document's chunks have places.
    """
    if corpus is None:
        return None
    lanes = {name: _documents(rows, order, flags) for name, (rows, order, flags) in tables.items()}
    shared = [name for name in corpus.exact if all(name in lane and lane[name] is not None for lane in lanes.values())]
    if not shared:
        return None

    def oddness(name: str) -> tuple[bool, float, str]:
        counts = [len(lane[name] or ()) for lane in lanes.values()]
        return bool(gold) and name not in (gold or {}), abs(float(np.median(counts)) - CHUNKS), name

    chosen = min(shared, key=oddness)
    length = len(corpus.texts[chosen])
    boxes = {name: lane[chosen] or () for name, lane in lanes.items()}
    end = min([length, *(own[LONGEST - 1].end for own in boxes.values() if len(own) > LONGEST)])
    return Strips(
        doc_id=chosen,
        length=length,
        end=end,
        lanes=tuple(
            Strip(
                name,
                len(own),
                tuple(Box(b.start, min(b.end, end), b.standing, b.changed) for b in own if b.start < end),
            )
            for name, own in boxes.items()
        ),
        gold=tuple(place for place in (gold or {}).get(chosen, ()) if place < end),
    )


def _documents(rows: Sequence[Row], order: Sequence[int], flags: Flags) -> dict[str | None, tuple[Box, ...] | None]:
    """Boxes of each document whose chunks all have one place; a box ends where the next begins."""
    flagged = flags.frame["flagged"].to_numpy(dtype=bool)[list(order)]
    found: dict[str | None, tuple[Box, ...] | None] = {}
    for name, group in groupby(enumerate(rows), key=lambda pair: pair[1].doc_id):
        own = sorted(
            (row.spans[0] if row.spans is not None and len(row.spans) == 1 else (-1, -1), bool(flagged[at]))
            for at, row in group
        )
        if own[0][0][0] < 0:
            found[name] = None
            continue
        nexts = [*(start for (start, _), _ in own[1:]), own[-1][0][1]]
        found[name] = tuple(
            Box(start, max(start, min(end, after)), "flagged" if bad else "fine", changed=False)
            for ((start, end), bad), after in zip(own, nexts, strict=True)
        )
    return found
