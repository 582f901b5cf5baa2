"""Where the earlier and the new chunks of a document lie, told from the two tables alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chunkeval.rechunk.places import Row, Side, documents, laid
from chunkeval.report.lanes import Border, Box, Changed, Kind, Lanes, Step
from chunkeval.results import Flags

DRAWN = 20
"""Documents drawn at most."""

LONGEST = 30
"""Earlier chunks drawn of a document at most, and twice as many new ones: a longer one is drawn around its changes."""

BLOCK = 20
"""Neighbouring chunks without a document that are drawn together."""

AROUND = 2
"""Untouched chunks before the first change of a stretch."""


def lanes(before: Flags, after: Flags) -> Changed:
    """Lay the chunks of the changed documents in two lanes.

    Parameters
    ----------
    before
        The earlier table, judged.
    after
        The new one, by the same limits; ``parent_ids`` of what is new name chunks of the earlier one.

    Returns
    -------
    Changed
        Bounded whatever the tables' size.
    """
    found = [
        (chosen, name, old, new, parts)
        for name, (old, new) in documents(before, after).items()
        for parts in [segments(old, new)]
        for chosen in ([_stretch(parts)] if name is not None else _blocks(parts))
    ]
    ordered = sorted(found, key=lambda document: -_changes(document[4] if document[1] is not None else document[0]))
    return Changed(len(found), tuple(_lanes(*document) for document in ordered[:DRAWN]))


class Segment:
    """Neighbouring chunks of the earlier table, and those of the new one that have taken their place."""

    def __init__(self, first: int, after: int, *, changed: bool) -> None:
        self.first, self.after, self.changed = first, after, changed
        self.new: list[int] = []

    @property
    def old(self) -> range:
        """Places of the earlier chunks."""
        return range(self.first, self.after)

    @property
    def kind(self) -> Kind:
        """What was done, told by how many chunks became how many."""
        if not self.new:
            return "drop"
        return "split" if len(self.old) == 1 else "merge" if len(self.new) == 1 else "move"


def segments(old: Sequence[Row], new: Sequence[Row]) -> list[Segment]:
    """Part a document where both tables have a border: an untouched chunk by itself, or what belongs to one change."""
    place = {row.name: number for number, row in enumerate(old)}
    stayed = {row.name for row in new} & place.keys()
    spans = [(place[row.name],) * 2 for row in new if row.name in stayed]
    for row in new:
        parents = [place[name] for name in row.parents if name in place]
        if row.name not in stayed and parents:
            spans.append((min(parents), max(parents)))
    spans += [(number, number) for number, row in enumerate(old) if row.name not in stayed]
    found: list[Segment] = []
    for first, last in sorted(spans):
        if found and first < found[-1].after:
            found[-1].after = max(found[-1].after, last + 1)
            found[-1].changed = found[-1].changed or len(found[-1].old) > 1
        else:
            found.append(Segment(first, last + 1, changed=old[first].name not in stayed))
    whose = {number: segment for segment in found for number in segment.old}
    current = found[0] if found else None
    for number, row in enumerate(new):
        origin = row.name if row.name in place else next((name for name in row.parents if name in place), None)
        current = whose[place[origin]] if origin is not None else current
        if current is not None:
            current.new.append(number)
    return found


def _changes(parts: Sequence[Segment]) -> int:
    return sum(part.changed for part in parts)


def _blocks(parts: Sequence[Segment]) -> Iterator[Sequence[Segment]]:
    """Stand-ins for documents where none is named: the neighbouring rows around changes."""
    first = 0
    for at, part in enumerate(parts):
        if at + 1 == len(parts) or part.after - parts[first].first >= BLOCK:
            block = parts[first : at + 1]
            if _changes(block):
                yield block
            first = at + 1


def _lanes(
    chosen: Sequence[Segment],
    name: str | None,
    old: Sequence[Row],
    new: Sequence[Row],
    parts: Sequence[Segment],
) -> Lanes:
    sides, known = laid(old, new, [(part.old, part.new) for part in parts], known=name is not None)
    rows = [number for part in chosen for number in part.old]
    made = [number for part in chosen for number in part.new][: 2 * LONGEST]
    start, end = _reach(sides, rows, made, cut=len(made) < sum(len(part.new) for part in chosen))
    touched = {number for part in chosen if part.changed for number in part.old}
    fresh = {number for part in chosen if part.changed for number in part.new}
    drawn = set(made)
    borders = [border for border in _borders(chosen, sides) if _within(border, start, end)]
    return Lanes(
        doc_id=name,
        known=known,
        start=start,
        end=end,
        chunks=(len(old), len(new)),
        first=(rows[0] + 1, (made[0] if made else 0) + 1),
        before=_boxes(old, rows, sides[0], touched, end),
        after=_boxes(new, made, sides[1], fresh, end),
        borders=tuple(borders),
        steps=tuple(
            Step(part.kind, _named(old, part.old), _named(new, [number for number in part.new if number in drawn]))
            for part in chosen
            if part.changed
        ),
        left_out=_changes(parts) - _changes(chosen) if name is not None else 0,
    )


def _stretch(parts: Sequence[Segment]) -> Sequence[Segment]:
    """All of a document, or the stretch of a long one that holds the most changes."""
    best: Sequence[Segment] = ()
    for first in [0, *(max(0, at - AROUND) for at, part in enumerate(parts) if part.changed)]:
        after, old, new = first, 0, 0
        while after < len(parts):
            old, new = old + len(parts[after].old), new + len(parts[after].new)
            if after > first + AROUND and (old > LONGEST or new > 2 * LONGEST):
                break
            after += 1
        if _changes(parts[first:after]) > _changes(best):
            best = parts[first:after]
    return best


def _reach(sides: tuple[Side, Side], rows: Sequence[int], made: Sequence[int], *, cut: bool) -> tuple[int, int]:
    places = [side[number] for side, numbers in zip(sides, (rows, made), strict=True) for number in numbers]
    end = sides[1][made[-1]][1] if cut else max(after for _, after in places)
    return min(first for first, _ in places), end


def _boxes(rows: Sequence[Row], numbers: Sequence[int], side: Side, changed: set[int], end: int) -> tuple[Box, ...]:
    """Boxes that touch where chunks overlap: the later one begins where it begins."""
    nexts = [*(side[number][0] for number in numbers), end][1:]
    return tuple(
        Box(side[number][0], min(side[number][1], follows, end), rows[number].standing, number in changed)
        for number, follows in zip(numbers, nexts, strict=True)
        if side[number][0] < end
    )


def _borders(parts: Sequence[Segment], sides: tuple[Side, Side]) -> list[Border]:
    """Say of each border of either lane what became of it; the two ends of the stretch are none."""
    found: list[Border] = []
    for number, part in enumerate(parts):
        old, new = ([side[at][0] for at in places] for side, places in zip(sides, (part.old, part.new), strict=True))
        if number:
            found.append(Border("kept", old[0], new[0] if new else old[0]))
        found += inner(old[1:], new[1:])
    return found


def inner(old: Sequence[int], new: Sequence[int]) -> list[Border]:
    """Borders within a change: those at the same place are kept, the nearest of the rest are moved.

    Examples
    --------
    >>> [(border.fate, border.before, border.after) for border in inner([10, 50], [20, 50, 90])]
    [('moved', 10, 20), ('kept', 50, 50), ('new', None, 90)]
    """
    same = set(old) & set(new)
    left, right = [at for at in old if at not in same], [at for at in new if at not in same]
    found = [Border("kept", at, at) for at in same]
    for _, before, after in sorted((abs(a - b), a, b) for a in left for b in right):
        if before in left and after in right:
            left.remove(before)
            right.remove(after)
            found.append(Border("moved", before, after))
    found += [Border("gone", at, None) for at in left] + [Border("new", None, at) for at in right]
    return sorted(found, key=lambda border: max(border.before or 0, border.after or 0))


def _within(border: Border, start: int, end: int) -> bool:
    return all(at is None or start < at < end for at in (border.before, border.after))


def _named(rows: Sequence[Row], numbers: Sequence[int]) -> tuple[tuple[int, str], ...]:
    return tuple((number + 1, rows[number].name) for number in numbers)
