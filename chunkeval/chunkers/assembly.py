"""Groups of mini-chunks to chunks: within a size, with context around them, and nothing lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from chunkeval.chunkers.base import Chunk, Span
from chunkeval.chunkers.groups import Group

OVER = "over_max_size"
"""Metadata of a chunk whose group had to be parted: True."""


class LostMiniError(RuntimeError):
    """A mini-chunk is in no chunk, or in two: a fault of this package."""


def assembled(minis: Sequence[Span], groups: Iterable[Group], *, max_size: int, overlap_minis: int) -> list[Chunk]:
    """Make chunks.

    Parameters
    ----------
    minis
        A document's mini-chunks.
    groups
        Which belong together.
    max_size
        Code points of a chunk at most: a group beyond it is parted between mini-chunks.
    overlap_minis
        Mini-chunks before and after that a chunk repeats at most; fewer where they do not fit.

    Returns
    -------
    list of Chunk
        By the first mini-chunk of their own, with ``title``, ``summary`` and ``fallback`` where there are such.

    Raises
    ------
    LostMiniError
        Not every mini-chunk is in exactly one group.

    Examples
    --------
    >>> groups = [Group((0, 2), "가"), Group((1,))]
    >>> [chunk.spans for chunk in assembled([(0, 4), (4, 8), (8, 9)], groups, max_size=9, overlap_minis=0)]
    [((0, 4), (8, 9)), ((4, 8),)]
    """
    counted = Counter(mini for group in groups for mini in group.minis)
    if counted != Counter(range(len(minis))):
        raise LostMiniError(f"of {len(minis)} mini-chunks, {len(counted)} are in groups, {counted.total()} times")
    parts = sorted((part for group in groups for part in _parts(minis, group, max_size)), key=lambda one: one[0].minis)
    around = _around(minis, [part.minis for part, _ in parts], max_size, overlap_minis)
    return [
        Chunk(_spans(minis, {*part.minis, *context}), _metadata(part, over))
        for (part, over), context in zip(parts, around, strict=True)
    ]


def _parts(minis: Sequence[Span], group: Group, max_size: int) -> Iterator[tuple[Group, bool]]:
    kept: list[int] = []
    size, over = 0, _size(minis, group.minis) > max_size
    for mini in group.minis:
        size += _size(minis, [mini])
        if kept and size > max_size:
            yield replace(group, minis=tuple(kept)), over
            kept, size = [], _size(minis, [mini])
        kept.append(mini)
    yield replace(group, minis=tuple(kept)), over


def _around(
    minis: Sequence[Span], parts: Sequence[tuple[int, ...]], max_size: int, overlap_minis: int
) -> list[set[int]]:
    """Give the context of each part.

    Context before may take half of the room that is left, context after the rest. Where all parts are of one place each,
    no chunk begins before the one before it does, nor ends behind the one behind it.
    """
    found: list[set[int]] = [set() for _ in parts]
    if not overlap_minis:
        return found
    left = [max_size - _size(minis, part) for part in parts]
    ordered = all(part[-1] - part[0] == len(part) - 1 for part in parts)
    least = -1
    for number, part in enumerate(parts):
        place, room = part[0], left[number] // 2
        while place > max(part[0] - overlap_minis, 0) and (place - 1 > least or not ordered):
            if (room := room - _size(minis, [place - 1])) < 0:
                break
            place -= 1
            found[number].add(place)
        least = place
    most = len(minis)
    for number, part in reversed(list(enumerate(parts))):
        place, room = part[-1], left[number] - _size(minis, found[number])
        while place < min(part[-1] + overlap_minis, len(minis) - 1) and (place + 1 < most or not ordered):
            if (room := room - _size(minis, [place + 1])) < 0:
                break
            place += 1
            found[number].add(place)
        most = place
    return found


def _size(minis: Sequence[Span], which: Iterable[int]) -> int:
    return sum(minis[mini][1] - minis[mini][0] for mini in which)


def _spans(minis: Sequence[Span], which: Iterable[int]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for mini in sorted(which):
        start, end = minis[mini]
        if spans and spans[-1][1] == start:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return tuple(spans)


def _metadata(group: Group, over: bool) -> dict[str, Any]:
    given = {"title": group.title, "summary": group.summary, "fallback": group.fallback}
    return {name: value for name, value in given.items() if value is not None} | ({OVER: True} if over else {})
