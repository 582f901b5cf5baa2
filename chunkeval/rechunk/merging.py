"""Merging: a chunk that is too short with the neighbour of its document that it fits best."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from chunkeval.rechunk.pieces import Piece, merged
from chunkeval.rechunk.trial import Trial, worse


def merges(
    pieces: Sequence[Piece],
    wanted: Collection[int],
    free: Collection[int],
    homes: Sequence[str],
    trial: Trial,
    max_size: float,
    *,
    keep_worse: bool = False,
) -> list[tuple[tuple[int, int], Piece]]:
    """Find which pieces to merge with which neighbour.

    Parameters
    ----------
    pieces
        All pieces, those of a document next to one another in its order.
    wanted
        Places of those to merge.
    free
        Places of those that may be a partner.
    homes
        Document of each piece.
    trial
        Judges by the run's limits.
    max_size
        Tokens of a merged piece at most.
    keep_worse
        Merge also where it makes things worse.

    Returns
    -------
    list of ((int, int), Piece)
        Neighbouring places and what they become, in order; a place is in one pair at most.
    """
    near = {pair for place in wanted for pair in ((place - 1, place), (place, place + 1))}
    pairs = sorted(pair for pair in near if set(pair) <= set(free) | set(wanted) and neighbours(pieces, pair))
    joined = [merged(pieces[first], pieces[second]) for first, second in pairs]
    judged = trial([piece.text for piece in joined], [homes[first] for first, _ in pairs])
    both = [place for pair in pairs for place in pair]
    alone = iter(trial([pieces[place].text for place in both], [homes[place] for place in both]))
    fits = []
    for pair, piece, after in zip(pairs, joined, judged, strict=True):
        before = [next(alone), next(alone)]
        if after.weight <= max_size and (keep_worse or not worse(before, [after])):
            # The best fit first; what cannot be measured last; equal ones in the document's order.
            fits.append((-after.similarity if after.similarity == after.similarity else 2.0, pair, piece))
    taken: set[int] = set()
    chosen = []
    for _, pair, piece in sorted(fits, key=lambda fit: fit[:2]):
        if taken.isdisjoint(pair):
            taken |= set(pair)
            chosen.append((pair, piece))
    return sorted(chosen, key=lambda item: item[0])


def neighbours(pieces: Sequence[Piece], pair: tuple[int, int]) -> bool:
    """Whether two places are there, of one known document, and one comes right behind the other in it."""
    first, second = pair
    inside = first >= 0 and second < len(pieces)
    known = inside and pieces[first].doc_id is not None and pieces[first].doc_id == pieces[second].doc_id
    return known and pieces[second].follows
