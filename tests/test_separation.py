import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from chunkeval.separation import auroc, best_limit, likely_limit

scores = st.lists(st.integers(-20, 20).map(lambda i: i / 10), min_size=1, max_size=40).map(np.array)


@given(scores, scores)
def test_auroc_is_sklearns(good, bad):
    labels = np.r_[np.ones(good.size), np.zeros(bad.size)]
    assert auroc(good, bad) == pytest.approx(roc_auc_score(labels, np.r_[good, bad]))


@given(scores, scores)
def test_best_limit_beats_every_other(good, bad):
    limit, accuracy, _ = best_limit(good, bad)
    labels, values = np.r_[np.ones(good.size), np.zeros(bad.size)], np.r_[good, bad]
    assert accuracy == pytest.approx(balanced_accuracy_score(labels, values >= limit), abs=1e-6)
    for other in np.r_[np.unique(values), values.max() + 1]:
        assert balanced_accuracy_score(labels, values >= other) <= accuracy + 1e-6 or other == values.min()


def test_best_limit_leaves_nan_out_and_needs_both():
    assert best_limit(np.array([0.5, np.nan]), np.array([np.nan, 0.1])) == (0.3, 1.0, 1.0)
    with pytest.raises(ValueError, match="0 bad"):
        best_limit(np.array([0.5]), np.array([np.nan]))


@pytest.mark.parametrize("shares", [(0.2, 0.0), (0.1, 0.1), (0.0, 0.3), (0.4, 0.1)])
def test_likely_limit_flags_what_sklearns_isotonic_ratios_flag(shares):
    rng = np.random.default_rng(3)
    corpus = np.r_[rng.normal(0, 0.1, 200), rng.normal(0.5, 0.15, 800)].round(6)
    mixes, splices = rng.normal(0, 0.1, 500).round(6), rng.normal(0.2, 0.1, 500).round(6)
    limit = likely_limit(corpus, [(shares[0], mixes), (shares[1], splices)])
    bad = np.zeros(corpus.size)
    for share, kind in zip(shares, (mixes, splices), strict=True):
        weights = np.r_[np.full(corpus.size, 1 / corpus.size), np.full(kind.size, 1 / kind.size)]
        labels = np.r_[np.zeros(corpus.size), np.ones(kind.size)]
        fitted = IsotonicRegression(increasing=False).fit(np.r_[corpus, kind], labels, sample_weight=weights)
        part = np.clip(fitted.predict(corpus), 0, 1 - 1e-12)
        bad += share * part / (1 - part)
    assert limit is not None
    assert (corpus < limit).tolist() == (bad > 0.5).tolist()


def test_likely_limit_lies_between_values_at_six_decimals():
    corpus = np.r_[np.full(50, 0.123456), np.full(50, 0.123457), np.full(100, 0.9)]
    limit = likely_limit(corpus, [(0.25, np.full(100, 0.123456))])
    assert limit == round(limit, 6) == 0.123457
    assert likely_limit(corpus, [(0.25, np.full(100, 2.0)), (0.0, corpus)]) is None


@given(scores, scores, st.floats(0, 1), st.floats(0, 1))
def test_likely_limit_rises_with_the_share(corpus, kind, one, other):
    low, high = sorted((one, other))
    few, many = likely_limit(corpus, [(low, kind)]), likely_limit(corpus, [(high, kind)])
    assert few is None or (many is not None and many >= few)
