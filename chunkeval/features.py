"""Features: the costly part of scoring, row by row, in shards of a fixed size, each kept on disk under its content."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval.analyzers.base import Features, Groups, Need
from chunkeval.cache import Cache, code, digest
from chunkeval.reused import Earlier
from chunkeval.text.context import Context, contextual, nothing
from chunkeval.text.embeddings import Embedder, VectorStore, keys_of

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from chunkeval.config import ScoreConfig
    from chunkeval.progress import Progress
    from chunkeval.results import Arrays, ChunkFile, Ints
    from chunkeval.text.sentences import Span
    from chunkeval.text.tokens import TokenCounter

Kind = Literal["text", "tokens", "edges", "likeness"]
"""Parts that are kept on disk."""

_WINDOW = 16
"""Shards whose new sentences are embedded together: enough to sort them by length, few enough to hold their texts."""


@dataclass(frozen=True)
class Shard:
    """Row features of ``config.SHARD`` neighbouring rows of the table."""

    first_row: int
    arrays: Arrays
    likeness: Arrays = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.arrays["sentence_offsets"]) - 1


class FeatureStore:
    """Computes shards of features, or finds them on disk.

    Parameters
    ----------
    chunks : ChunkFile
    needs : set of str
        What the analyzers of the run need.
    earlier : FeatureStore, optional
        Of a table that has many of the same texts: they are not read again.
    context : Context, optional
        What is known of the chunks; else it is found in the table.
    """

    def __init__(
        self,
        chunks: ChunkFile,
        config: ScoreConfig,
        needs: frozenset[Need],
        counter: TokenCounter | Embedder,
        cache: Cache,
        earlier: FeatureStore | None = None,
        context: Context | None = None,
    ) -> None:
        self.chunks, self.config, self.needs, self.counter, self.cache = chunks, config, needs, counter, cache
        # What is scored as it stands leaves nothing out.
        known = nothing(chunks.rows) if config.sentences == "naive" else context or contextual(chunks)
        self.skip, self.prefix = known.skip.astype(np.int64), known.prefix.astype(np.int64)
        self.context_traits, self.notes, self._sentences = known.traits, known.notes, known.sentences
        self._keys: list[dict[Kind, str]] = []
        self._edges: NDArray[np.int32] | None = None
        self._earlier = Earlier(cache, earlier._text_keys()) if earlier is not None else None

    def compute(self, jobs: int, progress: Progress) -> None:
        """Bring every shard to disk."""
        with progress.step("sentences and words", self.chunks.rows) as step:
            for first, frame in tables(self.chunks, ["text"]):
                texts = frame["text"].tolist()
                at = slice(first, first + len(texts))
                keys: dict[Kind, str] = {"text": self._text_part(texts, at, jobs)}
                if "tokens" in self.needs:
                    keys["tokens"] = self._token_part(texts)
                if "edges" in self.needs:
                    keys["edges"] = self._edge_part(texts, self.prefix[at])
                if "likeness" in self.needs:
                    keys["likeness"] = self._likeness_part(texts, self.skip[at], keys["text"])
                self._keys.append(keys)
                step.advance(len(texts))
        if "edges" in self.needs:
            self._edges = self._joined()

    def shards(self) -> Iterator[Shard]:
        """Give the shards in the table's order, after `compute`."""
        first = 0
        for keys in self._keys:
            arrays = dict(self._stored("text", keys["text"]))
            if "tokens" in keys:
                arrays |= self._stored("tokens", keys["tokens"])
            likeness = self._stored("likeness", keys["likeness"]) if "likeness" in keys else {}
            shard = Shard(first, arrays, likeness)
            if self._edges is not None:
                arrays["heading"] = self._stored("edges", keys["edges"])["heading"]
                arrays["edges"] = self._edges[first : first + shard.rows]
            yield shard
            first += shard.rows

    def fingerprint(self) -> str:
        """Identify all features of the table."""
        joined = [] if self._edges is None else [self._edges.tobytes()]
        return digest([*(key for keys in self._keys for key in keys.values()), *joined])

    def _part(self, kind: Kind, key: str, make: Callable[[], Arrays]) -> str:
        """Bring a part to disk unless it is there."""
        if self.cache.load(kind, key) is not None:
            self.cache.reused += 1
        else:
            self.cache.store(kind, key, make())
        return key

    def _stored(self, kind: Kind, key: str) -> Arrays:
        arrays = self.cache.load(kind, key)
        if arrays is None:
            raise FileNotFoundError(
                f"part {kind}/{key} has left the cache folder {self.cache.folder} while the run was at work"
            )
        return arrays

    def _text_key(self, texts: Sequence[str], at: slice) -> str:
        how = [
            self.config.sentences,
            self.config.morphemes if "words" in self.needs else "",
            version("kiwipiepy"),
            code("chunkeval.text"),
        ]
        known = [] if self._sentences is None else [repr(self._sentences[at])]
        return digest([*how, *known, self.skip[at].astype(np.int64).tobytes(), *texts])

    def _text_keys(self) -> Iterator[tuple[Sequence[str], Ints, str]]:
        for first, frame in tables(self.chunks, ["text"]):
            texts = frame["text"].tolist()
            at = slice(first, first + len(texts))
            yield texts, self.skip[at], self._text_key(texts, at)

    def _text_part(self, texts: Sequence[str], at: slice, jobs: int) -> str:
        skip, known = self.skip[at], None if self._sentences is None else self._sentences[at]

        def read(some: Sequence[str], skipped: Ints) -> Arrays:
            return self._analyse(some, skipped, known, jobs)

        def make() -> Arrays:
            return self._earlier.read(texts, skip, read) if self._earlier and not known else read(texts, skip)

        return self._part("text", self._text_key(texts, at), make)

    def _analyse(
        self, texts: Sequence[str], skip: Ints, known: Sequence[Sequence[Span] | None] | None, jobs: int
    ) -> Arrays:
        from chunkeval.text.analysis import analyse

        done = analyse(
            texts,
            splitter=self.config.sentences,
            morphemes=self.config.morphemes,
            skip=skip,
            words="words" in self.needs,
            jobs=jobs,
            sentences=known,
        )
        chunk = np.repeat(np.arange(len(texts)), np.diff(done.sentence_offsets))
        spans = zip(chunk.tolist(), done.sentence_start.tolist(), done.sentence_end.tolist(), strict=True)
        vocabulary, ids = _numbered(done.words)
        return {
            "sentence_offsets": done.sentence_offsets,
            "sentence_start": done.sentence_start,
            "sentence_end": done.sentence_end,
            "sentence_keys": keys_of([texts[i][a:b] for i, a, b in spans]),
            "traits": done.traits,
            "word_offsets": done.word_offsets,
            "word_ids": ids,
            "vocabulary": np.frombuffer("\n".join(vocabulary).encode(), dtype=np.uint8),
        }

    def _token_part(self, texts: Sequence[str]) -> str:
        key = digest([self.counter.fingerprint, code("chunkeval.text"), *texts])
        return self._part("tokens", key, lambda: {"token_count": self.counter.count(texts)})

    def _edge_part(self, texts: Sequence[str], prefix: Ints) -> str:
        from chunkeval.text.edges import edges

        key = digest([code("chunkeval.text"), prefix.astype(np.int64).tobytes(), *texts])
        return self._part("edges", key, lambda: edges(texts, prefix)._asdict())

    def _joined(self) -> NDArray[np.int32]:
        """How all chunks begin and end, corrected by how they meet their neighbours."""
        from chunkeval.text.seams import joined, neighbours

        parts = [self._stored("edges", keys["edges"])["bits"] for keys in self._keys]
        return joined(np.concatenate([np.zeros(0, np.int32), *parts]), *neighbours(self.chunks))

    def _likeness_part(self, texts: Sequence[str], skip: Ints, text_key: str) -> str:
        from chunkeval.text.likeness import likeness

        def make() -> Arrays:
            text = self._stored("text", text_key)
            return likeness(texts, skip, text["sentence_offsets"], text["sentence_start"], text["sentence_end"])

        return self._part("likeness", digest([text_key, version("rensa")]), make)


