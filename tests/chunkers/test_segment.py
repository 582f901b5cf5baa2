from __future__ import annotations

import doctest
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkeval.chunkers import segment as module
from chunkeval.chunkers.borders import penalties
from chunkeval.chunkers.segment import Coherence, Prices, centred, coherence, segment


def price(vectors, sizes, first, past, document):
    """What a segment costs, term by term."""
    length, total = past - first, vectors[first:past].astype(np.float64).sum(axis=0)
    rho, variance = document.within / (1 - document.within), 1 - document.within
    held = rho * (total @ total) / (variance * (1 + length * rho)) - np.log(1 + length * rho)
    return -document.strength * held - np.log(length)


def brute_force(vectors, sizes, charges, max_size, min_size, document):
    """Try every segmentation: the fewest missed minima, then the lowest cost."""
    n, best = len(vectors), (np.inf, np.inf)
    for count in range(n):
        for cuts in combinations(range(1, n), count):
            bounds = list(pairwise([0, *cuts, n]))
            totals = [int(sizes[a:b].sum()) for a, b in bounds]
            if any(total > max_size and b - a > 1 for total, (a, b) in zip(totals, bounds, strict=True)):
                continue
            missed = sum(total < min_size for total in totals)
            cost = sum(price(vectors, sizes, a, b, document) + charges[a] for a, b in bounds)
            best = min(best, (missed, cost))
    return best


@given(st.integers(1, 9), st.integers(0, 10_000), st.integers(5, 40), st.integers(0, 20))
@settings(max_examples=60, deadline=None)
def test_the_segmentation_is_the_best_of_all(n, seed, max_size, min_size):
    rng = np.random.default_rng(seed)
    vectors = centred(rng.normal(size=(n, 5)).astype(np.float32))
    sizes, charges = rng.integers(1, 20, n), rng.normal(1, 2, n)
    document = Coherence(within=float(rng.uniform(0.05, 0.5)), strength=float(rng.uniform(0, 10)))
    prices = Prices(vectors, sizes, max_size=max_size, min_size=min_size, document=document)
    found = segment(prices, charges)
    bounds = list(pairwise([0, *found.cuts, n]))
    cost = sum(price(vectors, sizes, a, b, document) + charges[a] for a, b in bounds)
    missed, least = brute_force(vectors, sizes, charges, max_size, min_size, document)
    assert found.missed == missed == sum(int(sizes[a:b].sum()) < min_size for a, b in bounds)
    assert cost == pytest.approx(least, abs=1e-4)
    assert all(int(sizes[a:b].sum()) <= max_size or b - a == 1 for a, b in bounds)


def test_long_rows_are_prices_in_blocks_without_a_seam():
    rng = np.random.default_rng(1)
    vectors = centred(
        (rng.normal(size=(620, 16)) + np.repeat(rng.normal(size=(62, 16)), 10, axis=0)).astype(np.float32)
    )
    sizes = rng.integers(1, 9, 620)
    document = coherence(vectors)
    prices = Prices(vectors, sizes, max_size=120, min_size=10, document=document)
    listed = list(prices)
    assert len(listed) == 620
    for end in (1, 2, 255, 256, 257, 258, 511, 513, 620):
        first, cost, small = listed[end - 1]
        assert sizes[first:end].sum() <= 120 < sizes[max(first - 1, 0) : end].sum() + 120 * (first == 0)
        for start in range(first, end):
            assert cost[start - first] == pytest.approx(price(vectors, sizes, start, end, document), abs=1e-6)
            assert small[start - first] == (sizes[start:end].sum() < 10)


def test_planted_topics_are_found_without_their_number():
    rng = np.random.default_rng(2)
    lengths = [5, 9, 4, 7, 11, 3, 8, 6]
    topics = np.repeat(rng.normal(size=(8, 64)), lengths, axis=0)
    vectors = centred((0.7 * topics + rng.normal(size=topics.shape)).astype(np.float32))
    found = segment(Prices(vectors, np.ones(53, np.int64), max_size=40, min_size=0), np.full(53, 3.0))
    assert found.cuts == tuple(np.cumsum(lengths)[:-1])


def test_where_nothing_is_shared_next_to_nothing_is_cut():
    vectors = centred(np.random.default_rng(3).normal(size=(60, 64)).astype(np.float32))
    prices = Prices(vectors, np.ones(60, np.int64), max_size=60, min_size=0)
    assert len(segment(prices, penalties(np.ones(59))).cuts) <= 1


def test_a_minimum_gives_way_to_the_maximum_only_and_is_counted():
    vectors = np.zeros((3, 4), np.float32)
    sizes = np.array([90, 20, 90])
    assert segment(Prices(vectors, sizes, max_size=100, min_size=50), np.zeros(3)) == module.Segmentation((1, 2), 1)
    assert segment(Prices(vectors, sizes, max_size=110, min_size=50), np.zeros(3)).missed == 0
    assert segment(Prices(vectors, sizes, max_size=300, min_size=250), np.full(3, -99.0)) == module.Segmentation((), 1)


def test_equal_segmentations_are_told_apart_the_same_way_always():
    prices = Prices(np.zeros((4, 2), np.float32), np.ones(4, np.int64), max_size=3, min_size=0)
    assert segment(prices, np.full(4, 50.0)).cuts == (2,)
    prices = Prices(np.zeros((5, 2), np.float32), np.ones(5, np.int64), max_size=3, min_size=0)
    assert segment(prices, np.full(5, 50.0)).cuts == (2,)


def test_what_has_no_direction_gives_no_evidence():
    assert coherence(np.zeros((5, 3), np.float32)) == Coherence(0.01, 0.0)
    assert coherence(np.zeros((1, 3), np.float32)).strength == 0
    same = centred(np.ones((6, 3), np.float32))
    assert not same.any()
    assert centred(np.zeros((0, 3), np.float32)).shape == (0, 3)


def test_the_example_holds():
    assert doctest.testmod(module).failed == 0
