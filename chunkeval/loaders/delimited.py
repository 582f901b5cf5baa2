"""csv and tsv: strict about quotes and widths, and every error names the line."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from chunkeval.errors import SourceError
from chunkeval.loaders.records import CHARACTERS, ROWS, object_frame
from chunkeval.loaders.sniff import delimiter_of
from chunkeval.loaders.source import Content, Loader, SourceFile
from chunkeval.table import RawBatch
from chunkeval.table.columns import TEXT_NAMES

CELL = 1 << 28
"""Characters of the largest cell; an unclosed quote must not read the rest of a huge file into memory."""


class _Lines:
    """Lines of a file, with the numbers that messages need."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.number = 0
        self.start = 1
        """Line on which the record being read begins."""
        self.quote = 1
        """Line on which the quote that is open now was opened."""
        self._open = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        # doubled quotes within a cell neither open nor close it
        quotes = line.replace('""', "").count('"') if '"' in line else 0
        if quotes:
            self._open ^= quotes % 2 == 1
            if self._open:
                self.quote = self.number
        return line

    def next_record(self) -> None:
        self.start = self.number + 1
        self._open = False


def _open(files: Sequence[SourceFile], *, delimiter: str | None) -> Content:
    (file,) = files
    with file.text() as stream:
        header = next((line for line in stream if line.strip("\r\n")), "")
    used = delimiter or delimiter_of(header)
    notes = (f"Cells are separated by {used!r}.",) if delimiter is None and used != "," else ()
    _header_names(file, next(_rows(file, used), (1, []))[1])
    return Content(lambda: _batches(file, used), notes)


def _rows(file: SourceFile, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Read records with the line that each begins on; empty lines are left out."""
    csv.field_size_limit(max(csv.field_size_limit(), CELL))
    with file.text() as stream:
        lines = _Lines(stream)
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        while True:
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise _unclosed(file, lines, error) from error
            except UnicodeDecodeError as error:
                raise SourceError(f"{file.name}: changed while it was read: try again") from error
            if row is None:
                return
            if row:
                yield lines.start, row
            lines.next_record()


def _unclosed(file: SourceFile, lines: _Lines, error: csv.Error) -> SourceError:
    if "field larger" in str(error) or "unexpected end" in str(error):
        what = "a quote opened here is never closed: close it, or double the quotes within the cell"
        return SourceError(f"{file.name}: line {lines.quote}: {what}")
    what = "a quote within a quoted cell is not doubled, or one before it was never closed: write it as two quotes"
    begun = f" (its row begins on line {lines.start})" if lines.start != lines.number else ""
    return SourceError(f"{file.name}: line {lines.number}{begun}: {what}")


def _header_names(file: SourceFile, header: list[str]) -> list[str]:
    names: list[str] = []
    for number, cell in enumerate(header, 1):
        name = cell or f"unnamed {number}"
        if name in names and name.casefold() in (known.casefold() for known in TEXT_NAMES):
            first = names.index(name) + 1
            raise SourceError(
                f"{file.name}: columns {first} and {number} are both called {name!r}: rename or remove one"
            )
        repeat = 2
        while name in names:
            name, repeat = f"{cell or f'unnamed {number}'} ({repeat})", repeat + 1
        names.append(name)
    return names


def _batches(file: SourceFile, delimiter: str) -> Iterator[RawBatch]:
    rows = _rows(file, delimiter)
    names = _header_names(file, next(rows, (1, []))[1])
    pending: list[list[str]] = []
    lines: list[int] = []
    size = first = 0
    for line, row in rows:
        if len(row) != len(names):
            raise SourceError(
                f"{file.name}: line {line}: {len(row)} cells where the header has {len(names)}: "
                f"put cells that hold {delimiter!r} or a line break in double quotes"
            )
        pending.append(row)
        lines.append(line)
        size += sum(map(len, row))
        if len(pending) >= ROWS or size >= CHARACTERS:
            yield _batch(names, pending, lines, first)
            first += len(pending)
            pending, lines, size = [], [], 0
    if pending:
        yield _batch(names, pending, lines, first)


def _batch(names: list[str], rows: list[list[str]], lines: list[int], first_row: int) -> RawBatch:
    columns = dict(zip(names, (list(cells) for cells in zip(*rows, strict=True)), strict=True))
    return RawBatch(object_frame(columns), first_row, lambda i: f"line {lines[i]}")


CSV = Loader(endings=(".csv",), text=True, folder=False, open=partial(_open, delimiter=None))
TSV = Loader(endings=(".tsv", ".tab"), text=True, folder=False, open=partial(_open, delimiter="\t"))
