"""Opening a source: what is there, which loader reads it, in which encoding."""

from __future__ import annotations

import difflib
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from chunkeval import registry
from chunkeval.errors import SourceError
from chunkeval.loaders import sniff
from chunkeval.loaders.encoding import Inspection, fingerprint, inspect
from chunkeval.loaders.signatures import HEAD, kind_of
from chunkeval.table import RawBatch


@dataclass(frozen=True)
class SourceFile:
    """One file for a loader to read."""

    path: Path
    name: str
    """What messages call it."""
    encoding: str | None
    """Found encoding; None for binary kinds."""
    relative: str
    """Path within the folder given, or the file's own name."""

    def text(self, newline: str | None = "") -> IO[str]:
        """Open for reading as text; line ends stay as they are."""
        errors = "surrogatepass" if str(self.encoding).startswith("utf") else "strict"
        return self.path.open(encoding=self.encoding, errors=errors, newline=newline)


@dataclass(frozen=True)
class Content:
    """What a loader made of its files."""

    batches: Callable[[], Iterator[RawBatch]]
    """Reads the rows, from the beginning each time."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Loader:
    """One kind of source; third parties register such an object under the entry point group ``chunkeval.loaders``."""

    endings: tuple[str, ...]
    """File name endings in lower case, with the dot."""
    text: bool
    """Whether files are text, so that their encoding must be found."""
    folder: bool
    """Whether a folder of such files is one source."""
    open: Callable[[Sequence[SourceFile]], Content]
    """Gets one file, or all of a folder's in order; may raise SourceError at once or while batches are read."""


@dataclass(frozen=True)
class OpenedSource:
    """A source whose rows can be read any number of times."""

    source: str
    kind: str
    encoding: str | None
    sha256: str
    """Of the bytes; of a folder: of its files' names and bytes in order."""
    notes: tuple[str, ...]
    content: Content
    spool: tempfile.TemporaryDirectory[str] | None = field(default=None, repr=False)
    """Holds standard input's bytes as long as this object lives."""

    def batches(self) -> Iterable[RawBatch]:
        """Rows in batches; iterating again reads again."""
        return _Batches(self)


@dataclass(frozen=True)
class _Batches:
    opened: OpenedSource
    """Kept, and with it standard input's bytes on disk."""

    def __iter__(self) -> Iterator[RawBatch]:
        return self.opened.content.batches()


def open_source(source: str) -> OpenedSource:
    """Find out what a source is, without reading its rows yet.

    Parameters
    ----------
    source
        A file, a folder, or ``-`` for standard input (copied to disk first).

    Raises
    ------
    SourceError
        It is missing, empty, of an unknown kind, a pickle, binary, or in no encoding; one line that names the fix.
    """
    if source == "-":
        return _open_stream(source, "standard input")
    path = Path(source).expanduser()
    try:
        if path.is_dir():
            return _open_folder(source, path)
        if path.is_file():
            return _open_file(source, path, source, path.suffix.lower())
        if path.exists():
            return _open_stream(source, source)
    except (OSError, ValueError) as error:
        raise SourceError(f"{source!r}: cannot be read: {_reason(error)}: check its name and permissions") from error
    raise SourceError(f"{source}: no such file or folder{_nearest(path)}: check the path")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _nearest(path: Path) -> str:
    try:
        names = os.listdir(path.parent)
    except OSError:
        return ""
    near = difflib.get_close_matches(path.name, names, n=1)
    return f" (did you mean {str(path.parent / near[0])!r}?)" if near else ""


def _open_stream(source: str, name: str) -> OpenedSource:
    spool = tempfile.TemporaryDirectory(prefix="chunkeval-")
    path = Path(spool.name) / "stream"
    with path.open("wb") as target:
        if source == "-":
            if sys.stdin is None or sys.stdin.closed:
                raise SourceError("standard input is closed: pipe a table into the command, or name a file")
            shutil.copyfileobj(sys.stdin.buffer, target, 1 << 20)
        else:
            with Path(source).open("rb") as stream:
                shutil.copyfileobj(stream, target, 1 << 20)
    return _open_file(source, path, name, "", spool)


