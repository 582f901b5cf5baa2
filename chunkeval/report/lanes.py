"""Two lanes a document: the earlier chunks and the new ones along its length, and what became of each border."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Standing = Literal["fine", "flagged", "unmeasured"]
Fate = Literal["kept", "moved", "new", "gone"]
Kind = Literal["split", "move", "merge", "drop"]


@dataclass(frozen=True)
class Box:
    """A chunk in its lane, from its first code point to the next chunk's."""

    start: int
    end: int
    standing: Standing
    """By the limits when it was cut; ``unmeasured``: not flagged, but too short for the sentence similarity."""
    changed: bool


@dataclass(frozen=True)
class Border:
    """A place where one chunk ends and the next begins, in either lane."""

    fate: Fate
    before: int | None
    """In the earlier lane; None where it is new."""
    after: int | None
    """In the new lane; None where it is gone."""


@dataclass(frozen=True)
class Step:
    """What was done to neighbouring chunks."""

    kind: Kind
    before: tuple[tuple[int, str], ...]
    """Number in its document, from 1, and chunk_id of each earlier chunk."""
    after: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Lanes:
    """A document, or the stretch of a long one in which most was changed."""

    doc_id: str | None
    known: bool
    """Whether places are code points of the document; else the texts' lengths are added up."""
    start: int
    end: int
    chunks: tuple[int, int]
    """How many the document had before and has after, drawn or not."""
    first: tuple[int, int]
    """Number of the first box in each lane, from 1."""
    before: tuple[Box, ...]
    after: tuple[Box, ...]
    borders: tuple[Border, ...]
    steps: tuple[Step, ...]
    left_out: int
    """Changes of this document outside the stretch."""


@dataclass(frozen=True)
class Changed:
    """The documents in which something was changed, those with the most changes first."""

    documents: int
    """All of them, drawn or not."""
    drawn: tuple[Lanes, ...]


def read(stored: Mapping[str, Any]) -> Changed:
    """Read what ``dataclasses.asdict`` and JSON made of it.

    Raises
    ------
    KeyError, TypeError, ValueError
        It is nothing of the kind.

    Examples
    --------
    >>> read({"documents": 0, "drawn": []})
    Changed(documents=0, drawn=())
    """
    return Changed(int(stored["documents"]), tuple(_lanes(dict(item)) for item in stored["drawn"]))


def _lanes(item: dict[str, Any]) -> Lanes:
    item["chunks"], item["first"] = (_pair(item[name]) for name in ("chunks", "first"))
    item["before"], item["after"] = (tuple(Box(**box) for box in item[lane]) for lane in ("before", "after"))
    item["borders"] = tuple(Border(**border) for border in item["borders"])
    item["steps"] = tuple(Step(step["kind"], _named(step["before"]), _named(step["after"])) for step in item["steps"])
    return Lanes(**item)


def _pair(numbers: Any) -> tuple[int, int]:
    before, after = numbers
    return int(before), int(after)


def _named(chunks: Any) -> tuple[tuple[int, str], ...]:
    return tuple((int(number), str(name)) for number, name in chunks)


@dataclass(frozen=True)
class Strip:
    """One strategy's chunks of a document."""

    name: str
    chunks: int
    """How many it makes of the whole document, drawn or not."""
    boxes: tuple[Box, ...]


@dataclass(frozen=True)
class Strips:
    """A document as several strategies cut it."""

    doc_id: str
    length: int
    """In code points."""
    end: int
    """Where the drawing ends."""
    lanes: tuple[Strip, ...]
    gold: tuple[int, ...]
    """Where its sections begin, where that is known."""
