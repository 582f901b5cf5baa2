import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_scores import made_scores, traits

from chunkeval.config import FlagConfig
from chunkeval.flags import REASONS, SUGGESTIONS, flag
from chunkeval.results import TRAITS

ADDED = [
    "flag_tokens",
    "flag_similarity",
    "flag_similarity_card",
    "flag_topics",
    "flag_topics_card",
    "flagged",
    "reasons",
    "severity",
    "suggestion",
    "suggested_cuts",
]
ORDER = [
    "blank",
    "duplicate",
    "not_prose",
    "too_long",
    "over_context",
    "incoherent",
    "many_topics",
    "too_short",
    "tail",
]


def random_scores(seed, rows=300, **meta):
    """Scores with everything in them: traits, nulls, unknown documents, values at the limits."""
    rng = np.random.default_rng(seed)
    bits = np.zeros(rows, dtype=np.uint16)
    for name in TRAITS:
        bits |= (rng.random(rows) < 0.05).astype(np.uint16) << TRAITS.index(name)
    scores = made_scores(rows, seed=seed, bits=bits, meta={"context": 380, "num_topics": 400} | meta)
    frame = scores.frame
    holes = rng.random(rows) < 0.1
    for name in ("similarity", "similarity_centred", "topic_entropy_card", "topic_entropy_z"):
        frame[name] = frame[name].mask(holes)
    frame["weakest_cut"] = frame["weakest_cut"].mask(holes)
    frame["doc_id"] = frame["doc_id"].mask(rng.random(rows) < 0.05)
    frame["token_count"] = rng.choice(
        [2, 100, 280, 300, 320, 500, 900], rows, p=[0.05, 0.05, 0.3, 0.3, 0.2, 0.05, 0.05]
    )
    frame["position"] = rng.permutation(rows)
    return scores


def by_loop(scores, judgements, inclusive):
    """Flags row by row, in the contract's words."""
    frame, state = scores.frame, scores.state
    last = {}
    for _, row in frame.iterrows():
        if pd.notna(row.doc_id):
            last[row.doc_id] = max(last.get(row.doc_id, -1), row.position)
    out = []
    for i, (_, row) in enumerate(frame.iterrows()):
        mine = {name for bit, name in enumerate(TRAITS) if state.arrays["text"]["traits"][i] >> bit & 1}
        reasons, fine, flags = set(), 1.0, {}
        for judgement in judgements:
            limit, card = judgement.limit, judgement.card
            x, bad = row[limit.column], False
            p1, p99 = state.meta["percentiles"][limit.column]
            if pd.notna(x):
                low = limit.low is not None and (x < limit.low or (inclusive and x == limit.low))
                high = limit.high is not None and (x > limit.high or (inclusive and x == limit.high))
                bad = low or high
                if low:
                    reason = judgement.measure.reasons["low"]
                    s = min(abs(x - limit.low) / abs(p1 - limit.low), 1) if p1 < limit.low else 1
                if high:
                    reason = judgement.measure.reasons["high"]
                    s = min(abs(x - limit.high) / abs(p99 - limit.high), 1) if p99 > limit.high else 1
            if bad:
                if reason == "too_short" and pd.notna(row.doc_id) and row.position == last[row.doc_id]:
                    reason = "tail"
                reasons.add(reason)
                fine *= 1 - s
            flags[f"flag_{judgement.measure.analyzer}"] = bad
            if card is not None:
                x = row[card.column]
                low = card.low is not None and pd.notna(x) and (x < card.low or (inclusive and x == card.low))
                high = card.high is not None and pd.notna(x) and (x > card.high or (inclusive and x == card.high))
                flags[f"flag_{judgement.measure.analyzer}_card"] = low or high
        flagged = "blank" in mine or any(v for k, v in flags.items() if not k.endswith("_card"))
        if row.token_count > state.meta["context"]:
            reasons.add("over_context")
        if "blank" in mine:
            reasons.add("blank")
            fine = 0.0
        else:
            reasons |= mine - {"prefix", "overlap", "one_sentence"}
            if "one_sentence" in mine and pd.isna(row.similarity):
                reasons.add("one_sentence")
        suggestion = next(
            (SUGGESTIONS[r] for r in ORDER if r in reasons), "review" if reasons - {"one_sentence"} else ""
        )
        cuts = []
        if suggestion == "split" and pd.notna(row.weakest_cut):
            cuts = [[0, 31, 62, 93][int(row.weakest_cut)]]
        wanted = {"flagged": flagged, "reasons": sorted(reasons, key=REASONS.index), "severity": round(1 - fine, 6)}
        out.append(flags | wanted | {"suggestion": suggestion, "suggested_cuts": cuts})
    return pd.DataFrame(out)


