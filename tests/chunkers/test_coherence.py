from __future__ import annotations

import doctest
from itertools import pairwise

import numpy as np
import pytest

from chunkeval.chunkers import coherence as module
from chunkeval.chunkers.borders import SEGMENT, penalties
from chunkeval.chunkers.coherence import coherence
from chunkeval.chunkers.segment import Prices, centred, segment


def planted(lengths, seed, share=0.6):
    """Rows of segments, each about a direction of its own."""
    rng = np.random.default_rng(seed)
    topics = np.repeat(rng.normal(size=(len(lengths), 80)), lengths, axis=0)
    return centred((share * topics + rng.normal(size=topics.shape)).astype(np.float32))


def lengths_between(low, high, seed, segments=20):
    return np.random.default_rng(seed).integers(low, high + 1, segments)


def test_short_segments_are_told_before_anything_is_cut():
    found = {
        (low, high): [coherence(planted(lengths_between(low, high, seed), seed)).length for seed in range(20)]
        for low, high in [(3, 5), (5, 7), (14, 18)]
    }
    assert np.median(found[3, 5]) < np.median(found[5, 7]) <= SEGMENT
    assert found[14, 18] == [SEGMENT] * 20


def test_the_number_of_short_segments_is_met_better_than_with_the_usual_length():
    missed = []
    for seed in range(20):
        lengths = lengths_between(3, 5, seed)
        vectors = planted(lengths, seed)
        prices = Prices(vectors, np.ones(len(vectors), np.int64), max_size=60, min_size=0)
        counts = [
            len(segment(prices, penalties(np.ones(len(vectors) - 1), mean)).cuts) + 1
            for mean in (SEGMENT, prices.document.length)
        ]
        missed.append([abs(count / len(lengths) - 1) for count in counts])
    usual, own = np.mean(missed, axis=0)
    assert own <= 0.1 < usual


def test_the_usual_length_is_kept_where_nothing_speaks_against_it():
    rng = np.random.default_rng(4)
    noise = rng.normal(size=(20, 61, 80)).astype(np.float32)
    assert np.mean([coherence(centred(rows)).length == SEGMENT for rows in noise]) > 0.9
    # Neighbours that are alike for being neighbours say nothing about segments.
    moving = [centred(rows[1:] + 0.6 * rows[:-1]) for rows in noise]
    assert np.mean([coherence(rows).length == SEGMENT for rows in moving]) > 0.9
    assert coherence(planted([3] * 6, 0)).length == SEGMENT  # too few rows to tell


def test_likeness_is_raised_by_the_pairs_that_borders_part():
    """The mean cosine within the planted segments themselves is what is read over three lags."""
    for seed in range(5):
        lengths = lengths_between(3, 5, seed, segments=40)
        vectors = planted(lengths, seed)
        bounds = np.concatenate([[0], np.cumsum(lengths)])
        inside = np.mean(
            np.concatenate([(vectors[a:b] @ vectors[a:b].T)[np.triu_indices(b - a, 1)] for a, b in pairwise(bounds)])
        )
        read = np.mean([(vectors[lag:] * vectors[:-lag]).sum(axis=1).mean() for lag in (1, 2, 3)])
        assert read < coherence(vectors).within <= inside * 1.1


def test_shares_of_pairs_are_those_of_drawn_lengths():
    rng = np.random.default_rng(0)
    sizes = np.arange(1, 401)
    odds = sizes * np.exp(-2 * sizes / 6)
    drawn = rng.choice(sizes, 40_000, p=odds / odds.sum())
    labels = np.repeat(np.arange(len(drawn)), drawn)
    counted = [(labels[lag:] == labels[:-lag]).mean() for lag in range(1, 16)]
    assert module._together(6.0) == pytest.approx(counted, abs=0.01)


def test_the_example_holds():
    assert doctest.testmod(module).failed == 0
