import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from chunkeval.analyzers.heads import _newton, fit_head
from chunkeval.analyzers.signals import LONGEST, SENSES, SIGNALS, TOLD

LENGTH = SIGNALS.index("sentences")


def drawn(seed: int, apart: float) -> tuple[np.ndarray, np.ndarray]:
    """Signals of good chunks and bad ones, of 2 to 20 sentences; some signals go against their sense."""
    rng = np.random.default_rng(seed)
    good, bad = rng.normal(0, 1, (300, len(SIGNALS))), rng.normal(-apart, 1, (250, len(SIGNALS)))
    for some in (good, bad):
        some[:, LENGTH] = np.log(rng.integers(2, 20, len(some)))
    return good, bad


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), apart=st.floats(-2, 2))
def test_no_signal_speaks_against_its_sense_at_any_length(seed: int, apart: float) -> None:
    good, bad = drawn(seed, apart)
    head = fit_head(good, np.ones(len(good)), bad)
    for length in (2, 5, 60, LONGEST):
        weights = head.weights[:TOLD] + head.weights[TOLD:] * np.log(length)
        assert (weights * np.array(SENSES) >= -1e-9).all()


def test_length_has_no_weight_of_its_own() -> None:
    good, bad = drawn(3, 0.7)
    bad[:, LENGTH] += 1
    head = fit_head(good, np.ones(len(good)), bad)
    alike = np.zeros((30, len(SIGNALS)))
    alike[:, LENGTH] = np.linspace(np.log(2), np.log(LONGEST), 30)
    assert np.ptp(head.logit(alike)) < 1e-9


@pytest.mark.parametrize("apart", [0.1, 0.8, 3.0])
def test_the_fit_is_the_lowest_point_within_the_bounds(apart: float) -> None:
    good, bad = drawn(7, apart)
    terms, truth = np.vstack([good, bad]), np.arange(len(good) + len(bad)) >= len(good)
    weights = np.linspace(0.01, 0.2, len(terms))
    bounds = np.array([(0.0, np.inf)] * 4 + [(-np.inf, 0.0)] * 3 + [(-np.inf, np.inf)] * 2)

    def loss(at: np.ndarray) -> float:
        logit = terms @ at[:-1] + at[-1]
        return float(weights @ (np.logaddexp(0, logit) - truth * logit) + at[:-1] @ at[:-1] / 2)

    theirs = minimize(loss, np.zeros(9), bounds=bounds, method="L-BFGS-B", options={"ftol": 1e-13, "gtol": 1e-9})
    ours = _newton(terms, truth.astype(float), weights, bounds)
    assert loss(ours) <= theirs.fun + 1e-9
    np.testing.assert_allclose(ours, theirs.x, atol=2e-4)
