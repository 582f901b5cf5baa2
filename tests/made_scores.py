"""Scores made by hand for the tests of limits and flags: no model, no text."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from chunkeval.results import TRAITS, ChunkFile, Recombined, Scores, SourceInfo, State

DOCUMENTS = (
    "한글 문서",
    unicodedata.normalize("NFD", "한글"),
    "ＦＵＬＬ．ｍｄ",
    "👩‍👩‍👧.txt",
    "mixed 한글 file",
    "a",
    "b",
)


def traits(*names: str) -> int:
    """Bits of some traits."""
    return sum(1 << TRAITS.index(name) for name in names)


def made_scores(
    rows: int = 400,
    *,
    planted: float = 0.2,
    seed: int = 0,
    documents: int = 40,
    meta: dict[str, Any] | None = None,
    bits: np.ndarray | None = None,
    **columns: Any,
) -> Scores:
    """A corpus with a planted share of incoherent chunks; columns given replace those made."""
    rng = np.random.default_rng(seed)
    bad = rng.random(rows) < planted
    centred = np.where(bad, rng.normal(0, 0.05, rows), rng.normal(0.4, 0.08, rows)).round(6)
    frame = pd.DataFrame(
        {
            "chunk_id": [f"c{i}" for i in range(rows)],
            "doc_id": [f"{DOCUMENTS[d % len(DOCUMENTS)]}{d}" for d in np.arange(rows) * documents // rows],
            "position": np.arange(rows),
            "start": pd.array([None] * rows, dtype="Int64"),
            "end": pd.array([None] * rows, dtype="Int64"),
            "token_count": rng.normal(300, 60, rows).round().astype(np.int64),
            "similarity": (0.3 + centred / 2).round(6),
            "similarity_centred": centred,
            "sentences": 4,
            "repetition": 0.0,
            "weakest_cut": pd.array(rng.integers(1, 4, rows), dtype="Int64"),
            "cut_gap": rng.random(rows).round(6),
            "topic_entropy": np.where(bad, 4.4, 2.0) + rng.random(rows).round(6) / 2,
            "topic_entropy_card": np.where(bad, 4.0, 2.0) + rng.random(rows).round(6) / 2,
            "topic_entropy_z": np.where(bad, rng.normal(0, 1, rows), rng.normal(-6, 1, rows)).round(6),
            "content_words": 30,
        }
    ).assign(**columns)
    facts: dict[str, Any] = {
        "analyzers": ["tokens", "similarity", "topics"],
        "embedder": "use-multilingual",
        "language": "ko",
        "num_topics": 14,
        "context": None,
        "seed": 42,
        "percentiles": {
            name: frame[name].astype("Float64").quantile([0.01, 0.99]).tolist()
            for name in ("token_count", "similarity", "similarity_centred", "topic_entropy_card", "topic_entropy_z")
        },
        "pseudo_documents": False,
    }
    arrays = {
        "text": {
            "traits": np.zeros(rows, dtype=np.uint16) if bits is None else bits.astype(np.uint16),
            "sentence_offsets": np.arange(rows + 1) * 4,
            "sentence_start": np.tile(np.array([0, 31, 62, 93], dtype=np.int32), rows),
            "sentence_end": np.tile(np.array([30, 61, 92, 123], dtype=np.int32), rows),
        },
        "sample": {"rows": np.arange(rows)},
    }
    recombined = {
        "similarity_centred": Recombined(rng.normal(0, 0.05, 3000).round(6), rng.normal(0.15, 0.08, 3000).round(6)),
        "topic_entropy_z": Recombined(rng.normal(0, 1, 3000).round(6), rng.normal(-2, 1, 3000).round(6)),
    }
    info = SourceInfo("made", "csv", "0" * 64, rows)
    return Scores(frame, State(facts | (meta or {}), arrays, recombined), ChunkFile(Path("made"), info), {})
