"""Standard output and standard error as they come: closed, on a full disk, or with a reader that has left."""

from __future__ import annotations

import os
import sys
from io import BufferedWriter, FileIO, RawIOBase, TextIOWrapper
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def open_streams() -> None:
    """Make both streams ones that can be written to, so that the exit code tells of the work and not of who listens.

    A closed one leads nowhere. Standard output lasts when its reader leaves, who has what they wanted; standard error whatever happens,
    since there is nobody left to tell. A full disk under standard output stays an error: the result is lost.
    """
    # A file opened later would get the number of a closed stream, and with it what libraries say there.
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    sys.stdout = _lasting(sys.stdout, 1, BrokenPipeError)
    sys.stderr = _lasting(sys.stderr, 2, OSError)


def finish() -> None:
    """Say what is still to be said; Python would leave with a code of its own where that fails."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Lasting(RawIOBase):
    """A stream that drops what cannot be written."""

    def __init__(self, raw: Any, dropped: type[OSError]) -> None:
        self._raw, self._dropped = raw, dropped

    def write(self, data: ReadableBuffer, /) -> int | None:
        try:
            written: int | None = self._raw.write(data)
        except self._dropped:
            return memoryview(data).nbytes
        return written

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return int(self._raw.fileno())

    def isatty(self) -> bool:
        return bool(self._raw.isatty())


def _lasting(stream: Any, number: int, dropped: type[OSError]) -> TextIOWrapper:
    if stream is None:
        raw, by_line = FileIO(number, "wb", closefd=False), False
    else:
        raw, by_line = getattr(stream.buffer, "raw", stream.buffer), stream.line_buffering or stream.write_through
    through = BufferedWriter(_Lasting(raw, dropped))
    return TextIOWrapper(through, encoding="utf-8", errors="backslashreplace", line_buffering=by_line or number == 2)
