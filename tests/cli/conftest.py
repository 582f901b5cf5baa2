from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from synthetic import make_flags

from chunkeval import outputs, runs
from chunkeval.cli.main import main


@dataclass(frozen=True)
class Ran:
    """One call of the command line."""

    code: int
    out: str
    err: str


DRAW = outputs._draw

Call = Callable[..., Ran]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHUNKEVAL_CACHE", str(tmp_path / "cache"))

    def run(*arguments: object) -> Ran:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run


@pytest.fixture
def drawn(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw all the same, from here on."""
    monkeypatch.setattr(outputs, "_draw", DRAW)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out plots and page: they are tested where they are drawn."""
    monkeypatch.setattr(outputs, "_draw", lambda *_: None)


@pytest.fixture
def run(tmp_path: Path, undrawn: None) -> Path:
    """A finished run of 60 chunks; c3 is blank, c7 to c9 are incoherent, c11 is long."""
    (tmp_path / "made").mkdir()
    flags = make_flags(tmp_path / "made")
    with runs.writing(tmp_path / "run") as folder:
        runs.carry(tmp_path / "made", folder, frozenset({runs.CHUNKS}))
        outputs.write(flags, folder)
    return tmp_path / "run"


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Put a stand-in in the pipeline's place; gives what it was called with, and fails as told by ``audits.append`` beforehand."""
    calls: list[Any] = []

    @dataclass(frozen=True)
    class Audit:
        summary: dict[str, Any]
        out: Path

    def audit(source: str, config: Any, progress: Any) -> Audit:
        failure = calls.pop() if calls and isinstance(calls[-1], BaseException) else None
        if failure is not None:
            raise failure
        calls.append((source, config))
        summary = {
            "chunks": 100,
            "flagged": 6,
            "verdict": "100개 중 6개가 나쁘다.",
            "analyzers": {"tokens": {"notes": ["a loud line"]}},
        }
        return Audit({**summary, "notes": ["read as cp949"]}, Path("reports/chunks"))

    import chunkeval

    module = ModuleType("chunkeval.api")
    vars(module)["audit"] = audit
    monkeypatch.setitem(sys.modules, "chunkeval.api", module)
    monkeypatch.setitem(vars(chunkeval), "api", module)
    return calls
