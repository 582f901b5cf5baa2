"""Strategies on questions: what each one's chunks give a retriever to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.cache import Cache
    from chunkeval.progress import Progress
    from chunkeval.retrieval.metrics import Mode
    from chunkeval.retrieval.questions import Question
    from chunkeval.text.embeddings import Embedder

Retriever = Literal["semantic", "keyword", "hybrid", "chunk"]
RETRIEVERS = ("semantic", "keyword", "hybrid", "chunk")
METRICS = ("recall", "precision", "iou", "precision_omega", "mrr", "ndcg")
BUDGET = 1000


def evaluate(
    tables: Mapping[str, pd.DataFrame],
    documents: Mapping[str, str],
    questions: Sequence[Question],
    *,
    retriever: Retriever = "semantic",
    k: int | None = None,
    budget: int = BUDGET,
    embedder: str | Embedder = "use-multilingual",
    cache: Cache | None = None,
    jobs: int = 1,
    mode: Mode = "strict",
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Ask every question of every strategy's chunks.

    Parameters
    ----------
    tables
        Strategy to its chunk table: ``chunk_id``, ``doc_id``, ``text``, and where known ``start`` and ``end``, or
        ``spans``; without them chunks are looked for in their document. ``token_count`` is used where it is there,
        and ``flagged`` too.
    documents
        Id to text; the tables' ``doc_id`` name them.
    questions
        As `read_questions` gives them.
    retriever
        ``semantic``: a chunk is as near as its nearest sentence. ``keyword``: occurrences of the question's content
        words, weighted by length. ``hybrid``: the two rankings fused. ``chunk``: vectors of whole chunks.
    k
        Chunks to read; None: as many as ``budget`` allows.
    budget
        Tokens to read: reading stops there, within a chunk if need be, so that strategies of any size read the same.
    embedder
        Its name, or a loaded one; every distinct sentence of all strategies is embedded once.
    cache
        Where vectors are kept; the default folder where None.
    jobs
        Threads.
    mode
        As `metrics` takes it; ``chroma`` also places chunks by the first occurrence of their text.
    progress
        Told of the work.

    Returns
    -------
    DataFrame
        A row a strategy and question, strategies in their order: ``strategy``, ``question_id``, ``doc_id`` (of the
        first reference), ``recall``, ``precision``, ``iou``, ``precision_omega``, ``mrr``, ``ndcg``, ``tokens_read``,
        ``chunks_read``, ``chunk_size`` (mean code points of the chunks that hold the references; NaN where none does),
        ``in_flagged`` (nullable: whether half of the references' text or more lies in flagged chunks; null where the
        table does not say).

    Raises
    ------
    ConfigError
        An unknown retriever, embedder or mode; ``k`` or ``budget`` below 1.
    TableError
        A table has no chunks, or none of the documents that the questions are about.
    """


def without_chunks(tables: Mapping[str, pd.DataFrame], questions: Sequence[Question]) -> dict[str, tuple[str, ...]]:
    """Give, for each strategy, the documents asked about of which it has no chunk: nothing is found there.

    Parameters
    ----------
    tables, questions
        As `evaluate` takes them.

    Returns
    -------
    dict of str to tuple of str
        Strategies that lack none are left out.
    """
