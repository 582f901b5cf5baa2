"""Where every character went: counted on the written table, a document at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chunkeval.rechunk.changes import Change
from chunkeval.rechunk.pieces import Piece, merged


@dataclass(frozen=True)
class Characters:
    """Characters of the chunks' texts, in code points."""

    before: int
    after: int
    dropped: int
    overlapped: int
    """Said twice by neighbours that overlapped, and once by what they were merged to."""
    joints: int
    """Characters of the line breaks of ours between merged texts."""


class LostTextError(RuntimeError):
    """The new table lacks text of the earlier one, or has text that is not from it: a fault of this package."""


def conserved(
    order: Sequence[int], pieces: Sequence[Piece], changes: Sequence[Change], written: Sequence[Piece]
) -> Characters:
    """Account for every character of every document.

    Parameters
    ----------
    order, pieces
        Rows of the earlier table, and the piece of each.
    changes
        What took whose place.
    written
        Pieces of the new table, as read back from disk.

    Raises
    ------
    LostTextError
        A document's text is not accounted for; the message names it.
    """
    old = dict(zip(order, pieces, strict=True))
    expected = list(_expected(order, old, changes))
    found = [(piece.doc_id, piece.text) for piece in written]
    if found != expected:
        at = next((n for n, pair in enumerate(zip(found, expected, strict=False)) if pair[0] != pair[1]), -1)
        raise LostTextError(f"document {expected[at][0]!r}: the new table has other text than what was decided")
    dropped: Counter[str | None] = Counter()
    overlapped: Counter[str | None] = Counter()
    joints: Counter[str | None] = Counter()
    for change in changes:
        rows = [old[row] for row in change.rows]
        name = rows[0].doc_id
        if change.kind == "drop":
            dropped[name] += sum(len(piece.text) for piece in rows)
            continue
        whole = rows[0].text
        for first, second in pairwise(rows):
            added = merged(first, second).text[len(first.text) :]
            joints[name] += max(len(added) - len(second.text), 0)
            overlapped[name] += max(len(second.text) - len(added), 0)
            whole += added
        if "".join(piece.text for piece in change.pieces) != whole:
            raise LostTextError(f"document {name!r}: a {change.kind} of rows {list(change.rows)} lost or made text")
    totals, after = _totals(pieces), _totals(written)
    for name in totals | after:
        if totals[name] - dropped[name] - overlapped[name] + joints[name] != after[name]:
            raise LostTextError(f"document {name!r}: {totals[name]} characters before, {after[name]} after")
    counts = (totals, after, dropped, overlapped, joints)
    return Characters(*(count.total() for count in counts))


def _totals(pieces: Sequence[Piece]) -> Counter[str | None]:
    total: Counter[str | None] = Counter()
    for piece in pieces:
        total[piece.doc_id] += len(piece.text)
    return total


def _expected(
    order: Sequence[int], old: Mapping[int, Piece], changes: Sequence[Change]
) -> Iterator[tuple[str | None, str]]:
    instead = {change.rows[0]: change for change in changes}
    gone = {row for change in changes for row in change.rows}
    for row in order:
        if row in instead:
            yield from ((piece.doc_id, piece.text) for piece in instead[row].pieces)
        elif row not in gone:
            yield old[row].doc_id, old[row].text
