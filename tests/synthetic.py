"""Small audits made without the pipeline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from chunkeval.config import SHARD, FlagConfig
from chunkeval.flags import flag
from chunkeval.results import ChunkFile, Flags, Recombined, Scores, SourceInfo, State

SENTENCES = ("김치는 발효 음식이다. ", "=SUM(A1) 배추로 담근다. ", "Kimchi is fermented. ", "👩‍👩‍👧 가족이 담근다.")


def texts_of(count: int) -> list[str]:
    odd = {
        3: "",
        7: "=1+1 은 수식이 아니라 그냥 글로 읽힌다. 둘째 문장은 첫째 문장과 아무 상관이 없는 이야기다.",
        8: "'@이름 으로 시작한다. 또 한 문장.",
        9: "a\u2028b\r\nc\x00d. 끝.",
        11: "가" * 33_000,
    }
    return [odd.get(i, "".join(SENTENCES[: 2 + i % 3])) for i in range(count)]


def make_chunks(path: Path, count: int, *, documents: bool = True) -> ChunkFile:
    frame = pd.DataFrame(
        {
            "chunk_id": [f"c{i}" if i != 5 else "=c5" for i in range(count)],
            "doc_id": [f"문서 {i // 10}" for i in range(count)] if documents else [None] * count,
            "position": np.arange(count) % 10 if documents else np.arange(count),
            "text": texts_of(count),
            "start": pd.array([None] * count, dtype="Int64"),
            "end": pd.array([None] * count, dtype="Int64"),
            "topic": ["음식" if i % 3 else None for i in range(count)],
            "score": np.linspace(0, 1, count),
        }
    )
    kinds = {"chunk_id": pa.string(), "doc_id": pa.string(), "text": pa.string(), "topic": pa.string()}
    names = list(frame.columns)
    arrays = [pa.array(frame[name], type=kinds.get(name), from_pandas=True) for name in names]
    pq.write_table(pa.table(arrays, names=names), path, row_group_size=SHARD)
    return ChunkFile(
        path, SourceInfo("chunks.csv", "csv", "0" * 64, count, "utf-8", {"text": "text"}, notes=("a note",))
    )


def make_flags(folder: Path, config: FlagConfig | None = None, count: int = 60, *, documents: bool = True) -> Flags:
    """Judge ``count`` chunks with made-up scores: chunk 3 is blank, 7 to 9 are incoherent, 11 is long."""
    chunks = make_chunks(folder / "chunks.parquet", count, documents=documents)
    rng = np.random.default_rng(1)
    texts = texts_of(count)
    similarity = np.round(rng.uniform(0.5, 0.9, count), 6)
    similarity[7:10] = [0.1, 0.2, 0.05]
    similarity[3] = np.nan
    tokens = np.round(rng.normal(100, 10, count)).astype(int)
    tokens[[3, 11]] = [0, 900]
    spans = [_spans(text) for text in texts]
    weakest = [1 if len(span) > 1 else None for span in spans]
    frame = pq.read_table(chunks.path, columns=["chunk_id", "doc_id", "position", "start", "end"]).to_pandas()
    frame = frame.assign(
        start=pd.array([None] * count, dtype="Int64"),
        end=pd.array([None] * count, dtype="Int64"),
        token_count=pd.array(tokens, dtype="Int64"),
        similarity=similarity,
        similarity_centred=np.round(similarity - 0.4, 6),
        sentences=pd.array([len(span) for span in spans], dtype="Int64"),
        repetition=0.0,
        weakest_cut=pd.array(weakest, dtype="Int64"),
        cut_gap=np.where(np.isnan(similarity), np.nan, 0.1),
    )
    flat = [span for group in spans for span in group]
    traits = np.zeros(count, dtype=np.uint16)
    traits[3] = 1
    state = State(
        meta={
            "analyzers": ["tokens", "similarity"],
            "embedder": "use-multilingual",
            "tokenizer": "use-multilingual",
            "context": None,
            "language": "ko",
            "seed": 42,
            "num_topics": None,
            "percentiles": {
                "token_count": [80.0, 120.0],
                "similarity": [0.06, 0.89],
                "similarity_centred": [-0.34, 0.49],
            },
            "pseudo_documents": not documents,
        },
        arrays={
            "text": {
                "traits": traits,
                "sentence_offsets": np.concatenate([[0], np.cumsum([len(span) for span in spans])]).astype(np.int64),
                "sentence_start": np.array([start for start, _ in flat], dtype=np.int32),
                "sentence_end": np.array([end for _, end in flat], dtype=np.int32),
            },
            "similarity": {"mean": np.zeros(4, dtype=np.float32)},
            "sample": {"rows": np.arange(count)},
        },
        recombined={"similarity_centred": Recombined(np.array([0.0, 0.1, np.nan]), np.array([0.2]))},
    )
    scores = Scores(frame, state, chunks, {"embedder": "use-multilingual", "seed": 42, "sample": None}, {"score": 0.5})
    return flag(scores, config or FlagConfig(limits="card"))


def _spans(text: str) -> list[tuple[int, int]]:
    """Two sentences: up to the first full stop, and the rest."""
    end = text.find(".") + 1
    parts = [(0, end), (end, len(text))] if end else [(0, len(text))]
    return [(start, after) for start, after in parts if after > start]
