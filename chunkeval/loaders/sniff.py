"""Telling text kinds apart by what is written in them."""

from __future__ import annotations

import csv
import itertools
import json
from typing import TYPE_CHECKING

from chunkeval.table.columns import DOC_NAMES, ID_NAMES, TEXT_NAMES

if TYPE_CHECKING:
    from chunkeval.loaders.source import SourceFile

_PEEK = 1 << 20
"""Characters read at a time."""
_LINES = 20
"""Lines that tell a table from prose."""
_LINE = 1 << 24
"""Characters of a first line that are looked at."""


def text_kind(file: SourceFile, by_ending: str | None, *, plain: bool) -> str | None:
    """Kind of a text file.

    Parameters
    ----------
    file
        The file, its encoding known.
    by_ending
        Kind that its name says, None where it says nothing.
    plain
        Whether it may be plain text, one chunk, where nothing else fits.
    """
    if by_ending not in (None, "json", "jsonl"):
        return by_ending
    with file.text() as stream:
        start = ""
        while not start.strip() and (block := stream.read(_PEEK)):
            start = block.lstrip()
        while start.startswith("{") and "\n" not in start and len(start) < _LINE and (block := stream.read(_PEEK)):
            start += block
    if by_ending is None and not start.startswith(("{", "[")):
        return _table_kind(start) or ("text" if plain else None)
    first, _, rest = start.partition("\n")
    if start.startswith("{") and _is_object(first):
        following = rest.lstrip()
        # one object alone is a document of its own; a second one makes it lines
        if following.startswith("{") or (not following and by_ending == "jsonl"):
            return "jsonl"
        return "json" if not following else by_ending or "jsonl"
    if start.startswith("{") and by_ending == "jsonl":
        # an object spread over several lines is json, an unfinished line is a broken jsonl
        return "json" if first.strip() in ("{",) else "jsonl"
    if by_ending == "jsonl":
        return "json" if start.startswith("[") else "jsonl"
    return "json"


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _table_kind(start: str) -> str | None:
    lines = start.splitlines(keepends=True)[:_LINES]
    if not lines:
        return None
    delimiter = delimiter_of(lines[0])
    kind = "tsv" if delimiter == "\t" else "csv"
    try:
        rows = list(itertools.islice((row for row in csv.reader(lines, delimiter=delimiter) if row), _LINES))
    except csv.Error:
        rows = []
    known = {name.casefold() for name in (*TEXT_NAMES, *ID_NAMES, *DOC_NAMES)}
    if any(cell.strip().casefold() in known for cell in lines[0].replace('"', "").split(delimiter)):
        return kind
    # the last of many lines may be the half of a quoted cell
    widths = {len(row) for row in (rows[:-1] if len(lines) == _LINES else rows)}
    return kind if len(rows) > 1 and len(widths) == 1 and widths != {1} else None


def delimiter_of(header: str) -> str:
    """Delimiter of a table by its header: comma, tab, semicolon or bar, whichever it has most of.

    Examples
    --------
    >>> delimiter_of("id;text;문서")
    ';'
    """
    outside = "".join(header.split('"')[0::2])
    return max(",\t;|", key=outside.count)
