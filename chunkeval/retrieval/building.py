"""Chunk tables to indexes, in a stream; what an audit has read and embedded before is taken from its cache."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from chunkeval.analyzers.base import Need
from chunkeval.features import FeatureStore, embed, tables
from chunkeval.retrieval import strings
from chunkeval.retrieval.index import ABOUT, FORMAT, LEARNED, SENTENCES, TEXTS, Sentences, Texts, digest_of
from chunkeval.retrieval.keyword import folded
from chunkeval.retrieval.semantic import unit
from chunkeval.sampling import documents_of, sampled_rows
from chunkeval.score import sentences_of
from chunkeval.scoring import core
from chunkeval.text import embeddings
from chunkeval.text.context import Context

if TYPE_CHECKING:
    from chunkeval.cache import Cache
    from chunkeval.config import RunConfig, ScoreConfig
    from chunkeval.progress import Progress
    from chunkeval.results import Arrays, ChunkFile
    from chunkeval.text.embeddings import Embedder

NEEDS: frozenset[Need] = frozenset({"sentences", "words", "vectors"})
"""Words go with the sentences in the cache's parts of an audit that looks at topics, as the default one does."""


class Index:
    """An index whose sentences are made when they are first asked for.

    Parameters
    ----------
    folder : Path
        Of the index; `write_texts` has been here.
    make : callable
        Makes the sentences, where they are not there.
    """

    def __init__(self, folder: Path, make: Callable[[], None]) -> None:
        self.folder = folder
        self.texts = Texts(folder / TEXTS)
        self._make = make

    @cached_property
    def sentences(self) -> Sentences:
        """Every sentence with its vector."""
        if not self.has_sentences:
            self._make()
        return Sentences(self.folder / SENTENCES)

    @property
    def has_sentences(self) -> bool:
        """Whether they are made already."""
        return (self.folder / SENTENCES / ABOUT).is_file()


def write_texts(chunks: ChunkFile, folder: Path, progress: Progress) -> None:
    """Write what keyword search and reading need of a chunk table.

    Parameters
    ----------
    chunks
        As `loaders.write_chunks` gives it.
    folder
        Of the index.
    """
    frame = core(chunks)
    with _part(folder, TEXTS, {"rows": len(frame)}) as into, progress.step("texts", len(frame)) as step:
        for name, each in (("text", str.encode), ("folded", folded)):
            strings.write(into, name, (each(text) for text in _texts(chunks)))
        strings.write(into, "chunk_id", map(str.encode, frame["chunk_id"]))
        strings.write(into, "document", map(str.encode, documents_of(frame["doc_id"].tolist())))
        np.save(into / "position.npy", frame["position"].to_numpy(np.int64), allow_pickle=False)
        step.advance(len(frame))


def write_sentences(
    chunks: ChunkFile,
    folder: Path,
    config: ScoreConfig,
    run: RunConfig,
    cache: Cache,
    progress: Progress,
    learned: Arrays | None = None,
) -> None:
    """Write what semantic search needs of a chunk table: its sentences and their vectors.

    Sentences are those of the whole text, of what a chunk repeats from its document or its neighbour too.

    Parameters
    ----------
    chunks
        As `loaders.write_chunks` gives it.
    folder
        Of the index.
    config
        Embedder and splitter.
    run, cache
        How the work is done, and where its parts are.
    learned
        What the embedder learned from the corpus in an earlier run, where it is one that learns.

    Raises
    ------
    ConfigError
        The embedder or the splitter is not known.
    """
    embedder = embeddings.load(config.embedder)
    rows = chunks.rows
    none = np.zeros(rows, np.int32)
    store = FeatureStore(
        chunks, config, NEEDS, embedder, cache, context=Context(none, none, none.astype(np.uint16), ())
    )
    store.compute(run.workers, progress)
    if isinstance(embedder, embeddings.Fittable):
        sample = sampled_rows(core(chunks)["chunk_id"].tolist(), config.topics_order)
        embedder = embedder.fitted(learned) if learned else embedder.fit(sentences_of(store, sample), config.seed)
    vectors = embeddings.opened(cache, embedder)
    embed(store, vectors, embedder, jobs=run.workers, batch=run.batch, progress=progress)
    about = {"embedder": embedder.name, "fingerprint": embedder.fingerprint}
    with _part(folder, SENTENCES, about) as into:
        _write_vectors(store, vectors, embedder, into, progress)
        if isinstance(embedder, embeddings.Fittable):
            np.savez(into / LEARNED, allow_pickle=False, **embedder.arrays)


def _write_vectors(
    store: FeatureStore, vectors: embeddings.VectorStore, embedder: Embedder, into: Path, progress: Progress
) -> None:
    parts: dict[str, list[Any]] = {"counts": [], "start": [], "end": []}
    for shard in store.shards():
        parts["counts"].append(np.diff(shard.arrays["sentence_offsets"]))
        parts["start"].append(shard.arrays["sentence_start"])
        parts["end"].append(shard.arrays["sentence_end"])
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(parts["counts"]), dtype=np.int64)])
    for name, array in (("offsets", offsets), *((name, np.concatenate(parts[name])) for name in ("start", "end"))):
        np.save(into / f"{name}.npy", array, allow_pickle=False)
    total = int(offsets[-1])
    shape = (total, embedder.dimension)
    out = np.lib.format.open_memmap(into / "vectors.npy", mode="w+", dtype=np.float32, shape=shape)
    done = 0
    with progress.step("index of sentences", total) as step:
        for shard in store.shards():
            keys = shard.arrays["sentence_keys"]
            out[done : done + len(keys)] = unit(vectors.gather(keys, embedder.dimension))
            done += len(keys)
            step.advance(len(keys))
    out.flush()


def _texts(chunks: ChunkFile) -> Iterator[str]:
    for _, frame in tables(chunks, ["text"]):
        yield from frame["text"].tolist()


@contextmanager
def _part(folder: Path, name: str, about: Mapping[str, Any]) -> Iterator[Path]:
    """Give a folder to write a part of an index into; it takes its place when all is written.

    Where another process has put the same part there meanwhile, that one stays.
    """
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f".{name}.{uuid4().hex}.unfinished"
    unfinished.mkdir()
    try:
        yield unfinished
        files = {
            path.name: {"bytes": path.stat().st_size, "sha256": digest_of(path)}
            for path in sorted(unfinished.iterdir())
        }
        told = json.dumps({"format": FORMAT, **about, "files": files}, ensure_ascii=False, indent=1)
        (unfinished / ABOUT).write_text(told + "\n", "utf-8")
        try:
            os.replace(unfinished, folder / name)
        except OSError:
            if not (folder / name / ABOUT).is_file():
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