def embed(
    store: FeatureStore, vectors: VectorStore, embedder: Embedder, *, jobs: int, batch: int, progress: Progress
) -> None:
    """Bring the vectors of all distinct sentences to disk: each is encoded once, ever."""
    total = sum(len(shard.arrays["sentence_keys"]) for shard in store.shards())
    with progress.step("sentence vectors", total) as step:
        wanted: dict[int, str] = {}
        waiting = 0
        for number, (shard, (_, frame)) in enumerate(
            zip(store.shards(), tables(store.chunks, ["text"]), strict=True), 1
        ):
            fresh = _fresh(shard, frame["text"].tolist(), vectors)
            waiting += len(shard.arrays["sentence_keys"])
            wanted.update(fresh)
            if number % _WINDOW == 0:
                step.advance(waiting - len(wanted))
                vectors.fill(wanted, embedder, jobs=jobs, batch=batch, step=step)
                wanted, waiting = {}, 0
        step.advance(waiting - len(wanted))
        vectors.fill(wanted, embedder, jobs=jobs, batch=batch, step=step)


def features_of(shard: Shard, vectors: VectorStore, dimension: int, documents: Sequence[str]) -> Features:
    """Give an analyzer's view of a shard; ``documents`` are those of the whole table's rows."""
    arrays = shard.arrays
    keys = arrays["sentence_keys"]
    return Features(
        token_count=arrays.get("token_count", np.zeros(0, np.int64)),
        sentences=Groups(arrays["sentence_offsets"], np.arange(len(keys))),
        sentence_keys=keys,
        word_offsets=arrays["word_offsets"],
        word_ids=arrays["word_ids"],
        vocabulary=words_of(arrays["vocabulary"]),
        vectors=vectors_by_key(keys, vectors, dimension),
        edges=arrays.get("edges", np.zeros(0, np.int32)),
        heading=arrays.get("heading", np.zeros(0, np.int32)),
        likeness=shard.likeness,
        documents=documents[shard.first_row : shard.first_row + shard.rows],
    )


