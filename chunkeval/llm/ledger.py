"""What a job has used so far, kept on disk: one that was stopped, and is started again, goes on counting.

A request is noted when it is sent, so that a run that is killed has noted it too, and taken back where the server did not
take it: one that was refused or never arrived costs nothing, and is no reason to refuse a job that is started again.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from chunkeval.cache import Cache

KIND = "spent"
_LINE = re.compile(rb"(-?\d{1,15}) (\d{1,15}) (\d{1,15})")


@dataclass(frozen=True)
class Spent:
    """What was used."""

    calls: int = 0
    """Requests that were sent, less those that the server did not take."""
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Of prompts and completions."""
        return self.prompt_tokens + self.completion_tokens


class Ledger:
    """A job's file, a line a request and a line what came of it; whole lines are added, so that no stop spoils it.

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
        read = [[int(part) for part in found.groups()] for line in lines if (found := _LINE.fullmatch(line))]
        calls, prompts, completions = (sum(line[at] for line in read) for at in range(3))
        return Spent(max(calls, 0), prompts, completions)

    def add(self, more: Spent) -> None:
        """Add a line."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        line = f"{more.calls} {more.prompt_tokens} {more.completion_tokens}\n"
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)
