"""Pieces of scoring that a first run and a later one share: the table's own columns, the shards' scores, what showing a chunk needs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval import registry
from chunkeval.analyzers.base import Analyzer, Fitted
from chunkeval.features import FeatureStore, features_of

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.progress import Progress
    from chunkeval.results import Arrays, ChunkFile
    from chunkeval.text.embeddings import Embedder, VectorStore

DECIMALS = 6
INTEGERS = ("token_count", "sentences", "weakest_cut", "content_words")
_WHOLE_NUMBER = "Int64"


def analyzer_of(name: str) -> Analyzer:
    """Make a registered analyzer."""
    analyzer: Analyzer = registry.find("analyzers", name)()
    return analyzer


@contextmanager
def timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    """Note how many seconds a stage takes."""
    start = time.perf_counter()
    yield
    seconds[stage] = round(time.perf_counter() - start, 3)


def core(chunks: ChunkFile) -> pd.DataFrame:
    """Read the columns that scores begin with: chunk_id, doc_id, position, start, end."""
    import pyarrow.parquet as pq

    table = pq.read_table(chunks.path, columns=["chunk_id", "doc_id", "position", "start", "end"])
    frame: pd.DataFrame = table.to_pandas()
    frame["doc_id"] = frame["doc_id"].astype(object).where(frame["doc_id"].notna(), None)
    return frame.astype({"start": _WHOLE_NUMBER, "end": _WHOLE_NUMBER})


def score_shards(
    store: FeatureStore,
    analyzers: Sequence[Analyzer],
    fitted: Mapping[str, Fitted],
    vectors: VectorStore,
    embedder: Embedder,
    progress: Progress,
    documents: Sequence[str],
) -> dict[str, Any]:
    """Give every analyzer's columns over the whole table, rounded as they are stored."""
    parts: dict[str, list[Any]] = {column: [] for a in analyzers for column in a.columns}
    with progress.step("scores", store.chunks.rows) as step:
        for shard in store.shards():
            features = features_of(shard, vectors, embedder.dimension, documents)
            for analyzer in analyzers:
                for column, values in analyzer.score(features, fitted[analyzer.name].arrays).items():
                    parts[column].append(values)
            step.advance(shard.rows)
    return {name: _stored(name, np.concatenate(shards) if shards else np.zeros(0)) for name, shards in parts.items()}


def _stored(name: str, values: Any) -> Any:
    import pandas as pd

    if values.dtype == object:
        return pd.Series(values, dtype=object)
    if name in INTEGERS:
        return pd.Series(np.round(values)).astype(pd.Int64Dtype()).array
    return np.round(values, DECIMALS) + 0.0


def text_state(store: FeatureStore) -> Arrays:
    """Traits and sentence spans of the whole table: what showing a chunk needs."""
    names = ("traits", "sentence_start", "sentence_end")
    parts: dict[str, list[Any]] = {name: [] for name in names}
    counts: list[Any] = []
    for shard in store.shards():
        counts.append(np.diff(shard.arrays["sentence_offsets"]))
        for name in names:
            parts[name].append(shard.arrays[name])
    whole = {name: np.concatenate(values) for name, values in parts.items()}
    whole["traits"] = whole["traits"] | store.context_traits
    return {**whole, "sentence_offsets": np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64)}
