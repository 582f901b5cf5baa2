import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from synthetic import make_flags

from chunkeval import runs
from chunkeval.errors import ConfigError, RunError
from chunkeval.stored import StoredArrays


def put(out: Path, flags, *, overwrite=False, resume=False, summary=None, decisions=None) -> None:
    with runs.writing(out, overwrite=overwrite, resume=resume) as folder:
        runs.carry(flags.scores.chunks.path.parent, folder, frozenset({runs.CHUNKS}))
        runs.save(folder, flags, summary or {"schema": 1}, decisions)


def test_a_run_comes_back_as_it_was(flags, tmp_path):
    put(tmp_path / "run", flags, decisions={"c7": "keep"})
    run = runs.open_run(tmp_path / "run")
    assert run.summary == {"schema": 1} and run.decisions == {"c7": "keep"}
    assert run.flags.judgements == flags.judgements
    assert run.flags.settings == dict(flags.settings)
    assert run.flags.scores.settings == dict(flags.scores.settings)
    assert run.flags.scores.chunks.info == flags.scores.chunks.info
    assert run.flags.frame["reasons"].tolist() == flags.frame["reasons"].tolist()
    assert list(run.flags.scores.frame.columns) == list(flags.scores.frame.columns)
    for name, arrays in flags.scores.state.arrays.items():
        for key, array in arrays.items():
            assert np.array_equal(run.flags.scores.state.arrays[name][key], array)
    was, now = (
        flags.scores.state.recombined["similarity_centred"],
        run.flags.scores.state.recombined["similarity_centred"],
    )
    assert np.array_equal(was.mixes, now.mixes, equal_nan=True) and np.array_equal(was.splices, now.splices)


def test_judging_an_opened_run_gives_the_same(flags, tmp_path):
    from chunkeval.config import FlagConfig
    from chunkeval.flags import flag

    put(tmp_path / "run", flags)
    again = flag(runs.open_run(tmp_path / "run").flags.scores, FlagConfig(limits="card"))
    assert again.frame["flagged"].tolist() == flags.frame["flagged"].tolist()
    assert again.frame["reasons"].tolist() == flags.frame["reasons"].tolist()
    assert again.frame["severity"].tolist() == flags.frame["severity"].tolist()


def test_arrays_are_read_when_asked_for(flags, tmp_path):
    put(tmp_path / "run", flags)
    text = runs.open_run(tmp_path / "run").flags.scores.state.arrays["text"]
    assert isinstance(text, StoredArrays) and set(text) == {
        "traits",
        "sentence_offsets",
        "sentence_start",
        "sentence_end",
    }
    with pytest.raises(KeyError):
        text["nosuch"]


def test_objects_are_refused_since_they_would_need_pickle(flags, tmp_path):
    flags.scores.state.arrays["similarity"]["bad"] = np.array([{}], dtype=object)
    with pytest.raises(ValueError, match="allow_pickle"):
        put(tmp_path / "run", flags)
    assert not (tmp_path / "run").exists()


def test_an_existing_run_is_refused(flags, tmp_path):
    put(tmp_path / "run", flags)
    with pytest.raises(
        RunError, match=r"there is a run at .*run already: --overwrite replaces it, --resume continues it"
    ):
        put(tmp_path / "run", flags)


def test_overwriting_keeps_what_no_run_wrote(flags, tmp_path):
    put(tmp_path / "run", flags)
    (tmp_path / "run" / "notes.md").write_text("mine")
    (tmp_path / "run" / "plots").mkdir()
    (tmp_path / "run" / "plots" / "old.png").write_bytes(b"")
    put(tmp_path / "run", flags, overwrite=True, summary={"schema": 1, "again": True})
    assert runs.open_run(tmp_path / "run").summary["again"]
    assert (tmp_path / "run" / "notes.md").read_text() == "mine"
    assert not (tmp_path / "run" / "plots").exists()
    assert sorted(item.name for item in tmp_path.iterdir()) == ["made", "run"]


