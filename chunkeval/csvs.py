"""CSV for people: opens right in Excel, runs nothing there, and comes back exactly but for texts that were cut."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from chunkeval.errors import TableError

LONGEST = 32_000
"""Characters of a cell; Excel takes 32,767 and breaks the row at more."""

_RUNS = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")


def guard(text: str) -> str:
    """Put an apostrophe before a text that Excel would run; one that has apostrophes there already gets one more, so that none is lost.

    Examples
    --------
    >>> guard("=1+1"), guard("plain"), unguard(guard("'=1"))
    ("'=1+1", 'plain', "'=1")
    """
    return "'" + text if _RUNS.match(text) else text


def unguard(cell: str) -> str:
    """Undo `guard`."""
    return cell[1:] if _GUARDED.match(cell) else cell


def cell(value: Any) -> Any:
    """Bring a value into a cell: lists joined by ";", None empty, texts guarded and cut, numbers as they are.

    Examples
    --------
    >>> cell(["too_long", "incoherent"]), cell(None), cell(-0.5), cell("-0.5")
    ('too_long;incoherent', '', -0.5, "'-0.5")
    """
    if value is None or value != value:
        return ""
    if isinstance(value, list | tuple):
        value = ";".join(str(item) for item in value)
    if not isinstance(value, str):
        return value
    if len(value) > LONGEST:
        value = f"{value[:LONGEST]}… [cut at {LONGEST:,} of {len(value):,} characters]"
    return guard(value)


def write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a table for Excel: UTF-8 with BOM, cells as `cell` gives them."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([cell(value) for value in row] for row in rows)


def read(path: Path) -> Iterator[dict[str, str]]:
    """Read such a table back, also as Excel saves it: with or without BOM, in CP949, parted by commas, semicolons or tabs.

    Yields
    ------
    dict
        A row's texts by column, guards undone.

    Raises
    ------
    TableError
        The file is missing or is no such table.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise TableError(f"cannot read {path}: {error.strerror or error}") from None
    text = _decoded(raw)
    if not text.strip():
        raise TableError(f"{path} is empty: give a table with its header")
    header = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count), strict=True)
    try:
        for row in reader:
            yield {name: unguard(value or "") for name, value in row.items() if isinstance(name, str)}
    except csv.Error as error:
        raise TableError(f"{path}, line {reader.line_num}: {error}; save it as CSV once more") from None


def _decoded(raw: bytes) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp949", "replace")
