import json
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_scores import DOCUMENTS, made_scores

from chunkeval import profiles
from chunkeval.config import FlagConfig
from chunkeval.errors import ConfigError
from chunkeval.fences import fences
from chunkeval.limits import beyond, column, document_codes, judge
from chunkeval.results import Limit, Recombined


def judged(scores, **config):
    return {j.measure.analyzer: j for j in judge(scores.frame, scores.state, FlagConfig(**config))}


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A profile for the embedder of the made scores."""
    limits = {"similarity_centred": {"limit": 0.21, "balanced_accuracy": 0.9, "auroc": 0.97, "good": 9, "bad": 9}}
    made = {"schema": 1, "embedder": "use-multilingual", "language": "ko", "limits": limits}
    (tmp_path / "x.json").write_text(json.dumps(made), encoding="utf-8")
    monkeypatch.setattr(profiles, "files", lambda _: tmp_path)
    profiles._shipped.cache_clear()
    yield
    profiles._shipped.cache_clear()


@pytest.fixture
def unshipped(tmp_path, monkeypatch):
    monkeypatch.setattr(profiles, "files", lambda _: tmp_path)
    profiles._shipped.cache_clear()
    yield
    profiles._shipped.cache_clear()


@given(st.lists(st.integers(0, 600), min_size=1, max_size=60))
def test_fences_are_tukeys_over_numpys_quartiles(counts):
    q1, median, q3 = np.quantile(np.array(counts, dtype=float), [0.25, 0.5, 0.75])
    found = fences(np.array(counts, dtype=float))
    assert (found.q1, found.median, found.q3) == (q1, median, q3)
    if q3 - q1 >= 0.05 * median:
        assert (found.low, found.high) == (q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1))
        assert not found.fixed_size
    else:
        half = max(1.5 * (q3 - q1), 0.25 * median)
        assert (found.low, found.high, found.fixed_size) == (q1 - half, q3 + half, True)


def test_fences_at_five_percent_are_tukeys():
    at = np.array([95.0, 97.5, 100.0, 102.5, 105.0])
    assert not fences(at).fixed_size
    assert fences(np.array([95.0, 98, 100, 102, 105])).fixed_size
    assert fences(np.full(4, np.nan)) is None


def test_tokens_use_the_fences_in_every_mode_and_say_when_chunks_are_of_one_size():
    scores = made_scores(token_count=np.where(np.arange(400) % 10 == 9, 130, 500))
    for mode in ("auto", "card", "calibrated"):
        tokens = judged(scores, limits=mode)["tokens"]
        assert (tokens.limit.rule, tokens.limit.low, tokens.limit.high) == ("iqr", 375, 625)
        assert tokens.quartiles == (500, 500, 500)
        assert "one size" in tokens.notes[0]
    assert judged(scores, limit={"tokens": "50:800"})["tokens"].notes == ()


def test_auto_takes_what_was_learned():
    found = judged(made_scores())
    assert found["similarity"].limit.rule == "calibrated"
    assert found["similarity"].limit.low == found["similarity"].calibration.limit
    assert 0.05 < found["similarity"].limit.low < 0.3
    assert found["topics"].limit.high == found["topics"].calibration.limit
    assert found["topics"].limit.low is None
    assert found["similarity"].card == Limit("similarity", "card", "published rule", low=0.4)


@pytest.mark.usefixtures("shipped")
def test_auto_falls_back_on_the_shipped_profile():
    found = judged(made_scores(150))["similarity"]
    assert (found.limit.rule, found.limit.low) == ("profile", 0.21)
    assert "AUROC 0.97" in found.limit.source
    assert "150 chunks could be measured" in found.notes[0]
    assert judged(made_scores(150, meta={"language": "en"}))["similarity"].limit.rule == "card"


@pytest.mark.usefixtures("unshipped")
def test_auto_falls_back_on_the_card_and_is_loud_where_it_flags_more_than_half():
    found = judged(made_scores(150))["similarity"]
    assert (found.limit.rule, found.limit.column, found.limit.low) == ("card", "similarity", 0.4)
    assert not any("WARNING" in note for note in found.notes)
    loud = judged(made_scores(150, similarity=0.3))["similarity"]
    assert "flags 150 of 150 chunks, more than half" in loud.notes[-1]
    assert "--limit similarity=VALUE" in loud.notes[-1]


@pytest.mark.usefixtures("unshipped")
def test_topics_without_any_limit_flag_nothing_and_say_so():
    found = judged(made_scores(150))["topics"]
    assert found.limit == replace(found.limit, rule="none", low=None, high=None)
    assert "could not be calibrated" in " ".join(found.notes)


@pytest.mark.usefixtures("shipped")
def test_calibrated_where_it_cannot_tell_flags_nothing_and_says_why():
    found = judged(made_scores(150), limits="calibrated")["similarity"]
    assert (found.limit.rule, found.limit.low, found.limit.high) == ("none", None, None)
    assert "200 are needed; nothing is flagged by similarity" in found.notes[0]


@pytest.mark.usefixtures("unshipped")
def test_documents_that_count_as_one_are_told_where_too_few_are_left():
    scores = made_scores()
    documents = sorted(set(scores.frame["doc_id"]))
    kin = {name: documents[i % 3] for i, name in enumerate(documents[3:])}
    none = Recombined(np.zeros(0), np.zeros(0))
    recombined = {**scores.state.recombined, "similarity_centred": none}
    joined = replace(
        scores, state=replace(scores.state, meta=scores.state.meta | {"families": kin}, recombined=recombined)
    )
    found = judged(joined)["similarity"]
    assert (found.calibration.documents, found.calibration.documents_before) == (3, len(documents))
    assert f"{len(documents)} documents count as 3, since those that share most of their sentences go" in found.notes[0]
    few = kin | {name: name for name in documents[3:20]}
    apart = replace(joined, state=replace(joined.state, meta=joined.state.meta | {"families": few}))
    assert "0 mixes" in judged(apart)["similarity"].notes[0]


def test_topics_that_do_not_repeat_flag_nothing_by_themselves():
    apart = judged(made_scores(meta={"repeats": {"topics": 0.63}}))["topics"]
    assert apart.limit.rule == "none" and apart.calibration.tells
    assert "rank the chunks alike by only 0.63" in apart.notes[0]
    assert judged(made_scores(meta={"repeats": {"topics": 0.8}}))["topics"].limit.rule == "calibrated"
    assert judged(made_scores(meta={"repeats": {"topics": 0.1}}))["similarity"].limit.rule == "calibrated"
    given = judged(made_scores(meta={"repeats": {"topics": 0.1}}), limit={"topic_entropy_z": "1"})["topics"]
    assert given.limit.rule == "given"
    card = judged(made_scores(meta={"repeats": {"topics": 0.1}, "num_topics": 400}), limits="card")["topics"]
    assert card.limit.rule == "card"


def test_topics_with_nothing_to_rank_say_so():
    nothing = judged(made_scores(meta={"repeats": {"topics": None}}))["topics"]
    assert nothing.limit.rule == "none"
    assert "there is nothing to rank" in nothing.notes[0] and "by only" not in nothing.notes[0]
    given = judged(made_scores(meta={"repeats": {"topics": None}}), limit={"topic_entropy_z": "1"})["topics"]
    assert given.limit.rule == "given"


def test_the_card_on_topics_holds_at_400_topics_only():
    at_14 = judged(made_scores(), limits="card")["topics"]
    assert at_14.card is None
    assert at_14.limit.rule == "none"
    assert "read at 400 topics: at 14 there is none" in at_14.notes[0]
    at_400 = judged(made_scores(meta={"num_topics": 400}), limits="card")["topics"]
    assert at_400.limit == at_400.card == Limit("topic_entropy_card", "card", "published rule", high=4.2)
    assert at_400.calibration.tells


@pytest.mark.parametrize(
    ("name", "value", "analyzer", "column", "low", "high"),
    [
        ("similarity", "0.35", "similarity", "similarity", 0.35, None),
        ("similarity_centred", "-0.1", "similarity", "similarity_centred", -0.1, None),
        ("similarity", " 0.1 : 0.9", "similarity", "similarity", 0.1, 0.9),
        ("cut_gap", "0.2", "similarity", "cut_gap", None, 0.2),
        ("tokens", "50:800", "tokens", "token_count", 50, 800),
        ("token_count", "50:800", "tokens", "token_count", 50, 800),
        ("topic_entropy", "3.9", "topics", "topic_entropy", None, 3.9),
        ("topic_entropy_card", "4e0", "topics", "topic_entropy_card", None, 4),
        ("content_words", "8", "topics", "content_words", 8, None),
    ],
)
@pytest.mark.parametrize("mode", ["auto", "card", "calibrated"])
def test_a_given_limit_replaces_its_analyzers_own(name, value, analyzer, column, low, high, mode):
    found = judged(made_scores(), limits=mode, limit={name: value})
    assert found[analyzer].limit == Limit(column, "given", f"given: {name}={value}", low, high)
    assert all(j.limit.rule != "given" for other, j in found.items() if other != analyzer)
    assert analyzer == "tokens" or found[analyzer].calibration is not None


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"similarty": "0.3"}, "did you mean 'similarity'"),
        ({"유사도": "0.3"}, "unknown limit '유사도'"),
        ({"weakest_cut": "3"}, "unknown limit 'weakest_cut'"),
        ({"chunk_id": "3"}, "unknown limit 'chunk_id'"),
        ({"tokens": "800"}, "give LOW:HIGH, for example tokens=50:800"),
        ({"tokens": "800:50"}, "must be below"),
        ({"tokens": "50:50"}, "must be below"),
        ({"tokens": ":x"}, "'x' is no number"),
        ({"tokens": ":"}, "at least one of the two"),
        ({"tokens": "1:2:3"}, "'2:3' is no number"),
        ({"similarity": ""}, "'' is no number"),
        ({"similarity": "０．３x"}, "is no number"),
        ({"similarity": "nan"}, "'nan' is no number"),
        ({"similarity": "inf"}, "'inf' is no number"),
        ({"similarity": "0.3", "similarity_centred": "0.1"}, "has a limit on 'similarity' already"),
        ({"tokens": "1:2", "token_count": "1:2"}, "give one of the two"),
    ],
)
def test_bad_limits_are_refused_with_the_fix(limits, message):
    with pytest.raises(ConfigError, match=message) as caught:
        judged(made_scores(20), limit=limits)
    assert "\n" not in str(caught.value)


def test_a_limit_for_an_analyzer_that_did_not_run_is_refused():
    with pytest.raises(ConfigError, match="needs the analyzer 'topics', which did not run \\(ran: tokens\\)"):
        judged(made_scores(20, meta={"analyzers": ["tokens"]}), limit={"topic_entropy": "4"})


@pytest.mark.parametrize("value", [np.nan, 0.25])
@pytest.mark.parametrize("mode", ["auto", "card", "calibrated"])
def test_nothing_measured_or_all_equal_is_no_accident(value, mode):
    scores = made_scores(similarity=value, similarity_centred=value, topic_entropy_z=value, token_count=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = judged(scores, limits=mode)
    assert not found["similarity"].calibration.tells
    assert found["similarity"].limit.rule != "calibrated"


def test_only_the_sample_is_learned_from():
    scores = made_scores(800)
    rows = np.arange(0, 800, 3)
    sampled = replace(scores.state, arrays=dict(scores.state.arrays) | {"sample": {"rows": rows}})
    found = {j.measure.analyzer: j for j in judge(scores.frame, sampled, FlagConfig())}["similarity"].calibration
    part = scores.frame.iloc[rows].reset_index(drop=True)
    alone = judge(part, replace(scores.state, arrays={}), FlagConfig())[1].calibration
    assert found == alone
    assert found.measured == rows.size


def test_document_codes_follow_the_ids_and_blocks_stand_in():
    frame = pd.DataFrame({"doc_id": pd.array([*DOCUMENTS, None, *[None] * 40], dtype="str")})
    codes = document_codes(frame)
    known = codes[: len(DOCUMENTS)]
    assert np.array(DOCUMENTS)[np.argsort(known)].tolist() == sorted(DOCUMENTS)
    assert codes[7:].tolist() == [7 + row // 20 for row in range(7, 48)]
    assert document_codes(pd.DataFrame({"doc_id": [None] * 45})).tolist() == [row // 20 for row in range(45)]


def test_judging_is_the_same_in_another_row_order():
    scores = made_scores()
    shuffled = scores.frame.sample(frac=1, random_state=3).reset_index(drop=True)
    assert judge(shuffled, scores.state, FlagConfig()) == judge(scores.frame, scores.state, FlagConfig())


def test_limits_judge_the_rounded_value_strictly_unless_inclusive():
    values = column(pd.DataFrame({"x": [0.3999996, 0.3999994, 0.4, np.nan]}), "x")
    limit = Limit("x", "given", "", low=0.4)
    assert beyond(values, limit, inclusive=False)[0].tolist() == [False, True, False, False]
    assert beyond(values, limit, inclusive=True)[0].tolist() == [True, True, True, False]
    assert not beyond(values, None, inclusive=True)[0].any()


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30), st.floats(-1, 1), st.floats(-1, 1), st.booleans())
def test_a_lower_limit_never_flags_more(values, one, other, inclusive):
    low, high = sorted((one, other))
    taken = np.array(values)
    few = beyond(taken, Limit("x", "given", "", low=low), inclusive)[0]
    many = beyond(taken, Limit("x", "given", "", low=high), inclusive)[0]
    assert not (few & ~many).any()
    few = beyond(taken, Limit("x", "given", "", high=high), inclusive)[1]
    many = beyond(taken, Limit("x", "given", "", high=low), inclusive)[1]
    assert not (few & ~many).any()


def test_shipped_profiles_are_whole():
    profiles._shipped.cache_clear()
    for shipped in profiles._shipped():
        for name, found in shipped["limits"].items():
            made = profiles.profile(shipped["embedder"], shipped["language"], name)
            assert made.limit == found["limit"]
            assert 0.5 <= made.auroc <= 1


@pytest.mark.parametrize(("text", "low", "high"), [("50:", 50, None), (":800", None, 800), (" : 800 ", None, 800)])
def test_a_side_of_a_range_may_be_left_open(text, low, high):
    limit = judged(made_scores(), limit={"tokens": text})["tokens"].limit
    assert (limit.low, limit.high) == (low, high)