@pytest.mark.parametrize("config", [{}, {"limits": "card"}, {"inclusive": True, "limit": {"tokens": "100:900"}}])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_flags_are_those_of_a_plain_loop(seed, config):
    scores = random_scores(seed)
    flags = flag(scores, FlagConfig(**config))
    expected = by_loop(scores, flags.judgements, config.get("inclusive", False))
    found = flags.frame[ADDED]
    for name in ADDED:
        assert (
            found[name].tolist() == pytest.approx(expected[name].tolist(), abs=2e-6)
            if name == "severity"
            else (found[name].tolist() == expected[name].tolist())
        ), name
    assert found["flagged"].any()
    assert not found["flagged"].all()


def test_nothing_is_ever_null_and_the_scores_are_left_alone():
    scores = random_scores(3)
    before = scores.frame.copy(deep=True)
    flags = flag(scores)
    pd.testing.assert_frame_equal(scores.frame, before)
    assert list(flags.frame.columns) == [*before.columns, *ADDED]
    assert not flags.frame[ADDED].isna().any().any()
    assert set(flags.frame[[c for c in ADDED if c.startswith("flag")]].dtypes) == {np.dtype(bool)}
    assert flags.frame["severity"].between(0, 1).all()
    assert flags.settings == {
        "limits": "auto",
        "limit": {},
        "inclusive": False,
        "calibration": None,
        "false_flags": "5%",
    }
    again = flag(replace(scores, frame=flags.frame), FlagConfig(limits="card"))
    pd.testing.assert_frame_equal(again.frame, flag(scores, FlagConfig(limits="card")).frame)


def test_planted_chunks_are_found_with_the_place_to_cut():
    scores = made_scores(2000)
    bad = scores.frame["similarity_centred"] < 0.15
    found = flag(scores).frame
    assert found.loc[bad, "flag_similarity"].mean() > 0.95
    assert found.loc[~bad, "flag_similarity"].mean() < 0.02
    row = found[found["reasons"].map(lambda r: "incoherent" in r)].iloc[0]
    assert row.suggestion == "split"
    assert row.suggested_cuts == [31 * int(row.weakest_cut)]


def test_what_was_not_measured_is_not_flagged_but_blank_always_is():
    bits = np.zeros(10, dtype=np.uint16)
    bits[0], bits[1] = traits("blank", "one_sentence"), traits("one_sentence")
    empty = pd.array([None] * 10, dtype="Float64")
    scores = made_scores(
        10, bits=bits, similarity=empty, similarity_centred=empty, topic_entropy_z=empty, token_count=9
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = flag(scores).frame
    assert found["flagged"].tolist() == [True] + [False] * 9
    assert found["reasons"].tolist()[:3] == [["blank"], ["one_sentence"], []]
    assert found["severity"].tolist()[:2] == [1, 0]
    assert found["suggestion"].tolist()[:3] == ["drop", "", ""]


def test_traits_and_over_context_are_reasons_that_do_not_flag():
    bits = np.zeros(400, dtype=np.uint16)
    bits[:3] = traits("mojibake", "nul_bytes"), traits("not_prose"), traits("prefix", "overlap")
    tokens = np.full(400, 300)
    tokens[3] = 400
    scores = made_scores(planted=0, bits=bits, token_count=tokens, meta={"context": 350})
    found = flag(scores, FlagConfig(limit={"tokens": "1:999", "similarity": "-1", "topic_entropy": "99"})).frame
    assert not found["flagged"].any()
    assert found["reasons"].tolist()[:5] == [["nul_bytes", "mojibake"], ["not_prose"], [], ["over_context"], []]
    assert found["suggestion"].tolist()[:5] == ["review", "review", "", "split", ""]
    assert (found["severity"] == 0).all()


def test_a_short_last_chunk_is_a_tail_but_not_of_an_unknown_document():
    doc = pd.array(["가", "가", "나", None, None, "나", "가"], dtype="str")
    position = [2, 0, 5, 6, 7, 4, 1]
    config = FlagConfig(limit={"tokens": "10:20"})
    scores = made_scores(7, doc_id=doc, position=position, token_count=5, meta={"analyzers": ["tokens"]})
    found = flag(scores, config).frame["reasons"]
    tail, short = ["tail"], ["too_short"]
    assert found.tolist() == [tail, short, tail, short, short, short, short]
    nowhere = pd.array([None] * 7, dtype="str")
    unknown = made_scores(7, doc_id=nowhere, token_count=5, meta={"analyzers": ["tokens"]})
    assert flag(unknown, config).frame["reasons"].tolist() == [short] * 7


@pytest.mark.parametrize(
    ("value", "percentiles", "severity"),
    [(0.3, [0.2, 0.9], 0.5), (0.2, [0.2, 0.9], 1), (0.1, [0.2, 0.9], 1), (0.4, [0.2, 0.9], 0), (0.39, [0.5, 0.9], 1)],
)
def test_severity_is_the_distance_to_the_first_percentile(value, percentiles, severity):
    scores = made_scores(1, similarity=value, meta={"percentiles": {"similarity": percentiles}})
    given = FlagConfig(limit={"similarity": "0.4", "tokens": "0:9999", "topic_entropy": "99"})
    assert flag(scores, given).frame["severity"][0] == pytest.approx(severity)


def test_severities_together_are_one_minus_their_complements_product():
    scores = made_scores(
        1, similarity=0.3, token_count=150, meta={"percentiles": {"similarity": [0.2, 1], "token_count": [50, 200]}}
    )
    config = FlagConfig(limit={"similarity": "0.4", "tokens": "10:100", "topic_entropy": "99"})
    assert flag(scores, config).frame["severity"][0] == pytest.approx(0.75)


def test_only_analyzers_that_ran_are_flagged():
    scores = made_scores(meta={"analyzers": ["tokens"]})
    kept = [c for c in scores.frame.columns if c in ("chunk_id", "doc_id", "position", "token_count")]
    found = flag(replace(scores, frame=scores.frame[kept])).frame
    assert list(found.columns) == [*kept, "flag_tokens", *ADDED[5:]]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000))
