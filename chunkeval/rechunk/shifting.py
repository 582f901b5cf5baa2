"""Shifting borders: where two neighbours meet inside a sentence, a table or code, their border goes to the nearest end of it.

Only where their texts are known to follow one another in the document, touching or overlapping: nothing is lost or put in between.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from chunkeval.rechunk.merging import neighbours
from chunkeval.rechunk.pieces import Piece
from chunkeval.rechunk.trial import Judged, Trial
from chunkeval.text.analysis import analyse
from chunkeval.text.sentences import VISIBLE

STARTS = ("starts_mid_sentence", "cut_table", "cut_code")
ENDS = ("ends_mid_sentence", "cut_table", "cut_code")
"""Reasons that speak of where a chunk starts, and of where it ends."""

NEAREST = 2
"""Places on either side that are tried."""


@dataclass(frozen=True)
class Border:
    """Where two neighbours meet, and where else they could: places of the document, the nearest first."""

    left: int
    """Place of the piece before it."""
    options: tuple[int, ...]


@dataclass(frozen=True)
class Shift:
    """Neighbouring places all of whose borders are shifted, and a piece for each."""

    places: tuple[int, ...]
    pieces: tuple[Piece, ...]


def borders(
    pieces: Sequence[Piece],
    cut: tuple[Collection[int], Collection[int]],
    free: Collection[int],
    *,
    splitter: str,
    jobs: int,
) -> list[Border]:
    """Find the borders that can be shifted.

    Parameters
    ----------
    pieces
        All pieces, those of a document next to one another in its order.
    cut
        Places of pieces that start inside something, and of those that end inside something.
    free
        Places of pieces that may change.
    splitter
        Finds sentences; tables and code fences are one each.
    jobs
        Its threads.

    Returns
    -------
    list of Border
        In order, each with an option at least.
    """
    starts, ends = cut
    found = []
    for first, after in _stretches(pieces):
        wanted = [p for p in range(first, after - 1) if p in ends or p + 1 in starts]
        wanted = [p for p in wanted if p in free and p + 1 in free]
        if not wanted:
            continue
        sentences = analyse(
            [_text(pieces[first:after])], splitter=splitter, morphemes="kiwi", skip=None, words=False, jobs=jobs
        ).sentence_start.tolist()
        offset = _span(pieces[first])[0]
        whole = [offset + start for start in sentences[1:]]
        found += [Border(p, options) for p in wanted if (options := _options(pieces[p], pieces[p + 1], whole))]
    return found


class Shifts:
    """The borders of a table as they are tried: each at its nearest place, then the next, then where it was."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        found: Sequence[Border],
        before: Sequence[Judged],
        homes: Sequence[str],
        trial: Trial,
        max_size: float,
    ) -> None:
        """Take all borders at their nearest place.

        Parameters
        ----------
        pieces
            All pieces.
        found
            Their borders that can be shifted.
        before
            What each piece is found to be in its table.
        homes
            Document of each piece.
        trial
            Judges by the run's limits.
        max_size
            Tokens of a piece that grew at most.
        """
        self._pieces, self._before, self._homes, self._trial, self._max = pieces, before, homes, trial, max_size
        self._left: dict[int, tuple[int, ...]] = {border.left: border.options for border in found}

    def settle(self) -> list[Shift]:
        """Go on to the next place wherever a piece by itself would be worse than it was, until none is."""
        while True:
            runs = list(self._runs())
            made = {place: self._piece(place) for run in runs for place in run}
            bad = [place for place, piece in made.items() if VISIBLE.search(piece.text) is None]
            if not bad:
                judged = self._trial([piece.text for piece in made.values()], [self._homes[place] for place in made])
                bad = [place for place, after in zip(made, judged, strict=True) if self.worse(place, after)]
            if not bad:
                return [Shift(run, tuple(made[place] for place in run)) for run in runs]
            self.go_on(bad)

    def worse(self, place: int, after: Judged) -> bool:
        """Whether a piece is worse than it was: another reason, more severity, or grown beyond the size allowed."""
        before = self._before[place]
        grown = len(self._piece(place).text) > len(self._pieces[place].text)
        too_large = grown and after.weight > self._max
        return too_large or not after.reasons <= before.reasons or after.severity > before.severity + 1e-9

    def go_on(self, places: Collection[int]) -> None:
        """Try the next place for the border of each of these pieces that was shifted farther."""
        again = {
            max(moved, key=lambda left: (self._way(left), -left))
            for place in places
            if (moved := [left for left in (place - 1, place) if self._shifted(left) is not None])
        }
        for left in again:
            self._left[left] = self._left[left][1:]

    def give_up(self, places: Collection[int]) -> None:
        """Leave the borders of these pieces where they were."""
        for left in {left for place in places for left in (place - 1, place)} & self._left.keys():
            self._left[left] = ()

    def _shifted(self, left: int) -> int | None:
        """Where the border behind a piece is tried; None where it stays."""
        options = self._left.get(left)
        return options[0] if options else None

    def _way(self, left: int) -> int:
        return _distance(self._pieces[left], self._pieces[left + 1], self._left[left][0])

    def _piece(self, place: int) -> Piece:
        own = self._pieces[place]
        start, end = _span(own)
        before, behind = self._shifted(place - 1), self._shifted(place)
        # No border is shifted beyond the two pieces that it parts.
        sources = self._pieces[place - (before is not None) : place + 1 + (behind is not None)]
        start, end = start if before is None else before, end if behind is None else behind
        if end <= start:
            return replace(own, text="", spans=())
        inside = [one for one in sources if _span(one)[1] > start and _span(one)[0] < end]
        parents = tuple(dict.fromkeys(name for one in inside for name in one.parents))
        offset = _span(sources[0])[0]
        return replace(own, text=_text(sources)[start - offset : end - offset], spans=((start, end),), parents=parents)

    def _runs(self) -> Iterator[tuple[int, ...]]:
        run: list[int] = []
        for left in (left for left in self._left if self._shifted(left) is not None):
            if run and run[-1] != left:
                yield tuple(run)
                run = []
            run += [left + 1] if run else [left, left + 1]
        if run:
            yield tuple(run)


