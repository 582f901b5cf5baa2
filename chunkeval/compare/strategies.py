"""What is compared: documents cut by chunkers, and tables that are there already."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chunkeval import loaders
from chunkeval.chunkers import spec
from chunkeval.chunkers.base import Chunker
from chunkeval.chunking import chunk_documents
from chunkeval.config import LoadConfig
from chunkeval.errors import ConfigError, TableError
from chunkeval.progress import Silent
from chunkeval.results import ChunkFile

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.cache import Cache
    from chunkeval.loaders.documents import Documents
    from chunkeval.progress import Progress

Baseline = Literal["fixed", "random"]


@dataclass(frozen=True)
class Strategy:
    """One way of cutting, and the chunks that it gave."""

    name: str
    file: ChunkFile
    spec: str | None = None
    """Chunker that cut; None for a table that was there already."""
    baseline: Baseline | None = None
    """Cuts that look at nothing but the size."""
    seconds: float | None = None
    """To cut all documents, with the vectors that were in the cache already; None for a table."""
    told: Mapping[str, int] = field(default_factory=dict)
    """What the chunker counted."""
    asked: Mapping[str, Any] | None = None
    """What a chunker asked a language model, what it took, and how much fell back; see `AsksModel.report`."""


def named_chunkers(specs: str) -> dict[str, Chunker]:
    """Make the chunkers that a line of specs names, each called by its spec.

    Raises
    ------
    ConfigError
        There is none, one is named twice, or one is not known or not valid.

    Examples
    --------
    >>> list(named_chunkers("recursive:size=300; sentence"))
    ['recursive:size=300', 'sentence']
    """
    made: dict[str, Chunker] = {}
    for one in spec.several(specs):
        if one in made:
            raise ConfigError(f"--chunkers names {one!r} twice: leave one out")
        made[one] = spec.make(one)
    if not made:
        raise ConfigError('--chunkers names no chunker: give some parted by ";", as in "recursive:size=300; sentence"')
    return made


def cut(
    name: str,
    chunker: Chunker,
    documents: Documents,
    folder: Path,
    *,
    jobs: int,
    cache: Cache,
    progress: Progress,
    baseline: Baseline | None = None,
) -> Strategy:
    """Cut documents into a checked table in a folder.

    Raises
    ------
    TableError
        There is no text in the documents.
    """
    raw = folder / "cut.parquet"
    began = time.perf_counter()
    done = chunk_documents(documents, name, raw, jobs=jobs, cache=cache, progress=progress, made=chunker)
    seconds = time.perf_counter() - began
    if not done.chunks:
        raise TableError(f"{documents.info.source}: the documents are empty: {name} gives no chunk")
    number = sum(1 for _ in folder.glob("strategy-*.parquet"))
    file = loaders.write_chunks(str(raw), LoadConfig(), folder / f"strategy-{number}.parquet", Silent())
    raw.unlink()
    source = documents.info
    told = replace(file.info, source=source.source, kind=source.kind, sha256=source.sha256, encoding=source.encoding)
    return Strategy(
        name=name,
        file=replace(file, info=told),
        spec=None if baseline else name,
        baseline=baseline,
        seconds=round(seconds, 3),
        told=dict(done.told),
        asked=done.asked,
    )


def read(name: str, source: str | pd.DataFrame, config: LoadConfig, folder: Path, progress: Progress) -> Strategy:
    """Read a table that is there already.

    Raises
    ------
    SourceError, TableError
        It cannot be read, or breaks a rule of the chunk table; the message names it.
    """
    number = sum(1 for _ in folder.glob("strategy-*.parquet"))
    path = folder / f"strategy-{number}.parquet"
    try:
        if isinstance(source, str):
            return Strategy(name, loaders.write_chunks(source, config, path, progress))
        return Strategy(name, loaders.write_frame(source, path, config))
    except TableError as error:
        raise TableError(f"table {name!r}: {error}") from error


def check_names(names: Sequence[str]) -> None:
    """Refuse names that are blank or there twice.

    Raises
    ------
    ConfigError
        The message gives the name.
    """
    for name in names:
        if not name.strip():
            raise ConfigError("a strategy has no name: give each table one, as in --tables now=a.parquet new=b.parquet")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ConfigError(f"two strategies are called {twice!r}: name each once")
