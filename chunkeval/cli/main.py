"""What the command line does before and after a command: the overview, errors to one line and an exit code."""

from __future__ import annotations

import errno
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import NoReturn

from chunkeval import __version__
from chunkeval.cli.speak import visible
from chunkeval.cli.streams import finish, open_streams
from chunkeval.errors import ChunkevalError

ABOUT = "Audits the chunks of a RAG store: which are bad, why, and what to do about each."

COMMANDS = {
    "audit": "Audit a chunk table: scores, limits, flags, a report and an outlier list.",
    "flag": "Judge an existing run by new limits; nothing is scored again.",
    "filter": "Write the table without what is flagged, and what was left out.",
    "chunk": "Cut documents into a chunk table, or run OpenSearch's processor over them.",
    "rechunk": "Cut a run's flagged chunks again and audit them under the same limits.",
    "compare": "Compare chunkers or chunk tables, with questions or without, and say how sure the answer is.",
    "calibrate": "Read limits off chunks labelled good or bad, for --calibration of audit and flag.",
    "score": "Say whether a text is fit to be a chunk: verdict, measures, weakest place, what to do.",
    "show": "Show one chunk of a run: text, scores, weakest place, neighbours.",
    "search": "Find chunks by keywords, by meaning, or by both.",
    "read": "Read chunks of a table by their ids.",
    "ask": "Answer a question from a table by a language model that searches and reads.",
    "mcp": "Serve search and reading of a table to agents (MCP on standard input and output).",
    "list": "List what is registered: loaders, analyzers, embedders, splitters, taggers, presets.",
    "doctor": "Say what works on this machine and what to install.",
}

INTERRUPTED = 130

TERMINATED = 143


class Terminated(KeyboardInterrupt):
    """The process was asked to end (SIGTERM): all that lets go where Ctrl-C is pressed lets go."""


def run() -> NoReturn:
    """Run the command line and leave with its exit code."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:  # else whoever started us wants it otherwise
        signal.signal(signal.SIGTERM, _terminate)
    open_streams()
    code = main(sys.argv[1:])
    finish()
    sys.exit(code)


def main(arguments: Sequence[str]) -> int:
    """Run one command.

    Parameters
    ----------
    arguments
        Words after the program's name.

    Returns
    -------
    int
        0 fine, 1 a gate failed, 2 bad input, 3 an internal error, 130 interrupted, 143 terminated.
    """
    _speak_utf8()
    try:
        if list(arguments) in ([], ["--help"], ["-h"]):
            print(overview(), end="")
        else:
            from chunkeval.cli.app import call

            call(arguments)
        sys.stdout.flush()
    except ChunkevalError as error:
        return _say(str(error), error.exit_code, log=_log(arguments) if error.exit_code == 3 else None)
    except KeyboardInterrupt as stopped:
        what, code = ("terminated", TERMINATED) if isinstance(stopped, Terminated) else ("interrupted", INTERRUPTED)
        way = "the same command with --resume continues" if arguments[:1] == ["audit"] else "run the same command again"
        print(f"chunkeval: {what}; finished parts are kept, {way}", file=sys.stderr)
        return code
    except Exception as error:
        return _say(_internal(error), 3, log=_log(arguments))
    return 0


def overview() -> str:
    """What there is to call; written here so that it comes at once, before any library is imported."""
    lines = [f"  {name:<9} {words}" for name, words in COMMANDS.items()]
    return "\n".join(
        [
            "Usage: chunkeval COMMAND",
            "",
            ABOUT,
            "",
            *lines,
            "",
            "  --help, -h   This page; after a command, its options.",
            "  --version    The version.",
            "",
        ]
    )


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    raise Terminated


def _internal(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        where = f" ({error.filename})" if error.filename else ""
        return f"{error.strerror}{where}: make room and run the same command again; finished parts are kept"
    return f"internal: {type(error).__name__}: {error}"


def _say(message: str, code: int, log: Path | None = None) -> int:
    where = f" (log: {log})" if log is not None else ""
    line = " ".join(f"{message}{where}".split())
    print(f"chunkeval: error: {visible(line)}", file=sys.stderr)
    return code


def _log(arguments: Sequence[str]) -> Path:
    """Write the traceback of the error at hand where a bug report can take it from."""
    name = f"error-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    text = f"chunkeval {__version__}\nPython {sys.version}\narguments {list(arguments)!r}\n\n{traceback.format_exc()}"
    from chunkeval.cache import default_folder

    cache = _cache_of(arguments)
    for folder in ((Path(cache) if cache else default_folder()) / "logs", Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / name
            path.write_text(text, "utf-8", errors="backslashreplace")
        except OSError:
            continue
        return path
    return Path(os.devnull)


def _cache_of(arguments: Sequence[str]) -> str | None:
    for word, following in zip(arguments, [*arguments[1:], None], strict=True):
        if word == "--cache":
            return following
        if word.startswith("--cache="):
            return word.partition("=")[2]
    return None


def _speak_utf8() -> None:
    # A CP949 console can say neither every Hangul syllable's neighbour nor an emoji; bytes that no encoding has are escaped.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
