"""Moving a border: a chunk is cut, and what is too short to stand alone goes to the neighbour that it touches."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from chunkeval.rechunk.merging import neighbours
from chunkeval.rechunk.pieces import Piece, merged, overlap
from chunkeval.rechunk.trial import Judged, Trial, mass, worse


@dataclass(frozen=True)
class Move:
    """Neighbouring places, and the pieces that take their place."""

    places: tuple[int, ...]
    pieces: tuple[Piece, ...]
    gain: float
    """How much less severity, times weight, there is."""


def moves(
    pieces: Sequence[Piece],
    cuts: Mapping[int, Sequence[int]],
    free: Collection[int],
    homes: Sequence[str],
    trial: Trial,
    max_size: float,
) -> list[Move]:
    """Cut pieces in two, each once, and give a part away where that is better than leaving it alone.

    Parameters
    ----------
    pieces
        All pieces, those of a document next to one another in its order.
    cuts
        Place of a piece to where it may be cut, in code points of its text; the best of them is taken.
    free
        Places of pieces that may take a part.
    homes
        Document of each piece.
    trial
        Judges by the run's limits.
    max_size
        Tokens of a piece that took a part at most.

    Returns
    -------
    list of Move
        In order; each makes things better, none touches a place of another.
    """
    takers = set(free) - set(cuts)
    options = [
        option for place, places in cuts.items() for cut in places for option in _options(pieces, place, cut, takers)
    ]
    every = [(piece.text, homes[places[0]]) for places, made in options for piece in made]
    judged = iter(trial([text for text, _ in every], [home for _, home in every]))
    before = dict(zip(*_judged(pieces, options, homes, trial), strict=True))
    found: list[Move] = []
    for places, made in options:
        after = [next(judged) for _ in made]
        old = [before[place] for place in places]
        grown = [part for part, piece in zip(after, made, strict=True) if len(piece.parents) > 1]
        if worse(old, after) or any(part.weight > max_size for part in grown):
            continue
        gain = mass(old) - mass(after)
        if gain > 1e-9:
            found.append(Move(places, tuple(made), gain))
    taken: set[int] = set()
    chosen = []
    for move in sorted(found, key=lambda move: (-move.gain, len(move.places), move.places)):
        if taken.isdisjoint(move.places):
            taken |= set(move.places)
            chosen.append(move)
    return sorted(chosen, key=lambda move: move.places)


def _options(
    pieces: Sequence[Piece], place: int, cut: int, free: Collection[int]
) -> list[tuple[tuple[int, ...], list[Piece]]]:
    """Ways to go on after the cut: both parts stay, or the first, the last or both go to a neighbour."""
    parts = pieces[place].cut([cut])
    if len(parts) != 2:
        return []
    left, right = parts
    # What a neighbour has too is not given to it: that would say it twice, or nothing.
    ways: list[tuple[tuple[int, ...], list[Piece]]] = [((place,), [left, right])]
    back = (
        place - 1 in free
        and neighbours(pieces, (place - 1, place))
        and overlap(pieces[place - 1], pieces[place]) < len(left.text)
    )
    ahead = (
        place + 1 in free
        and neighbours(pieces, (place, place + 1))
        and overlap(pieces[place], pieces[place + 1]) < len(right.text)
    )
    if back:
        ways.append(((place - 1, place), [merged(pieces[place - 1], left), right]))
    if ahead:
        ways.append(((place, place + 1), [left, merged(right, pieces[place + 1])]))
    if back and ahead:
        both = [merged(pieces[place - 1], left), merged(right, pieces[place + 1])]
        ways.append(((place - 1, place, place + 1), both))
    return ways


def _judged(
    pieces: Sequence[Piece],
    options: Sequence[tuple[tuple[int, ...], list[Piece]]],
    homes: Sequence[str],
    trial: Trial,
) -> tuple[list[int], list[Judged]]:
    places = sorted({place for touched, _ in options for place in touched})
    return places, trial([pieces[place].text for place in places], [homes[place] for place in places])
