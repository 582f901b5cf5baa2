"""What a file's first bytes say: kinds that are read whatever the file is called, and kinds that are refused."""

from __future__ import annotations

import zipfile
from pathlib import Path

from chunkeval.errors import SourceError

HEAD = 65536
"""Bytes at a file's start that tell its kind."""

_REFUSED = (
    (b"\x93NUMPY", "a numpy array"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"BZh", "compressed by bzip2"),
    (b"\xfd7zXZ\x00", "compressed by xz"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"ARROW1", "an Arrow file"),
    (b"\x7fELF", "a program"),
)
_PICKLE_NAMES = (".pkl", ".pickle", ".joblib", ".dill")


def kind_of(path: Path, head: bytes, name: str) -> str | None:
    """Kind that the first bytes prove, None where they are text of some kind.

    Raises
    ------
    SourceError
        A pickle in any disguise, or a kind that holds no chunk table; the message says what to do instead.
    """
    if _is_pickle(head) or path.suffix.lower() in _PICKLE_NAMES:
        raise SourceError(
            f"{name}: a pickle can run any code when read and is refused: save the table as parquet or jsonl"
        )
    for magic, what in _REFUSED:
        if head.startswith(magic):
            fix = "unpack it first" if "compress" in what or "archive" in what else "give a csv, jsonl, parquet or xlsx"
            raise SourceError(f"{name}: this is {what}, not a chunk table: {fix}")
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        raise SourceError(f"{name}: this is Excel's old format: save it as xlsx")
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_kind(path, name)
    return None


def _is_pickle(head: bytes) -> bool:
    # protocols 2 to 5 start so; compressed joblib files are caught as archives or as what is no text
    return len(head) > 1 and head[0] == 0x80 and 2 <= head[1] <= 5


def _zip_kind(path: Path, name: str) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            inside = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise SourceError(f"{name}: broken xlsx or zip archive: save it again") from error
    if "xl/workbook.xml" in inside:
        return "xlsx"
    if any(member.endswith((".pkl", ".pickle", "data.pkl")) for member in inside):
        raise SourceError(
            f"{name}: an archive of pickles can run any code and is refused: save the table as parquet or jsonl"
        )
    raise SourceError(
        f"{name}: this is a zip archive, not a chunk table: unpack it and give the folder or a file in it"
    )


def refuse_binary(head: bytes, name: str, *, valid_utf8: bool) -> None:
    """Refuse what is no text of any encoding.

    Raises
    ------
    SourceError
        Control characters are more than text ever holds: 2 %, or 30 % where it is valid UTF-8 (a text may hold NULs).
    """
    controls = sum(head.count(code) for code in (*range(9), *range(14, 27), 28, 29, 30, 31))
    if controls > len(head) * (0.3 if valid_utf8 else 0.02):
        raise SourceError(f"{name}: this is binary data, not text: give a csv, jsonl, json, parquet, xlsx or txt file")
