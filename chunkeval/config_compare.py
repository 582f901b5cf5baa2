"""Settings of a comparison; see `chunkeval.config`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from chunkeval.bounds import one_of, within
from chunkeval.errors import ConfigError


@dataclass(frozen=True)
class CompareConfig:
    """What is compared, and by what."""

    chunkers: str | None = None
    """Chunkers with their settings, parted by semicolons: ``recursive:size=300; sentence; semantic``."""
    tables: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Chunk tables with their names: ``now=a.parquet new=b.parquet``."""
    docs: str | None = None
    """Documents that the tables were cut from; pieced together from the tables where not given."""
    questions: str | None = None
    """Questions with the places that answer them: jsonl, or as Chroma, SQuAD, KorQuAD and AutoRAG have them."""
    retriever: Literal["semantic", "keyword", "hybrid", "chunk", "agent"] = "semantic"
    """What finds chunks: their nearest sentence, words, both fused, vectors of whole chunks, or an agent that a model acts."""
    k: int | None = None
    """Chunks read a question; as many as ``budget`` allows where not given."""
    budget: int | None = None
    """Tokens read a question, the same for chunks of any size; 1000 where neither this nor ``k`` is given."""
    metric: str | None = None
    """What decides, declared beforehand; ``recall`` with questions, ``flagged`` without."""
    strict: bool = False
    """Refuse questions whose references are not in the documents, rather than leave those out."""
    fail_on_regression: str | None = None
    """Gate: an earlier comparison.json; fail where a strategy is worse than it was there."""

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        one_of("retriever", self.retriever, ("semantic", "keyword", "hybrid", "chunk", "agent"))
        within("k", self.k, 1)
        within("budget", self.budget, 1)
        if self.k is not None and self.budget is not None:
            raise ConfigError("k and budget: give one of them, how many chunks are read or how many tokens")
