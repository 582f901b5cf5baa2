from __future__ import annotations

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.retrieval import metrics
from chunkeval.retrieval.metrics import (
    iou,
    length,
    ndcg,
    overlap,
    precision,
    precision_omega,
    recall,
    reciprocal_rank,
    union,
)

span = st.tuples(st.integers(0, 40), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))
spans = st.lists(span, min_size=1, max_size=4)
chunks = st.lists(spans, max_size=6)
one_span = st.lists(span.map(lambda each: [each]), max_size=8)


def points(some) -> set[int]:
    return {point for start, end in some for point in range(start, end)}


def flat(some) -> list[tuple[int, int]]:
    return [each for chunk in some for each in chunk]


def test_the_examples_hold():
    assert doctest.testmod(metrics).failed == 0


@given(spans, chunks)
def test_strict_figures_are_those_of_sets_of_code_points(references, found):
    e, r = points(references), points(flat(found))
    total = sum(map(length, found))
    assert recall(references, found) == pytest.approx(len(e & r) / len(e))
    assert precision(references, found) == pytest.approx(len(e & r) / total if total else 0)
    assert iou(references, found) == pytest.approx(len(e & r) / (total + len(e - r)))
    c = points(flat(chunk for chunk in found if points(chunk) & e))
    assert precision_omega(references, found) == pytest.approx(len(e & c) / len(c | e))


@given(spans, one_span)
def test_chroma_figures_follow_what_its_code_does(references, found):
    """The denominators as its code adds them up: references one by one, every retrieved chunk, chunks that only touch."""
    sizes = sum(end - start for start, end in references)
    r, total = points(flat(found)), sum(map(length, found))
    hit = len(points(references) & r)
    unused = sum(len(points([reference]) - r) for reference in references)
    assert recall(references, found, "chroma") == pytest.approx(hit / sizes)
    assert iou(references, found, "chroma") == pytest.approx(hit / (total + unused))
    touching = [
        (start, end) for ((start, end),) in found if any(start <= last and end >= first for first, last in references)
    ]
    c = points(touching)
    expected = len(points(references) & c) / len(c | points(references)) if touching else 0
    assert precision_omega(references, found, "chroma") == pytest.approx(expected)


@given(spans, chunks)
def test_all_figures_are_shares_and_reading_more_never_lowers_recall(references, found):
    for figure in (recall(references, found), precision(references, found), iou(references, found)):
        assert 0 <= figure <= 1
    ordered = [recall(references, found[:k]) for k in range(len(found) + 1)]
    assert ordered == sorted(ordered)
    assert iou(references, found) <= min(recall(references, found), 1)


@given(spans, spans)
def test_unions_and_overlaps_are_of_code_points(some, others):
    assert points(union(some)) == points(some)
    assert length(union(some)) == len(points(some))
    assert points(overlap(some, others)) == points(some) & points(others)
    assert length(overlap(some, others)) == len(points(some) & points(others))


def test_overlapping_chunks_and_other_documents_count_below():
    korean = "판다는 대나무를 먹는다👨‍👩‍👧."
    assert len(korean) == 18
    reference = [(0, len(korean))]
    assert precision(reference, [reference, reference]) == 0.5
    assert iou(reference, [reference, [(1000, 1018)]]) == 0.5
    assert recall(reference, []) == precision(reference, []) == iou(reference, []) == 0


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8))
def test_ndcg_equals_scikit_learn(gains):
    ranking = pytest.importorskip("sklearn.metrics").ndcg_score
    gains = [round(gain, 3) for gain in gains]
    theirs = ranking([gains], [np.arange(len(gains), 0, -1)]) if any(gains) else 0.0
    assert ndcg(gains, gains) == pytest.approx(theirs)


def test_ranks_count_what_was_read_only():
    assert reciprocal_rank([]) == reciprocal_rank([0, 0]) == ndcg([], [0.5]) == ndcg([0.0], []) == 0
    assert ndcg([0.5], [0.5, 0.5]) == 1
    assert ndcg([0.5, 0.5], [0.5, 0.5, 0.2]) == 1