def _stretches(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """First place, and that behind the last, of pieces that follow one another without a hole."""
    first = 0
    for place in range(1, len(pieces) + 1):
        if place == len(pieces) or not _follows(pieces, place):
            if place - first > 1:
                yield first, place
            first = place


def _follows(pieces: Sequence[Piece], place: int) -> bool:
    """Whether a piece goes on where the one before ends, or before that, with the same text where both have it."""
    one, other = pieces[place - 1], pieces[place]
    if not neighbours(pieces, (place - 1, place)) or one.derived or other.derived:
        return False
    if one.spans is None or other.spans is None or len(one.spans) != 1 or len(other.spans) != 1:
        return False
    (start, end), (left, right) = one.spans[0], other.spans[0]
    return start < left <= end < right and one.text[left - start :] == other.text[: end - left]


def _span(piece: Piece) -> tuple[int, int]:
    assert piece.spans is not None
    return piece.spans[0]


def _text(pieces: Sequence[Piece]) -> str:
    """The document's text from the first piece's start to the last one's end."""
    parts = [pieces[0].text]
    for one, other in pairwise(pieces):
        parts.append(other.text[_span(one)[1] - _span(other)[0] :])
    return "".join(parts)


def _distance(left: Piece, right: Piece, place: int) -> int:
    """Code points from where two pieces meet; none within what both have."""
    return max(_span(right)[0] - place, place - _span(left)[1], 0)


def _options(left: Piece, right: Piece, whole: Sequence[int]) -> tuple[int, ...]:
    (start, end), (begin, after) = _span(left), _span(right)
    if all(at in whole[bisect_left(whole, at) :][:1] for at in (begin, end)):
        return ()
    low, high = bisect_right(whole, start), bisect_left(whole, after)
    middle = bisect_left(whole, begin, low, high)
    beyond = bisect_right(whole, end, low, high)
    near = {
        *whole[max(low, middle - NEAREST) : middle],
        *whole[middle:beyond],
        *whole[beyond : min(beyond + NEAREST, high)],
    }
    return tuple(sorted(near, key=lambda place: (_distance(left, right, place), place)))
