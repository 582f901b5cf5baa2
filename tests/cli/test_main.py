import json
import os
import resource
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from chunkeval.cli.main import Terminated
from chunkeval.errors import ChunkevalError, GateError, MissingExtraError, SourceError

HEAVY = {
    "torch",
    "gensim",
    "pandas",
    "matplotlib",
    "transformers",
    "sentence_transformers",
    "numpy",
    "pyarrow",
    "sklearn",
    "scipy",
    "kiwipiepy",
}


def python(*arguments, **options):
    return subprocess.run([sys.executable, *arguments], capture_output=True, **options)


@pytest.mark.parametrize("arguments", [["--help"], ["audit", "--help"], ["flag", "--help"], ["--version"], ["list"]])
def test_help_is_light(arguments):
    code = f"import sys; from chunkeval.cli.main import main; main({arguments!r}); print(sorted(sys.modules), file=sys.stderr)"
    done = python("-c", code, text=True)
    assert done.returncode == 0 and done.stdout
    assert not {name for name in HEAVY if f"'{name}'" in done.stderr}


def test_the_overview_needs_no_library():
    code = (
        "import sys; from chunkeval.cli.main import main; main(['--help']); print(sorted(sys.modules), file=sys.stderr)"
    )
    assert "'cyclopts'" not in python("-c", code, text=True).stderr


def test_help_takes_under_a_quarter_second_of_processor_time():
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    times = []
    for _ in range(4):
        before = spent()
        python("-m", "chunkeval", "--help", check=True)
        times.append(spent() - before)
    assert min(times) < 0.25


def test_help_names_every_command(call):
    said = call("--help")
    assert said.code == 0
    for name in ("audit", "flag", "filter", "show", "list", "doctor"):
        assert f"\n  {name} " in said.out


def test_audit_has_the_contracts_options(call):
    said = call("audit", "--help").out
    stated = (
        "--text --doc --id --analyzers --embedder --tokenizer --context --sentences --morphemes --topics --limits --limit --preset "
        "--sample --by --max-flagged --baseline --on-null --resume --overwrite --lang --config --out --json --quiet --jobs --seed "
        "--no-progress --cache"
    )
    assert [option for option in stated.split() if f" {option} " not in said] == []


def test_help_is_plain_words(call):
    said = " ".join(call("audit", "--help").out.replace("│", " ").split())
    assert "``" not in said and "COLUMN=VALUE or COLUMN=LOW:HIGH" in said
    assert "presets" in call("list", "--help").out


@pytest.mark.parametrize("command", ["audit x", "flag x", "filter x", "show x y", "list", "doctor"])
def test_every_command_takes_what_holds_everywhere(command):
    from chunkeval.cli.app import app

    words = f"{command} --out o --json --quiet --jobs 2 --seed 7 --no-progress --cache c".split()
    _, bound, unused, *_ = app().parse_known_args(words)
    assert not unused
    assert {"out", "json", "quiet", "jobs", "seed", "no_progress", "cache"} <= set(bound.arguments)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            "audti x",
            'Unknown command "audti". Did you mean "audit"? '
            "Available commands: audit, flag, filter, chunk, rechunk, compare, calibrate, score, ...",
        ),
        ("audit", 'Command "audit" parameter SOURCE requires an argument.'),
        ("audit x y", "unexpected argument 'y'"),
        ("audit x --embeder lsa", "Unknown option: --embeder. Did you mean --embedder?"),
        ("audit x --topics many", "--topics must be a whole number or auto, not 'many'"),
        (
            "audit x --limits cards",
            'Invalid value "cards" for --limits. Choose from: "auto", "card", "calibrated". Did you mean "card"?',
        ),
        ("audit x --topics 1", "topics must be between 2 and 2000, not 1"),
        ("audit x --topics 99999999", "topics must be between 2 and 2000, not 99999999"),
        ("audit x --embedder=", "--embedder is empty: give a value or leave it out"),
        ("audit x --tokenizer=", "--tokenizer is empty: give a value or leave it out"),
        ("audit x --out=", "--out is empty: give a value or leave it out"),
        ("audit x --jobs 0", "jobs must be at least 1, not 0"),
        ("audit x --seed 4294967296", "seed must be between 0 and 4294967295, not 4294967296"),
        (
            "audit x --sentences kiwii",
            "unknown sentence splitter 'kiwii': did you mean 'kiwi'? (known: auto, kiwi, naive, rules)",
        ),
        ("audit x --morphemes mecab", "unknown tagger 'mecab' (known: hannanum, kiwi, kkma, komoran, okt)"),
        ("audit x --analyzers ,", "analyzers: name at least one, as in --analyzers tokens,similarity"),
        ("audit x --limit 0.35", "--limit '0.35': write NAME=VALUE or NAME=LOW:HIGH, as in --limit tokens=50:800"),
        *(
            (
                f"audit x --max-flagged {value}",
                f"--max-flagged {value!r}: give a share from 0% to 100% (5% or 0.05) or a number of chunks (200)",
            )
            for value in ("lots", "-1%", "-1", "1.5", "nan", "101%", "--json")
        ),
        *(
            (
                f"{command} x --false-flags {value}",
                f"--false-flags must be a share from 0% to 100% (5% or 0.05), not {value!r}",
            )
            for command, value in product(("audit", "flag"), ("-1%", "-0.1", "5", "abc", "nan", "101%", "--resume"))
        ),
        ("audit x --config none.toml", "cannot read the settings none.toml: No such file or directory"),
        ("filter run", "name the table to write, as in --out kept.parquet"),
        ("flag nosuch", "there is no run at nosuch: give the folder that `chunkeval audit` wrote"),
        ("show nosuch c1", "there is no run at nosuch: give the folder that `chunkeval audit` wrote"),
        (
            "list --out nosuch/x.txt",
            "cannot write nosuch/x.txt: No such file or directory; name another with --out FILE",
        ),
    ],
)
def test_bad_words_are_one_line_and_exit_2(call, words, line):
    said = call(*words.split())
    assert (said.code, said.out, said.err) == (2, "", f"chunkeval: error: {line}\n")


