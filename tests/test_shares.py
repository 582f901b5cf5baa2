"""Shares of a corpus of good chunks, mixes and splices, and what bounds them together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.shares import Kind, Mixture


def scores(seed: int, share_mix: float, share_splice: float, between: float = 0.0) -> Kind:
    """2,000 chunks of a corpus, of which some are like mixes, some like splices and some in the middle of the two."""
    rng = np.random.default_rng(seed)
    means = np.repeat([0.0, -4.0, -2.0, -3.0], _parts(2000, share_mix, share_splice, between))
    return Kind(rng.normal(size=len(means)) + means, rng.normal(-4, 1, 2000), rng.normal(-2, 1, 2000))


def _parts(total: int, *bad: float) -> list[int]:
    each = [round(total * share) for share in bad]
    return [total - sum(each), *each]


@given(st.integers(0, 2**32 - 1), st.floats(0, 0.3), st.floats(0, 0.3), st.floats(0, 0.3), st.floats(0.05, 0.9))
def test_a_bound_only_lowers_shares_and_leaves_their_ratio(
    seed: int, mix: float, splice: float, between: float, tail: float
) -> None:
    kind = scores(seed, mix, splice, between)
    mixture, weights = Mixture.of(kind, kind), np.ones(2000)
    free = mixture.read(weights)
    bound = mixture.at_most(kind, free, tail).read(weights)
    before, after = free.share_mix + free.share_splice, bound.share_mix + bound.share_splice
    assert 0 <= after <= before + 1e-12
    assert bound.share_mix * before == pytest.approx(free.share_mix * after, abs=1e-9)


@pytest.mark.parametrize("share", [0.1, 0.2, 0.4])
def test_what_is_milder_than_mixes_is_not_counted_again_as_splices(share: float) -> None:
    rng = np.random.default_rng(5)
    good, mixed, spliced, planted = (0.0, 0.0), (-6.0, -5.0), (-2.5, -3.5), (-5.8, -5.0)
    means = np.repeat([good, planted], _parts(4000, share), axis=0)
    kinds = [rng.normal(size=(4000, 2)) + mean for mean in (means, mixed, spliced)]
    of_mixes, of_splices = (Kind(*(kind[:, axis] for kind in kinds)) for axis in range(2))
    mixture, weights = Mixture.of(of_mixes, of_splices, (0.5, 0.3)), np.ones(4000)
    free = mixture.read(weights)
    bound = mixture.at_most(Kind(*(kind.sum(axis=1) for kind in kinds)), free, 0.6).read(weights)
    assert bound.share_mix + bound.share_splice == pytest.approx(share, abs=0.01)
    assert free.share_mix + free.share_splice > bound.share_mix + bound.share_splice


def test_shares_of_both_kinds_stay_where_they_are_right() -> None:
    kind = scores(6, 0.1, 0.2)
    mixture, weights = Mixture.of(kind, kind, (0.5, 0.3)), np.ones(2000)
    bound = mixture.at_most(kind, mixture.read(weights), 0.6).read(weights)
    assert bound.share_mix + bound.share_splice == pytest.approx(0.3, abs=0.04)


def test_a_corpus_without_a_bad_chunk_needs_no_bound() -> None:
    rng = np.random.default_rng(0)
    kind = Kind(rng.normal(10, 1, 300), rng.normal(0, 1, 300), rng.normal(1, 1, 300))
    mixture = Mixture.of(kind, kind)
    assert mixture.at_most(kind, mixture.read(np.ones(300)), 0.6) is mixture