def _open_file(
    source: str, path: Path, name: str, ending: str, spool: tempfile.TemporaryDirectory[str] | None = None
) -> OpenedSource:
    with path.open("rb") as file:
        head = file.read(HEAD)
    if not head:
        raise SourceError(f"{name}: is empty: give a table with at least one chunk")
    kind = kind_of(path, head, name)
    by_ending = _by_ending(ending)
    inspection: Inspection | None = None
    if kind is None and by_ending is not None and not _loader(by_ending).text:
        # a loader for binary files says itself what is wrong with one
        kind = by_ending
    elif kind is None:
        inspection = inspect(path, name)
        file_ = SourceFile(path, name, inspection.encoding, Path(source).name)
        kind = sniff.text_kind(file_, by_ending, plain=ending == "")
        if kind is None:
            known = ", ".join(registry.entries("loaders"))
            raise SourceError(f"{name}: of no known kind ({known}): rename it by its kind, or convert it")
    loader = _loader(kind)
    inspection = inspection or fingerprint(path)
    file_ = SourceFile(path, name, inspection.encoding, "-" if source == "-" else Path(source).name)
    content = loader.open([file_])
    notes = _encoding_notes([inspection.encoding]) if by_ending in (None, kind) else _disguise_notes(ending, kind)
    return OpenedSource(source, kind, inspection.encoding, inspection.sha256, (*notes, *content.notes), content, spool)


def _open_folder(source: str, folder: Path) -> OpenedSource:
    paths = _files(folder)
    store = [path for path in paths if path.name == "docstore.json"]
    if len(store) == 1:
        return _open_file(source, store[0], f"{source}/{store[0].relative_to(folder).as_posix()}", ".json")
    groups = {
        kind: [path for path in paths if path.suffix.lower() in _loader(kind).endings]
        for kind in registry.entries("loaders")
        if _loader(kind).folder
    }
    found = {kind: members for kind, members in groups.items() if members}
    if "text" in found and len(found) > 1:
        # folders of data sets come with a card and a licence
        found["text"] = [p for p in found["text"] if p.stem.casefold() not in ("readme", "license", "licence")]
        found = {kind: members for kind, members in found.items() if members}
    if not found:
        other = f" (found {', '.join(repr(path.name) for path in paths[:3])})" if paths else ""
        raise SourceError(
            f"{source}: the folder holds no txt, md or parquet files{other}: give one with them, or one file"
        )
    if len(found) > 1:
        counts = " and ".join(f"{len(members)} {kind}" for kind, members in found.items())
        raise SourceError(f"{source}: the folder holds {counts} files: give a folder of one kind")
    ((kind, members),) = found.items()
    taken = set(members)
    return _open_members(source, folder, kind, members, _left_out([path for path in paths if path not in taken]))


def _left_out(paths: Sequence[Path]) -> tuple[str, ...]:
    if not paths:
        return ()
    names = ", ".join(repr(path.name) for path in paths[:3]) + (", …" if len(paths) > 3 else "")
    return (f"files of the folder that are not read: {len(paths):,} ({names})",)


def _open_members(
    source: str, folder: Path, kind: str, members: Sequence[Path], notes: tuple[str, ...]
) -> OpenedSource:
    loader = _loader(kind)
    digest = hashlib.sha256()
    files: list[SourceFile] = []
    for path in members:
        relative = path.relative_to(folder).as_posix()
        name = f"{source.rstrip('/')}/{relative}"
        with path.open("rb") as file:
            kind_of(path, file.read(HEAD), name)
        inspection = inspect(path, name) if loader.text else fingerprint(path)
        digest.update(f"{relative}\x00{inspection.sha256}\n".encode("utf-8", "surrogateescape"))
        files.append(SourceFile(path, name, inspection.encoding, relative))
    content = loader.open(files)
    encodings = list(dict.fromkeys(file.encoding for file in files if file.encoding))
    notes = (*notes, *_encoding_notes(encodings), *content.notes)
    return OpenedSource(source, kind, ", ".join(encodings) or None, digest.hexdigest(), notes, content)


def _files(folder: Path) -> list[Path]:
    found: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [path for name in names if not name.startswith((".", "_")) and (path := Path(parent, name)).is_file()]
    return sorted(found, key=lambda path: path.relative_to(folder).as_posix())


def _by_ending(ending: str) -> str | None:
    return next((kind for kind in registry.entries("loaders") if ending in _loader(kind).endings), None)


def _loader(kind: str) -> Loader:
    found = registry.find("loaders", kind)
    if not isinstance(found, Loader):
        raise SourceError(f"loader {kind!r} is not a chunkeval Loader: update or remove the package that brings it")
    return found


def _encoding_notes(encodings: Sequence[str | None]) -> tuple[str, ...]:
    other = [encoding for encoding in encodings if encoding not in (None, "utf-8", "utf-8-sig", "ascii")]
    return (f"Not UTF-8: read as {', '.join(map(str, other))}.",) if other else ()


def _disguise_notes(ending: str, kind: str) -> tuple[str, ...]:
    return (f"The file is named {ending} and is {kind}.",)
