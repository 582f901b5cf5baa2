"""A chunker of another package, registered by entry point, is held to the contract without being named anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pandas as pd
import pytest

import chunkeval as ce
from chunkeval import registry
from chunkeval.chunkers.spec import make
from chunkeval.errors import ConfigError

CODE = '''
from chunkeval.chunkers.base import Chunk

class Halves:
    """Two chunks."""
    def __init__(self, size: int = 2) -> None:
        if type(size) is not int or size < 1:
            from chunkeval.errors import ConfigError
            raise ConfigError(f"halves: size must be a whole number from 1, not {size!r}")
    def split(self, text):
        from chunkeval.text.graphemes import next_boundary
        middle = next_boundary(text, 0, len(text) // 2)
        return [Chunk((span,)) for span in ((0, middle), (middle, len(text))) if span[0] < span[1]]

class Strips:
    """Loses white space, and takes any size."""
    def __init__(self, size: int = 2) -> None: ...
    def split(self, text):
        end = len(text.rstrip())
        return [Chunk(((0, end),))] if end else []
'''


@pytest.fixture
def brought(tmp_path: Path) -> Path:
    (tmp_path / "other_chunkers.py").write_text(CODE, "utf-8")
    info = tmp_path / "other_chunkers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-chunkers\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(
        "[chunkeval.chunkers]\nhalves = other_chunkers:Halves\nstrips = other_chunkers:Strips\n", "utf-8"
    )
    return tmp_path


def test_it_is_made_by_its_name(brought: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(brought))
    assert registry.entries("chunkers")["halves"].package == "other-chunkers"
    assert [chunk.spans for chunk in make("halves:size=2").split("가나다")] == [((0, 1),), ((1, 3),)]


@pytest.mark.parametrize("name", sorted(registry.RESERVED["analyzers"]))
def test_a_name_that_a_runs_own_files_have_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    point = EntryPoint(name, "other:Analyzer", "chunkeval.analyzers")
    monkeypatch.setattr(registry, "entry_points", lambda group: [point] if group == point.group else [])
    with pytest.raises(ConfigError, match=f"^analyzer '{name}', registered by other:Analyzer: .*rename it$"):
        registry.find("analyzers", "tokens")
    assert name not in registry.entries("chunkers")


def test_whatever_a_run_keeps_beside_its_analyzers_is_reserved() -> None:
    table = pd.DataFrame({"text": ["사과는 빨갛다. 하늘은 푸르다.", "물은 끓는다. Water boils."], "doc_id": "d"})
    scores = ce.score(table, embedder="lsa", analyzers="tokens,similarity,boundaries")
    assert set(scores.state.arrays) - set(scores.settings["analyzers"]) == registry.RESERVED["analyzers"]


def test_the_contract_takes_it_up(brought: Path) -> None:
    """In a fresh process: one that keeps its word passes, one that does not fails."""
    here = Path(__file__).parent
    paths = os.pathsep.join([str(brought), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "halves or strips", str(here)]
    done = subprocess.run(
        [*command, f"--ignore={__file__}", f"--rootdir={here.parents[1]}"],
        capture_output=True, text=True, cwd=here.parents[1], env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert " passed" in done.stdout, done.stdout + done.stderr
    assert not [line for line in failed if "halves" in line], done.stdout
    for test in ("spans_are_exact", "any_unicode", "bad_settings", "megabytes"):
        assert [line for line in failed if test in line and "strips" in line], (test, done.stdout)
