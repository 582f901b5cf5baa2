"""One head over several columns: scikit-learn's probability, used only where it judges better, the same from file to run."""

from __future__ import annotations

import math
import tomllib
import unicodedata
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_scores import made_scores
from synthetic import make_flags

from chunkeval import outputs, runs
from chunkeval.analyzers.coherence import CoherenceAnalyzer
from chunkeval.analyzers.similarity import SimilarityAnalyzer
from chunkeval.analyzers.tokens import TokensAnalyzer
from chunkeval.analyzers.topics import TopicsAnalyzer
from chunkeval.config import FlagConfig
from chunkeval.errors import ConfigError
from chunkeval.evidence import Labels, balanced
from chunkeval.evidence import held_out as by_limit
from chunkeval.flags import flag
from chunkeval.given import given_limits
from chunkeval.head import FORMS, Head
from chunkeval.head_figures import figures, fit, form_of, held_out
from chunkeval.labelled import from_labels, made_with, text_of
from chunkeval.labelled_figures import figures as all_figures
from chunkeval.labelled_head import head_lines, read_head
from chunkeval.labels import Marks
from chunkeval.results import Scores
from chunkeval.runs import open_run

MEASURES = {
    one.measure.column: one.measure for one in (TokensAnalyzer, SimilarityAnalyzer, TopicsAnalyzer, CoherenceAnalyzer)
}
SIDES: dict[str, Any] = {**{name: one.side for name, one in MEASURES.items()}, "cut_gap": "high"}
FORM = {name: form_of(MEASURES.get(name), name) for name in SIDES}
SETTINGS = {"sentences": "auto", "morphemes": "kiwi"}


def columns(rows: int = 300, *, apart: float = 1.0, seed: int = 0) -> tuple[dict[str, Any], Any]:
    """Two columns that each tell a little, and one that tells nothing and is missing now and then."""
    rng = np.random.default_rng(seed)
    bad = np.arange(rows) % 3 == 0
    similarity = rng.normal(0.2, 0.06, rows) - 0.06 * apart * bad
    coherence = 1 / (1 + np.exp(apart * bad - rng.normal(1.5, 1, rows)))
    tokens = np.exp(rng.normal(5, 0.3, rows)).round()
    tokens[::7] = np.nan
    return {"similarity_centred": similarity, "coherence": coherence, "token_count": tokens}, bad


