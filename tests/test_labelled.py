"""The calibration's file: what is written comes back, what does not fit is refused with its place and fix."""

import tomllib

import pytest
from made_scores import made_scores

from chunkeval.config import FlagConfig
from chunkeval.errors import ConfigError
from chunkeval.flags import flag
from chunkeval.labelled import from_labels, text_of
from chunkeval.results import Limit

META = {"analyzers": ["tokens", "similarity", "topics"], "embedder": "use", "embedder_fingerprint": "use-1",
        "tokenizer": "use", "tokenizer_fingerprint": "use-1"}  # fmt: skip
SETTINGS = {"sentences": "auto", "morphemes": "kiwi"}


def column(analyzer, side, low=None, high=None, *, judges=True, why=None):
    return {"analyzer": analyzer, "judges": judges, "side": side, "why": why, "said": "AUROC 0.9 [0.8, 1.0]",
            "limit": None if why else {"low": low, "high": high}}  # fmt: skip


def facts(**columns):
    columns = columns or {
        "token_count": column("tokens", "both", 50.0, None),
        "similarity_centred": column("similarity", "low", 0.03),
        "topic_entropy_z": column("topics", "high", why='AUROC 0.5: "no better" than chance'),
        "cut_gap": column("similarity", "high", None, 0.2, judges=False),
    }
    made = {"embedder": "use", "embedder_fingerprint": "use-1", "tokenizer": "use", "tokenizer_fingerprint": "use-1"}
    labelled = {"source": 'C:\\표 "1"\x7f\n.csv', "good": 40, "bad": 30}
    head = {"limit": None, "why": "AUROC held out 0.5"}
    return {"labelled": labelled, "columns": columns, "head": head, "made_with": {**made, **SETTINGS}}


@pytest.fixture
def file(tmp_path):
    def write(text=None):
        path = tmp_path / "calibration.toml"
        path.write_text(text_of(facts()) if text is None else text, "utf-8")
        return str(path)

    return write


def test_what_is_written_comes_back(file):
    read = from_labels(file(), SETTINGS, META)
    source = 'labels of C:\\표 "1"\x7f\n.csv: 40 good and 30 bad chunks'
    assert read.limits == {
        "tokens": Limit("token_count", "labelled", source, 50.0, None),
        "similarity": Limit("similarity_centred", "labelled", source, 0.03, None),
    }
    assert "cannot tell by topic_entropy_z" in read.untold["topics"] and "judged as without" in read.untold["topics"]


def test_the_limits_are_lines_of_a_settings_file():
    assert tomllib.loads(text_of(facts()))["limit"] == {"token_count": "50:", "similarity_centred": 0.03}


@pytest.mark.parametrize(
    ("low", "high", "written"), [(50.0, 800.0, "50:800"), (None, 1e9, ":1000000000"), (0.000001, None, "1e-06:")]
)
def test_open_ranges_are_written_and_read(file, low, high, written):
    text = text_of(facts(token_count=column("tokens", "both", low, high)))
    assert tomllib.loads(text)["limit"] == {"token_count": written}
    limit = from_labels(file(text), SETTINGS, META).limits["tokens"]
    assert (limit.low, limit.high) == (low, high)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not toml", "cannot read the calibration .*give the .toml that"),
        ("", "has no \\[calibration\\] with schema = 1"),
        ("[calibration]\nschema = 9", "with schema = 1"),
        ("limit = 3\n[calibration]\nschema = 1\nsource = 'x'\ngood = 1\nbad = 1", "limit must be a table"),
        ("[calibration]\nschema = 1\ngood = 1\nbad = 1", "calibration.source is missing"),
        (
            "[limit]\nsimilarity_centerd = 1\n[calibration]\nschema = 1\nsource = 'x'\ngood = 1\nbad = 1",
            "similarity_centred",
        ),
        ("[limit]\nsimilarity = 'x'\n[calibration]\nschema = 1\nsource = 'x'\ngood = 1\nbad = 1", "'x' is no number"),
        (
            "[limit]\ntoken_count = [1]\n[calibration]\nschema = 1\nsource = 'x'\ngood = 1\nbad = 1",
            "limit.token_count must be",
        ),
    ],
)
def test_other_files_are_refused(file, text, said):
    with pytest.raises(ConfigError, match=said):
        from_labels(file(text), SETTINGS, META)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot read the calibration .*nosuch"):
        from_labels(str(tmp_path / "nosuch.toml"), SETTINGS, META)


