from __future__ import annotations

import doctest

import numpy as np
import pandas as pd
import pytest

from chunkeval.errors import ConfigError
from chunkeval.statistics import flags
from chunkeval.statistics.flags import flags_matter


def asked(seed: int = 0, *, documents: int = 30, each: int = 8, effect: float = 0.0, by_size: float = 0.0, share=0.25):
    """Questions of one strategy; ``by_size``: large chunks are flagged, and size alone lowers recall by so much."""
    rng = np.random.default_rng(seed)
    n = documents * each
    size = rng.choice([100, 200, 400, 800], n)
    odds = share + (0.3 * (size / 800 - 0.5) if by_size else 0)
    flagged = rng.uniform(size=n) < odds
    level = 0.7 - effect * flagged - by_size * (size / 800) + rng.normal(0, 0.1, n)
    return pd.DataFrame(
        {
            "strategy": "문장",
            "doc_id": [f"문서{i // each}" for i in range(n)],
            "chunk_size": size.astype(float),
            "in_flagged": pd.array(flagged, dtype="boolean"),
            "recall": level,
            "iou": level / 10,
        }
    )


def test_the_examples_hold():
    assert doctest.testmod(flags).failed == 0


def test_flags_that_predict_worse_answers_are_told_with_their_interval():
    (found,) = flags_matter(asked(effect=0.2), resamples=2000)
    assert found.outcome == "worse" and found.strategy == "문장" and found.documents == 30
    assert [effect.metric for effect in found.effects] == ["recall", "iou"]
    recall = found.effects[0]
    assert recall.low < -0.2 < recall.high < 0
    assert recall.difference == pytest.approx(recall.flagged - recall.others)
    (better,) = flags_matter(asked(effect=-0.2), resamples=500)
    assert better.outcome == "better"


def test_size_alone_is_no_evidence():
    frame = asked(by_size=0.5, documents=60)
    plain = frame.groupby("in_flagged")["recall"].mean()
    assert plain[True] < plain[False] - 0.03
    (found,) = flags_matter(frame, resamples=1000)
    assert found.outcome == "nothing"


def test_flags_that_predict_nothing_are_said_to():
    outcomes = [flags_matter(asked(seed), resamples=300)[0].outcome for seed in range(40)]
    assert outcomes.count("nothing") >= 34


def test_from_thirty_questions_on():
    frame = asked(effect=0.3)
    rows = np.flatnonzero(frame["in_flagged"].to_numpy(bool))
    few = frame.drop(index=rows[29:])
    (found,) = flags_matter(few, resamples=200)
    assert (found.outcome, found.questions_flagged, found.effects) == ("too_few", 29, ())
    (found,) = flags_matter(frame.drop(index=rows[30:]), resamples=200)
    assert found.outcome == "worse"


def test_questions_whose_sizes_have_no_match_say_nothing():
    frame = asked(effect=0.3)
    frame["chunk_size"] = np.where(frame["in_flagged"].to_numpy(bool), 5000.0, 100.0)
    assert flags_matter(frame, resamples=200)[0].outcome == "too_few"
    one = frame.assign(chunk_size=100.0, doc_id="하나")
    assert flags_matter(one, resamples=200)[0].outcome == "too_few"


def test_strategies_without_flags_are_left_out_and_metrics_checked():
    silent = asked().assign(strategy="말 없음", in_flagged=pd.array([None] * 240, dtype="boolean"))
    both = pd.concat([silent, asked(effect=0.2)], ignore_index=True)
    assert [found.strategy for found in flags_matter(both, resamples=200)] == ["문장"]
    assert flags_matter(silent) == ()
    with pytest.raises(ConfigError, match="unknown metric 'recal'"):
        flags_matter(silent, metrics=("recal",))
