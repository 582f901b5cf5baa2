"""The bounded sample that ``fit`` sees, the same however the corpus is split or ordered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.analyzers import recombine
from chunkeval.analyzers.base import Features, Groups, Sample, regrouped
from chunkeval.analyzers.families import families
from chunkeval.config import PSEUDO_DOCUMENT, SAMPLE, SHARD, ScoreConfig
from chunkeval.progress import Progress
from chunkeval.results import ChunkFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.features import FeatureStore
    from chunkeval.results import Ints


def hashes_of(chunk_ids: Sequence[str]) -> NDArray[np.uint64]:
    """First 64 bits of sha256 of each id."""
    return np.array(
        [int.from_bytes(sha256(i.encode("utf-8", "surrogatepass")).digest()[:8], "big") for i in chunk_ids], np.uint64
    )


def sampled_rows(chunk_ids: Sequence[str], order: str) -> Ints:
    """Rows of the sample: all up to `config.SAMPLE`, beyond that those whose hash falls below a threshold.

    Parameters
    ----------
    order : str
        ``hash``: in order of the ids' sha256; ``table``: as they stand.
    """
    hashes = hashes_of(chunk_ids)
    rows = np.arange(len(hashes))
    if len(hashes) > SAMPLE:
        rows = np.flatnonzero(hashes < np.uint64(SAMPLE * 2**64 // len(hashes)))
    return rows if order == "table" else rows[np.argsort(hashes[rows], kind="stable")]


def documents_of(doc_ids: Sequence[str | None]) -> list[str]:
    """Document of each row; where unknown, a block of neighbouring rows."""
    return [d if d is not None else f"\x1f{row // PSEUDO_DOCUMENT}" for row, d in enumerate(doc_ids)]


def draw(
    store: FeatureStore,
    rows: Ints,
    documents: Sequence[str],
    positions: Ints,
    config: ScoreConfig,
    lookup: Callable[[NDArray[np.uint64]], Callable[[Ints], NDArray[np.float32]]],
    progress: Progress,
) -> Sample:
    """Gather the sampled rows' features, and recombine their sentences.

    Parameters
    ----------
    rows : (k,) int64
        As `sampled_rows` gives them.
    documents : list of str
        Document of each row of the table.
    positions : (n,) int64
        Place of each row of the table in its document.
    lookup : callable
        Sentence keys to the function that gives vectors by sentence index.
    """
    features = _gather(store, rows, documents, lookup)
    kin = _kin(features)
    documents = [kin.get(document, document) for document in documents]
    features = replace(features, documents=[documents[row] for row in rows])
    in_order = (
        np.argsort(hashes_of([documents[r] for r in rows]), kind="stable")
        if config.topics_order == "table"
        else np.arange(len(rows))
    )
    donors = recombine.Donors(_reordered(features.sentences, in_order), [documents[rows[i]] for i in in_order])
    return Sample(
        features=features,
        chunks=len(documents),
        mixes=recombine.mixes(donors, config.seed),
        splices=recombine.splices(donors, config.seed),
        config=config,
        positions=positions[rows],
        families=kin,
        progress=progress,
    )


def _kin(features: Features) -> dict[str, str]:
    """Documents that share most of their sentences, so that what is learned on one is not tested on its copy."""
    documents = np.repeat(np.array(features.documents, dtype=object), np.diff(features.sentences.offsets))
    _, which, counts = np.unique(features.sentence_keys, return_inverse=True, return_counts=True)
    return families(documents.tolist(), [int(key) if counts[key] > 1 else None for key in which.reshape(-1)])


def _reordered(groups: Groups, order: Ints) -> Groups:
    offsets, places = regrouped(groups.offsets, order)
    return Groups(offsets, groups.members[places])


def _gather(
    store: FeatureStore,
    rows: Ints,
    documents: Sequence[str],
    lookup: Callable[[NDArray[np.uint64]], Callable[[Ints], NDArray[np.float32]]],
) -> Features:
    from chunkeval.features import words_of

    place = np.full(store.chunks.rows, -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    numbers: dict[str, int] = {}
    keys: list[NDArray[np.uint64]] = [np.zeros(0, np.uint64)] * len(rows)
    words_a_sentence: list[Ints] = [np.zeros(0, np.int64)] * len(rows)
    words: list[Ints] = [np.zeros(0, np.int64)] * len(rows)
    tokens = np.zeros(len(rows), dtype=np.int64)
    edges, heading = np.zeros(len(rows), np.int32), np.zeros(len(rows), np.int32)
    for shard in store.shards():
        a = shard.arrays
        known = [numbers.setdefault(w, len(numbers)) for w in words_of(a["vocabulary"])]
        renumbered = np.array(known, dtype=np.int64)[a["word_ids"]] if known else np.zeros(0, np.int64)
        for i in np.flatnonzero(place[shard.first_row : shard.first_row + shard.rows] >= 0):
            at = place[shard.first_row + i]
            first, last = a["sentence_offsets"][i], a["sentence_offsets"][i + 1]
            bounds = a["word_offsets"][first : last + 1]
            keys[at] = a["sentence_keys"][first:last]
            words_a_sentence[at] = np.diff(bounds)
            words[at] = renumbered[bounds[0] : bounds[-1]]
            tokens[at] = a["token_count"][i] if "token_count" in a else 0
            if "edges" in a:
                edges[at], heading[at] = a["edges"][i], a["heading"][i]
    offsets = np.concatenate([[0], np.cumsum([len(k) for k in keys])]).astype(np.int64)
    every_key = np.concatenate(keys) if keys else np.zeros(0, np.uint64)
    return Features(
        token_count=tokens,
        sentences=Groups(offsets, np.arange(len(every_key))),
        sentence_keys=every_key,
        word_offsets=np.concatenate([[0], np.cumsum(np.concatenate(words_a_sentence))]).astype(np.int64)
        if len(rows)
        else np.zeros(1, np.int64),
        word_ids=np.concatenate(words) if words else np.zeros(0, np.int64),
        vocabulary=list(numbers),
        vectors=lookup(every_key),
        edges=edges,
        heading=heading,
        documents=[documents[row] for row in rows],
    )


def restrict(chunks: ChunkFile, count: int, seed: int) -> ChunkFile:
    """Keep a random sample of a chunk file's rows, in the table's order: those with the lowest seeded hash of their id.

    Returns
    -------
    ChunkFile
        The same file, rewritten; unchanged where it has no more rows than ``count``.
    """
    if chunks.rows <= count:
        return chunks
    import pyarrow as pa
    import pyarrow.parquet as pq

    ids = pq.read_table(chunks.path, columns=["chunk_id"]).column("chunk_id").to_pylist()
    hashes = hashes_of([f"{seed}\x1f{i}" for i in ids])
    kept = np.zeros(len(ids), dtype=bool)
    kept[np.argsort(hashes, kind="stable")[:count]] = True
    unfinished = chunks.path.with_suffix(".sampled")
    with pq.ParquetFile(chunks.path) as file, pq.ParquetWriter(unfinished, file.schema_arrow) as writer:
        waiting: list[pa.RecordBatch] = []
        first = 0
        for batch in file.iter_batches(batch_size=SHARD):
            waiting.append(batch.filter(pa.array(kept[first : first + len(batch)])))
            first += len(batch)
            if sum(map(len, waiting)) >= SHARD:
                table = pa.Table.from_batches(waiting)
                writer.write_table(table.slice(0, SHARD))
                waiting = table.slice(SHARD).to_batches()
        rest = pa.Table.from_batches(waiting, schema=file.schema_arrow)
        if len(rest):
            writer.write_table(rest)
    unfinished.replace(chunks.path)
    note = f"a random sample of {count:,} of {len(ids):,} chunks"
    return ChunkFile(chunks.path, replace(chunks.info, notes=(*chunks.info.notes, note)))


def some_texts(chunks: ChunkFile, rows: Ints, look: int = 200) -> list[str]:
    """Heads of some sampled chunks: enough to tell the language by."""
    from chunkeval.features import tables

    chosen = set(rows[:look].tolist())
    every = ((i, text) for first, frame in tables(chunks, ["text"]) for i, text in enumerate(frame["text"], first))
    return [text[:1000] for i, text in every if i in chosen]


def language_of(texts: Sequence[str]) -> str:
    """Language of the corpus, by the scripts of some chunks."""
    from chunkeval.text.language import language

    counts: dict[str, int] = {}
    for text in texts:
        found = language(text)
        counts[found] = counts.get(found, 0) + len(text)
    return max(sorted(counts), key=lambda k: counts[k]) if counts else "other"
