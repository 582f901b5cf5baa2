"""From what a user names (a chunk table, documents, a run, an index) to an index that can be searched."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chunkeval import loaders, settings
from chunkeval.arguments import check_table
from chunkeval.cache import Cache, code, digest
from chunkeval.config import LoadConfig
from chunkeval.errors import RunError
from chunkeval.progress import Silent
from chunkeval.results import ChunkFile, SourceInfo
from chunkeval.retrieval.building import Index, write_sentences, write_texts
from chunkeval.retrieval.index import digest_of, is_index
from chunkeval.retrieval.tools import Tools
from chunkeval.runs import CHUNKS, STATE, SUMMARY, is_run
from chunkeval.stored import StoredArrays, link

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.config import AuditConfig, ScoreConfig
    from chunkeval.progress import Progress
    from chunkeval.results import Arrays

CHUNKER = "sentence"
"""Cuts documents: whole sentences, about 1,000 tokens a chunk."""

_DOCUMENTS = "text"
"""Kind of source whose files are documents."""


def open_index(
    source: str | Path | pd.DataFrame, config: AuditConfig, progress: Progress, out: Path | None = None
) -> Index:
    """Open the index of a source; made where it is not there yet.

    What is read is kept in the cache under its content: the second time, it is only opened. Vectors are made when they
    are first asked for.

    Parameters
    ----------
    source
        A chunk table (a path, ``-`` or a DataFrame), the folder of a run, or of an index. Documents (txt, md, html; any
        other kind where ``config.chunk.chunker`` is given) are cut first, by default into chunks of about 1,000 tokens
        that end where sentences do.
    config
        Columns, chunker, embedder, splitter; how the work is done. A run's own embedder and splitter hold.
    out
        Folder of the index, all of which is then made at once; in the cache where not given.

    Raises
    ------
    InputError
        The source cannot be read, there are files at ``out`` already, or the index is damaged.
    """
    path = Path(source) if isinstance(source, str | Path) else None
    if path is not None and is_index(path):
        return Index(path, partial(_unfinished, path))
    if out is not None and out.exists() and any(out.iterdir()):
        raise RunError(f"{out} has files in it already: name another folder, or give it as the table to search")
    cache = Cache(config.run.cache)
    score, learned = config.score, None
    if path is not None and is_run(path):
        score, learned = _of_run(path, config.score)
    name = out or (None if path is None or str(source) == "-" else _place(path, config, score, cache))
    folder = name or Path(tempfile.mkdtemp(prefix="chunkeval-"))
    if not is_index(folder):
        _write(source, folder, config, progress)
    chunks = ChunkFile(folder / CHUNKS, SourceInfo(str(source), "index", "", 0))
    make: Callable[[], None] = partial(write_sentences, chunks, folder, score, config.run, cache, progress, learned)
    index = Index(folder, make)
    if name is None:
        weakref.finalize(index, shutil.rmtree, folder, ignore_errors=True)
    if out is not None and not index.has_sentences:
        make()
    return index


def index(
    chunks: pd.DataFrame | str | Path,
    *,
    out: str | Path | None = None,
    weight: Literal["chars", "bytes", "idf"] = "chars",
    cache: str | Path | None = None,
    **options: Any,
) -> Tools:
    """Make a chunk table searchable, as an agent searches it.

    Parameters
    ----------
    chunks
        A chunk table, as `chunkeval.load` gives it; or a source to read, documents to cut, the folder of a run or of an index.
    out
        Folder to keep the index in; a path's index is kept in the cache where not given.
    weight
        What an occurrence of a keyword counts: ``chars`` or ``bytes``, its length; ``idf``, how rare it is.
    cache
        Folder of cached parts.
    options
        Settings of `config.LoadConfig`, `config.ScoreConfig`, `config.RunConfig`: text, embedder, sentences, jobs, …; and
        chunker.

    Returns
    -------
    Tools
        With keyword_search, semantic_search, hybrid_search, chunk_read; ``.tracker`` knows what has been read.

    Raises
    ------
    InputError
        A setting is not known, the table breaks a rule, or there are files at ``out`` already.

    Examples
    --------
    >>> found = index("datasets/ko/chunks.csv").keyword_search(["회의"])
    >>> list(found[0])
    ['chunk_id', 'score', 'snippet']
    """
    check_table("chunks", chunks)
    config = settings.build({**options, "weight": weight, "cache": None if cache is None else str(cache)})[0]
    return Tools(open_index(chunks, config, Silent(), None if out is None else Path(out)), config.search.weight)


def _unfinished(folder: Path) -> None:
    raise RunError(f"the index at {folder} has no sentences: remove the folder and index the table once more")


def _of_run(run: Path, score: ScoreConfig) -> tuple[ScoreConfig, Arrays | None]:
    """Give the settings that made a run's vectors, and what its embedder learned."""
    settings = json.loads((run / SUMMARY).read_text("utf-8"))["settings"]
    kept = {name: settings[name] for name in ("embedder", "sentences", "morphemes", "seed") if name in settings}
    learned = run / STATE / "embedder.npz"
    return replace(score, **kept), StoredArrays(learned) if learned.exists() else None


def _place(path: Path, config: AuditConfig, score: ScoreConfig, cache: Cache) -> Path:
    """Name the cached index of a source by all that it depends on."""
    content = digest_of(path / CHUNKS) if is_run(path) else loaders.open_source(str(path)).sha256
    made = code("chunkeval.loaders", "chunkeval.table", "chunkeval.chunkers", "chunkeval.text", "chunkeval.retrieval")
    how = [repr(config.load), config.chunk.chunker or "", score.embedder, score.sentences, str(score.seed)]
    return cache.folder / "indexes" / digest([content, made, *how])


def _write(source: str | Path | pd.DataFrame, folder: Path, config: AuditConfig, progress: Progress) -> None:
    """Write a source's chunks and texts into an index's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".chunks.", dir=folder) as held:
        chunks = _chunks(source, Path(held), config, progress)
        os.replace(chunks.path, folder / CHUNKS)
    write_texts(ChunkFile(folder / CHUNKS, chunks.info), folder, progress)


def _chunks(source: str | Path | pd.DataFrame, held: Path, config: AuditConfig, progress: Progress) -> ChunkFile:
    table = held / CHUNKS
    if not isinstance(source, str | Path):
        return loaders.write_frame(source, table, config.load)
    if is_run(Path(source)):
        link(Path(source) / CHUNKS, table)
        return ChunkFile(table, SourceInfo(str(source), "run", "", 0))
    chunker = config.chunk.chunker
    if chunker is None and str(source) != "-" and loaders.open_source(str(source)).kind == _DOCUMENTS:
        chunker = CHUNKER
    if chunker is None:
        return loaders.write_chunks(str(source), config.load, table, progress)
    from chunkeval.chunking import chunk_documents
    from chunkeval.loaders.documents import read_documents

    documents = read_documents(str(source), config.load, held, progress)
    cut = held / "cut.parquet"
    chunk_documents(documents, chunker, cut, jobs=config.run.workers, cache=Cache(config.run.cache), progress=progress)
    return loaders.write_chunks(str(cut), LoadConfig(), table, progress)
