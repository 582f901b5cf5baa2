import subprocess
import sys
from pathlib import Path

import pytest

CHUNKS = Path(__file__).parents[2] / "datasets" / "en" / "chunks.csv"
AUDIT = f"audit {CHUNKS} --analyzers tokens --out run"
UNHEARD = ["2>&-", "2>/dev/full", "2> >(true)", ">&- 2>&-"]


@pytest.fixture
def leaves(tmp_path, monkeypatch):
    """The exit code of a line, and what it said."""
    monkeypatch.setenv("PYTHONUNBUFFERED", "")
    monkeypatch.setenv("CHUNKEVAL_CACHE", str(tmp_path / "cache"))

    def run(arguments, where):
        line = f"'{sys.executable}' -m chunkeval {arguments} {where}; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True)
        assert "Traceback" not in done.stderr and "ignored" not in done.stderr
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.mark.parametrize("where", UNHEARD)
def test_standard_error_that_takes_nothing_changes_no_exit_code(where, leaves, tmp_path):
    said = leaves(AUDIT, where)
    assert said[0] == 0 and (tmp_path / "run" / "summary.json").exists()
    assert ("report: " in said[1]) == (">&- 2" not in where)
    assert leaves("audit nothere", where)[0] == 2
    assert leaves("show run nope", where)[0] == 2
    assert leaves("list", where)[0] == 0


def test_closed_standard_output_is_no_error(leaves):
    assert leaves(f"{AUDIT} --quiet", ">&-") == (0, "", "")
    assert leaves("show run nope", ">&-")[0] == 2
    assert leaves("list --json", ">&-") == leaves("--help", ">&-") == (0, "", "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("where", ["| true", "2>/dev/full"])
def test_a_gate_fails_whoever_listens(where, unbuffered, leaves, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    assert leaves(f"{AUDIT} --json --max-flagged 0", where)[0] == 1


def test_a_result_that_finds_no_room_is_lost_and_said_so(leaves):
    found, _, said = leaves("list --json", ">/dev/full")
    assert found == 3 and "No space left" in said
