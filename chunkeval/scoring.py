"""Pieces of scoring that a first run and a later one share: the table's own columns, the shards' scores, what showing a chunk needs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from chunkeval import registry
from chunkeval.analyzers.base import Analyzer, Configurable, Corpus, Fitted
from chunkeval.errors import RunError
from chunkeval.features import FeatureStore, features_of, tables
from chunkeval.results import INTEGERS

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.analyzers.base import CorpusAnalyzer
    from chunkeval.config import ScoreConfig
    from chunkeval.progress import Progress
    from chunkeval.results import Arrays, ChunkFile, Ints, State
    from chunkeval.text.embeddings import Embedder, VectorStore

DECIMALS = 6
_WHOLE_NUMBER = "Int64"


def analyzer_of(name: str, config: ScoreConfig | None = None) -> Analyzer:
    """Make a registered analyzer, as the settings ask for it."""
    analyzer: Analyzer = registry.find("analyzers", name)()
    if config is not None and isinstance(analyzer, Configurable):
        return analyzer.configured(config)
    return analyzer


def identity(embedder: Embedder, counter: Any) -> dict[str, Any]:
    """Say what numbers stand on besides settings and texts: scores of another identity do not compare."""
    return {
        "embedder_fingerprint": embedder.fingerprint,
        "tokenizer_fingerprint": counter.fingerprint,
        "versions": {name: version(name) for name in ("kiwipiepy", "gensim", "numpy", "scikit-learn")},
    }


def same_identity(state: State, embedder: Embedder, counter: Any) -> None:
    """Refuse to score on with another embedder, tokenizer or library than an earlier run had.

    Raises
    ------
    RunError
        The message names what differs.
    """
    for key, value in identity(embedder, counter).items():
        if state.meta.get(key) != value:
            raise RunError(
                f"the run was scored with {key.replace('_', ' ')} {state.meta.get(key)!r}, now it is {value!r}: "
                f"audit the table once more"
            )


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


def score_all(
    store: FeatureStore,
    analyzers: Sequence[Analyzer],
    fitted: Mapping[str, Fitted],
    vectors: VectorStore,
    embedder: Embedder,
    progress: Progress,
    documents: Sequence[str],
    corpus: pd.DataFrame | None,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Give every analyzer's columns over the whole table, rounded as they are stored, and what a reader should know of them.

    Parameters
    ----------
    documents
        Document of each row.
    corpus
        The table's own columns, as `core` gives them; None where the rows are no corpus, but each a text by itself.
    """
    joining = [a for a in analyzers if a.scope == "corpus" and corpus is not None]
    by_row = [a for a in analyzers if a not in joining]
    parts: dict[str, list[Any]] = {column: [] for a in by_row for column in a.columns}
    with progress.step("scores", store.chunks.rows) as step:
        for shard in store.shards() if by_row else ():
            features = features_of(shard, vectors, embedder.dimension, documents)
            for analyzer in by_row:
                for column, values in analyzer.score(features, fitted[analyzer.name].arrays).items():
                    parts[column].append(values)
            step.advance(shard.rows)
    whole = {name: np.concatenate(shards) if shards else np.zeros(0) for name, shards in parts.items()}
    notes: tuple[str, ...] = ()
    for analyzer in joining:
        assert corpus is not None
        joined = cast("CorpusAnalyzer", analyzer).join(
            _corpus(store, corpus, vectors, embedder, documents, progress), fitted[analyzer.name].arrays
        )
        whole |= joined.columns
        notes += joined.notes
    return {name: _stored(name, whole[name]) for a in analyzers for name in a.columns}, notes


def _corpus(
    store: FeatureStore,
    frame: pd.DataFrame,
    vectors: VectorStore,
    embedder: Embedder,
    documents: Sequence[str],
    progress: Progress,
) -> Corpus:
    import pandas as pd

    codes, _ = pd.factorize(frame["doc_id"], sort=True)
    ids, _ = pd.factorize(frame["chunk_id"], sort=True)
    first = np.where(codes < 0, len(frame), codes)
    order = np.lexsort((ids, frame["position"].to_numpy(np.int64), first)).astype(np.int64)
    return Corpus(
        chunk_ids=frame["chunk_id"].tolist(),
        order=order,
        shards=lambda: (features_of(shard, vectors, embedder.dimension, documents) for shard in store.shards()),
        texts=lambda: (
            (part["text"].tolist(), store.skip[first : first + len(part)])
            for first, part in tables(store.chunks, ["text"])
        ),
        folder=store.chunks.path.parent,
        progress=progress,
    )


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


def percentiles(scored: pd.DataFrame, rows: Ints, columns: Mapping[str, Any]) -> dict[str, list[float]]:
    """1st and 99th percentile of each column of numbers over the sample, where severity ends."""
    ends = {}
    for name in (name for name in columns if scored[name].dtype != object):
        values = scored[name].to_numpy(dtype=np.float64, na_value=np.nan)[rows]
        values = values[~np.isnan(values)]
        if len(values):
            ends[name] = [round(float(p), DECIMALS) for p in np.percentile(values, [1, 99])]
    return ends
