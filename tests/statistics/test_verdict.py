from __future__ import annotations

import doctest
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkeval.errors import ConfigError, InputError
from chunkeval.statistics import bootstrap, verdict
from chunkeval.statistics.bootstrap import intervals
from chunkeval.statistics.verdict import compare_paired

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

import nulls


def made(values: np.ndarray, documents, names="가나다라") -> pd.DataFrame:
    """A frame of (questions, strategies) values."""
    parts = [
        pd.DataFrame(
            {
                "strategy": names[column],
                "question_id": range(len(values)),
                "doc_id": documents,
                "recall": values[:, column],
            }
        )
        for column in range(values.shape[1])
    ]
    return pd.concat(parts, ignore_index=True)


def spread(documents: int, shifts, seed: int = 0, questions: int = 4) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    of = np.repeat([f"문서{i}" for i in range(documents)], questions)
    values = rng.normal(0.5, 0.2, (len(of), 1)) + rng.normal(0, 0.05, (len(of), len(shifts))) + np.array(shifts)
    return made(values, of)


@pytest.mark.parametrize("module", [bootstrap, verdict])
def test_the_examples_hold(module):
    assert doctest.testmod(module).failed == 0


def test_a_winner_beats_every_other_and_the_superscripts_say_whom():
    found = compare_paired(spread(30, [0.0, 0.2, 0.1, 0.1]), "recall", resamples=2000)
    assert (found.outcome, found.winner, found.documents, found.questions) == ("winner", "나", 30, 120)
    assert [standing.number for standing in found.standings] == [1, 2, 3, 4]
    assert found.standings[0].beats == (2, 3, 4) and found.standings[0].probability_best == 1
    assert found.standings[1].beats == found.standings[2].beats == (4,)
    assert found.standings[-1].strategy == "가" and found.standings[-1].beats == ()
    assert found.questions_needed is None
    assert {(pair.first, pair.second) for pair in found.pairs if not pair.decided} in ({("다", "라")}, {("라", "다")})
    for pair in found.pairs:
        assert pair.difference >= 0 and pair.low < pair.difference < pair.high
        assert pair.decided == (pair.low > 0)
        assert (pair.questions_needed is None) == pair.decided


def test_below_twenty_documents_nothing_is_decided_however_clear():
    found = compare_paired(spread(19, [0.0, 0.5]), "recall", resamples=500)
    assert (found.outcome, found.winner) == ("too_few_documents", None)
    assert found.pairs[0].low > 0 and not found.pairs[0].decided
    assert found.questions_needed == 80  # twenty documents of four questions
    assert compare_paired(spread(20, [0.0, 0.5]), "recall", resamples=500).winner == "나"


def test_many_questions_about_one_document_decide_nothing():
    found = compare_paired(spread(1, [0.0, 0.5], questions=200), "recall", resamples=50)
    assert (found.outcome, found.winner) == ("too_few_documents", None)


def test_costs_are_better_low():
    frame = spread(25, [0.0, 0.2])
    low = compare_paired(frame, "recall", higher_is_better=False, resamples=500)
    high = compare_paired(frame, "recall", resamples=500)
    assert (low.winner, high.winner) == ("가", "나")
    assert low.pairs[0].difference == pytest.approx(-high.pairs[0].difference)
    assert (low.pairs[0].low, low.pairs[0].high) == pytest.approx((-high.pairs[0].high, -high.pairs[0].low))


def test_nothing_is_named_from_zeros_or_from_a_few_documents():
    documents = np.repeat(np.arange(100), 3)
    same = np.repeat((np.arange(300) % 2).astype(float)[:, None], 2, axis=1)
    found = compare_paired(made(same, documents), "recall", resamples=500)
    assert (found.outcome, found.questions_needed, found.pairs[0].low) == ("no_difference", None, 0)
    few = same.copy()
    few[documents < 5, 0] = few[documents < 5, 1] + 1
    found = compare_paired(made(few, documents), "recall", resamples=500)
    assert (found.outcome, found.winner) == ("undecided", None)
    assert found.pairs[0].low <= 0 < found.pairs[0].difference


def test_two_that_hardly_differ_do_not_hide_a_third_that_does():
    frame = spread(60, [0.3, 0.0])
    third = frame[frame["strategy"] == "나"].assign(strategy="다")
    third.iloc[:3, third.columns.get_loc("recall")] += 0.01
    found = compare_paired(pd.concat([frame, third], ignore_index=True), "recall", resamples=1000)
    assert found.winner == "가" and found.critical < 3
    assert [standing.beats for standing in found.standings] == [(2, 3), (), ()]


