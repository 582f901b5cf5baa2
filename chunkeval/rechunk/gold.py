"""Whether cuts came nearer to known section boundaries: before, after, and with random cuts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.rechunk.changes import Change
from chunkeval.rechunk.pieces import Piece
from chunkeval.rechunk.proof import spread
from chunkeval.retrieval.segmentation import boundaries, paired_difference

if TYPE_CHECKING:
    from chunkeval.results import Floats


@dataclass(frozen=True)
class _Document:
    rows: Sequence[int]
    starts: Sequence[int]
    """Where the chunk of each row begins."""
    length: int
    gold: Sequence[int]
    inside: frozenset[int]
    """Boundaries within chunks that were to be split."""

    def cuts(self, instead: Mapping[int, Change], gone: Collection[int]) -> list[int]:
        """Give where it is cut once the changes are made."""
        starts: set[int] = set()
        for row, start in zip(self.rows, self.starts, strict=True):
            if row in instead:
                starts |= {piece.spans[0][0] for piece in instead[row].pieces if piece.spans}
            elif row not in gone:
                starts.add(start)
        return sorted(start for start in starts if 0 < start < self.length)


def against_gold(
    gold: Mapping[str, Sequence[int]],
    order: Sequence[int],
    pieces: Sequence[Piece],
    targets: Collection[int],
    real: Sequence[Change],
    random: Sequence[Sequence[Change]],
) -> dict[str, Any]:
    """Compare cuts with known boundaries, in the documents in which a chunk was to be split.

    Parameters
    ----------
    gold
        Document to the starts of its sections but the first.
    order, pieces
        Rows of the earlier table, and the piece of each.
    targets
        Rows that were to be split.
    real, random
        Changes made, and those of each random draw.

    Returns
    -------
    dict
        ``documents``: how many have boundaries, known offsets and a chunk to split; ``sections``: boundaries in them;
        ``inside``: those within chunks to split. Before, after, and of the draws the mean and the extremes: how many of
        those ``inside`` were ``found``, and ``f1`` of exact boundaries, the mean over documents; ``gain``: after less
        random F1, with its 95 % interval by document.
    """
    documents = list(_documents(gold, order, pieces, frozenset(targets)))
    if not documents:
        return {"documents": 0, "sections": 0, "inside": 0}
    before, after = _measured(documents, []), _measured(documents, real)
    draws = [_measured(documents, changes) for changes in random]
    found: dict[str, Any] = {
        "documents": len(documents),
        "sections": sum(len(document.gold) for document in documents),
        "inside": sum(len(document.inside) for document in documents),
        "found": {
            "before": int(before[:, 0].sum()),
            "after": int(after[:, 0].sum()),
            "random": spread([float(draw[:, 0].sum()) for draw in draws]),
        },
        "f1": {
            "before": round(float(before[:, 1].mean()), 6),
            "after": round(float(after[:, 1].mean()), 6),
            "random": spread([float(draw[:, 1].mean()) for draw in draws]),
        },
    }
    if draws:
        gain = paired_difference(after[:, 1], np.mean(draws, axis=0)[:, 1])
        found["gain"] = {name: round(getattr(gain, name), 6) for name in ("mean", "low", "high")}
    return found


def _documents(
    gold: Mapping[str, Sequence[int]], order: Sequence[int], pieces: Sequence[Piece], targets: frozenset[int]
) -> Iterator[_Document]:
    for name, group in groupby(zip(order, pieces, strict=True), key=lambda pair: pair[1].doc_id):
        held = list(group)
        rows = [row for row, _ in held]
        if name is None or name not in gold or targets.isdisjoint(rows):
            continue
        spans = [piece.spans for _, piece in held]
        known = [places[0] for places in spans if places is not None and len(places) == 1]
        if len(known) < len(spans):
            continue
        length = max(end for _, end in known)
        sections = [place for place in gold[name] if place < length]
        wanted = [span for row, span in zip(rows, known, strict=True) if row in targets]
        inside = frozenset(place for start, end in wanted for place in sections if start < place < end)
        yield _Document(rows, [start for start, _ in known], length, sections, inside)


def _measured(documents: Sequence[_Document], changes: Sequence[Change]) -> Floats:
    """Give how many boundaries within the chunks to split were found, and the F1 of all: (documents, 2)."""
    instead = {change.rows[0]: change for change in changes}
    gone = {row for change in changes for row in change.rows}
    found: list[tuple[float, float]] = []
    for document in documents:
        cuts = document.cuts(instead, gone)
        found.append((len(document.inside.intersection(cuts)), boundaries(cuts, document.gold).f1))
    return np.array(found, np.float64)
