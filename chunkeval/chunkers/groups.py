"""Groups of mini-chunks as a model gives them: read back by number, and held to what was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from chunkeval.llm.fields import line
from chunkeval.llm.fields import number as number_of

Wrong = Literal["no_groups", "unknown", "repeated", "missing", "too_large", "apart", "copied"]

_TITLE, _SUMMARY = 200, 600
"""Characters that are kept."""


@dataclass(frozen=True)
class Group:
    """Mini-chunks that make a chunk."""

    minis: tuple[int, ...]
    """Ascending."""
    title: str | None = None
    summary: str | None = None
    fallback: str | None = None
    """Why the recursive chunker made it."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a reply."""

    wrong: Wrong
    ids: tuple[int, ...] = ()
    """The numbers that it is about; of groups, the first of each."""


@dataclass(frozen=True)
class Asked:
    """What a reply is held to."""

    count: int
    """Mini-chunks, numbered from 1."""
    max_minis: int
    contiguous: bool
    example: Sequence[str] = ()
    """Titles of the prompt's example."""


def read(value: object, asked: Asked) -> tuple[list[Group], list[Fault]]:
    """Read groups from a reply's JSON, whatever it is.

    Numbers that are strings are taken; empty groups are left out; titles and summaries that are none are null.

    Parameters
    ----------
    value
        JSON.
    asked
        What it is held to.

    Returns
    -------
    list of Group, list of Fault
        In the document's order, numbered from 0: each mini-chunk in exactly one group where there is no fault, and of
        no use otherwise.

    Examples
    --------
    >>> groups, faults = read({"groups": [{"ids": ["1", 2], "title": "가"}, {"ids": [3]}]}, Asked(3, 2, True))
    >>> [group.minis for group in groups], faults
    ([(0, 1), (2,)], [])
    >>> read({"groups": [{"ids": [1, 3]}, {"ids": [3, 9]}]}, Asked(3, 2, True))[1][:2]
    [Fault(wrong='unknown', ids=(9,)), Fault(wrong='repeated', ids=(3,))]
    """
    found = _found(value)
    if found is None:
        return [], [Fault("no_groups")]
    ids = [number for numbers, _, _ in found for number in numbers]
    counted = Counter(ids)
    known = range(1, asked.count + 1)
    groups = [
        Group(tuple(sorted(number - 1 for number in numbers)), line(title, _TITLE), line(summary, _SUMMARY))
        for numbers, title, summary in found
        if numbers
    ]
    large = (group for group in groups if len(group.minis) > asked.max_minis)
    apart = (group for group in groups if any(b > a + 1 for a, b in pairwise(group.minis)))
    wrong: list[tuple[Wrong, Iterable[int]]] = [
        ("unknown", {number for number in ids if number not in known}),
        ("repeated", {number for number, times in counted.items() if times > 1}),
        ("missing", {number for number in known if number not in counted}),
        ("too_large", {group.minis[0] + 1 for group in large}),
        ("apart", {group.minis[0] + 1 for group in apart} if asked.contiguous else ()),
    ]
    faults = [Fault(name, tuple(sorted(numbers))) for name, numbers in wrong if numbers]
    if any(group.title in asked.example for group in groups):
        faults.insert(0, Fault("copied"))
    return sorted(groups, key=lambda group: group.minis), faults


def _found(value: object) -> list[tuple[list[int], object, object]] | None:
    """Give each group's numbers, title and summary; None where the form is another."""
    if isinstance(value, Mapping):
        value = value.get("groups")
    if not isinstance(value, list):
        return None
    found: list[tuple[list[int], object, object]] = []
    for item in value:
        numbers = item.get("ids") if isinstance(item, Mapping) else None
        if not isinstance(numbers, list):
            return None
        taken = [number_of(number) for number in numbers]
        if not all(number is not None for number in taken):
            return None
        found.append(([number for number in taken if number is not None], item.get("title"), item.get("summary")))
    return found
