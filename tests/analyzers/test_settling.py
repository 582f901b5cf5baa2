"""Which made chunks may teach which fold's heads, and what is left out of the corpus."""

from __future__ import annotations

import numpy as np
import pytest

from chunkeval.analyzers import recombine
from chunkeval.analyzers.base import Groups
from chunkeval.analyzers.settling import Taught, settle
from chunkeval.analyzers.signals import SENSES, SIGNALS


class Ready:
    """Measures nothing: every chunk of two sentences has signals of nothing."""

    def measured(self, groups, folds):
        rows = np.flatnonzero(np.diff(groups.offsets) >= 2)
        return rows, np.zeros((len(rows), len(SIGNALS)))


def test_a_made_chunk_was_seen_by_the_folds_of_its_sentences_and_by_the_one_it_is_judged_as_of() -> None:
    groups = Groups(np.array([0, 2, 3, 6]), np.array([0, 1, 2, 2, 3, 4]))
    taught = Taught.of(groups, np.array([4, 0, 1]), np.array([0, 0, 1, 2, 3, 4]), Ready())
    assert taught.folds.tolist() == [4, 1]
    assert [np.flatnonzero(row).tolist() for row in taught.seen] == [[0, 4], [1, 2, 3]]


@pytest.mark.parametrize("made", [recombine.mixes, recombine.splices])
def test_chunks_are_made_of_one_pool_each(made) -> None:
    documents = [f"문서 {i // 2}" for i in range(30)]
    sentences = Groups(np.arange(31) * 4, np.arange(120))
    pools = [np.flatnonzero(np.arange(30) % 5 != fold) for fold in range(5)]
    chunks = made(recombine.Donors(sentences, documents, pools), 7, 60)
    for a, b in zip(chunks.offsets[:-1], chunks.offsets[1:], strict=True):
        donors = chunks.members[a:b] // 4
        assert any(np.isin(donors, pool).all() for pool in pools)


def drawn(rng: np.random.Generator, rows: int, worse: float) -> Taught:
    """Chunks whose signals are so many standard deviations worse than good ones' are."""
    signals = rng.normal(size=(rows, len(SIGNALS)))
    signals[:, : len(SENSES)] += worse * np.array(SENSES)
    signals[:, SIGNALS.index("sentences")] = np.log(rng.integers(2, 12, rows))
    folds = np.arange(rows) % 5
    return Taught(signals, folds, folds[:, None] == np.arange(5))


def test_shares_of_both_kinds_are_read_though_bad_chunks_are_worse_than_those_that_teach() -> None:
    rng = np.random.default_rng(0)
    parts = [drawn(rng, rows, worse) for rows, worse in ((800, 0.0), (100, 1.5), (100, 3.0))]
    corpus = Taught(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("signals", "folds", "seen")))
    mixes, splices = drawn(rng, 1500, 2.8), drawn(rng, 1500, 1.3)
    settled = settle([corpus, mixes, splices], [])
    probability = 1 / (1 + settled.odds(corpus).max(axis=1))
    assert 0.15 < settled.read.share_mix + settled.read.share_splice < 0.25
    assert np.mean(probability[800:] < 0.5) > 0.95 and np.mean(probability[:800] < 0.5) < 0.05


def test_what_is_of_one_fold_teaches_too() -> None:
    rng = np.random.default_rng(1)
    kinds = [drawn(rng, 600, 0.0), drawn(rng, 300, 2.0), drawn(rng, 300, 1.0)]
    alone = [drawn(rng, 300, 2.0), drawn(rng, 300, 1.0)]
    without, with_them = settle(kinds, []), settle(kinds, alone)
    assert not np.allclose(without.heads[0][1].weights, with_them.heads[0][1].weights)


def test_splices_are_not_read_as_mixes() -> None:
    """A mix is worse at its weakest place too: were the corpus' splices left out for the head of mixes, they would look like mixes."""
    rng = np.random.default_rng(3)

    def made(rows: int, whole: float, across: float) -> Taught:
        some, worse = drawn(rng, rows, 0.0), {"similarity": whole, "one_subject": whole}
        worse |= {"similarity_across": across, "two_subjects": across}
        some.signals[:, [SIGNALS.index(name) for name in worse]] -= np.array(list(worse.values()))
        return some

    parts = [made(600, 0.0, 0.0), made(400, 0.0, 1.6)]
    corpus = Taught(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("signals", "folds", "seen")))
    read = settle([corpus, made(1500, 2.0, 1.6), made(1500, 0.0, 1.6)], []).read
    assert read.share_mix < 0.025
    assert 0.35 < read.share_mix + read.share_splice < 0.45
