"""Documents to chunk table: what ``chunk`` does."""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.cache import Cache
from chunkeval.chunkers import spec
from chunkeval.chunkers.base import AsksModel, Chunk, Chunker, CutsMany, columns_of, split_all
from chunkeval.errors import RunError
from chunkeval.loaders.documents import Document, Documents
from chunkeval.progress import Progress
from chunkeval.table import chunk_id
from chunkeval.writing import table

if TYPE_CHECKING:
    import pyarrow as pa

TOGETHER = 2_000_000
"""Characters of documents that are cut together."""

WORTH_WORKERS = 4 * TOGETHER
"""Characters from which on starting other processes pays."""

ROWS = 5_000
"""Chunks written at once: a large document's texts are not held twice."""

DERIVED = "derived"
"""Column that says of rewritten texts that they are."""

NAMED = 20
"""Documents without chunks that are named."""


@dataclass(frozen=True)
class Chunked:
    """What was cut."""

    documents: int
    chunks: int
    characters: int
    without: tuple[str, ...]
    """Documents that gave no chunk, the first `NAMED` of them."""
    without_count: int
    sizes: tuple[int, int, int]
    """Characters of the smallest, the median and the largest chunk; zeros where there is none."""
    told: Mapping[str, int]
    """What chunkers count, added up: minima missed, text that another library lost or altered."""
    asked: Mapping[str, Any] | None = None
    """What a chunker asked a language model, what it took, and how much fell back; see `AsksModel.report`."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as the command prints them with ``--json``."""
        smallest, median, largest = self.sizes
        return {
            "documents": self.documents,
            "chunks": self.chunks,
            "characters": self.characters,
            "without_chunks": {"count": self.without_count, "documents": list(self.without)},
            "size": {"unit": "characters", "min": smallest, "median": median, "max": largest},
            "told": dict(self.told),
            **({"asked": dict(self.asked)} if self.asked is not None else {}),
        }


def chunk_documents(
    documents: Documents,
    chunker: str,
    out: Path,
    *,
    jobs: int,
    cache: Cache,
    progress: Progress,
    made: Chunker | None = None,
) -> Chunked:
    """Cut documents into a chunk table, in a stream.

    Parameters
    ----------
    documents
        As `read_documents` gives them.
    chunker
        Its spec, ``NAME:key=value,…``.
    out
        Table to write; its ending says how: parquet, jsonl or csv.
    jobs
        Processes at most; the chunks are the same for any number.
    cache
        Keeps what a chunker finds costly to make, as vectors.
    progress
        Told of the documents cut.
    made
        The chunker itself, where ``chunker`` is only what it is called; it cuts many at once.

    Raises
    ------
    ConfigError
        The chunker or one of its settings is not known, or not valid.
    RunError
        The table cannot be written.
    """
    made = made or spec.make(chunker)
    empty: list[str] = []
    sizes = array("q")
    told: Counter[str] = Counter()
    read = characters = 0
    try:
        form = schema(columns_of(made))
        # A bar that tells what was asked has no room for settings.
        named = spec.parse(chunker)[0] if isinstance(made, AsksModel) else chunker
        with table(out, form) as write, progress.step(f"cut by {named}", len(documents)) as step:
            if isinstance(made, AsksModel):
                made.watch(step.tell)
            for group, cut in _cut(documents, made, chunker, jobs, cache):
                rows = chain.from_iterable(map(_rows, group, cut))
                while batch := list(islice(rows, ROWS)):
                    write(_batch(batch, form))
                    sizes.extend(len(row["text"]) for row in batch)
                empty += [document.doc_id for document, chunks in zip(group, cut, strict=True) if not chunks]
                told.update(counted(chain.from_iterable(cut)))
                read += len(group)
                characters += sum(len(document.text) for document in group)
                step.advance(len(group))
    except OSError as error:
        raise RunError(f"cannot write {out}: {error.strerror or error}; name another table with --out") from None
    spread = (min(sizes), int(np.median(sizes)), max(sizes)) if sizes else (0, 0, 0)
    asked = made.report() if isinstance(made, AsksModel) else None
    return Chunked(read, len(sizes), characters, tuple(empty[:NAMED]), len(empty), spread, told, asked)


