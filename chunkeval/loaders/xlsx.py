"""xlsx: the first sheet, streamed; its first row with anything in it is the header."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from chunkeval.errors import ChunkevalError, SourceError
from chunkeval.loaders.records import Record, batches
from chunkeval.loaders.source import Content, Loader, SourceFile
from chunkeval.table.columns import TEXT_NAMES

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook


def _open(files: Sequence[SourceFile]) -> Content:
    (file,) = files
    with _workbook(file) as book:
        names = list(book.sheetnames)
    notes = (f"Of {len(names)} sheets the first, {names[0]!r}, is read.",) if len(names) > 1 else ()
    return Content(lambda: batches(_records(file)), notes)


@contextmanager
def _workbook(file: SourceFile) -> Iterator[Workbook]:
    from openpyxl import load_workbook

    book = None
    stream = file.path.open("rb")
    try:
        # openpyxl refuses a path without its ending, and standard input's has none
        book = load_workbook(stream, read_only=True, data_only=True, keep_links=False)
        yield book
    except (ChunkevalError, GeneratorExit):
        raise
    except Exception as error:
        # openpyxl lets whatever a broken archive or XML raises through
        reason = " ".join(str(error).split())[:160]
        raise SourceError(
            f"{file.name}: broken xlsx ({reason}): open it in a spreadsheet program and save it again"
        ) from error
    finally:
        if book is not None:
            book.close()
        stream.close()


def _records(file: SourceFile) -> Iterator[Record]:
    with _workbook(file) as book:
        sheets = book.worksheets
        if not sheets:
            raise SourceError(f"{file.name}: has no sheet with cells: put the table on the first sheet")
        sheet: Any = sheets[0]
        # files by other programs often state a wrong size
        sheet.reset_dimensions()
        names: list[str | None] | None = None
        for number, cells in enumerate(sheet.iter_rows(values_only=True), 1):
            values = [None if cell == "" else cell for cell in cells]
            if all(value is None for value in values):
                continue
            if names is None:
                names = _header(file, values)
                continue
            names += [None] * (len(values) - len(names))
            row: dict[str, Any] = {name: None for name in names if name is not None}
            for index, value in enumerate(values):
                if value is not None:
                    row[names[index] or f"unnamed {index + 1}"] = value
            yield Record(row, f"row {number}", sum(len(value) if isinstance(value, str) else 8 for value in values))


def _header(file: SourceFile, cells: Sequence[Any]) -> list[str | None]:
    """Names of the columns; None where the cell is empty: such a column is there only if it holds anything."""
    names: list[str | None] = []
    texts = {name.casefold() for name in TEXT_NAMES}
    for number, cell in enumerate(cells, 1):
        plain = name = None if cell is None else str(cell)
        if name is not None and name in names and name.casefold() in texts:
            first = names.index(name) + 1
            raise SourceError(
                f"{file.name}: columns {first} and {number} are both called {name!r}: rename or remove one"
            )
        repeat = 2
        while name is not None and name in names:
            name, repeat = f"{plain} ({repeat})", repeat + 1
        names.append(name)
    return names


XLSX = Loader(endings=(".xlsx", ".xlsm"), text=False, folder=False, open=_open)
