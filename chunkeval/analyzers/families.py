"""Documents that are versions of one another: what is learned on one must not be tested on the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from chunkeval.analyzers.near import joined

MOST = 0.5
"""Share of the shorter document's chunks that two documents must have in common."""


def families(documents: Sequence[str], groups: Sequence[str | None]) -> list[str]:
    """Give each row the smallest document id of its document's family.

    Two documents are of a family where more than half of the chunks of the shorter one are duplicates, exact or near,
    of chunks of the other, or where a third links them. Time and memory grow with the number of rows: among the
    documents that share a chunk, each is compared with the one before it and with the first, by id.

    Parameters
    ----------
    documents
        (n,) document of each row; `sampling.documents_of` gives one where none is known.
    groups
        (n,) ``duplicate_group`` of each row; None where it has none.

    Returns
    -------
    list of str
        (n,), the same whatever the rows' order.

    Examples
    --------
    >>> families(["b", "b", "a", "a", "c", "c"], ["1", "2", "1", "2", "1", None])
    ['a', 'a', 'a', 'a', 'c', 'c']
    """
    names = sorted(set(documents))
    number = {name: i for i, name in enumerate(names)}
    rows = np.zeros(len(names), np.int64)
    members: dict[str, dict[int, int]] = {}
    for name, group in zip(documents, groups, strict=True):
        rows[number[name]] += 1
        if group is not None and group == group:
            inside = members.setdefault(group, {})
            inside[number[name]] = inside.get(number[name], 0) + 1
    shared: dict[tuple[int, int], list[int]] = {}
    for inside in members.values():
        ordered = sorted(inside)
        for pair in {*pairwise(ordered), *((ordered[0], other) for other in ordered[1:])}:
            counts = shared.setdefault(pair, [0, 0])
            counts[0] += inside[pair[0]]
            counts[1] += inside[pair[1]]
    linked = [pair for pair, counts in shared.items() if _mostly(pair, counts, rows)]
    first, second = np.array(linked, np.int64).reshape(-1, 2).T
    family = joined(first, second, len(names))
    return [names[family[number[name]]] for name in documents]


def _mostly(pair: tuple[int, int], counts: list[int], rows: np.typing.NDArray[np.int64]) -> bool:
    shorter = min((0, 1), key=lambda side: (rows[pair[side]], -counts[side]))
    return bool(counts[shorter] > MOST * rows[pair[shorter]])