@pytest.mark.parametrize(
    ("meta", "settings", "said"),
    [
        (
            {"embedder": "lsa", "embedder_fingerprint": "lsa-2"},
            {},
            r"embedder 'use' \(use-1\), and this run has 'lsa' \(lsa-2\)",
        ),
        (
            {"tokenizer": "bert", "tokenizer_fingerprint": "b"},
            {},
            r"limit on token_count .* tokenizer 'use' .* 'bert' \(b\)",
        ),
        ({}, {"sentences": "naive"}, "limit on similarity_centred .* sentences 'auto', and this run has 'naive'"),
    ],
)
def test_scores_of_another_model_are_refused_by_name(file, meta, settings, said):
    with pytest.raises(ConfigError, match=said):
        from_labels(file(), {**SETTINGS, **settings}, {**META, **meta})


def test_only_what_a_limit_depends_on_has_to_be_the_same(file):
    text = text_of(facts(token_count=column("tokens", "both", 50.0, 90.0)))
    now = {**META, "embedder": "lsa", "embedder_fingerprint": "lsa-2"}
    assert set(from_labels(file(text), {"sentences": "naive", "morphemes": "okt"}, now).limits) == {"tokens"}


def test_the_same_model_under_another_name_is_the_same(file):
    moved = {**META, "embedder": "/models/use", "tokenizer": "/models/use"}
    assert set(from_labels(file(), SETTINGS, moved).limits) == {"tokens", "similarity"}


def test_limits_of_what_did_not_run_are_left_aside(file):
    assert set(from_labels(file(), SETTINGS, {**META, "analyzers": ["tokens"]}).limits) == {"tokens"}
    with pytest.raises(ConfigError, match="none of their analyzers ran"):
        from_labels(file(), SETTINGS, {**META, "analyzers": ["topics"]})


def judged(path, **config):
    scores = made_scores(meta={**META, "embedder": "use-multilingual"})
    scores = type(scores)(scores.frame, scores.state, scores.chunks, SETTINGS)
    return flag(scores, FlagConfig(calibration=path, **config))


def test_flags_go_by_the_labels_and_a_limit_given_by_hand_comes_first(file):
    flags = judged(file())
    by = {judgement.measure.analyzer: judgement for judgement in flags.judgements}
    assert (by["similarity"].limit.rule, by["similarity"].limit.low) == ("labelled", 0.03)
    expected = flags.frame["similarity_centred"] < 0.03
    assert (flags.frame["flag_similarity"] == expected).all()
    assert flags.settings["calibration"].endswith("calibration.toml")
    given = {j.measure.analyzer: j.limit for j in judged(file(), limit={"similarity": "0.2"}).judgements}
    assert (given["similarity"].rule, given["similarity"].column) == ("given", "similarity")
    assert given["tokens"].rule == "labelled"


def test_what_labels_cannot_tell_is_judged_as_without_them_and_says_so(file):
    without = {j.measure.analyzer: j for j in judged(None).judgements}["topics"]
    found = {j.measure.analyzer: j for j in judged(file()).judgements}["topics"]
    # which other limits are learned here decides how certain this one has to be
    assert (
        (found.limit.column, found.limit.rule)
        == (without.limit.column, without.limit.rule)
        == ("topic_entropy_z", "calibrated")
    )
    assert found.notes[1:] == without.notes
    assert "cannot tell by topic_entropy_z" in found.notes[0]
    given = {j.measure.analyzer: j for j in judged(file(), limit={"topic_entropy": "4"}).judgements}["topics"]
    assert not any("cannot tell" in note for note in given.notes)
