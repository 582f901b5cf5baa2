from __future__ import annotations

import doctest
import random
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.retrieval import segmentation
from chunkeval.retrieval.segmentation import (
    boundaries,
    boundary_similarity,
    cuts_of,
    masses,
    paired_difference,
    pk,
    window,
    window_diff,
)

# What the tests of segeval 2.0.11 state: hypothesis, reference, Pk, WindowDiff.
PUBLISHED = [
    ((5, 3, 5), (5, 3, 5), 0, 0),
    ((13,), (4, 4, 5), 4 / 11, 4 / 11),
    ((1,) * 13, (4, 4, 5), 7 / 11, 1),
    ((4, 4, 5), (1,) * 13, 7 / 11, 1),
    ((1,) * 13, (13,), 1, 1),
    ((5, 3, 5), (4, 4, 5), 2 / 11, 2 / 11),
    ((5, 1, 2, 5), (5, 3, 5), 1 / 11, 2 / 11),
    ((2, 3, 6), (5, 6), 0.25, 0.25),
    ((2, 3, 6), (2, 2, 7), 2 / 9, 2 / 9),
]


def test_the_examples_hold():
    assert doctest.testmod(segmentation).failed == 0


@pytest.mark.parametrize(("hypothesis", "reference", "apart", "different"), PUBLISHED)
def test_both_metrics_give_the_published_values(hypothesis, reference, apart, different):
    assert pk(hypothesis, reference) == pytest.approx(apart, abs=1e-12)
    assert window_diff(hypothesis, reference) == pytest.approx(different, abs=1e-12)


def test_both_metrics_equal_segeval_on_random_pairs():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its code compares literals with "is"
        segeval = pytest.importorskip("segeval")
    drawn = random.Random(7)

    def segments(length: int) -> list[int]:
        return masses(sorted(drawn.sample(range(1, length), drawn.randint(0, length // 2))), length)

    for _ in range(60):
        length = drawn.randint(6, 80)
        hypothesis, reference = segments(length), segments(length)
        size = segeval.compute_window_size(reference)
        assert window(reference) == size
        if size >= length:
            continue
        assert pk(hypothesis, reference) == pytest.approx(float(segeval.pk(hypothesis, reference)), abs=1e-12)
        theirs = float(segeval.window_diff(hypothesis, reference))
        assert window_diff(hypothesis, reference) == pytest.approx(theirs, abs=1e-12)


@given(st.integers(1, 60), st.data())
def test_a_segmentation_has_no_error_against_itself(length, data):
    cuts = sorted(data.draw(st.sets(st.integers(1, length - 1), max_size=length - 1))) if length > 1 else []
    segments = masses(cuts, length)
    assert sum(segments) == length
    assert pk(segments, segments) == window_diff(segments, segments) == 0
    assert boundaries(cuts, cuts).f1 == 1


def test_windows_may_count_code_points():
    document = "가나다. 라마바사. 아자."
    spans = [(0, 5), (5, 11), (11, len(document))]
    gold = masses([5], len(document))
    assert masses(cuts_of(spans), len(document)) == [5, 6, 3]
    assert window(gold) == 4
    assert pk(masses(cuts_of(spans), len(document)), gold) == pytest.approx(3 / 10)


def test_a_text_no_longer_than_the_window_shows_no_error():
    assert pk([1, 1], [2]) == 0 == window_diff([1, 1], [2])


@pytest.mark.parametrize("measure", [pk, window_diff])
def test_masses_of_two_texts_are_refused(measure):
    with pytest.raises(ValueError, match="5 units against 6"):
        measure([2, 3], [3, 3])
    with pytest.raises(ValueError, match="window"):
        measure([2, 3], [3, 2], 0)


def test_cuts_that_do_not_ascend_within_the_text_are_refused():
    for cuts in ([0, 3], [3, 3], [4, 2], [9]):
        with pytest.raises(ValueError, match="ascend"):
            masses(cuts, 9)


@pytest.mark.parametrize(
    ("cuts", "gold", "tolerance", "precision", "recall"),
    [
        ([], [], 0, 1, 1),
        ([], [5], 0, 1, 0),
        ([5], [], 0, 0, 1),
        ([5, 9], [5], 0, 0.5, 1),
        ([4, 6], [5], 1, 0.5, 1),
        ([5], [4, 6], 1, 1, 0.5),
        ([2, 4], [3, 5], 1, 1, 1),
        ([3, 5], [2, 4], 1, 1, 1),
        ([7], [5], 1, 0, 0),
    ],
)
def test_each_boundary_matches_one_cut_at_most(cuts, gold, tolerance, precision, recall):
    found = boundaries(cuts, gold, tolerance)
    assert (found.precision, found.recall) == (precision, recall)


@given(
    st.lists(st.integers(0, 40), unique=True, max_size=6).map(sorted),
    st.lists(st.integers(0, 40), unique=True, max_size=6).map(sorted),
    st.integers(0, 6),
)
def test_as_many_boundaries_match_as_can(cuts, gold, tolerance):
    def most(left, right):
        if not left:
            return 0
        others = [
            most(left[1:], right[:i] + right[i + 1 :]) + 1 for i, g in enumerate(right) if abs(left[0] - g) <= tolerance
        ]
        return max([most(left[1:], right), *others])

    found = boundaries(cuts, gold, tolerance)
    assert round(found.precision * len(cuts)) == (most(cuts, gold) if cuts else 0)


def test_the_interval_holds_the_true_difference_about_as_often_as_it_says():
    held = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        level = rng.normal(0.4, 0.2, 60)
        found = paired_difference(level + rng.normal(-0.05, 0.1, 60), level, resamples=1_000, seed=seed)
        assert found.low < found.mean < found.high
        held += found.low <= -0.05 <= found.high
    assert 88 <= held <= 99


def test_the_same_seed_gives_the_same_interval_and_unpaired_values_are_refused():
    ours, theirs = [0.1, 0.4, 0.2], [0.3, 0.4, 0.6]
    assert paired_difference(ours, theirs, seed=3) == paired_difference(ours, theirs, seed=3)
    with pytest.raises(ValueError, match="one value a document"):
        paired_difference(ours, theirs[:2])
    with pytest.raises(ValueError, match="one value a document"):
        paired_difference([], [])


def test_boundary_similarity_equals_segeval_on_random_pairs():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        segeval = pytest.importorskip("segeval")
    drawn = random.Random(11)
    for _ in range(60):
        length = drawn.randint(6, 60)
        pair = [masses(sorted(drawn.sample(range(1, length), drawn.randint(1, length // 2))), length) for _ in "ab"]
        assert boundary_similarity(*pair) == pytest.approx(float(segeval.boundary_similarity(*pair)), abs=1e-9)
