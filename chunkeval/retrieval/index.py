"""An index of a chunk table: texts, ids, every sentence's vector, mapped from disk and opened at once, any number of times.

A folder with ``texts/`` (what keyword search and reading need) and, once it is asked for, ``sentences/`` (what semantic
search needs); each is written whole or not at all. No file is read with pickle.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.errors import RunError
from chunkeval.retrieval.semantic import unit
from chunkeval.retrieval.strings import Strings
from chunkeval.text import embeddings

if TYPE_CHECKING:
    from chunkeval.results import Ints
    from chunkeval.retrieval.semantic import Vectors
    from chunkeval.text.embeddings import Embedder

TEXTS, SENTENCES, ABOUT = "texts", "sentences", "about.json"

LEARNED = "embedder.npz"

_AGAIN = "remove the folder and index the table once more"

FORMAT = 1
"""Of the folder; another is refused."""


class Texts:
    """A table's texts with their names; rows are the table's.

    Raises
    ------
    RunError
        The folder holds no index, a damaged one, or one of another format.
    """

    def __init__(self, folder: Path) -> None:
        self.about = opened(folder)
        self.texts, self.folded, self.ids, self.documents = (
            Strings(folder, name) for name in ("text", "folded", "chunk_id", "document")
        )
        self.positions: Ints = _mapped(folder, "position")

    def __len__(self) -> int:
        """Count the chunks."""
        return len(self.texts)

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """chunk_id to its row."""
        return {name: row for row, name in enumerate(self.ids)}

    @cached_property
    def _order(self) -> tuple[Sequence[str], Ints, Ints]:
        """Each row's document, the rows by document and position, and each row's place among them."""
        documents = list(self.documents)
        numbers = {name: number for number, name in enumerate(dict.fromkeys(documents))}
        order = np.lexsort([self.positions, np.array([numbers[name] for name in documents], np.int64)])
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return documents, order, place

    def neighbours(self, row: int, reach: int) -> list[int]:
        """Rows of the same document at most ``reach`` places away, in the document's order, the row itself among them."""
        documents, order, place = self._order
        at = int(place[row])
        around = order[max(at - reach, 0) : at + reach + 1].tolist()
        return [other for other in around if documents[other] == documents[row]]


class Sentences:
    """Every sentence of a table, chunk by chunk: where it stands, and its vector of length 1.

    Raises
    ------
    RunError
        The folder holds no index, a damaged one, or one of another format.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.about = folder, opened(folder)
        self.offsets: Ints = _mapped(folder, "offsets")
        """(n + 1,): sentences of chunk i are ``offsets[i]`` to ``offsets[i + 1]``."""
        self.start: Ints = _mapped(folder, "start")
        """(m,) code points in the chunk's text."""
        self.end: Ints = _mapped(folder, "end")
        self.vectors: Vectors = _mapped(folder, "vectors")
        """(m, d) float32."""

    def spans(self, row: int) -> list[tuple[int, int]]:
        """Where the sentences of a chunk stand in its text."""
        here = slice(int(self.offsets[row]), int(self.offsets[row + 1]))
        return list(zip(self.start[here].tolist(), self.end[here].tolist(), strict=True))

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder that made the vectors.

        Raises
        ------
        RunError
            The one that has its name now is another.
        """
        embedder = embeddings.load(self.about["embedder"])
        if isinstance(embedder, embeddings.Fittable):
            with np.load(self.folder / LEARNED, allow_pickle=False) as stored:
                embedder = embedder.fitted({name: stored[name] for name in stored.files})
        if embedder.fingerprint != self.about["fingerprint"]:
            raise RunError(
                f"the index at {self.folder.parent} was made with embedder {self.about['fingerprint']!r}, now it is "
                f"{embedder.fingerprint!r}: {_AGAIN}"
            )
        return embedder

    def embed(self, queries: Sequence[str]) -> Vectors:
        """Give the vectors of queries, of length 1."""
        return unit(np.asarray(self.embedder.encode(list(queries), len(queries)), np.float32))


def is_index(folder: Path) -> bool:
    """Whether a folder is an index."""
    return (folder / TEXTS / ABOUT).is_file()


def opened(folder: Path) -> Mapping[str, Any]:
    """Read what a part of an index says of itself, and check that its files are all there.

    Raises
    ------
    RunError
        They are not, or are of another format.
    """
    try:
        about: dict[str, Any] = json.loads((folder / ABOUT).read_text("utf-8"))
        if about["format"] != FORMAT:
            raise RunError(
                f"the index at {folder.parent} is of format {about['format']}, this version reads {FORMAT}: {_AGAIN}"
            )
        for name, file in about["files"].items():
            if (folder / name).stat().st_size != file["bytes"]:
                raise ValueError(f"{name} has another size than when it was written")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(f"the index at {folder.parent} is damaged ({error}): {_AGAIN}") from error
    return about


def damaged(folder: Path) -> list[str]:
    """Read a whole part of an index and give the names of files that are not what was written.

    Slow where it is large: sizes are checked whenever it is opened, contents only here.
    """
    return [name for name, file in opened(folder)["files"].items() if digest_of(folder / name) != file["sha256"]]


def digest_of(path: Path) -> str:
    """Give the sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _mapped(folder: Path, name: str) -> Any:
    return np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