def dealt(bad: Any) -> Labels:
    return Labels.of(bad, np.arange(bad.size) // 5, 42)


def told(values: dict[str, Any], bad: Any) -> tuple[dict[str, Any], Any, dict[str, float]]:
    labels = dealt(bad)
    alone = {name: by_limit(one, labels, SIDES[name]) for name, one in values.items()}
    found, masks = figures(values, MEASURES, SIDES, labels, alone)
    return found, masks, {name: balanced(mask, bad) for name, mask in alone.items() if mask is not None}


def test_the_probability_is_scikit_learns() -> None:
    from sklearn.linear_model import LogisticRegression

    values, bad = columns()
    head = fit(values, FORM, SIDES, bad)
    assert head is not None and head.columns == tuple(values) and head.forms == ("plain", "logit", "log")
    shaped = pd.DataFrame(values)
    shaped["token_count"] = np.log1p(shaped["token_count"])
    shaped["coherence"] = np.log(shaped["coherence"] / (1 - shaped["coherence"])).clip(-math.log(999), math.log(999))
    filled = shaped.fillna(shaped[~bad].mean())
    scaled = (filled - shaped[~bad].mean()) / shaped.std(ddof=0)
    model = LogisticRegression(class_weight="balanced", tol=1e-10).fit(scaled.to_numpy(), ~bad)
    assert np.allclose(head.probability(values), model.predict_proba(scaled.to_numpy())[:, 1], atol=1e-4)


def test_two_weak_columns_judge_better_together_than_either_alone() -> None:
    values, bad = columns()
    found, masks, alone = told(values, bad)
    assert found["judges"] and found["limit"] == {"low": 0.5, "high": None} and found["why"] is None
    assert masks is not None and balanced(masks[1], bad) > max(alone.values()) + 0.03
    assert found["auroc_ci"][0] > 0.7 and found["auroc_ci"][0] < found["auroc"] < found["auroc_ci"][1]
    rates = found["held_out"]
    assert rates["recall"] == pytest.approx(masks[1][bad].mean(), abs=1e-6)
    assert rates["false_flags_ci"][0] < rates["false_flags"] < rates["false_flags_ci"][1]
    assert found["roc"][0] == [0, 0] and found["roc"][-1] == [1, 1]
    assert found["weighs"][0].startswith("similarity_centred: low speaks against a chunk, 1.")
    assert "mean of the good chunks" in found["missing"]


def test_what_is_held_out_was_learned_without_it() -> None:
    values, bad = columns(120)
    labels = dealt(bad)
    found = held_out(values, FORM, SIDES, labels)
    here = labels.folds == 2
    head = fit({name: one[~here] for name, one in values.items()}, FORM, SIDES, bad[~here])
    assert found is not None and head is not None
    assert np.array_equal(found[here], head.probability({name: one[here] for name, one in values.items()}))


@pytest.mark.parametrize("seed", range(3))
def test_a_head_that_tells_nothing_is_not_used_and_says_so(seed: int) -> None:
    values, bad = columns(apart=0.0, seed=seed)
    found, masks, _ = told(values, bad)
    assert masks is None and not found["judges"] and found["limit"] is None
    assert "no better than chance can be" in found["why"] or "nothing to put together" in found["why"]
    assert head_lines(found) == []


def test_a_head_that_judges_worse_than_one_limit_is_not_used_and_names_it() -> None:
    values, bad = columns(apart=0.5)
    # Both sides are bad: a weighted sum can only go up or down.
    values["token_count"] = np.where(
        bad, np.where(np.arange(bad.size) % 2, 20.0, 900.0), 150.0 + np.arange(bad.size) % 50
    )
    found, masks, alone = told(values, bad)
    assert masks is None and alone["token_count"] > 0.95
    assert "by the limit on token_count alone" in found["why"] and found["held_out"] is not None


def test_a_column_weighed_against_its_meaning_is_left_out() -> None:
    values, bad = columns()
    values["cut_gap"] = np.random.default_rng(3).normal(0.5, 0.1, bad.size) - 0.2 * bad
    head = fit(values, FORM, SIDES, bad)
    assert head is not None and head.columns == ("similarity_centred", "coherence", "token_count")
    assert all(weight > 0 for weight in head.weights[:2])


def test_columns_with_too_few_values_or_one_value_are_left_out() -> None:
    values, bad = columns()
    few = np.where(np.arange(bad.size) < 40, 0.1, np.nan)
    found, _, _ = told({**values, "cut_gap": few}, bad)
    assert found["columns"] == tuple(values)
    only, masks, _ = told(
        {"similarity_centred": values["similarity_centred"], "coherence": np.full(bad.size, 0.7)}, bad
    )
    assert masks is None and "only similarity_centred could be weighed" in only["why"]


def test_what_was_measured_nowhere_is_not_judged_and_missing_counts_as_good_ones() -> None:
    head = Head(("similarity_centred", "cut_gap"), ("plain", "plain"), (0.2, 0.1), (0.1, 0.1), (1.0, -1.0), 0.0)
    nan = math.nan
    found = head.probability({"similarity_centred": np.array([nan, 0.2, 0.1]), "cut_gap": np.array([nan, nan, nan])})
    assert math.isnan(found[0]) and found[1] == 0.5
    assert found[2] == pytest.approx(1 / (1 + math.e), abs=1e-6)


@given(st.floats(), st.sampled_from([*FORMS]))
def test_any_value_gives_a_probability_or_none(value: float, form: str) -> None:
    head = Head(("x",), (form,), (0.1,), (0.3,), (2.0,), 0.4)
    [found] = head.probability({"x": np.array([value])})
    assert math.isnan(found) or 0 <= found <= 1


def labelled(rows: int = 300) -> tuple[Scores, Marks]:
    """Scores in which similarity and topics each tell a little of which chunk is bad, and their labels."""
    values, bad = columns(rows)
    z = np.random.default_rng(5).normal(-6, 1, rows) + bad
    similarity = values["similarity_centred"].round(6)
    scores = made_scores(rows, similarity_centred=similarity, topic_entropy_z=z.round(6), cut_gap=0.1)
    source = unicodedata.normalize("NFD", "표시한 청크") + " 👩‍👩‍👧.csv"
    return replace(scores, settings=SETTINGS), Marks(source, "판정", ~bad, bad, {"좋음": "good", "나쁨": "bad"})


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return all_figures(*labelled(), seed=42)


@pytest.fixture(scope="module")
def file(facts: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("head") / "보정.toml"
    path.write_text(text_of(facts), "utf-8")
    return str(path)


def test_the_file_holds_the_head_and_a_run_is_judged_by_it(facts: dict[str, Any], file: str) -> None:
    scores, marks = labelled()
    read = from_labels(file, SETTINGS, scores.state.meta)
    assert read.head is not None and read.limits["labels"].low == 0.5 and read.limits["labels"].rule == "labelled"
    assert (
        list(read.head.columns) == facts["head"]["columns"] == ["token_count", "similarity_centred", "topic_entropy_z"]
    )
    assert {key: list(value) for key, value in asdict(read.head).items() if isinstance(value, tuple)} == {
        key: facts["head"][key] for key in ("columns", "forms", "centre", "scale", "weights")
    }
    flags = flag(scores, FlagConfig(calibration=file))
    frame, [*_, judgement] = flags.frame, flags.judgements
    assert judgement.measure.analyzer == "labels" and judgement.head == read.head
    assert (frame["flag_labels"] == (frame["label_probability"] < 0.5)).all() and frame["flag_labels"].any()
    assert ((frame["reasons"].map(lambda codes: "like_bad" in codes)) == frame["flag_labels"]).all()
    others = {"tokens": "0:9999", "similarity_centred": "-1", "topic_entropy_z": "99"}
    alone = flag(scores, FlagConfig(calibration=file, limit=others)).frame
    alone = alone[alone["flagged"]]
    assert alone["reasons"].map(lambda codes: codes == ["like_bad"]).all() and (alone["suggestion"] == "review").all()
    assert np.allclose(alone["severity"], 1 - 2 * alone["label_probability"], atol=2e-6)
    assert frame["flag_labels"].to_numpy()[marks.bad].mean() == facts["head"]["on_these"]["recall"]
    assert "label_probability" not in flag(scores).frame and "label_probability" not in flags.scores.frame


def test_a_limit_given_by_hand_comes_first_and_needs_a_head(file: str) -> None:
    scores, _ = labelled()
    flags = flag(scores, FlagConfig(calibration=file, limit={"label_probability": "0.3"}))
    assert (flags.judgements[-1].limit.rule, flags.judgements[-1].limit.low) == ("given", 0.3)
    assert (flags.frame["flag_labels"] == (flags.frame["label_probability"] < 0.3)).all()
    with pytest.raises(ConfigError, match="'label_probability' needs a calibration with a .head.*--calibration"):
        given_limits({"label_probability": "0.3"}, ("tokens", "similarity"))


def test_judgements_of_an_earlier_run_weigh_other_chunks_the_same(file: str) -> None:
    scores, _ = labelled()
    flags = flag(scores, FlagConfig(calibration=file))
    some = replace(scores, frame=scores.frame.iloc[40:60].reset_index(drop=True))
    some = replace(some, state=replace(some.state, arrays={}))
    again = flag(some, judgements=flags.judgements).frame
    for name in ("label_probability", "flag_labels", "severity"):
        assert again[name].tolist() == flags.frame[name].iloc[40:60].tolist()


def test_a_stored_run_keeps_its_head(file: str, tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    made = make_flags(tmp_path / "made")
    head = Head(("similarity_centred", "token_count"), ("plain", "log"), (0.3, 4.0), (0.1, 1.0), (1.5, -0.1), 0.2)
    text = text_of({**facts_of(head), "made_with": made_with(made.scores.settings, made.scores.state.meta)})
    (tmp_path / "x.toml").write_text(text, "utf-8")
    flags = flag(made.scores, FlagConfig(calibration=str(tmp_path / "x.toml")))
    with runs.writing(tmp_path / "run") as folder:
        runs.carry(tmp_path / "made", folder, frozenset({runs.CHUNKS}))
        summary = outputs.write(flags, folder)
    opened = open_run(tmp_path / "run").flags
    assert opened.judgements == flags.judgements and opened.judgements[-1].head == head
    assert opened.frame["label_probability"].tolist() == pytest.approx(
        flags.frame["label_probability"].tolist(), nan_ok=True
    )
    assert flag(opened.scores, judgements=opened.judgements).frame["flag_labels"].equals(flags.frame["flag_labels"])
    assert summary["analyzers"]["labels"]["flagged"] == int(flags.frame["flag_labels"].sum()) > 0
    assert summary["analyzers"]["labels"]["head"]["columns"] == list(head.columns)
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert "표시에서 배운 판정" in page and "좋은 청크일 확률" in page
    assert "like_bad" in (tmp_path / "run" / "outliers.csv").read_text("utf-8-sig")


def facts_of(head: Head) -> dict[str, Any]:
    found = {**asdict(head), "limit": {"low": head.limit}, "said": "…", "weighs": [], "why": None}
    return {"labelled": {"source": "표", "good": 40, "bad": 30}, "columns": {}, "head": found}


GOOD = {
    "columns": ["token_count", "similarity_centred"],
    "forms": ["log", "plain"],
    "centre": [4.6, 0.2],
    "scale": [0.3, 0.1],
    "weights": [1, 2.5],
    "intercept": 0.1,
    "limit": 0.5,
}


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"wieghts": [1, 2]}, "head.wieghts: unknown key 'wieghts': did you mean 'weights'"),
        ({"columns": []}, "head.columns must list"),
        ({"columns": "token_count"}, "head.columns must list"),
        ({"columns": ["token_count", "token_count"]}, "head.columns must list"),
        ({"columns": ["token_count", 3]}, "head.columns must list"),
        ({"columns": ["token_count", "유사도"]}, "head.columns: unknown score column '유사도'"),
        ({"columns": ["token_count", "weakest_cut"]}, "head.columns: unknown score column 'weakest_cut'"),
        ({"columns": ["token_count", "boundary_score"]}, "boundary_score needs the analyzer 'boundaries'"),
        (
            {"forms": ["log", "square"]},
            "head.forms of similarity_centred must be one of plain, log, logit, not 'square'",
        ),
        ({"forms": ["log", ["log"]]}, "head.forms of similarity_centred"),
        ({"centre": [1]}, "head.centre must list a value for each of the 2 columns"),
        ({"scale": [1, 0]}, "head.scale of similarity_centred must be a number above 0, not 0"),
        ({"weights": [True, 1]}, "head.weights of token_count must be a number, not True"),
        ({"weights": [math.inf, 1]}, "head.weights of token_count must be a number, not inf"),
        ({"intercept": "0"}, "head.intercept must be a number, not '0'"),
        ({"limit": 1.5}, "head.limit must be a probability between 0 and 1, not 1.5"),
    ],
)
def test_an_edited_head_that_is_none_is_refused_by_its_key(edit: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_head("보정.toml", {**GOOD, **edit}, ("tokens", "similarity"))
    assert (
        str(refused.value).startswith("보정.toml: ") and said in str(refused.value) and "\n" not in str(refused.value)
    )


@pytest.mark.parametrize("key", GOOD)
def test_a_missing_key_is_named(key: str) -> None:
    with pytest.raises(ConfigError, match=f"head.{key} is missing"):
        read_head("x.toml", {name: value for name, value in GOOD.items() if name != key}, ("tokens", "similarity"))


def test_a_head_of_another_model_or_a_limit_in_the_wrong_place_is_refused(file: str, tmp_path: Path) -> None:
    scores, _ = labelled()
    other = {**scores.state.meta, "embedder": "lsa", "embedder_fingerprint": "lsa-2"}
    text = Path(file).read_text("utf-8")
    bare = tmp_path / "bare.toml"
    bare.write_text("[head]" + text.split("[head]", 1)[1], "utf-8")
    with pytest.raises(ConfigError, match="its head on similarity_centred was read off scores made with embedder"):
        from_labels(str(bare), SETTINGS, other)
    bare.write_text("[limit]\nlabel_probability = 0.2\n" + bare.read_text("utf-8"), "utf-8")
    with pytest.raises(ConfigError, match=r"limit.label_probability: the head's limit is head.limit"):
        from_labels(str(bare), SETTINGS, scores.state.meta)
    bare.write_text("head = 3\n[calibration]" + text.split("[calibration]", 1)[1], "utf-8")
    with pytest.raises(ConfigError, match="head must be a table"):
        from_labels(str(bare), SETTINGS, scores.state.meta)


def test_why_there_is_no_head_stands_in_the_file() -> None:
    bad = columns()[1]
    scores = made_scores(300, planted=0.0)
    found = all_figures(replace(scores, settings=SETTINGS), Marks("x", "label", ~bad, bad, {}), seed=42)
    read = tomllib.loads(text_of(found))
    assert "head" not in read and read["calibration"]["cannot_tell"]["label_probability"] == found["head"]["why"]
