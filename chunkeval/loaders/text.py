"""txt, md and html as they stand: one chunk a file, a folder's in the order of their paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chunkeval.errors import SourceError
from chunkeval.loaders.records import Record, batches
from chunkeval.loaders.source import Content, Loader, SourceFile


def _open(files: Sequence[SourceFile]) -> Content:
    return Content(lambda: batches(_records(files)))


def _records(files: Sequence[SourceFile]) -> Iterator[Record]:
    for file in files:
        try:
            with file.text() as stream:
                text = stream.read()
        except (UnicodeDecodeError, OSError) as error:
            raise SourceError(f"{file.name}: changed while it was read: try again") from error
        yield Record({"text": text, "file": file.relative}, f"file {file.relative}", len(text))


TEXT = Loader(endings=(".txt", ".md", ".markdown", ".text", ".html", ".htm"), text=True, folder=True, open=_open)
