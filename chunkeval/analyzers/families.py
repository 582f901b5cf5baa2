"""Documents that are versions of one another: what is learned on one must not be tested on the other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np

from chunkeval.analyzers.near import joined

MOST = 0.5
"""Share of the shorter document's parts that two documents must have in common."""


def families(documents: Sequence[str], parts: Sequence[Hashable]) -> dict[str, str]:
    """Give each document that is a version of others the smallest document id of its family.

    Two documents are of a family where more than half of the parts of the shorter one are parts of the other too, or
    where a third links them. Time and memory grow with the number of parts: among the documents that share one, each is
    compared with the one before it and with the first, by id.

    Parameters
    ----------
    documents
        (n,) document of each part; `sampling.documents_of` gives one where none is known.
    parts
        (n,) equal for equal parts, sentences as a rule; None for one that is like no other.

    Returns
    -------
    dict
        Document to its family; without those that stand for their own. The same whatever the parts' order.

    Examples
    --------
    >>> families(["b", "b", "a", "a", "c", "c"], [1, 2, 1, 2, 1, None])
    {'b': 'a'}
    """
    names = sorted(set(documents))
    number = {name: i for i, name in enumerate(names)}
    sizes = np.zeros(len(names), np.int64)
    members: dict[Hashable, dict[int, int]] = {}
    for name, part in zip(documents, parts, strict=True):
        sizes[number[name]] += 1
        if part is not None:
            inside = members.setdefault(part, {})
            inside[number[name]] = inside.get(number[name], 0) + 1
    shared: dict[tuple[int, int], list[int]] = {}
    for inside in members.values():
        ordered = sorted(inside)
        for pair in {*pairwise(ordered), *((ordered[0], other) for other in ordered[1:])}:
            counts = shared.setdefault(pair, [0, 0])
            counts[0] += inside[pair[0]]
            counts[1] += inside[pair[1]]
    linked = [pair for pair, counts in shared.items() if _mostly(pair, counts, sizes)]
    first, second = np.array(linked, np.int64).reshape(-1, 2).T
    family = joined(first, second, len(names))
    return {name: names[family[i]] for i, name in enumerate(names) if family[i] != i}


def _mostly(pair: tuple[int, int], counts: list[int], sizes: np.typing.NDArray[np.int64]) -> bool:
    shorter = min((0, 1), key=lambda side: (sizes[pair[side]], -counts[side]))
    return bool(counts[shorter] > MOST * sizes[pair[shorter]])
