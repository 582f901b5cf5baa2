"""What labels say about a column, against scikit-learn, scipy, and all limits there are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import bootstrap as scipy_bootstrap
from sklearn.metrics import balanced_accuracy_score, precision_score, recall_score, roc_auc_score, roc_curve

from chunkeval import evidence
from chunkeval.evidence import Labels
from chunkeval.separation import best_range

SIDES = ("low", "high", "both")


def labels_of(bad, per_group=1, seed=42):
    bad = np.asarray(bad, dtype=bool)
    return Labels.of(bad, np.arange(bad.size) // per_group, seed)


def made(seed=0, good=150, bad=100, shift=1.5):
    rng = np.random.default_rng(seed)
    values = np.r_[rng.normal(shift, 1, good), rng.normal(0, 1, bad)].round(6)
    truth = np.r_[np.zeros(good, bool), np.ones(bad, bool)]
    order = rng.permutation(values.size)
    return values[order], truth[order]


@st.composite
def labelled(draw):
    size = draw(st.integers(12, 40))
    values = np.array(draw(st.lists(st.integers(-9, 9), min_size=size, max_size=size))) / 10
    bad = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    bad[:6], bad[6:12] = True, False
    return values, bad


@pytest.mark.parametrize("ties", [False, True])
def test_auroc_is_sklearns_and_its_interval_scipys(ties):
    values, bad = made()
    values = values.round(0 if ties else 6)
    labels = labels_of(bad)
    found, interval = evidence.auroc(evidence.suspicion(values, bad, "low"), labels)
    assert found == pytest.approx(roc_auc_score(bad, -values), abs=1e-6)
    theirs = scipy_bootstrap(
        (values, bad), lambda v, b: roc_auc_score(b, -v), paired=True, vectorized=False, method="percentile",
        n_resamples=1000, rng=np.random.default_rng(7),
    ).confidence_interval  # fmt: skip
    assert interval == pytest.approx([theirs.low, theirs.high], abs=0.012)


def test_a_document_drawn_as_a_whole_widens_the_interval():
    values, bad = made()
    values, bad = np.repeat(values, 8), np.repeat(bad, 8)
    alone, together = labels_of(bad), labels_of(bad, per_group=8)
    narrow, wide = (evidence.auroc(-values, labels)[1] for labels in (alone, together))
    assert wide[1] - wide[0] > 2 * (narrow[1] - narrow[0])


def by_trying(values, bad, side):
    """Highest balanced accuracy over every limit, or every two, that the values leave."""
    seen = np.unique(values)
    between = [-np.inf, *((seen[1:] + seen[:-1]) / 2), np.inf]
    lows, highs = (between if side != other else [np.nan] for other in ("high", "low"))
    return max(balanced_accuracy_score(bad, (values < low) | (values > high)) for low in lows for high in highs)


@settings(max_examples=40)
@given(labelled(), st.sampled_from(["low", "high"]))
def test_a_one_sided_limit_is_the_best_there_is(case, side):
    values, bad = case
    low, high = evidence.limits(values, bad, side)
    assert (low is None) == (side == "high")
    accuracy = balanced_accuracy_score(bad, evidence.beyond(values, (low, high)))
    assert accuracy == pytest.approx(by_trying(values, bad, side), abs=1e-6) or accuracy < 0.5


@settings(max_examples=12)
@given(labelled())
def test_a_range_is_the_best_there_is(case):
    values, bad = case
    low, high = best_range(values[~bad], values[bad])
    accuracy = balanced_accuracy_score(bad, evidence.beyond(values, (low, high)))
    # one that flags everything is no range: it is never better than 0.5
    assert accuracy == pytest.approx(max(by_trying(values, bad, "both"), 0.5), abs=1e-6) or accuracy < 0.5


@given(labelled())
def test_a_side_of_two_needs_five_bad_chunks_beyond_it(case):
    values, bad = case
    low, high = evidence.limits(values, bad, "both")
    if low is not None and high is not None:
        assert min((values[bad] < low).sum(), (values[bad] > high).sum()) >= evidence.FEWEST_BEYOND


@given(labelled(), st.sampled_from(["low", "high"]), st.sampled_from([0.5, 3.0]), st.sampled_from([-2.0, 5.0]))
def test_limits_move_with_the_values(case, side, scale, shift):
    values, bad = case
    moved = values * scale + shift
    flagged = evidence.beyond(values, evidence.limits(values, bad, side))
    assert (evidence.beyond(moved, evidence.limits(moved, bad, side)) == flagged).all()
    other = "high" if side == "low" else "low"
    mirrored = evidence.beyond(-values, evidence.limits(-values, bad, other))
    assert (mirrored == flagged).all()


@settings(max_examples=15)
@given(labelled())
def test_rates_are_sklearns(case):
    values, bad = case
    flagged = values < 0.2
    found = evidence.rates(flagged, labels_of(bad))
    assert found["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(bad, flagged), abs=1e-6)
    assert found["recall"] == pytest.approx(recall_score(bad, flagged), abs=1e-6)
    assert found["false_flags"] == pytest.approx(1 - recall_score(~bad, ~flagged), abs=1e-6)
    if flagged.any():
        assert found["precision"] == pytest.approx(precision_score(bad, flagged), abs=1e-6)
    else:
        assert found["precision"] is None
    for name in ("recall", "precision", "false_flags"):
        if found[name] is not None:
            assert 0 <= found[f"{name}_ci"][0] <= found[name] <= found[f"{name}_ci"][1] <= 1


def test_intervals_of_rates_are_no_narrower_than_scipys_wilson():
    bad = np.arange(60) < 25
    found = evidence.rates(bad, labels_of(bad))
    theirs = binomtest(25, 25).proportion_ci(method="wilson")
    assert found["recall_ci"] == pytest.approx([theirs.low, theirs.high], abs=1e-6)


def test_the_curve_is_sklearns():
    values, bad = made()
    false, found, _ = roc_curve(bad, -values, drop_intermediate=False)
    ours = np.array(evidence.curve(-values, bad))
    assert len(ours) <= evidence.POINTS + 1
    theirs = set(zip(false.round(6), found.round(6), strict=True))
    assert set(map(tuple, ours)) <= theirs and ours[0].tolist() == [0, 0] and ours[-1].tolist() == [1, 1]
    few = np.array(evidence.curve(-values[:60], bad[:60]))
    false, found, _ = roc_curve(bad[:60], -values[:60], drop_intermediate=False)
    assert few == pytest.approx(np.c_[false, found], abs=1e-6)


def test_two_sides_tell_nothing_where_good_and_bad_are_of_one_distribution():
    found = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        values, bad = rng.normal(size=120), np.arange(120) % 2 == 0
        found.append(roc_auc_score(bad, evidence.suspicion(values, bad, "both")))
    assert np.mean(found) == pytest.approx(0.5, abs=0.02)


def test_two_sides_tell_where_bad_ones_are_short_or_long():
    rng = np.random.default_rng(0)
    values = np.r_[rng.normal(300, 30, 100), rng.normal(100, 20, 30), rng.normal(600, 40, 30)]
    bad = np.arange(160) >= 100
    assert roc_auc_score(bad, evidence.suspicion(values, bad, "both")) > 0.98
    low, high = evidence.limits(values, bad, "both")
    assert 120 < low < 260 and 360 < high < 560
    low, high = evidence.limits(values[:130], bad[:130], "both")
    assert 120 < low < 260 and high is None


def test_held_out_figures_are_not_taken_in_by_noise():
    seen, kept = [], []
    for seed in range(20):
        values, bad = made(seed, 40, 40, shift=0)
        labels = labels_of(bad, seed=seed)
        seen.append(balanced_accuracy_score(bad, evidence.beyond(values, evidence.limits(values, bad, "low"))))
        kept.append(balanced_accuracy_score(bad, evidence.held_out(values, labels, "low")))
    assert np.mean(seen) > 0.54 and np.mean(kept) == pytest.approx(0.5, abs=0.03)


def test_a_chunk_is_judged_by_a_limit_that_its_document_had_no_part_in():
    values, bad = made(3, 60, 60)
    labels = labels_of(bad, per_group=4)
    for group in np.unique(labels.groups):
        assert len(np.unique(labels.folds[labels.groups == group])) == 1
    flagged = evidence.held_out(values, labels, "low")
    here = labels.folds == labels.folds[0]
    changed = np.where(here, values + 100, values)
    again = evidence.held_out(changed, labels, "low")
    limit = evidence.limits(values[~here], bad[~here], "low")
    assert (flagged[here] == evidence.beyond(values[here], limit)).all() and not again[here].any()


def test_nothing_is_held_out_where_all_bad_chunks_are_of_one_document():
    bad = np.arange(60) < 20
    labels = Labels.of(bad, np.where(bad, 0, np.arange(60)), 42)
    assert evidence.held_out(np.arange(60.0), labels, "low") is None


def test_not_measured_is_not_flagged():
    assert evidence.beyond(np.array([np.nan, 1.0, 5.0]), (2.0, 4.0)).tolist() == [False, True, True]
