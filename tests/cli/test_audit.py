import json

import pytest

from chunkeval.config import AuditConfig, FlagConfig, LoadConfig, ScoreConfig


def test_defaults_are_the_dataclasses(call, audits):
    assert call("audit", "chunks.csv").code == 0
    assert audits == [("chunks.csv", AuditConfig())]


def test_options_fill_the_stages(call, audits):
    words = "--text content --doc source --id uid --analyzers tokens,similarity --limit similarity=0.35 --limit tokens=50:800 --topics 40"
    assert call("audit", "-", *words.split()).code == 0
    source, config = audits[0]
    assert source == "-"
    assert config.load == LoadConfig(text="content", doc="source", id="uid")
    assert config.score == ScoreConfig(analyzers=("tokens", "similarity"), topics=40)
    assert config.flag == FlagConfig(limit={"similarity": "0.35", "tokens": "50:800"})


def test_what_is_said(call, audits):
    said = call("audit", "x")
    assert said.out == "100개 중 6개가 나쁘다.\nreport: reports/chunks/report.html\n"
    assert said.err == "tokens: a loud line\nread as cp949\n"
    quiet = call("audit", "x", "--quiet")
    assert (quiet.out, quiet.err) == ("", "")
    assert json.loads(call("audit", "x", "--json").out)["flagged"] == 6


@pytest.mark.parametrize(("gate", "code"), [("6%", 0), ("5%", 1), ("0.05", 1), ("6", 0), ("5", 1)])
def test_the_gate_fails_after_all_is_said(call, audits, gate, code):
    said = call("audit", "x", "--max-flagged", gate)
    assert said.code == code and said.out
    if code:
        allowed = "5" if gate == "5" else "5%"
        line = f"chunkeval: error: 6 of 100 chunks are flagged (6.0%); --max-flagged allows {allowed}\n"
        assert said.err.endswith(line)


def toml(tmp_path, text):
    (tmp_path / "c.toml").write_text(text, "utf-8")
    return ("--config", "c.toml")


def test_every_option_is_a_key(call, audits, tmp_path):
    config = toml(
        tmp_path,
        """
        text = "본문"
        analyzers = ["tokens"]
        on-null = "skip"
        max_flagged = 0.5
        overwrite = true
        [limit]
        similarity = 0.35
        tokens = "50:800"
        """,
    )
    assert call("audit", "x", *config).code == 0
    config = audits[0][1]
    assert config.load == LoadConfig(text="본문", on_null="skip")
    assert config.score.analyzers == ("tokens",)
    assert config.flag.limit == {"similarity": "0.35", "tokens": "50:800"}
    assert config.report.max_flagged == "0.5" and config.run.overwrite


def test_option_over_file_over_preset_over_default(call, audits, tmp_path):
    config = toml(tmp_path, 'preset = "article"\ntopics = 50\nembedder = "lsa"\nlimit = {tokens = "1:2"}')
    assert call("audit", "x", *config, "--embedder", "use-multilingual", "--limit", "similarity=0.1").code == 0
    settled = audits[0][1]
    assert settled.preset == "article"
    assert settled.score.embedder == "use-multilingual"  # option
    assert settled.score.topics == 50  # file
    assert settled.score.sentences == "naive" and settled.flag.inclusive and settled.flag.limits == "card"  # preset
    assert settled.score.analyzers == ("tokens", "similarity", "topics")  # default
    assert settled.flag.limit == {"tokens": "1:2", "similarity": "0.1"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('embeder = "lsa"', "c.toml: unknown key 'embeder': did you mean 'embedder'? (known: "),
        ("[score]\ntopics = 5", "c.toml: unknown key 'score' (known: "),
        ("topics = 5.5", "c.toml: topics must be a whole number or auto, not 5.5"),
        ("topics = true", "c.toml: topics must be a whole number or auto, not True"),
        ("topics = 'many'", "c.toml: topics must be a whole number or auto, not 'many'"),
        ("topic-seeds = 0", "topic_seeds must be between 1 and 20, not 0"),
        ("topics = 1", "topics must be between 2 and 2000, not 1"),
        ("resume = 1", "c.toml: resume must be true or false, not 1"),
        ("embedder = 5", "c.toml: embedder must be a string, not 5"),
        (
            'limits = "cards"',
            "c.toml: limits: unknown value 'cards': did you mean 'card'? (known: auto, calibrated, card)",
        ),
        ("analyzers = [1]", "c.toml: analyzers must be a list of names, not [1]"),
        ("[limit]\ntokens = true", "c.toml: limit.tokens must be a number or LOW:HIGH, not True"),
        ("limit = 5", "c.toml: limit must be a table of limits by name, not 5"),
        (
            'on-null = "skip"\non_null = "skip"',
            "c.toml: 'on_null' is given twice, once with a dash and once with an underscore",
        ),
        ("topics = ", "c.toml is no valid TOML: "),
    ],
)
def test_a_bad_file_is_one_line_and_exit_2(call, audits, tmp_path, text, line):
    said = call("audit", "x", *toml(tmp_path, text))
    assert said.code == 2 and said.out == "" and said.err.count("\n") == 1
    assert said.err.startswith(f"chunkeval: error: {line}")
    assert audits == []


def test_a_file_for_one_command_serves_another(call, run, tmp_path):
    assert call("show", run, "c7", *toml(tmp_path, 'embedder = "lsa"\ntopics = 7')).code == 0
