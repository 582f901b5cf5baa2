"""A vocabulary as a tree of characters, through which many texts go side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Ints


class Trie:
    """A tree with two roots, 0 and 1.

    Parameters
    ----------
    pieces
        Root, text and number of each piece; the number is from 0.
    """

    def __init__(self, pieces: Iterable[tuple[int, str, int]]) -> None:
        classes: dict[str, int] = {}
        nodes: dict[tuple[int, int], int] = {}
        ends: dict[int, int] = {}
        for root, letters, number in pieces:
            at = root
            for letter in letters:
                kind = classes.setdefault(letter, len(classes) + 1)
                at = nodes.setdefault((at, kind), len(nodes) + 2)
            if letters:
                ends[at] = number
        self._classes = np.zeros(0x110000, np.int64)
        self._classes[[ord(letter) for letter in classes]] = list(classes.values())
        self._width = len(classes) + 1
        self.piece = np.full(len(nodes) + 2, -1, np.int64)
        """The number of the piece that ends at a node; -1 where none does."""
        self.piece[list(ends)] = list(ends.values())
        self._fill(nodes)

    def _fill(self, nodes: dict[tuple[int, int], int]) -> None:
        """Lay the branches out in a table by a hash of theirs, what collides in the next free place."""
        bits = max(int(len(nodes) * 4).bit_length(), 4)
        self._shift = np.uint64(64 - bits)
        self._keys = np.full((1 << bits) + len(nodes) + 1, -1, np.int64)
        self._next = np.zeros(len(self._keys), np.int64)
        keys = np.array([at * self._width + kind for at, kind in nodes], np.int64)
        values = np.fromiter(nodes.values(), np.int64, len(nodes))
        slots = self._slots(keys)
        while len(keys):
            free = self._keys[slots] == -1
            taken, first = np.unique(slots[free], return_index=True)
            chosen = np.flatnonzero(free)[first]
            self._keys[taken], self._next[taken] = keys[chosen], values[chosen]
            rest = np.ones(len(keys), bool)
            rest[chosen] = False
            keys, values, slots = keys[rest], values[rest], slots[rest] + 1

    def _slots(self, keys: Ints) -> Ints:
        return ((keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> self._shift).astype(np.int64)

    def _step(self, keys: Ints) -> Ints:
        """Give the nodes that branches lead to, 0 where there is none."""
        slots = self._slots(keys)
        held = self._keys[slots]
        found = np.where(held == keys, self._next[slots], 0)
        behind = np.flatnonzero((held != keys) & (held != -1))
        while len(behind):
            slots[behind] += 1
            held = self._keys[slots[behind]]
            hit = held == keys[behind]
            found[behind[hit]] = self._next[slots[behind[hit]]]
            behind = behind[~hit & (held != -1)]
        return found

    def walk(
        self, codes: NDArray[np.uint32], roots: NDArray[np.bool_], stops: NDArray[np.bool_]
    ) -> Iterator[tuple[int, Ints, Ints]]:
        """Go on from every place at once, one character a step.

        Parameters
        ----------
        codes
            Characters, the last one a space.
        roots
            Where to begin at root 1, not 0.
        stops
            Where a piece cannot go on to; spaces always are.

        Yields
        ------
        length, places, pieces
            The pieces of this length, by the place at which they begin: which there are, and their numbers.
        """
        kinds = self._classes[codes]
        kinds[codes == 32] = 0
        places = np.flatnonzero(kinds)
        nodes = roots[places].astype(np.int64)
        length = 0
        while len(places):
            nodes = self._step(nodes * self._width + kinds[places + length])
            on = nodes > 0
            places, nodes = places[on], nodes[on]
            length += 1
            pieces = self.piece[nodes]
            ends = pieces >= 0
            yield length, places[ends], pieces[ends]
            on = (kinds[places + length] > 0) & ~stops[places + length]
            places, nodes = places[on], nodes[on]


def codes_of(text: str) -> NDArray[np.uint32]:
    """Give a text's code points."""
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)