def test_more_strategies_make_intervals_wider():
    frame = spread(40, [0.0, 0.01, 0.0, 0.0])
    all_four = compare_paired(frame, "recall", resamples=2000)
    two = compare_paired(frame, "recall", strategies=["가", "나"], resamples=2000)
    assert all_four.critical > two.critical > 2
    assert len(all_four.pairs) == 6 and len(two.pairs) == 1


def test_questions_that_a_strategy_lacks_are_left_out_of_all():
    frame = spread(30, [0.0, 0.3])
    frame.loc[[0, 5], "recall"] = np.nan
    found = compare_paired(frame.drop(index=130), "recall", resamples=200)
    assert (found.questions, found.left_out) == (117, 3)


def test_the_order_of_rows_changes_nothing_and_the_seed_is_kept():
    frame = spread(25, [0.0, 0.02, 0.03])
    first = compare_paired(frame, "recall", resamples=500, seed=3)
    shuffled = frame.sample(frac=1, random_state=1)
    strategies = list(dict.fromkeys(frame["strategy"]))
    assert compare_paired(shuffled, "recall", strategies=strategies, resamples=500, seed=3) == first
    assert compare_paired(frame, "recall", resamples=500, seed=3) == first


def test_as_many_questions_as_it_says_would_be_needed_are_about_enough():
    frame = spread(20, [0.0, 0.01], questions=3)
    few = compare_paired(frame, "recall", resamples=1000)
    assert few.winner is None and few.questions_needed is not None
    repeats = -(-few.questions_needed // few.questions)
    more = pd.concat(
        [
            frame.assign(question_id=frame["question_id"] + 1000 * i, doc_id=frame["doc_id"] + f"-{i}")
            for i in range(repeats)
        ],
        ignore_index=True,
    )
    assert compare_paired(more, "recall", resamples=1000).winner == few.standings[0].strategy


def test_what_cannot_be_compared_is_refused():
    frame = spread(3, [0.0, 0.1])
    with pytest.raises(ConfigError, match="unknown metric 'recal': did you mean 'recall'"):
        compare_paired(frame, "recal")
    with pytest.raises(ConfigError, match="unknown strategy '마'"):
        compare_paired(frame, "recall", strategies=["가", "마"])
    with pytest.raises(InputError, match="no question has recall for every strategy"):
        compare_paired(frame.assign(recall=np.nan), "recall")
    with pytest.raises(InputError, match="question '0' of strategy '가' is there twice"):
        compare_paired(pd.concat([frame, frame[:1]]), "recall")


def test_the_interval_of_one_pair_is_near_that_of_the_known_formula():
    """For equal clusters of normal differences, the studentised interval is Student's."""
    rng = np.random.default_rng(5)
    apart = rng.normal(0.1, 0.3, 40)
    sums = np.stack([apart, np.zeros(40)], axis=1)
    found = intervals(sums, np.ones(40), [(0, 1)], level=0.95, resamples=5000, seed=0)
    assert found.errors[0] == pytest.approx(apart.std(ddof=1) / np.sqrt(40))
    assert found.critical == pytest.approx(2.02, abs=0.1)


@given(st.integers(0, 1000), st.integers(2, 5), st.integers(2, 12))
@settings(max_examples=30)
def test_probabilities_add_up_and_intervals_hold_their_difference(seed, strategies, documents):
    rng = np.random.default_rng(seed)
    sums = rng.integers(0, 3, (documents, strategies)).astype(float)
    pairs = [(i, j) for i in range(strategies) for j in range(i + 1, strategies)]
    found = intervals(sums, np.ones(documents), pairs, level=0.95, resamples=100, seed=seed)
    assert found.best.sum() == pytest.approx(1)
    assert (found.low <= found.differences).all() and (found.differences <= found.high).all()
    assert not np.isnan(found.low).any()


def test_the_simulated_comparisons_are_those_of_a_table():
    for seed in range(8):
        values, documents = nulls.drawn("graded", seed)
        values[:, 0] += 0.03 * seed
        found = compare_paired(made(values, documents, "ab"), "recall", resamples=300, seed=1, strategies=["a", "b"])
        number = nulls.winner(values, documents, 300, 1)
        assert found.winner == (None if number is None else "ab"[number])


@pytest.mark.parametrize("kind", nulls.KINDS)
def test_a_winner_is_rarely_named_where_there_is_none_and_mostly_where_there_is(kind):
    """A small version of the benchmark: at 5 % and 90 %, one in a thousand of such runs would go beyond these bounds."""
    error = nulls.standard_error(kind, 500)
    assert nulls.named(kind, 0.0, 400, 500) <= 34 / 400
    assert nulls.named(kind, 4 * error, 200, 500) >= 0.75
