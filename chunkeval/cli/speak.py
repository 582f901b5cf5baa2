"""Where a command's result goes: standard output or a file, as lines or as JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval.errors import ConfigError

if TYPE_CHECKING:
    from chunkeval.cli.options import Given


def hand_over(result: Any, lines: Iterable[str], given: Given) -> None:
    """Give the result: JSON with ``--json``, else the lines; to ``--out FILE`` where given, else to standard output."""
    text = as_json(result) if given.console.json else "".join(line + "\n" for line in lines)
    out = given.config.run.out
    if out is None:
        sys.stdout.write(text)
        return
    unfinished = Path(f"{out}.unfinished")
    try:
        unfinished.write_text(text, "utf-8", errors="backslashreplace")
        os.replace(unfinished, out)
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror or error}; name another with --out FILE") from None


def say(line: str, given: Given) -> None:
    """Say a line on standard error, unless asked to be quiet."""
    if not given.console.quiet:
        print(line, file=sys.stderr)


def as_json(result: Any) -> str:
    """JSON as every command prints it: readable, exact, without NaN."""
    return json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def visible(text: str) -> str:
    """Escape what would do something to a terminal rather than show.

    Examples
    --------
    >>> visible("김치" + chr(27)) == "김치" + chr(92) + "x1b"
    True
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
