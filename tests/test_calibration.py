import re
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from chunkeval.calibration import calibrate
from chunkeval.results import Measure, Recombined

LOW = Measure("similarity", "similarity_centred", "low", {"low": "incoherent"}, None, "similarity", 0.4)
HIGH = Measure("topics", "topic_entropy_z", "high", {"high": "many_topics"}, "bits", "topic_entropy_card", 4.2)


def corpus(mix, splice, *, rows=2000, seed=0, shape="normal"):
    """Good chunks with planted ones; the planted mask; recombinations like the planted."""
    rng = np.random.default_rng(seed)
    draw = {
        "normal": {"good": (0.45, 0.08), "mix": (0.0, 0.05), "splice": (0.2, 0.05)},
        "beta": {"good": (14, 8), "mix": (2, 20), "splice": (6, 20)},
    }[shape]

    def values(kind, n):
        a, b = draw[kind]
        return (rng.normal(a, b, n) if shape == "normal" else rng.beta(a, b, n)).round(6)

    kinds = rng.choice(3, rows, p=[1 - mix - splice, mix, splice])
    made = np.choose(kinds, [values("good", rows), values("mix", rows), values("splice", rows)])
    return made, kinds > 0, Recombined(values("mix", 3000), values("splice", 3000))


@pytest.mark.parametrize("shape", ["normal", "beta"])
@pytest.mark.parametrize(("mix", "splice"), [(0, 0), (0.1, 0), (0.2, 0), (0, 0.2), (0.1, 0.1), (0.4, 0), (0.1, 0.2)])
def test_a_planted_share_is_estimated_and_found(shape, mix, splice):
    values, bad, recombined = corpus(mix, splice, shape=shape)
    learned = calibrate(values, np.arange(values.size) // 10, recombined, LOW, seed=1)
    assert learned.tells
    assert learned.share == pytest.approx(mix + splice, abs=0.05)
    assert learned.share_mix + learned.share_splice == pytest.approx(learned.share, abs=2e-6)
    assert learned.share_ci[0] <= learned.share <= learned.share_ci[1]
    assert learned.auroc_ci[0] <= learned.auroc <= learned.auroc_ci[1]
    flagged = values < (-np.inf if learned.limit is None else learned.limit)
    assert flagged[~bad].mean() < 0.05
    if bad.any():
        assert flagged[bad].mean() > 0.9


def test_the_corrected_auroc_is_the_good_chunks_own():
    values, bad, recombined = corpus(0.3, 0.1, rows=20_000)
    learned = calibrate(values, np.arange(values.size) // 10, recombined, LOW, seed=1)
    good = values[~bad]
    for kind, corrected in ((recombined.mixes, learned.auroc), (recombined.splices, learned.auroc_splice)):
        labels = np.r_[np.ones(good.size), np.zeros(kind.size)]
        assert corrected == pytest.approx(roc_auc_score(labels, np.r_[good, kind]), abs=0.02)
    labels = np.r_[np.ones(values.size), np.zeros(recombined.mixes.size)]
    assert roc_auc_score(labels, np.r_[values, recombined.mixes]) < learned.auroc - 0.1


def test_a_high_side_mirrors_a_low_one():
    values, _, recombined = corpus(0.2, 0.05)
    codes = np.arange(values.size) // 10
    low = calibrate(values, codes, recombined, LOW, seed=1)
    high = calibrate(-values, codes, Recombined(-recombined.mixes, -recombined.splices), HIGH, seed=1)
    assert high.limit == -low.limit
    assert replace(high, column=low.column, limit=low.limit) == low


def test_row_order_changes_nothing():
    values, _, recombined = corpus(0.2, 0.1)
    codes = np.random.default_rng(5).integers(0, 90, values.size)
    shuffled = np.random.default_rng(6).permutation(values.size)
    other = Recombined(recombined.mixes[::-1], np.random.default_rng(7).permutation(recombined.splices))
    expected = calibrate(values, codes, recombined, LOW, seed=1)
    assert calibrate(values[shuffled], codes[shuffled], other, LOW, seed=1) == expected
    assert calibrate(values, codes * 7 + 3, recombined, LOW, seed=1) == expected


def test_the_interval_is_wider_where_bad_chunks_come_by_the_document():
    values, bad, recombined = corpus(0.2, 0.0)
    together = np.argsort(~bad, kind="stable")
    scattered = calibrate(values, np.arange(values.size) // 50, recombined, LOW, seed=1)
    clustered = calibrate(values[together], np.arange(values.size) // 50, recombined, LOW, seed=1)
    assert clustered.share == scattered.share
    assert np.diff(clustered.share_ci) > 1.5 * np.diff(scattered.share_ci)


@pytest.mark.parametrize(
    ("values", "codes", "why"),
    [
        (np.full(400, np.nan), np.arange(400), "^0 chunks could be measured, 200 are needed"),
        (np.zeros(0), np.zeros(0, dtype=np.int64), "^0 chunks"),
        (np.linspace(0, 1, 199), np.arange(199), "^199 chunks"),
        (np.linspace(0, 1, 400), np.arange(400) // 100, "documents with measured chunks: 4, 5 are needed"),
        (np.full(400, 0.25), np.arange(400), "same value"),
        (np.random.default_rng(0).normal(0, 0.05, 400), np.arange(400), "cannot be told|AUROC"),
        (np.random.default_rng(0).normal(0.02, 0.05, 400), np.arange(400), "cannot be told|AUROC"),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_where_it_cannot_tell_it_says_why_and_sets_no_limit(values, codes, why, sign):
    _, _, recombined = corpus(0.2, 0.1)
    recombined = Recombined(sign * recombined.mixes, sign * recombined.splices)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learned = calibrate(sign * values, codes, recombined, LOW if sign > 0 else HIGH, seed=1)
    assert not learned.tells
    assert learned.limit is None
    assert re.search(why, learned.why)


@pytest.mark.parametrize("kinds", [(np.full(3000, np.nan), np.ones(3000)), (np.ones(3000), np.ones(0))])
def test_recombinations_that_were_not_measured_are_said(kinds):
    values, _, _ = corpus(0.2, 0.1)
    learned = calibrate(values, np.arange(values.size), Recombined(*kinds), LOW, seed=1)
    assert "0 mixes" in learned.why or "0 splices" in learned.why


def test_equal_recombinations_do_no_harm():
    values, _, _ = corpus(0.2, 0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learned = calibrate(values, np.arange(values.size), Recombined(np.zeros(500), np.zeros(500)), LOW, seed=1)
    assert 0 <= learned.share <= 1


def test_two_sided_measures_are_refused():
    tokens = Measure("tokens", "token_count", "both", {}, calibrated=False)
    with pytest.raises(ValueError, match="one side"):
        calibrate(np.ones(5), np.zeros(5, dtype=np.int64), Recombined(np.ones(1), np.ones(1)), tokens, seed=1)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000),
    st.integers(200, 600),
    st.sampled_from([0.0, 0.05, 0.5, 3.0]),
    st.sampled_from([1, 3, 6]),
    st.sampled_from([0.0, 0.3]),
)
def test_shares_and_aurocs_stay_in_range(seed, rows, shift, decimals, missing):
    rng = np.random.default_rng(seed)
    values = rng.normal(shift, 1, rows).round(decimals)
    values[rng.random(rows) < missing] = np.nan
    recombined = Recombined(rng.normal(0, 1, 300).round(decimals), rng.normal(0.3, 1, 300).round(decimals))
    learned = calibrate(values, rng.integers(0, 50, rows), recombined, LOW, seed=seed)
    if learned.share is None:
        assert not learned.tells
        return
    for value in (learned.share, learned.share_mix, learned.share_splice, learned.auroc, learned.auroc_splice):
        assert 0 <= value <= 1
    for low, high in (learned.share_ci, learned.auroc_ci):
        assert 0 <= low <= high <= 1
    assert learned.tells or learned.limit is None
    assert learned.limit is None or not np.isin(learned.limit, values) or (values < learned.limit).any()


def test_a_measure_that_hardly_tells_is_not_made_good_by_its_own_correction():
    rng = np.random.default_rng(4)
    mixes, splices = rng.normal(0.0, 1.0, 3000), rng.normal(0.3, 1.0, 3000)
    learned = calibrate(
        np.round(rng.normal(0.6, 0.9, 3000), 6), np.arange(3000) // 20, Recombined(mixes, splices), LOW, seed=1
    )
    assert learned.auroc > 0.7
    assert learned.limit is None
    assert "0.75 is needed" in learned.why
