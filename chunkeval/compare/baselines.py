"""Cuts that look at nothing but the size: big chunks win some measures by their size alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from chunkeval.cache import Cache
from chunkeval.chunkers.base import Chunk, Chunker, chunks
from chunkeval.rechunk.splitting import at_random

ALIKE = 1.25
"""Mean sizes within this factor share their baselines."""


@dataclass(frozen=True)
class Match:
    """Strategies of about one size."""

    size: int
    """Characters a chunk on average."""
    names: tuple[str, ...]


def matches(sizes: Mapping[str, float]) -> list[Match]:
    """Group strategies by their mean chunk size, smallest first.

    Examples
    --------
    >>> matches({"a": 100.0, "b": 110.0, "c": 300.0})
    [Match(size=105, names=('a', 'b')), Match(size=300, names=('c',))]
    """
    found: list[list[str]] = []
    for name in sorted(sizes, key=lambda name: (sizes[name], name)):
        if not found or sizes[name] > ALIKE * sizes[found[-1][0]]:
            found.append([])
        found[-1].append(name)
    return [Match(max(1, round(sum(sizes[name] for name in names) / len(names))), tuple(names)) for names in found]


class EqualParts:
    """Cuts a document into equal parts that are of a mean size, wherever that is; no short rest lowers the mean."""

    def __init__(self, size: int) -> None:
        self._size = size

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; see `chunkeval.chunkers.base.Chunker`."""
        return self.split_many([text])[0]

    def split_many(self, texts: Sequence[str], *, jobs: int = 1, cache: Cache | None = None) -> list[list[Chunk]]:
        """Cut documents; see `chunkeval.chunkers.base.CutsMany`."""
        counts = [parts(text, self._size) for text in texts]
        return [
            _cut(text, [len(text) * at // count for at in range(1, count)])
            for text, count in zip(texts, counts, strict=True)
        ]


class RandomBorders:
    """Cuts at random sentence borders into chunks of a mean size; the same for the same text, size and seed."""

    def __init__(self, size: int, borders: Callable[[Sequence[str]], list[list[int]]], seed: int) -> None:
        self._size, self._borders, self._seed = size, borders, seed

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; see `chunkeval.chunkers.base.Chunker`."""
        return self.split_many([text])[0]

    def split_many(self, texts: Sequence[str], *, jobs: int = 1, cache: Cache | None = None) -> list[list[Chunk]]:
        """Cut documents; see `chunkeval.chunkers.base.CutsMany`."""
        counts = [parts(text, self._size) - 1 for text in texts]
        cuts = at_random(texts, self._borders(texts), counts, self._size, self._seed)
        return [_cut(text, places) for text, places in zip(texts, cuts, strict=True)]


def parts(text: str, size: int) -> int:
    """How many parts of a mean size a document has.

    Examples
    --------
    >>> parts("가나다라마", 2), parts("가", 10)
    (2, 1)
    """
    return max(1, round(len(text) / size))


def _cut(text: str, places: Sequence[int]) -> list[Chunk]:
    if not text:
        return []
    return chunks(list(zip([0, *places], [*places, len(text)], strict=True)))


def sentence_borders(jobs: int) -> Callable[[Sequence[str]], list[list[int]]]:
    """Give what finds the code points at which sentences begin, the first left out; each text is read once."""
    from chunkeval.text.analysis import analyse

    known: dict[str, list[int]] = {}

    def borders(texts: Sequence[str]) -> list[list[int]]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            found = analyse(new, splitter="auto", morphemes="kiwi", skip=None, words=False, jobs=jobs)
            offsets = found.sentence_offsets.tolist()
            for number, text in enumerate(new):
                known[text] = found.sentence_start[offsets[number] + 1 : offsets[number + 1]].tolist()
        return [known[text] for text in texts]

    return borders


def of_size(
    size: int, borders: Callable[[Sequence[str]], list[list[int]]], seed: int
) -> dict[Literal["fixed", "random"], Chunker]:
    """Make the two chunkers that look at nothing but the size: equal parts, and random sentence borders."""
    return {"fixed": EqualParts(size), "random": RandomBorders(size, borders, seed)}