def vectors_by_key(
    keys: NDArray[np.uint64], vectors: VectorStore, dimension: int
) -> Callable[[Ints], NDArray[np.float32]]:
    """Look vectors up by sentence index, at length 1 or 0: not every embedder gives them so."""

    def looked_up(indices: Ints) -> NDArray[np.float32]:
        found = vectors.gather(keys[indices], dimension)
        found /= np.maximum(np.sqrt(np.einsum("ij,ij->i", found, found)), np.finfo(np.float32).tiny)[:, None]
        return found

    return looked_up


def tables(chunks: ChunkFile, columns: list[str]) -> Iterator[tuple[int, pd.DataFrame]]:
    """Give the chunk file's row groups, one shard each, with the number of their first row."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(chunks.path) as file:
        first = 0
        for group in range(file.num_row_groups):
            frame = file.read_row_group(group, columns=columns).to_pandas()
            yield first, frame
            first += len(frame)


def words_of(vocabulary: NDArray[Any]) -> list[str]:
    """Words from their stored bytes."""
    text = vocabulary.tobytes().decode()
    return text.split("\n") if text else []


def _numbered(words: Sequence[str]) -> tuple[list[str], Ints]:
    numbers: dict[str, int] = {}
    ids = np.fromiter((numbers.setdefault(w, len(numbers)) for w in words), dtype=np.int64, count=len(words))
    return list(numbers), ids


def _fresh(shard: Shard, texts: Sequence[str], vectors: VectorStore) -> dict[int, str]:
    keys = shard.arrays["sentence_keys"]
    chunk = np.repeat(np.arange(shard.rows), np.diff(shard.arrays["sentence_offsets"]))
    start, end = shard.arrays["sentence_start"], shard.arrays["sentence_end"]
    return {int(keys[i]): texts[chunk[i]][start[i] : end[i]] for i in np.flatnonzero(vectors.missing(keys))}
