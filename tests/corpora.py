"""Tables joined in memory, without a model: texts to what analyzers of scope ``corpus`` are given."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from chunkeval.analyzers.base import Corpus, Features, Groups
from chunkeval.analyzers.duplicates import DuplicatesAnalyzer
from chunkeval.text.likeness import likeness


def corpus_of(
    texts: Sequence[str],
    *,
    doc_ids: Sequence[str | None] | None = None,
    ids: Sequence[str] | None = None,
    positions: Sequence[int] | None = None,
    vectors: np.ndarray | None = None,
    shard: int = 7,
) -> Corpus:
    """Texts of one document each in a row, of one sentence each; ``vectors`` are the sentences'."""
    rows = len(texts)
    doc_ids = doc_ids if doc_ids is not None else ["d"] * rows
    ids = ids if ids is not None else [f"c{i:05}" for i in range(rows)]
    places = np.arange(rows) if positions is None else np.asarray(positions)
    vectors = vectors if vectors is not None else np.eye(max(rows, 1), dtype=np.float32)[:rows]
    documents, _ = pd.factorize(pd.Series(doc_ids, dtype=object), sort=True)
    order = np.lexsort((np.array(ids, object), places, np.where(documents < 0, rows, documents)))

    def shards() -> Iterator[Features]:
        for a in range(0, rows, shard):
            some = list(texts[a : a + shard])
            offsets = np.arange(len(some) + 1)
            ends = np.array([len(text) for text in some])
            held = vectors[a : a + shard]
            yield Features(
                token_count=ends,
                sentences=Groups(offsets, np.arange(len(some))),
                sentence_keys=np.arange(len(some), dtype=np.uint64),
                word_offsets=np.zeros(len(some) + 1, np.int64),
                word_ids=np.zeros(0, np.int64),
                vocabulary=[],
                vectors=lambda at, held=held: held[at],
                likeness=likeness(some, np.zeros(len(some), np.int64), offsets, np.zeros(len(some), np.int64), ends),
            )

    def read() -> Iterator[tuple[Sequence[str], np.ndarray]]:
        for a in range(0, rows, shard):
            some = texts[a : a + shard]
            yield some, np.zeros(len(some), np.int64)

    return Corpus(list(ids), order.astype(np.int64), shards, read, Path(tempfile.gettempdir()))


def duplicates_of(texts: Sequence[str], **how: object) -> pd.DataFrame:
    """What the analyzer says of texts."""
    corpus = corpus_of(texts, **how)  # type: ignore[arg-type]
    joined = DuplicatesAnalyzer().join(corpus, {})
    columns = {name: pd.Series(values, dtype=values.dtype) for name, values in joined.columns.items()}
    return pd.DataFrame({"chunk_id": corpus.chunk_ids, **columns})