@pytest.mark.parametrize(
    ("error", "code"),
    [(SourceError("no file"), 2), (MissingExtraError("pip install x"), 2), (GateError("too many"), 1)],
)
def test_errors_have_their_exit_code(call, audits, error, code):
    audits.append(error)
    said = call("audit", "x")
    assert (said.code, said.out, said.err) == (code, "", f"chunkeval: error: {error}\n")


@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError("division by zero"), ChunkevalError("server lost"), OSError(28, "No space left on device")],
)
def test_internal_errors_leave_a_log_and_no_traceback(call, audits, error, tmp_path):
    audits.append(error)
    said = call("audit", "x")
    assert said.code == 3 and said.out == "" and said.err.count("\n") == 1 and "Traceback" not in said.err
    log = Path(said.err.rpartition("(log: ")[2].rstrip(")\n"))
    assert log.parent == tmp_path / "cache" / "logs"
    assert "Traceback (most recent call last)" in log.read_text("utf-8") and str(error) in log.read_text("utf-8")


def test_a_full_disk_is_named(call, audits):
    audits.append(OSError(28, "No space left on device", "/디스크/x.npz"))
    said = call("audit", "x")
    line = "No space left on device (/디스크/x.npz): make room and run the same command again; finished parts are kept (log: "
    assert said.code == 3 and said.err.startswith(f"chunkeval: error: {line}")


def test_the_log_goes_where_the_cache_is(call, audits, tmp_path):
    audits.append(ZeroDivisionError())
    assert f"(log: {tmp_path}/mine/logs/error-" in call("audit", "x", "--cache", tmp_path / "mine").err
    audits.append(ZeroDivisionError())
    (tmp_path / "file").write_text("")
    assert "(log: /tmp" in call("audit", "x", f"--cache={tmp_path}/file").err


def test_interrupted(call, audits):
    audits.append(KeyboardInterrupt())
    said = call("audit", "x")
    assert said.code == 130
    assert said.err == "chunkeval: interrupted; finished parts are kept, the same command with --resume continues\n"


def test_terminated(call, audits):
    audits.append(Terminated())
    said = call("audit", "x")
    assert said.code == 143
    assert said.err == "chunkeval: terminated; finished parts are kept, the same command with --resume continues\n"


def test_interrupted_where_nothing_resumes(call, monkeypatch):
    def stopped(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("chunkeval.cli.app.call", stopped)
    assert call("rechunk", "x").err == "chunkeval: interrupted; finished parts are kept, run the same command again\n"


def test_names_do_nothing_to_the_terminal(call, audits):
    audits.append(SourceError("cannot read a\nb\x1b[31m.csv"))
    assert call("audit", "x").err == "chunkeval: error: cannot read a b\\x1b[31m.csv\n"


def test_utf8_also_on_a_cp949_console(tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "cp949", "PYTHONUTF8": "0"}
    done = python("-m", "chunkeval", "flag", "각👩‍👩‍👧", env=environment)
    assert done.returncode == 2
    assert "각👩" in done.stderr.decode("utf-8")


def test_a_name_that_is_no_unicode_is_escaped():
    done = python("-m", "chunkeval", "flag", b"\xff")
    assert done.returncode == 2 and b"\\udcff" in done.stderr and b"Traceback" not in done.stderr


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m chunkeval list --json | head -c 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.stdout == "{0\n" and done.stderr == ""


def test_list_names_what_is_registered(call):
    found = json.loads(call("list", "--json").out)
    assert {"tokens", "similarity", "topics"} <= set(found["analyzers"])
    assert {"use-multilingual", "lsa"} <= set(found["embedders"])
    assert found["taggers"]["okt"] == "chunkeval[konlpy]"
    assert "use-multilingual" in call("list").out


def test_out_takes_the_result(call, tmp_path):
    said = call("list", "--json", "--out", "found.json")
    assert said.out == "" and json.loads((tmp_path / "found.json").read_text("utf-8"))
