"""Strategies on questions: what each one's chunks give a retriever to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from chunkeval.cache import Cache
from chunkeval.errors import ConfigError, InputError, unknown_name
from chunkeval.progress import Progress, Silent
from chunkeval.retrieval import fusion, keyword, semantic
from chunkeval.retrieval.line import Line, Placed, placed
from chunkeval.retrieval.metrics import MODES, Mode
from chunkeval.retrieval.placing import Places
from chunkeval.retrieval.queries import keywords_of
from chunkeval.retrieval.ranking import NONE
from chunkeval.retrieval.reading import Limit, read, scored
from chunkeval.retrieval.spoken import Sentences, Spoken, embedder_for

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.results import Ints
    from chunkeval.retrieval.questions import Question
    from chunkeval.retrieval.ranking import Ranking
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
        ``spans``; without them chunks are looked for in their document. ``token_count`` is used where every table has
        it, else the embedder's tokens are counted; ``flagged`` is carried over.
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
    InputError
        There is no strategy or no question, or a question is about a document that is not given.
    TableError
        A table has no chunks, or none of the documents.

    Examples
    --------
    >>> import pandas as pd
    >>> from chunkeval.retrieval.questions import Question, Reference
    >>> text = "판다는 대나무를 먹는다. 은행은 금리를 올렸다."
    >>> tables = {"half": pd.DataFrame({"doc_id": ["글", "글"], "text": [text[:14], text[14:]]})}
    >>> asked = [Question("q1", "판다는 무엇을 먹나?", (Reference("글", 0, 13),))]
    >>> frame = evaluate(tables, {"글": text}, asked, k=1, embedder="lsa")
    >>> frame[["strategy", "recall", "precision", "chunks_read"]].round(3).values.tolist()
    [['half', 1.0, 0.929, 1]]
    """
    import pandas as pd

    if retriever not in RETRIEVERS:
        raise unknown_name("retriever", retriever, RETRIEVERS)
    if mode not in MODES:
        raise unknown_name("mode", mode, MODES)
    if (k is not None and k < 1) or budget < 1:
        raise ConfigError(f"read at least 1 chunk or 1 token, not k={k}, budget={budget}")
    if not tables or not questions:
        raise InputError(f"{'no strategy' if not tables else 'no question'} to evaluate: give at least one")
    progress = progress or Silent()
    line, limit = Line(documents), Limit(k, budget)
    laid = {name: placed(name, table, line, mode) for name, table in tables.items()}
    asked = [line.spans(question.references) for question in questions]
    searches = _Searches(line, laid, [question.text for question in questions], retriever, embedder, cache or Cache())
    searches.prepare(jobs, progress)
    counts = tokens_of(tables, searches.embedder)
    rows: list[dict[str, object]] = []
    for name, table in laid.items():
        with progress.step(f"questions to {name}", len(questions)) as step:
            ranking = searches.rank(name, limit.chunks(counts[name]))
            for question, references, ranked in zip(questions, asked, ranking.rows, strict=True):
                found = read(ranked[ranked != NONE].tolist(), table.spans, counts[name], limit)
                facts = {"strategy": name, "question_id": question.question_id, "doc_id": question.doc_id}
                rows.append({**facts, **scored(references, found, table, mode)})
                step.advance()
    return pd.DataFrame(rows).astype({"in_flagged": "boolean"})


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
    wanted = dict.fromkeys(reference.doc_id for question in questions for reference in question.references)
    places = Places(dict.fromkeys(wanted, ""))
    found = {}
    for name, table in tables.items():
        held = {places.meant(str(doc_id)) for doc_id in table["doc_id"].dropna().unique()}
        if lacking := tuple(doc_id for doc_id in wanted if doc_id not in held):
            found[name] = lacking
    return found


class _Searches:
    """One retriever over the chunks of every strategy."""

    def __init__(
        self,
        line: Line,
        tables: Mapping[str, Placed],
        questions: Sequence[str],
        retriever: Retriever,
        embedder: str | Embedder,
        cache: Cache,
    ) -> None:
        self._line, self._tables, self._questions, self._retriever = line, tables, questions, retriever
        self._named, self._cache = embedder, cache
        self._held: dict[str, tuple[list[str], Ints]] = {}
        self._keywords = keywords_of(questions) if retriever in ("keyword", "hybrid") else []

    def prepare(self, jobs: int, progress: Progress) -> None:
        """Split and embed what the retriever needs, for all strategies at once."""
        sentences = Sentences(self._line, jobs)
        self.embedder = embedder_for(self._named, sentences.whole())
        if self._retriever == "keyword":
            return
        for name, table in self._tables.items():
            spoken = (
                (table.texts, np.arange(len(table.texts) + 1)) if self._retriever == "chunk" else sentences.of(table)
            )
            self._held[name] = spoken
        self._spoken = Spoken(self.embedder, self._cache)
        every = (text for strings, _ in self._held.values() for text in strings)
        self._spoken.embed([*every, *self._questions], jobs, progress)
        self._queries = self._spoken.vectors(self._questions)

    def rank(self, name: str, k: int) -> Ranking:
        """Rank a strategy's chunks for every question."""
        if self._retriever == "keyword":
            return self._by_keyword(name, k)
        if self._retriever == "hybrid":
            depth = max(fusion.DEPTH, k)
            return fusion.fuse([self._by_meaning(name, depth), self._by_keyword(name, depth)], k)
        return self._by_meaning(name, k)

    def _by_keyword(self, name: str, k: int) -> Ranking:
        return keyword.search(map(keyword.folded, self._tables[name].texts), self._keywords, k)

    def _by_meaning(self, name: str, k: int) -> Ranking:
        strings, offsets = self._held[name]
        return semantic.search(self._spoken.vectors(strings), offsets, self._queries, k)


def tokens_of(tables: Mapping[str, pd.DataFrame], counter: Embedder) -> dict[str, Ints]:
    """Count the tokens of every chunk, all by the same tokenizer."""
    if all("token_count" in table.columns and table["token_count"].notna().all() for table in tables.values()):
        return {name: table["token_count"].to_numpy(np.int64) for name, table in tables.items()}
    return {name: counter.count(table["text"].astype(str).tolist()) for name, table in tables.items()}
