"""Texts from the words of a command line: a text as it stands, a file of one or of many, standard input."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from chunkeval.config import LoadConfig
from chunkeval.errors import SourceError, TableError
from chunkeval.loaders.encoding import inspect
from chunkeval.loaders.signatures import HEAD, kind_of
from chunkeval.loaders.source import SourceFile, open_source
from chunkeval.loaders.write import load
from chunkeval.table.cells import as_whole, cells, scrub
from chunkeval.table.chunks import batch_of, keys_of

if TYPE_CHECKING:
    import pandas as pd

_ENDING = re.compile(r"[^.\s]\.[A-Za-z0-9]{1,8}$")
LONGEST = 1_000_000
"""Code points of a text that stands alone: all that is done with it grows with its length, about a second each 25,000."""
_LONGEST_PATH = 260
"""Characters; a longer word that names no file is a text without spaces."""


@dataclass(frozen=True)
class Text:
    """A text to judge, and where it came from."""

    text: str
    """Without lone surrogates."""
    source: str
    """``argument 1``, a file, or ``standard input``."""
    chunk_id: str | None = None
    """Its id in the table that it came from."""
    doc_id: str | None = None
    """Its document there: rows that say where they stand are judged as neighbours."""
    position: int = 0
    start: int | None = None
    """Where the text begins in its document, in code points."""
    end: int | None = None


def read_texts(words: Sequence[str], config: LoadConfig) -> tuple[list[Text], bool]:
    """Read what a caller names or gives.

    Parameters
    ----------
    words
        Each a text; or ``-`` for standard input as one text; or a file or folder that is there: txt, md and html hold
        one text each, tables one a row. A word without white space that looks like a path (it holds a slash or ends
        like a file's name) and is none is an error, not a text.
    config
        Columns of tables, named by the caller.

    Returns
    -------
    list of Text, bool
        In the order given; and whether it is a single text rather than a list that happens to have one.

    Raises
    ------
    SourceError, TableError
        A file is missing or cannot be read, standard input is empty or no text, a text is as long as a document; the
        message names the place and the fix.

    Examples
    --------
    >>> read_texts(["하나는 이것이다."], LoadConfig())
    ([Text(text='하나는 이것이다.', source='argument 1', chunk_id=None, doc_id=None, position=0, start=None, end=None)], True)
    """
    if list(words).count("-") > 1:
        raise SourceError("standard input is named twice, as -: name it once")
    found: list[Text] = []
    tables = 0
    for number, word in enumerate(words, 1):
        if word == "-":
            found.append(Text(_standard_input(), "standard input"))
        elif _there(word):
            several = _of_file(word, config)
            tables += several[0].chunk_id is not None
            found += several
        elif _like_a_path(word):
            raise SourceError(
                f"{word}: no such file: check the path; or, if this is the text itself, pipe it in and name it -"
            )
        else:
            found.append(Text(scrub(word), f"argument {number}"))
    return bounded(found), len(found) == 1 and not tables


def bounded(texts: list[Text]) -> list[Text]:
    """Give the texts back where none that stands alone is as long as a document; rows of a table may be as they are.

    Raises
    ------
    TableError
        A text is longer than `LONGEST`.
    """
    for one in texts:
        if one.chunk_id is None and len(one.text) > LONGEST:
            raise TableError(
                f"{one.source}: {len(one.text):,} characters are a document, not a chunk ({LONGEST:,} at most): "
                f"cut it first, as with chunkeval chunk, and audit the table"
            )
    return texts


def _there(word: str) -> bool:
    try:
        return bool(word.strip()) and os.path.exists(os.path.expanduser(word))
    except (OSError, ValueError):
        return False


def _like_a_path(word: str) -> bool:
    if not word or len(word) > _LONGEST_PATH or any(c.isspace() for c in word):
        return False
    return "/" in word or "\\" in word or _ENDING.search(word) is not None


def _standard_input() -> str:
    if sys.stdin is None or sys.stdin.closed:
        raise SourceError("standard input is closed: pipe a text into the command, or give the text itself")
    return _of_stream(sys.stdin.buffer, "standard input")


def _of_stream(stream: IO[bytes], name: str) -> str:
    with tempfile.TemporaryDirectory(prefix="chunkeval-") as folder:
        path = Path(folder) / "stream"
        with path.open("wb") as target:
            shutil.copyfileobj(stream, target, 1 << 20)
        with path.open("rb") as copy:
            head = copy.read(HEAD)
        if not head:
            raise SourceError(f"{name} is empty: pipe a text into the command, or give the text itself")
        kind = kind_of(path, head, name)
        if kind is not None:
            raise SourceError(f"{name}: this is a table ({kind}), not a text: save it and name the file")
        with SourceFile(path, name, inspect(path, name).encoding, "-").text() as text:
            return scrub(text.read())


def of_table(frame: pd.DataFrame, source: str) -> list[Text]:
    """Give a chunk table's texts, with what it says of where they stand.

    Parameters
    ----------
    frame
        Column text; chunk_id, doc_id, position, start and end where there are any.
    source
        What the texts are said to come from.

    Raises
    ------
    TableError
        There is no column text, or two, a text is no string, a document no name, a position no whole number.
    """
    if "text" not in frame:
        raise TableError(f"{source}: has no column text: give a chunk table, as chunkeval.load makes it")
    rows = range(len(frame))
    try:
        batch = batch_of(frame)
        documents = keys_of(batch, "doc_id", "doc_id")
    except TableError as error:
        raise TableError(f"{source}: {error}") from None
    ids = cells(batch.frame, "chunk_id") if "chunk_id" in frame else [row + 1 for row in rows]
    positions = cells(batch.frame, "position") if "position" in frame else rows
    starts, ends = (
        [as_whole(cell) for cell in cells(batch.frame, name)] if {"start", "end"} <= {*frame} else [None] * len(frame)
        for name in ("start", "end")
    )
    found: list[Text] = []
    for row, text in enumerate(cells(batch.frame, "text")):
        place = f"{source}: row {row + 1}, column"
        if not isinstance(text, str):
            raise TableError(f"{place} text: must be a string, not {type(text).__name__}")
        position = as_whole(positions[row])
        if position is None:
            raise TableError(
                f"{place} position: must be a whole number, not {positions[row]!r}: correct it, or leave the column out"
            )
        found.append(Text(scrub(text), source, str(ids[row]), documents[row], position, starts[row], ends[row]))
    return found


def _of_file(source: str, config: LoadConfig) -> list[Text]:
    path = Path(source).expanduser()
    if not path.is_file() and not path.is_dir():
        # A pipe can be read once only.
        try:
            with path.open("rb") as stream:
                return [Text(_of_stream(stream, source), source)]
        except OSError as error:
            raise SourceError(f"{source}: cannot be read: {error.strerror or error}: check its permissions") from error
    texts = of_table(load(source, config), source)
    if path.is_file() and open_source(source).kind == "text":
        return [Text(one.text, source) for one in texts]
    return texts