def test_a_run_judged_again_does_not_write_into_the_old_ones_files(flags, tmp_path):
    put(tmp_path / "run", flags)
    run = runs.open_run(tmp_path / "run")
    with pytest.raises(ZeroDivisionError), runs.writing(run.path, overwrite=True) as folder:
        runs.carry(run.path, folder, frozenset({runs.CHUNKS}))
        runs.save(folder, run.flags, {"schema": 1, "again": True})
        raise ZeroDivisionError
    assert runs.open_run(tmp_path / "run").summary == {"schema": 1}


@pytest.mark.parametrize("damage", ["cut", "empty", "turned"])
def test_damaged_arrays_are_told_where_they_are_read(flags, tmp_path, damage):
    """A cut file shows at once; bytes turned inside show when the array is asked for."""
    put(tmp_path / "run", flags)
    path = tmp_path / "run" / "state" / "text.npz"
    raw = bytearray(path.read_bytes())
    if damage == "turned":
        at = raw.index(b"sentence_start") + 200
        raw[at : at + 40] = b"\xff" * 40
    path.write_bytes({"cut": raw[: len(raw) // 2], "empty": b"", "turned": raw}[damage])
    with pytest.raises(RunError, match="damaged.*audit once more with --overwrite"):
        runs.open_run(tmp_path / "run").flags.scores.state.arrays["text"]["sentence_start"]


def test_a_table_that_was_changed_since_is_refused(flags, tmp_path):
    put(tmp_path / "run", flags)
    path = tmp_path / "run" / "chunks.parquet"
    table = pq.read_table(path)
    texts = table["text"].to_pylist()
    at = table.schema.get_field_index("text")
    pq.write_table(table.set_column(at, table.schema.field(at), [["다른 글", *texts[1:]]]), path)
    with pytest.raises(RunError, match="chunks.parquet is not the file whose chunks were scored"):
        runs.open_run(tmp_path / "run")


def test_a_folder_that_is_no_run_is_refused_even_to_overwrite(flags, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("years of work")
    with pytest.raises(RunError, match="has files in it and is no run of chunkeval"):
        put(tmp_path / "home", flags, overwrite=True)
    assert (tmp_path / "home" / "thesis.txt").read_text() == "years of work"


def test_an_empty_folder_is_taken(flags, tmp_path):
    (tmp_path / "run").mkdir()
    put(tmp_path / "run", flags)
    assert runs.is_run(tmp_path / "run")


@pytest.mark.parametrize("place", ["file.txt", "file.txt/run", "a\0b", "x" * 300, "/proc/nosuch/run"])
def test_a_place_that_cannot_be_written_to_is_refused_first(flags, tmp_path, place):
    (tmp_path / "file.txt").write_text("")
    with pytest.raises(RunError, match="--out"), runs.writing(tmp_path / place):
        pytest.fail("work was done")
    assert sorted(item.name for item in tmp_path.iterdir()) == ["file.txt", "made"]


def test_bad_input_takes_everything_away_again(tmp_path):
    with pytest.raises(ConfigError), runs.writing(tmp_path / "new" / "deep" / "run") as folder:
        (folder / "chunks.parquet").write_text("")
        raise ConfigError("bad")
    assert list(tmp_path.iterdir()) == []


def test_other_errors_keep_finished_parts_for_resume(flags, tmp_path):
    out = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt), runs.writing(out, resume=False) as folder:
        (folder / "part").write_text("done")
        raise KeyboardInterrupt
    assert not out.exists()
    with pytest.raises(KeyboardInterrupt), runs.writing(out, resume=True) as folder:
        assert (folder / "part").read_text() == "done"
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt), runs.writing(out, resume=False) as folder:
        assert not (folder / "part").exists()
        raise KeyboardInterrupt


def test_what_cannot_be_gone_on_with_is_taken_away(tmp_path):
    with pytest.raises(KeyboardInterrupt), runs.writing(tmp_path / "new" / "run") as folder:
        (folder / "part").write_text("half")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_run_killed_while_writing_leaves_no_half_file(tmp_path):
    code = f"""
import os, signal, sys
sys.path[:0] = {sys.path!r}
from pathlib import Path
from synthetic import make_flags
from chunkeval import runs
Path({str(tmp_path)!r}, "made").mkdir()
flags = make_flags(Path({str(tmp_path)!r}, "made"))
with runs.writing(Path({str(tmp_path)!r}, "run")) as folder:
    runs.carry(flags.scores.chunks.path.parent, folder, frozenset({{runs.CHUNKS}}))
    runs.save(folder, flags, {{}})
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == -9, done.stderr
    assert not (tmp_path / "run").exists()
    with pytest.raises(RunError, match="there is no run at"):
        runs.open_run(tmp_path / "run")


def test_a_kill_between_the_two_renames_loses_nothing(flags, tmp_path):
    out = tmp_path / "run"
    put(out, flags)
    os.replace(out, tmp_path / ".run.replaced")
    assert runs.open_run(out).summary == {"schema": 1}
    os.replace(out, tmp_path / ".run.replaced")
    with pytest.raises(RunError, match="there is a run at"), runs.writing(out):
        pytest.fail("work was done")


def test_two_processes_do_not_write_into_one_folder(flags, tmp_path):
    with pytest.raises(KeyboardInterrupt), runs.writing(tmp_path / "run", resume=False) as folder:
        (folder / "part").write_text("mine")
        with pytest.raises(RunError, match="another process is writing"), runs.writing(tmp_path / "run", resume=True):
            pytest.fail("work was done twice")
        assert (folder / "part").read_text() == "mine"
        raise KeyboardInterrupt
    put(tmp_path / "run", flags, resume=True)


def test_a_mounted_disk_is_refused_first():
    with pytest.raises(RunError, match="is a mounted disk.*--out /proc/run"), runs.writing(Path("/proc")):
        pytest.fail("work was done")


def test_a_link_to_a_folder_stays_a_link(flags, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    put(tmp_path / "link", flags)
    assert (tmp_path / "link").is_symlink() and runs.is_run(tmp_path / "real")


@pytest.mark.parametrize("name", ["보고서 1월", "각", "a;b&c", "-rf", "파일\n이름", "👩‍👩‍👧"])
def test_hostile_names(flags, tmp_path, name):
    put(tmp_path / name, flags)
    assert runs.open_run(tmp_path / name).flags.scores.chunks.path.exists()


def test_what_is_no_run_is_not_opened(tmp_path):
    with pytest.raises(RunError, match="there is no run at .*nosuch: give the folder that `chunkeval audit` wrote"):
        runs.open_run(tmp_path / "nosuch")
    with pytest.raises(RunError, match=r"is no run of chunkeval \(summary.json or state is missing\)"):
        runs.open_run(tmp_path)


@pytest.mark.parametrize("harm", ["truncate", "rows", "format", "json"])
def test_a_damaged_run_says_so(flags, tmp_path, harm):
    out = tmp_path / "run"
    put(out, flags)
    state = out / "state" / "state.json"
    facts = json.loads(state.read_text("utf-8"))
    if harm == "truncate":
        (out / "scores.parquet").write_bytes((out / "scores.parquet").read_bytes()[:100])
    elif harm == "rows":
        (tmp_path / "other").mkdir()
        os.replace(make_flags(tmp_path / "other", count=20).scores.chunks.path, out / "chunks.parquet")
    elif harm == "format":
        state.write_text(json.dumps({**facts, "format": 0}), "utf-8")
    else:
        state.write_text("{", "utf-8")
    what = r"was made by another version \(state of format 0" if harm == "format" else "is damaged"
    with pytest.raises(RunError, match=rf"the run at \S*run {what}.*: audit once more with --overwrite"):
        runs.open_run(out)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("data/chunks.csv", "chunks"),
        ("-", "stdin"),
        ("한글.v2.jsonl", "한글.v2"),
        (".csv", "csv"),
        ("a:b*c.csv", "a_b_c"),
        ("나.csv", "나"),
        ("x" * 200 + ".csv", "x" * 60),
        ("a\nb.csv", "a_b"),
    ],
)
def test_default_out(source, name):
    assert runs.default_out(source) == Path("reports", name)
