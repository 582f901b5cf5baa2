"""One hook for progress: a bar on a terminal, a plain line now and then elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


class Step(Protocol):
    """One stage of work under way."""

    def advance(self, amount: int = 1) -> None:
        """Report that ``amount`` more units are done."""
        ...

    def tell(self, words: str) -> None:
        """Show words beside the count, in place of the last ones."""
        ...


class Progress(Protocol):
    """Where stages report to."""

    def note(self, message: str) -> None:
        """Say one line."""
        ...

    def step(self, name: str, total: int) -> AbstractContextManager[Step]:
        """Open a stage of ``total`` units; use as a context manager."""
        ...


class _SilentStep:
    def advance(self, amount: int = 1) -> None:
        pass

    def tell(self, words: str) -> None:
        pass


class Silent:
    """Says nothing."""

    def note(self, message: str) -> None:
        """Ignore the line."""

    @contextmanager
    def step(self, name: str, total: int) -> Iterator[Step]:
        """Ignore the stage."""
        yield _SilentStep()


class _LineStep:
    def __init__(self, stream: TextIO, name: str, total: int, every: float) -> None:
        self._stream, self._name, self._total, self._every = stream, name, total, every
        self._done, self._words = 0, ""
        self._said = time.monotonic()

    def advance(self, amount: int = 1) -> None:
        self._done += amount
        self._print()

    def tell(self, words: str) -> None:
        self._words = f", {words}"
        self._print()

    def _print(self) -> None:
        now = time.monotonic()
        if now - self._said >= self._every:
            self._said = now
            print(f"{self._name}: {self._done:,}/{self._total:,}{self._words}", file=self._stream, flush=True)


class Lines:
    """Plain lines on a stream, at most one every ``every`` seconds a stage."""

    def __init__(self, stream: TextIO | None = None, every: float = 10.0, *, stages: bool = True) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._every = every
        self._stages = stages

    def note(self, message: str) -> None:
        """Print the line."""
        print(message, file=self._stream, flush=True)

    @contextmanager
    def step(self, name: str, total: int) -> Iterator[Step]:
        """Print a line now and then while the stage lasts."""
        if not self._stages:
            yield _SilentStep()
            return
        yield _LineStep(self._stream, name, total, self._every)


class Bars:
    """A rich progress bar a stage, for terminals; stages that run at the same time share one display."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description:<22}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._console = Console(stderr=True)
        self._bars = Progress(*columns, console=self._console, transient=True)
        self._open = 0
        self._lock = Lock()

    def note(self, message: str) -> None:
        """Print the line above the bars."""
        self._console.print(message, highlight=False, markup=False, soft_wrap=True)

    @contextmanager
    def step(self, name: str, total: int) -> Iterator[Step]:
        """Show a bar while the stage lasts."""
        with self._lock:
            self._open += 1
            if self._open == 1:
                self._bars.start()
        task = self._bars.add_task(name, total=total)
        try:
            yield _BarStep(self._bars, task, name)
        finally:
            self._bars.remove_task(task)
            with self._lock:
                self._open -= 1
                if not self._open:
                    self._bars.stop()


class _BarStep:
    def __init__(self, bars: RichProgress, task: TaskID, name: str) -> None:
        self._bars, self._task, self._name = bars, task, name

    def advance(self, amount: int = 1) -> None:
        self._bars.advance(self._task, amount)

    def tell(self, words: str) -> None:
        self._bars.update(self._task, description=f"{self._name}: {words}")


def choose(*, quiet: bool, no_progress: bool) -> Progress:
    """Pick the hook: silent when quiet, lines without stages when asked or off a terminal, bars otherwise."""
    if quiet:
        return Silent()
    if no_progress:
        return Lines(stages=False)
    return Bars() if sys.stderr.isatty() else Lines()
