"""What the fixtures hand out: a page with the view it was drawn from, and a run made by the command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from chunkeval.report.view import View

ROOT = Path(__file__).parents[2]

Write = Callable[..., "Shown"]
"""Render a view to a file."""


@dataclass(frozen=True)
class Shown:
    """A view and the file its page is in."""

    view: View
    path: Path


@dataclass(frozen=True)
class Real:
    """A run made by the command."""

    folder: Path
    """Where commands run."""
    name: str
    """The run's folder, as the command was told."""

    @property
    def page(self) -> Path:
        return self.folder / self.name / "report.html"

    @property
    def frame(self) -> pd.DataFrame:
        return pd.read_parquet(self.folder / self.name / "scores.parquet")

    def call(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of chunkeval there."""
        return call(self.folder, sys.executable, "-m", "chunkeval", *arguments)

    def shell(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run a line as someone types it."""
        return call(self.folder, "bash", "-c", f"chunkeval() {{ '{sys.executable}' -m chunkeval \"$@\"; }}\n{line}")


def call(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with this checkout's ``chunkeval`` at hand."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "HF_HUB_OFFLINE": "1",
        "CHUNKEVAL_CACHE": str(folder / "cache"),
    }
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=300
    )


def words(line: str) -> list[str]:
    """What a shell makes of a line: the command's arguments, the command itself replaced by one that prints them."""
    script = f"chunkeval() {{ printf '%s\\0' \"$@\"; }}\n{line}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]
