import json
import math

import pytest
from synthetic import make_flags

from chunkeval import breakdown, summary
from chunkeval.breakdown import check_by
from chunkeval.config import FlagConfig
from chunkeval.errors import ConfigError, GateError
from chunkeval.gates import MaxFlagged
from chunkeval.summary import Extras


def test_keys_are_the_contracts(flags):
    found = summary.build(flags, "ko")
    assert list(found)[:6] == ["schema", "chunks", "documents", "flagged", "flagged_share", "verdict"]
    assert {"analyzers", "settings", "versions", "input", "run", "seconds"} <= set(found)
    assert found["schema"] == 1 and found["chunks"] == 60 and found["documents"] == 6
    assert found["flagged"] == int(flags.frame["flagged"].sum())
    assert found["flagged_share"] == round(found["flagged"] / 60, 6)
    assert (
        found["input"]["source"] == "chunks.csv"
        and found["input"]["rows"] == 60
        and len(found["input"]["sha256"]) == 64
    )
    assert found["notes"] == ["a note"]
    assert found["settings"]["limits"] == "card" and found["settings"]["embedder"] == "use-multilingual"


def test_analyzers_say_limit_card_and_calibration(flags):
    found = summary.build(flags, "ko")["analyzers"]
    tokens, similarity = found["tokens"], found["similarity"]
    assert tokens["unit"] == "tokens" and tokens["measured"] == 60 and tokens["q1"] < tokens["median"] < tokens["q3"]
    assert tokens["limit"]["column"] == "token_count" and tokens["limit"]["rule"] == "iqr"
    assert tokens["limit"]["high"] == pytest.approx(tokens["q3"] + 1.5 * (tokens["q3"] - tokens["q1"]), abs=1e-9)
    assert "card" not in tokens and "calibrated" not in tokens
    assert similarity["measured"] == 59 and similarity["flagged"] == 3
    assert similarity["card"]["low"] == 0.4 and similarity["card"]["flagged"] == 3
    told = similarity["calibrated"]
    assert {
        "low",
        "auroc",
        "auroc_ci",
        "auroc_splice",
        "share",
        "share_ci",
        "share_mix",
        "share_splice",
        "flagged",
        "why",
    } <= set(told)
    assert told["low"] is None and told["flagged"] == 0 and told["why"]


def test_there_is_no_nan_and_no_difference_between_runs(flags):
    found = json.dumps(summary.build(flags, "ko"), allow_nan=False)
    assert found == json.dumps(summary.build(flags, "ko"))


def test_verdict_speaks_the_language(flags):
    assert summary.build(flags, "ko")["verdict"] != summary.build(flags, "en")["verdict"] != ""


def test_breakdown_by_a_metadata_column(flags):
    found = summary.build(flags, "ko", Extras(by="topic"))["by"]
    assert found["column"] == "topic"
    assert [(group["value"], group["chunks"]) for group in found["groups"]] == [("음식", 40), (None, 20)]
    assert sum(group["flagged"] for group in found["groups"]) == int(flags.frame["flagged"].sum())


def test_a_breakdown_with_many_values_counts_the_rest_together(flags):
    found = summary.build(flags, "ko", Extras(by="score"))["by"]
    assert len(found["groups"]) == breakdown.GROUPS
    assert found["others"]["values"] == 10 and found["others"]["chunks"] == 10


@pytest.mark.parametrize(("name", "said"), [("topci", "did you mean 'topic'"), ("text", "name no groups")])
def test_a_column_that_is_no_group_is_refused(flags, name, said):
    with pytest.raises(ConfigError, match=said):
        check_by(flags.scores.chunks.path, name)


def test_a_baseline_counts_what_is_new_and_what_is_mended(flags):
    found = summary.build(flags, "ko", Extras(baseline="r", known=frozenset({"c7", "c20", "gone"})))["new"]
    assert found["flagged"] == int(flags.frame["flagged"].sum()) - 1
    assert found["mended"] == 1 and found["baseline"] == "r"


def test_a_sample_has_its_interval(flags):
    settings = {**flags.scores.settings, "sample": 60}
    sampled = type(flags)(
        flags.frame,
        flags.judgements,
        type(flags.scores)(flags.scores.frame, flags.scores.state, flags.scores.chunks, settings),
        flags.settings,
    )
    low, high = summary.build(sampled, "ko")["flagged_share_ci"]
    assert 0 < low < summary.build(flags, "ko")["flagged_share"] < high < 1
    assert "flagged_share_ci" not in summary.build(flags, "ko")
    settings["sample"] = 61
    assert "flagged_share_ci" not in summary.build(sampled, "ko")  # the whole table: nothing to widen


def test_tables_without_documents(tmp_path):
    found = summary.build(make_flags(tmp_path, documents=False), "ko")
    assert found["documents"] == 0


def test_inclusive_limits_are_counted_inclusively(tmp_path):
    flags = make_flags(tmp_path, FlagConfig(limit={"similarity": "0.2"}, inclusive=True))
    assert summary.build(flags, "ko")["analyzers"]["similarity"]["flagged"] == 3


def test_wilson():
    assert summary.wilson(0, 0) is None
    assert summary.wilson(0, 10) == [0.0, pytest.approx(0.277533, abs=1e-6)]
    assert summary.wilson(10, 10)[1] == 1.0


def test_plain_has_no_nan():
    assert summary.plain({"a": math.inf, "b": [math.nan]}) == {"a": None, "b": [None]}


@pytest.mark.parametrize(
    ("stated", "flagged", "holds"),
    [
        ("5%", 5, True),
        ("5%", 6, False),
        ("0.05", 5, True),
        ("5", 5, True),
        ("5", 6, False),
        ("0", 0, True),
        ("100%", 100, True),
    ],
)
def test_gate(stated, flagged, holds):
    gate = MaxFlagged.parse(stated)
    if holds:
        gate.check(flagged, 100)
    else:
        with pytest.raises(GateError, match=f"^{flagged} of 100 chunks are flagged"):
            gate.check(flagged, 100)


@pytest.mark.parametrize("stated", ["", "%", "-1", "1.5", "150%", "nan", "five", "inf%"])
def test_no_gate(stated):
    with pytest.raises(ConfigError, match="give a share"):
        MaxFlagged.parse(stated)
