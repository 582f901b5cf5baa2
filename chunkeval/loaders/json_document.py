"""json, as a stream: a list of records, objects keyed by id, documents with their chunks, a LlamaIndex docstore."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from chunkeval.errors import SourceError
from chunkeval.loaders import docstore
from chunkeval.loaders.json_stream import JsonStream
from chunkeval.loaders.records import Record, batches, names_a_document, rows_of
from chunkeval.loaders.source import Content, Loader, SourceFile
from chunkeval.table.columns import TEXT_NAMES

_TEXTS = frozenset(name.casefold() for name in TEXT_NAMES)


@dataclass
class _Outline:
    """Members of the outermost object by what they hold."""

    lists: list[str] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    scalars: list[str] = field(default_factory=list)
    strings: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    """Elements of each list that are objects or texts."""
    nodes: int = 0
    """Entries of a docstore that are chunks, not whole documents."""


def _open(files: Sequence[SourceFile]) -> Content:
    (file,) = files
    with _stream(file) as stream:
        start = stream.peek()
        if start == "[":
            return _content(_listed, file)
        if start != "{":
            raise SourceError(
                f"{file.name}: a list or an object of chunks is needed: see the kinds of source in the README"
            )
        outline = _outline(stream)
    return _by_outline(file, outline)


def _by_outline(file: SourceFile, outline: _Outline) -> Content:
    names = [*outline.lists, *outline.objects, *outline.scalars]
    if docstore.KEY in outline.objects:
        read = partial(docstore.records, nodes_only=outline.nodes > 0)
        return _content(partial(_within, key=docstore.KEY, read=read), file)
    if "chunks" in outline.lists or any(name.casefold() in _TEXTS for name in outline.scalars):
        return _content(_one, file)
    columns = [name for name in (*outline.lists, *outline.objects) if name.casefold() in _TEXTS]
    if columns or {"columns", "data"} <= set(names):
        raise SourceError(
            f"{file.name}: is written column by column: write a list of records (pandas: orient='records')"
        )
    filled = [name for name in outline.lists if outline.rows[name]]
    if len(filled) == 1 and (outline.scalars or outline.objects or len(names) == 1):
        note = f"Chunks are read from {filled[0]!r}; what else the document holds is left out."
        notes = (note,) if len(names) > 1 else ()
        return _content(partial(_within, key=filled[0], read=_listed), file, notes)
    if outline.objects and len(outline.objects) == len(names) and len(names) > 1:
        return _content(_keyed, file, ("Records are named by their keys.",))
    if len(outline.objects) == 1 and not outline.lists:
        inner = outline.objects[0]
        return (
            _content(_keyed, file) if not outline.scalars else _content(partial(_within, key=inner, read=_keyed), file)
        )
    if filled and len(outline.lists) == len(names):
        return _content(_documents, file, ("Each key names a document and holds its chunks.",))
    if outline.strings and outline.strings == len(names):
        return _content(_keyed, file, ("Texts are named by their keys.",))
    shown = ", ".join(repr(name) for name in names[:8])
    raise SourceError(
        f"{file.name}: none of its members ({shown}) is a list of chunks: write a list of records with a text each"
    )


def _content(read: Callable[..., Iterator[Record]], file: SourceFile, notes: tuple[str, ...] = ()) -> Content:
    def rows() -> Iterator[Record]:
        with _stream(file) as stream:
            yield from read(stream, file)
            stream.end()

    return Content(lambda: batches(rows()), notes)


@contextmanager
def _stream(file: SourceFile) -> Iterator[JsonStream]:
    with file.text(newline=None) as opened:
        yield JsonStream(opened, file.name)


def _outline(stream: JsonStream) -> _Outline:
    outline = _Outline()
    for key in stream.members():
        char = stream.peek()
        if key == docstore.KEY and char == "{":
            outline.objects.append(key)
            outline.nodes = sum(docstore.is_node(stream.value()) for _ in stream.members())
        elif char == "[":
            outline.lists.append(key)
            outline.rows[key] = sum(isinstance(stream.value(), dict | str) for _ in stream.items())
        else:
            value = stream.value()
            (outline.objects if isinstance(value, dict) else outline.scalars).append(key)
            outline.strings += isinstance(value, str)
    stream.end()
    return outline


def _refuse(file: SourceFile, message: str) -> SourceError:
    return SourceError(f"{file.name}: {message}: write an object for each chunk")


def _listed(stream: JsonStream, file: SourceFile) -> Iterator[Record]:
    for number, _ in enumerate(stream.items(), 1):
        yield from rows_of(value := stream.value(), f"record {number}", _size(value), partial(_refuse, file))


def _one(stream: JsonStream, file: SourceFile) -> Iterator[Record]:
    yield from rows_of(value := stream.value(), "document 1", _size(value), partial(_refuse, file))


def _keyed(stream: JsonStream, file: SourceFile) -> Iterator[Record]:
    for key in stream.members():
        value = stream.value()
        place = f"record {key[:80]!r}"
        row = {"text": value} if isinstance(value, str) else value
        if isinstance(row, dict) and isinstance(row.get("chunks"), list):
            row = row if names_a_document(row) or "id" in row else {"doc_id": key, **row}
        elif isinstance(row, dict) and "chunk_id" not in row:
            row = {"chunk_id": key, **row}
        yield from rows_of(row, place, _size(value), partial(_refuse, file))


def _documents(stream: JsonStream, file: SourceFile) -> Iterator[Record]:
    for key in stream.members():
        for number, _ in enumerate(stream.items(), 1):
            value = stream.value()
            row = {"text": value} if isinstance(value, str) else value
            if isinstance(row, dict) and not names_a_document(row):
                row = {"doc_id": key, **row}
            yield from rows_of(row, f"document {key[:80]!r}, chunk {number}", _size(value), partial(_refuse, file))


def _within(
    stream: JsonStream, file: SourceFile, *, key: str, read: Callable[[JsonStream, SourceFile], Iterator[Record]]
) -> Iterator[Record]:
    for name in stream.members():
        if name == key:
            yield from read(stream, file)
        else:
            stream.value()


def _size(value: Any) -> int:
    """Characters of a record, about: its texts and those of its chunks."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    return sum(map(_size, value)) if isinstance(value, list) else 8


JSON = Loader(endings=(".json",), text=True, folder=False, open=_open)
