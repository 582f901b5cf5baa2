"""Documents on disk, and a comparison of two tables that is made once."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from cut_tables import DOCUMENTS, every, halves, table

import chunkeval as ce
from chunkeval.compare import Comparison


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    pd.DataFrame({"id": list(DOCUMENTS), "text": list(DOCUMENTS.values())}).to_json(
        folder / "docs.jsonl", orient="records", lines=True, force_ascii=False
    )
    return folder / "docs.jsonl"


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def compared(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Comparison, Path]:
    """Halves against cuts every 30 characters, without questions, and its folder."""
    out = tmp_path_factory.mktemp("made") / "comparison"
    done = ce.compare(
        {"halves": table(halves), "=thirty <b>": table(every(30))},
        out=out,
        analyzers="tokens,similarity,boundaries,duplicates",
        embedder="lsa",
        lang="ko",
        cache=str(cache),
    )
    return done, out
