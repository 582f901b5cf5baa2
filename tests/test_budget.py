from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_scores import made_scores

from chunkeval.config import FlagConfig
from chunkeval.errors import ConfigError
from chunkeval.flags import flag
from chunkeval.results import Recombined, Scores, State


def with_coherence(scores: Scores, coherence: np.ndarray, made: Recombined, shares: tuple[float, float]) -> Scores:
    """The same scores with a probability beside them, learned elsewhere."""
    told = {
        "column": "coherence",
        "limit": 0.5,
        "measured": len(coherence),
        "documents": 40,
        "auroc": 0.9,
        "share": sum(shares),
        "share_mix": shares[0],
        "share_splice": shares[1],
    }
    meta = {
        **scores.state.meta,
        "analyzers": [*scores.state.meta["analyzers"], "coherence"],
        "calibrations": {"coherence": told},
    }
    state = State(meta, scores.state.arrays, {**scores.state.recombined, "coherence": made})
    return replace(scores, frame=scores.frame.assign(coherence=coherence), state=state)


def of(flags, analyzer):
    return next(one for one in flags.judgements if one.measure.analyzer == analyzer)


def overlapping(bad_share: float, spread: float, seed: int) -> tuple[Scores, np.ndarray]:
    """4,000 chunks judged by similarity, whose good ones overlap the bad ones; and which are bad."""
    rng = np.random.default_rng(seed)
    bad = rng.random(4000) < bad_share
    centred = np.where(bad, rng.normal(0, spread, 4000), rng.normal(0.3, spread, 4000)).round(6)
    scores = made_scores(4000, similarity_centred=centred, documents=400)
    made = Recombined(rng.normal(0, spread, 3000), rng.normal(0, spread, 3000))
    return replace(scores, state=State(scores.state.meta, scores.state.arrays, {"similarity_centred": made})), bad


def test_what_is_false_is_estimated_near_what_is() -> None:
    scores, bad = overlapping(0.2, 0.1, seed=1)
    flags = flag(scores)
    really = (flags.frame["flag_similarity"].to_numpy() & ~bad).mean()
    assert flags.false_flags.certainty == 0.5
    assert 0.001 < really < 0.05
    assert flags.false_flags.estimated == pytest.approx(really, abs=0.012)
    assert flags.false_flags.by_analyzer == {"similarity": flags.false_flags.estimated}


def test_less_allowed_asks_for_more_certainty_and_nothing_allowed_flags_next_to_nothing() -> None:
    scores, bad = overlapping(0.3, 0.15, seed=2)
    told = [flag(scores, FlagConfig(false_flags=allowed)) for allowed in ("10%", "0.02", "0.01", "0")]
    certainties = [one.false_flags.certainty for one in told]
    assert certainties == sorted(certainties)
    assert certainties[0] == 0.5 < certainties[2]
    limits = [of(one, "similarity").limit.low for one in told[:3]]
    assert limits == sorted(limits, reverse=True)
    assert all(one.false_flags.estimated <= one.false_flags.allowed for one in told)
    assert told[3].frame["flag_similarity"].mean() < 0.05
    assert "certainty" in of(told[2], "similarity").limit.source
    wrong = [(one.frame["flag_similarity"].to_numpy() & ~bad).mean() for one in told]
    assert wrong == sorted(wrong, reverse=True)


def test_the_share_that_a_probability_found_sets_the_other_limits() -> None:
    scores, bad = overlapping(0.2, 0.12, seed=3)
    own = of(flag(scores, FlagConfig(false_flags="100%")), "similarity")
    rng = np.random.default_rng(3)
    coherence = np.where(bad, 0.1, 0.95)
    made = Recombined(rng.random(500) / 2, rng.random(500) / 2)
    flags = flag(with_coherence(scores, coherence, made, (0.1, 0.02)), FlagConfig(false_flags="100%"))
    led = of(flags, "similarity")
    assert led.limit.low < own.limit.low
    assert led.calibration == own.calibration
    assert "coherence" in led.limit.source
    assert of(flags, "coherence").limit.low == 0.5
    assert (flags.false_flags.share_mix, flags.false_flags.share_splice) == (0.1, 0.02)
    assert set(flags.false_flags.by_analyzer) == {"similarity", "coherence"}


def test_limits_that_are_not_learned_here_stay_as_they_are() -> None:
    scores = made_scores()
    flags = flag(scores, FlagConfig(limits="card", false_flags="0"))
    assert flags.false_flags is None
    given_by_hand = FlagConfig(limit={"similarity": "0.9"}, false_flags="0")
    flags = flag(scores, given_by_hand)
    assert of(flags, "similarity").limit.low == 0.9
    assert "similarity" not in flags.false_flags.by_analyzer


def test_a_limit_given_for_one_measure_moves_no_other() -> None:
    scores, bad = overlapping(0.3, 0.15, seed=4)
    rng = np.random.default_rng(4)
    made = Recombined(rng.random(500) * 0.8, rng.random(500) * 0.8)
    scores = with_coherence(scores, np.where(bad, 0.2, 0.9) * rng.random(4000), made, (0.2, 0.1))
    own = flag(scores)
    assert own.false_flags.certainty > 0.5
    moved = flag(scores, FlagConfig(limit={"similarity": "0.3"}))
    assert of(moved, "coherence").limit == of(own, "coherence").limit
    assert set(moved.false_flags.by_analyzer) == {"coherence"}
    assert moved.false_flags.certainty == own.false_flags.certainty


def test_flags_joined_are_no_less_false_than_those_of_one_measure_alone() -> None:
    """Coherence, which flags next to nothing, finds much of the recombined; that must not pay for what similarity flags."""
    scores, _ = overlapping(0.1, 0.15, seed=5)
    rng = np.random.default_rng(5)
    similar = Recombined(rng.normal(0, 0.15, 3000), rng.normal(0.15, 0.15, 3000))
    scores = replace(scores, state=replace(scores.state, recombined={"similarity_centred": similar}))
    made = Recombined(np.full(500, 0.01), np.full(500, 0.01))
    flags = flag(with_coherence(scores, np.full(4000, 0.9), made, (0.05, 0.05)), FlagConfig(false_flags="100%"))
    alone = flags.false_flags.by_analyzer
    assert alone["similarity"] > 0
    assert flags.false_flags.estimated >= max(alone.values())


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), planted=st.floats(0, 0.5), allowed=st.sampled_from(["0", "0.5%", "0.02", "20%"]))
def test_the_estimate_is_within_what_is_allowed_and_tightening_only_takes_flags_away(seed, planted, allowed) -> None:
    scores = made_scores(seed=seed, planted=planted)
    lax, strict = flag(scores, FlagConfig(false_flags="100%")), flag(scores, FlagConfig(false_flags=allowed))
    assert not (strict.frame["flagged"] & ~lax.frame["flagged"]).any()
    if strict.false_flags is not None:
        assert 0 <= strict.false_flags.estimated <= strict.false_flags.allowed
        assert strict.false_flags.estimated >= max(strict.false_flags.by_analyzer.values(), default=0)
        assert lax.false_flags.certainty == 0.5


@pytest.mark.parametrize("value", ["", "most", "7", "-1%", "101%", "nan", "５％"])
def test_no_share(value) -> None:
    with pytest.raises(ConfigError, match="false_flags"):
        FlagConfig(false_flags=value)