def test_row_order_changes_nothing(seed):
    scores = random_scores(seed, rows=240)
    order = np.random.default_rng(seed).permutation(240)
    text = dict(scores.state.arrays["text"]) | {"traits": scores.state.arrays["text"]["traits"][order]}
    state = replace(scores.state, arrays={"text": text, "sample": {"rows": np.arange(240)}})
    # rows without a document depend on their neighbours, by contract
    frame = scores.frame.assign(doc_id=scores.frame["doc_id"].fillna("없음"))
    found = flag(replace(scores, frame=frame.iloc[order].reset_index(drop=True), state=state)).frame
    expected = flag(replace(scores, frame=frame)).frame.iloc[order].reset_index(drop=True)
    pd.testing.assert_frame_equal(found, expected)


def test_a_lower_limit_never_flags_more():
    scores = random_scores(4)
    flagged = [flag(scores, FlagConfig(limit={"similarity": str(v)})).frame["flag_similarity"] for v in (0.2, 0.4, 0.5)]
    assert not (flagged[0] & ~flagged[1]).any()
    assert not (flagged[1] & ~flagged[2]).any()


def test_every_suggestion_is_known():
    assert set(SUGGESTIONS.values()) == {"drop", "review", "split", "merge"}
    assert [r for r in SUGGESTIONS if r in ORDER] == ORDER
    assert set(TRAITS) - {"prefix", "overlap"} <= set(REASONS)


def test_a_cut_that_leaves_a_scrap_is_not_suggested():
    scores = made_scores(400)
    text = scores.state.arrays["text"]
    starts, ends = text["sentence_start"].copy(), text["sentence_end"].copy()
    starts[1::4], ends[0::4] = 6, 5
    scraps = replace(
        scores.state, arrays={**scores.state.arrays, "text": {**text, "sentence_start": starts, "sentence_end": ends}}
    )
    config = FlagConfig(limit={"similarity_centred": "2"})
    found = flag(replace(scores, state=scraps), config).frame
    at_first = found["weakest_cut"] == 1
    assert at_first.any()
    assert not found.loc[at_first, "suggested_cuts"].map(len).any()
    assert found.loc[~at_first & (found["suggestion"] == "split"), "suggested_cuts"].map(len).all()


def test_a_document_of_one_chunk_has_no_tail():
    scores = made_scores(300)
    frame = scores.frame.copy()
    frame["doc_id"] = [f"d{i}" for i in range(len(frame))]
    found = flag(replace(scores, frame=frame), FlagConfig(limit={"tokens": "100000:200000"})).frame
    assert not found["reasons"].map(lambda r: "tail" in r).any()