def counted(chunks: Iterable[Chunk]) -> Counter[str]:
    """Add up what chunks carry as numbers or True.

    Examples
    --------
    >>> counted([Chunk(((0, 1),), {"lost": 2}), Chunk(((1, 2),), {"lost": 1, "title": "x", "below_min_size": True})])
    Counter({'lost': 3, 'below_min_size': 1})
    """
    total: Counter[str] = Counter()
    for chunk in chunks:
        if chunk.metadata:
            total.update({key: int(value) for key, value in chunk.metadata.items() if isinstance(value, int)})
    return total


def schema(besides: Sequence[str] = ()) -> pa.Schema:
    """Columns of a chunk table made of documents.

    Parameters
    ----------
    besides
        Those that the chunker brings: ``derived``, whether the text was rewritten, and names of texts.
    """
    import pyarrow as pa

    spans = pa.list_(pa.list_(pa.int64()))
    return pa.schema(
        [
            ("chunk_id", pa.string()),
            ("doc_id", pa.string()),
            ("position", pa.int64()),
            ("text", pa.large_string()),
            ("start", pa.int64()),
            ("end", pa.int64()),
            ("spans", spans),
            *((name, pa.bool_() if name == DERIVED else pa.string()) for name in besides),
        ]
    )


def _rows(document: Document, chunks: Sequence[Chunk]) -> Iterator[dict[str, Any]]:
    for position, chunk in enumerate(chunks):
        text = chunk.text(document.text)
        (start, end), several = chunk.spans[0], len(chunk.spans) > 1 or chunk.derived is not None
        yield {
            **chunk.metadata,
            "chunk_id": chunk_id(document.doc_id, position, text),
            "doc_id": document.doc_id,
            "position": position,
            "text": text,
            "start": None if several else start,
            "end": None if several else end,
            "spans": [list(span) for span in chunk.spans] if several else None,
            DERIVED: chunk.derived is not None,
        }


def _batch(rows: list[dict[str, Any]], form: pa.Schema) -> pa.RecordBatch:
    import pyarrow as pa

    return pa.RecordBatch.from_pylist(rows, schema=form)


def _cut(
    documents: Documents, chunker: Chunker, named: str, jobs: int, cache: Cache
) -> Iterator[tuple[list[Document], list[list[Chunk]]]]:
    """Yield documents in their order with their chunks, some at a time."""
    groups = _groups(documents)
    if isinstance(chunker, CutsMany):
        for group in groups:
            yield group, split_all(chunker, [document.text for document in group], jobs=jobs, cache=cache)
        return
    first = list(islice(groups, WORTH_WORKERS // TOGETHER))
    with ExitStack() as stack:
        if jobs > 1 and len(first) == WORTH_WORKERS // TOGETHER:
            pool = stack.enter_context(
                ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_start, initargs=(named,))
            )
            yield from _cut_elsewhere(pool, [*first], groups, 2 * jobs)
            return
        for group in [*first, *groups]:
            yield group, [chunker.split(document.text) for document in group]


def _groups(documents: Iterable[Document]) -> Iterator[list[Document]]:
    group: list[Document] = []
    characters = 0
    for document in documents:
        group.append(document)
        characters += len(document.text)
        if characters >= TOGETHER:
            yield group
            group, characters = [], 0
    if group:
        yield group


def _cut_elsewhere(
    pool: ProcessPoolExecutor, first: list[list[Document]], rest: Iterator[list[Document]], ahead: int
) -> Iterator[tuple[list[Document], list[list[Chunk]]]]:
    waiting: deque[Any] = deque()
    for group in chain(first, rest):
        waiting.append((group, pool.submit(_split, [document.text for document in group])))
        if len(waiting) > ahead:
            done, future = waiting.popleft()
            yield done, future.result()
    for done, future in waiting:
        yield done, future.result()


_chunker: Chunker


def _start(named: str) -> None:
    global _chunker
    _chunker = spec.make(named)


def _split(texts: list[str]) -> list[list[Chunk]]:
    return [_chunker.split(text) for text in texts]
