"""By fold, what chunks are measured in: the space of subjects and the rarity of words, learned from the other folds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chunkeval.analyzers import subjects
from chunkeval.analyzers.base import Features, Groups, regrouped
from chunkeval.analyzers.signals import SIGNALS, Placed, Words, signals
from chunkeval.analyzers.similarity import MOST_OF_ONE, blocks, shortened, stretch

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
        ``mean`` (f, d), ``basis`` (f, d, k), ``between`` (f, k), ``spread`` (f,); ``vocabulary``, ``rarity`` (f, v + 1), the last
        for all other words. None where some fold's complement has sentences or chunks all alike.
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
        "basis": np.stack([model.basis.astype(np.float32) for model in models]),  # nearly all that a run's state weighs
        "between": np.stack([model.between for model in models]),
        "spread": np.array([model.spread for model in models]),
        **_rarity(features, corpus, folds, count),
    }


class Measuring:
    """Chunks measured in the spaces of their folds.

    Parameters
    ----------
    features
        Sentences and words.
    state
        As `learn` gives it.
    """

    def __init__(self, features: Features, state: Arrays) -> None:
        self._features, self._rarity = features, state["rarity"]
        parts = (state[name] for name in ("mean", "basis", "between", "spread"))
        self._spaces = [subjects.Subjects(*each) for each in zip(*parts, strict=True)]
        vocabulary = state["vocabulary"].tobytes().decode()
        numbers = {word: i for i, word in enumerate(vocabulary.split("\n"))} if vocabulary else {}
        self._known = np.array([numbers.get(word, len(numbers)) for word in features.vocabulary] or [0], np.int64)

    def measured(self, groups: Groups, folds: Ints) -> tuple[Ints, Floats]:
        """Measure chunks made of these sentences.

        Parameters
        ----------
        folds
            (n,) of each chunk, whatever its sentences are of.

        Returns
        -------
        (k,), (k, signals)
            The chunks of two sentences and more, and their signals.
        """
        rows = np.flatnonzero(np.diff(groups.offsets) >= 2)
        found = np.empty((len(rows), len(SIGNALS)))
        for fold in np.unique(folds[rows]).tolist():
            at = np.flatnonzero(folds[rows] == fold)
            of_fold = _of(groups, rows[at])
            for a, b in blocks(of_fold):
                found[at[a:b]] = self._signals(stretch(of_fold, a, b), fold)
        return rows, found

    def _signals(self, groups: Groups, fold: int) -> Floats:
        offsets, at = regrouped(self._features.word_offsets, groups.members)
        ids = self._features.word_ids[at]
        words = Words(offsets, ids, self._rarity[fold][self._known[ids]])
        here = Groups(groups.offsets, np.arange(len(groups.members)))
        space = self._spaces[fold]
        # A sentence is in many made chunks.
        once, again = np.unique(groups.members, return_inverse=True)
        vectors = self._features.vectors(once).astype(np.float64)
        placed = Placed(*(some[again.reshape(-1)] for some in (space.project(vectors), space.around_mean(vectors))))
        return signals(here, placed, space.between, words)


def _of(groups: Groups, rows: Ints) -> Groups:
    offsets, places = regrouped(groups.offsets, rows)
    return Groups(offsets, groups.members[places])


def _moments(features: Features, groups: Groups) -> subjects.Moments | None:
    total: subjects.Moments | None = None
    groups = shortened(groups, MOST_OF_ONE)
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
