"""What a job has used so far, kept on disk: one that was stopped, and is started again, goes on counting."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from chunkeval.cache import Cache

KIND = "spent"


@dataclass(frozen=True)
class Spent:
    """What was used."""

    calls: int = 0
    """Requests sent."""
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Of prompts and completions."""
        return self.prompt_tokens + self.completion_tokens


class Ledger:
    """A job's file, a line a request sent and a line an answer; whole lines are added, so that no stop spoils it.

    Parameters
    ----------
    cache
        The folder that holds it.
    job
        Digest of what is to be done.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> Ledger(Cache(folder.name), "job").add(Spent(1, 80, 20))
    >>> Ledger(Cache(folder.name), "job").total()
    Spent(calls=1, prompt_tokens=80, completion_tokens=20)
    >>> folder.cleanup()
    """

    def __init__(self, cache: Cache, job: str) -> None:
        self._path: Path = cache.folder / KIND / job[:2] / f"{job}.txt"

    def total(self) -> Spent:
        """Add up all lines; one that is none counts nothing."""
        try:
            lines = self._path.read_bytes().splitlines()
        except OSError:
            return Spent()
        read = [[int(part) for part in line.split() if part.isdigit()] for line in lines]
        calls, prompts, completions = (sum(line[at] for line in read if len(line) == 3) for at in range(3))
        return Spent(calls, prompts, completions)

    def add(self, more: Spent) -> None:
        """Add a line."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        line = f"{more.calls} {more.prompt_tokens} {more.completion_tokens}\n"
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)
