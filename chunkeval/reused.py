"""Rows that an earlier table had too: what was read from their texts is taken from its parts, not read again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.analyzers.base import regrouped
from chunkeval.cache import Cache

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkeval.results import Arrays, Ints


class Earlier:
    """Where the rows of a table stand in its parts on disk.

    Parameters
    ----------
    cache
        Holds the parts.
    shards
        Texts, code points to skip, and the part's key of each shard; shards whose part has left the cache are unknown.
    """

    def __init__(self, cache: Cache, shards: Iterable[tuple[Sequence[str], Ints, str]]) -> None:
        self._cache = cache
        self._places: dict[bytes, tuple[str, int]] = {}
        for texts, skip, key in shards:
            if cache.load("text", key) is not None:
                for row, (text, skipped) in enumerate(zip(texts, skip.tolist(), strict=True)):
                    self._places[_identity(text, skipped)] = (key, row)

    def read(self, texts: Sequence[str], skip: Ints, read: Callable[[Sequence[str], Ints], Arrays]) -> Arrays:
        """Give the part of a shard; only texts that are not known yet are read.

        Parameters
        ----------
        texts, skip
            The shard.
        read
            Reads texts; what it says of one does not depend on the others.
        """
        known = [self._places.get(_identity(text, n)) for text, n in zip(texts, skip.tolist(), strict=True)]
        fresh = [row for row, place in enumerate(known) if place is None]
        if len(fresh) == len(texts):
            return read(texts, skip)
        parts: dict[str, Arrays] = {}
        for key in dict.fromkeys(place[0] for place in known if place is not None):
            part = self._cache.load("text", key)
            if part is None:
                return read(texts, skip)
            parts[key] = part
        if fresh:
            parts[""] = read([texts[row] for row in fresh], skip[fresh])
        counts = [len(part["traits"]) for part in parts.values()]
        first = dict(zip(parts, np.cumsum([0, *counts[:-1]]).tolist(), strict=True))
        new = iter(range(len(fresh)))
        order = [first[""] + next(new) if place is None else first[place[0]] + place[1] for place in known]
        return taken(list(parts.values()), np.array(order, np.int64))


def taken(parts: Sequence[Arrays], rows: Ints) -> Arrays:
    """Give the part that holds some rows of parts.

    Parameters
    ----------
    parts
        Text parts, as `features.FeatureStore` stores them.
    rows
        (n,) rows of the parts laid one after the other.
    """
    sentence_offsets = _laid([part["sentence_offsets"] for part in parts])
    word_offsets = _laid([part["word_offsets"] for part in parts])
    offsets, sentences = regrouped(sentence_offsets, rows)
    of_words, words = regrouped(word_offsets, sentences)
    numbers: dict[str, int] = {}
    ids = []
    for part in parts:
        text = part["vocabulary"].tobytes().decode()
        own = [numbers.setdefault(word, len(numbers)) for word in text.split("\n")] if text else []
        ids.append(np.array(own, np.int64)[part["word_ids"]])
    vocabulary = np.array(list(numbers), object)
    used, where, back = np.unique(np.concatenate(ids)[words], return_index=True, return_inverse=True)
    # Words are numbered as they come, as in a part that was read in one go.
    rank = np.empty(len(used), np.int64)
    rank[np.argsort(where)] = np.arange(len(used))
    spelled = "\n".join(vocabulary[used[np.argsort(where)]].tolist())
    found = {
        name: np.concatenate([part[name] for part in parts])[sentences]
        for name in ("sentence_start", "sentence_end", "sentence_keys")
    }
    return {
        "sentence_offsets": offsets,
        **found,
        "traits": np.concatenate([part["traits"] for part in parts])[rows],
        "word_offsets": of_words,
        "word_ids": rank[back.reshape(-1)],
        "vocabulary": np.frombuffer(spelled.encode(), dtype=np.uint8),
    }


def _identity(text: str, skip: int) -> bytes:
    return blake2b(f"{skip}\x1f{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _laid(offsets: Sequence[Ints]) -> Ints:
    """Lay the offsets of several parts one after the other."""
    sizes = np.concatenate([np.diff(part) for part in offsets])
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
