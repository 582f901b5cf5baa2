"""jsonl and ndjson: one object a line; empty lines and a bulk file's action lines are no rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from chunkeval.errors import SourceError
from chunkeval.loaders.records import Record, batches, rows_of
from chunkeval.loaders.source import Content, Loader, SourceFile
from chunkeval.table.columns import ID_NAMES

_ACTIONS = ("index", "create", "update", "delete")
_IDS = frozenset(name.casefold() for name in ID_NAMES)


def _open(files: Sequence[SourceFile]) -> Content:
    (file,) = files
    return Content(lambda: batches(_records(file)))


def _records(file: SourceFile) -> Iterator[Record]:
    action: tuple[str, dict[str, Any]] | None = None

    def refuse(message: str) -> SourceError:
        return SourceError(f"{file.name}: {message}: write one object a line")

    for number, line in _lines(file):
        value = _decoded(file, number, line)
        found = _action(value)
        if found is not None:
            # a delete has no document after it
            action = found if found[0] != "delete" else None
            continue
        if action is not None and isinstance(value, dict):
            if action[0] == "update" and isinstance(value.get("doc"), dict):
                value = value["doc"]
            named = action[1].get("_id")
            if named is not None and not any(name.casefold() in _IDS for name in value):
                value = {"chunk_id": named, **value}
            action = None
        yield from rows_of(value, f"line {number}", len(line), refuse)


def _lines(file: SourceFile) -> Iterator[tuple[int, str]]:
    # only \n ends a line: texts may hold U+2028 and the like
    with file.text(newline="\n") as stream:
        try:
            for number, line in enumerate(stream, 1):
                if not line.isspace():
                    yield number, line
        except UnicodeDecodeError as error:
            raise SourceError(f"{file.name}: changed while it was read: try again") from error


def _decoded(file: SourceFile, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise SourceError(
            f"{file.name}: line {number}, column {error.pos + 1}: broken JSON: {error.msg}: mend it there"
        ) from error
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"{file.name}: line {number}: a number too long or lists too deep to read: mend it there"
        ) from error


def _action(value: Any) -> tuple[str, dict[str, Any]] | None:
    """Name and fields of a bulk file's action line, None for any other."""
    if isinstance(value, dict) and len(value) == 1:
        ((name, fields),) = value.items()
        if name in _ACTIONS and isinstance(fields, dict):
            return name, fields
    return None


JSONL = Loader(endings=(".jsonl", ".ndjson", ".jsonlines"), text=True, folder=False, open=_open)
