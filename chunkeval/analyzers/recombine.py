"""Chunks that are bad on purpose, made of the corpus' own sentences: what bad looks like here, without a label.

*Mixes* hold sentences of 3 to 6 documents. *Splices* hold the end of one document's chunk and the beginning of another's. Both have as
many sentences as the corpus' chunks have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.analyzers.base import Groups

if TYPE_CHECKING:
    from chunkeval.results import Ints

FOLDS = 5
EACH_KIND = 3_000
LONGEST = 500
"""Sentences of a made chunk at most: one chunk that is a whole book must not make a hundred books."""
FEWEST_DOCUMENTS = 6
"""A fold with fewer documents cannot give a mix; the folds are then one."""
_TRIES = 50
_NOT_NEAR = 3
"""Places between two chunks of a document that are taken to speak of different things."""


def fold_of(document: str) -> int:
    """Fold of a document: sha256 of its id modulo 5."""
    return int.from_bytes(sha256(document.encode("utf-8", "surrogatepass")).digest(), "big") % FOLDS


class Donors:
    """The chunks that give sentences, by pool and document, in the order in which they are given.

    Parameters
    ----------
    sentences, documents
        Of each chunk.
    pools
        Numbers of chunks; all sentences of a made chunk are of one pool. The folds by `fold_of` where not given.
    """

    def __init__(self, sentences: Groups, documents: Sequence[str], pools: Sequence[Ints] | None = None) -> None:
        self.sizes = np.diff(sentences.offsets)
        self.members = [
            sentences.members[a:b] for a, b in zip(sentences.offsets[:-1], sentences.offsets[1:], strict=True)
        ]
        self.documents = documents
        filled = [i for i in range(len(documents)) if self.sizes[i]]
        self.pools = _folds(filled, documents) if pools is None else [pool[self.sizes[pool] > 0] for pool in pools]
        self.share = np.array([len(pool) for pool in self.pools], dtype=np.float64)
        self.of_document: dict[str, Ints] = {
            document: np.concatenate([self.members[i] for i in chunks])
            for document, chunks in _by_document(filled, documents)
        }
        self.lengths = self.sizes[self.sizes >= 2]

    @property
    def can_recombine(self) -> bool:
        """Whether there are two documents in every pool and a chunk of two sentences."""
        return (
            bool(len(self.lengths))
            and all(len({self.documents[i] for i in pool}) > 1 for pool in self.pools)
            and bool(self.pools)
        )


def mixes(donors: Donors, seed: int, count: int = EACH_KIND, *, fewest: int = 3) -> Groups:
    """Draw ``count`` chunks of sentences from ``fewest`` to 6 documents each (as many as there are sentences, where fewer)."""
    rng = np.random.default_rng([seed, 1])
    return _draw(donors, rng, count, partial(_mix, fewest=fewest))


def splices(donors: Donors, seed: int, count: int = EACH_KIND) -> Groups:
    """Draw ``count`` chunks that begin in one document's chunk and go on in another's, joined at a uniformly random sentence."""
    rng = np.random.default_rng([seed, 2])
    return _draw(donors, rng, count, _splice)


def runs(donors: Donors, seed: int, count: int, *, documents: tuple[int, int]) -> Groups:
    """Draw ``count`` chunks of passages of so many documents, at least and at most, one after the other.

    A passage is sentences that follow one another, cut from a document's chunks at any place.
    """
    rng = np.random.default_rng([seed, 4, *documents])
    return _draw(donors, rng, count, partial(_run, documents=documents))


def distant(donors: Donors, positions: Ints, seed: int, count: int) -> Groups:
    """Draw up to ``count`` chunks that begin in one chunk and go on in another of the same document, not near it.

    Parameters
    ----------
    positions
        (n,) place of each chunk in its document.
    """
    rng = np.random.default_rng([seed, 3])
    made: list[Ints] = []
    chunks: dict[str, Ints] = {
        document: np.array(rows, dtype=np.int64)
        for document, rows in _by_document(np.flatnonzero(donors.sizes).tolist(), donors.documents)
    }
    able = np.flatnonzero(donors.sizes)
    for _ in range(count if len(donors.lengths) else 0):
        n = min(LONGEST, int(rng.choice(donors.lengths)))
        cut = int(rng.integers(1, n))
        first = int(able[rng.integers(len(able))])
        others = chunks[donors.documents[first]]
        far = others[np.abs(positions[others] - positions[first]) >= _NOT_NEAR]
        far = far[donors.sizes[far] >= n - cut]
        if len(far) and donors.sizes[first] >= cut:
            second = int(far[rng.integers(len(far))])
            made.append(np.concatenate([donors.members[first][-cut:], donors.members[second][: n - cut]]))
    offsets = np.concatenate([[0], np.cumsum([len(m) for m in made])]).astype(np.int64)
    return Groups(offsets, np.concatenate(made) if made else np.zeros(0, dtype=np.int64))


def _draw(donors: Donors, rng: np.random.Generator, count: int, kind: object) -> Groups:
    assert callable(kind)
    if not donors.can_recombine:
        return Groups(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    made: list[Ints] = []
    # As rng.choice draws, without its checks each time, which took longer than the drawing.
    reach = (donors.share / donors.share.sum()).cumsum()
    reach /= reach[-1]
    lengths = np.minimum(donors.lengths, LONGEST).tolist()
    for _ in range(count):
        pool = donors.pools[reach.searchsorted(rng.random(), side="right")]
        made.append(kind(donors, rng, pool, lengths[rng.integers(len(lengths))]))
    offsets = np.concatenate([[0], np.cumsum([len(m) for m in made])]).astype(np.int64)
    return Groups(offsets, np.concatenate(made))


def _mix(donors: Donors, rng: np.random.Generator, pool: Ints, n: int, *, fewest: int) -> Ints:
    given = _chosen(donors, rng, pool, min(n, int(rng.integers(fewest, 7))))
    parts = [_some(rng, donors.of_document[document], len(range(j, n, len(given)))) for j, document in enumerate(given)]
    return rng.permutation(np.concatenate(parts))


def _run(donors: Donors, rng: np.random.Generator, pool: Ints, n: int, *, documents: tuple[int, int]) -> Ints:
    given = _chosen(donors, rng, pool, min(n, int(rng.integers(documents[0], documents[1] + 1))))
    cuts = np.sort(rng.choice(np.arange(1, n), size=len(given) - 1, replace=False))
    parts = []
    for document, length in zip(given, np.diff([0, *cuts, n]).tolist(), strict=True):
        sentences = donors.of_document[document]
        first = int(rng.integers(max(len(sentences) - length, 0) + 1))
        parts.append(sentences[first : first + length])
    return np.concatenate(parts)


def _chosen(donors: Donors, rng: np.random.Generator, pool: Ints, wanted: int) -> list[str]:
    """Draw documents, one that has more chunks more often; fewer than wanted where the pool has no more."""
    chosen: dict[str, None] = {}
    for _ in range(_TRIES):
        chosen.setdefault(donors.documents[pool[rng.integers(len(pool))]])
        if len(chosen) == wanted:
            break
    return list(chosen)


def _some(rng: np.random.Generator, sentences: Ints, n: int) -> Ints:
    return rng.choice(sentences, size=n, replace=n > len(sentences))


def _splice(donors: Donors, rng: np.random.Generator, pool: Ints, n: int) -> Ints:
    cut = int(rng.integers(1, n))
    first = _donor(donors, rng, pool, cut, without=None)
    second = _donor(donors, rng, pool, n - cut, without=donors.documents[first])
    return np.concatenate([donors.members[first][-cut:], donors.members[second][: n - cut]])


def _donor(donors: Donors, rng: np.random.Generator, pool: Ints, least: int, without: str | None) -> int:
    """Draw a chunk of another document with enough sentences; after many tries the longest one seen."""
    best = -1
    for _ in range(_TRIES):
        i = int(pool[rng.integers(len(pool))])
        if donors.documents[i] == without:
            continue
        if donors.sizes[i] >= least:
            return i
        if best < 0 or donors.sizes[i] > donors.sizes[best]:
            best = i
    return best if best >= 0 else next(int(i) for i in pool if donors.documents[i] != without)


def _folds(chunks: list[int], documents: Sequence[str]) -> list[Ints]:
    """Chunks by fold; all together where a fold has too few documents."""
    parts: dict[int, list[int]] = {}
    for i in chunks:
        parts.setdefault(fold_of(documents[i]), []).append(i)
    if any(len({documents[i] for i in part}) < FEWEST_DOCUMENTS for part in parts.values()):
        parts = {0: chunks}
    return [np.array(parts[fold], dtype=np.int64) for fold in sorted(parts)]


def _by_document(chunks: Iterable[int], documents: Sequence[str]) -> Iterable[tuple[str, list[int]]]:
    groups: dict[str, list[int]] = {}
    for i in chunks:
        groups.setdefault(documents[i], []).append(i)
    return groups.items()
