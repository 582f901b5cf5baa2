"""By fold, what chunks are measured in: the space of subjects and the rarity of words, learned from the other folds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunkeval.analyzers import subjects
from chunkeval.analyzers.base import Features, Groups, regrouped
from chunkeval.analyzers.signals import SIGNALS, Words, signals
from chunkeval.analyzers.similarity import blocks, stretch

if TYPE_CHECKING:
    from chunkeval.results import Arrays, Floats, Ints


def learn(features: Features, corpus: Groups, folds: Ints) -> Arrays | None:
    """Learn both from each fold's complement.

    Parameters
    ----------
    features
        Sentences and words.
    corpus, folds
        n chunks and the fold of each.

    Returns
    -------
    Arrays or None
        ``mean`` (f, d), ``basis`` (f, d, k), ``between`` (f, k); ``vocabulary``, ``rarity`` (f, v + 1), the last for all other
        words. None where some fold's complement has sentences or chunks all alike.
    """
    count = int(folds.max()) + 1
    sums = [_moments(features, _of(corpus, np.flatnonzero(folds == fold))) for fold in range(count)]
    models = []
    for fold in range(count):
        others = [each for other, each in enumerate(sums) if other != fold and each is not None]
        model = subjects.fit(sum(others[1:], start=others[0])) if others else None
        if model is None:
            return None
        models.append(model)
    return {
        "mean": np.stack([model.mean for model in models]),
        "basis": np.stack([model.basis for model in models]),
        "between": np.stack([model.between for model in models]),
        **_rarity(features, corpus, folds, count),
    }


class Placed:
    """Sentences in the spaces of their folds.

    Parameters
    ----------
    features
        Sentences and words.
    chunks, folds
        Chunks that hold the sentences, and the fold of each.
    state
        As `learn` gives it.
    """

    def __init__(self, features: Features, chunks: Groups, folds: Ints, state: Arrays) -> None:
        self._features, self._between, self._rarity = features, state["between"], state["rarity"]
        self._folds = np.zeros(len(features.sentence_keys), np.int64)
        self._folds[chunks.members] = np.repeat(folds, np.diff(chunks.offsets))
        self._vectors = np.zeros((len(features.sentence_keys), state["basis"].shape[2]))
        for a, b in blocks(chunks):
            members = stretch(chunks, a, b).members
            vectors = features.vectors(members).astype(np.float64)
            for fold in np.unique(self._folds[members]).tolist():
                at = np.flatnonzero(self._folds[members] == fold)
                space = subjects.Subjects(*(state[name][fold] for name in ("mean", "basis", "between")))
                self._vectors[members[at]] = space.project(vectors[at])
        vocabulary = state["vocabulary"].tobytes().decode()
        numbers = {word: i for i, word in enumerate(vocabulary.split("\n"))} if vocabulary else {}
        self._known = np.array([numbers.get(word, len(numbers)) for word in features.vocabulary] or [0], np.int64)

    def measured(self, groups: Groups) -> tuple[Ints, Floats, Ints]:
        """Measure chunks made of these sentences, each of sentences of one fold.

        Returns
        -------
        (k,), (k, signals), (k,)
            The chunks of two sentences and more, their signals, their folds.
        """
        rows = np.flatnonzero(np.diff(groups.offsets) >= 2)
        folds = self._folds[groups.members[groups.offsets[rows]]]
        found = np.empty((len(rows), len(SIGNALS)))
        for fold in np.unique(folds).tolist():
            at = np.flatnonzero(folds == fold)
            of_fold = _of(groups, rows[at])
            for a, b in blocks(of_fold):
                found[at[a:b]] = self._signals(stretch(of_fold, a, b), fold)
        return rows, found, folds

    def _signals(self, groups: Groups, fold: int) -> Floats:
        offsets, at = regrouped(self._features.word_offsets, groups.members)
        ids = self._features.word_ids[at]
        words = Words(offsets, ids, self._rarity[fold][self._known[ids]])
        here = Groups(groups.offsets, np.arange(len(groups.members)))
        return signals(here, self._vectors[groups.members], self._between[fold], words)


def _of(groups: Groups, rows: Ints) -> Groups:
    offsets, places = regrouped(groups.offsets, rows)
    return Groups(offsets, groups.members[places])


def _moments(features: Features, groups: Groups) -> subjects.Moments | None:
    total: subjects.Moments | None = None
    for a, b in blocks(groups):
        some = stretch(groups, a, b)
        sizes = np.diff(some.offsets)
        one = subjects.moments(features.vectors(some.members).astype(np.float64), sizes[sizes > 0])
        total = one if total is None else total + one
    return total


def _rarity(features: Features, corpus: Groups, folds: Ints, count: int) -> dict[str, np.ndarray]:
    """Inverse document frequencies, a chunk being a document, of words that are in two chunks at least."""
    offsets, at = regrouped(features.word_offsets, corpus.members)
    sentence = np.repeat(np.arange(len(corpus.members)), np.diff(offsets))
    chunk = np.repeat(np.arange(len(corpus)), np.diff(corpus.offsets))[sentence]
    size = max(len(features.vocabulary), 1)
    pairs = np.unique(chunk * size + features.word_ids[at])
    fold, word = folds[pairs // size], pairs % size
    held = np.bincount(fold * size + word, minlength=count * size).reshape(count, size)
    kept = np.flatnonzero(held.sum(axis=0) >= 2)
    named = sorted((features.vocabulary[i], i) for i in kept.tolist())
    order = np.array([i for _, i in named], np.int64)
    chunks = len(corpus) - np.bincount(folds, minlength=count)
    others = np.hstack([held.sum(axis=0)[order] - held[:, order], np.zeros((count, 1), np.int64)])
    rarity = np.log((1 + chunks)[:, None] / (1 + others)) + 1
    words = "\n".join(word for word, _ in named)
    return {"vocabulary": np.frombuffer(words.encode(), dtype=np.uint8), "rarity": rarity}
