"""An agent as the retriever: who asks, what is searched, and what it found of every strategy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval.chunkers.asking import Asking
from chunkeval.errors import ConfigError
from chunkeval.retrieval import agents
from chunkeval.retrieval.building import Index, write_sentences, write_texts
from chunkeval.retrieval.evaluate import tokens_of
from chunkeval.retrieval.line import Line
from chunkeval.retrieval.spoken import Sentences, embedder_for
from chunkeval.text import embeddings

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.cache import Cache
    from chunkeval.compare.documents import Corpus
    from chunkeval.config import AuditConfig
    from chunkeval.progress import Progress
    from chunkeval.results import Arrays, ChunkFile
    from chunkeval.retrieval.questions import Question

AGENT = "agent"

_OWN = ("model", "base_url", "api_key_file", "max_answer_tokens", "max_calls", "max_tokens", "price_in")
"""Settings that only an agent looks at, and that are None where nobody states them."""


@dataclass(frozen=True)
class Agent:
    """A model that is to search, read and answer."""

    asking: Asking
    max_loops: int
    max_answer_tokens: int | None

    def facts(self) -> dict[str, Any]:
        """Say what can change a figure."""
        return {
            "model": self.asking.model,
            "max_loops": self.max_loops,
            "max_answer_tokens": self.max_answer_tokens,
        }


def settled(config: AuditConfig) -> Agent | None:
    """Make the agent that the settings name; None where another retriever is named.

    Raises
    ------
    ConfigError
        It does not say whom to ask; or settings of an agent are given without one, or of other retrievers with one.
    MissingExtraError
        The extra ``llm`` is not installed.
    """
    told, ask, how = config.compare, config.ask, config.agent
    if told.retriever != AGENT:
        given = {**vars(ask), **vars(how)}
        idle = next((name for name in _OWN if given[name] is not None), None)
        if idle is not None:
            raise ConfigError(f"--{idle.replace('_', '-')} is for an agent: give --retriever agent, or leave it out")
        if told.metric in agents.METRICS:
            raise ConfigError(f"--metric {told.metric}: is measured of an agent: give --retriever agent")
        return None
    if told.questions is None:
        raise ConfigError("--retriever agent: an agent answers questions: give --questions")
    if told.k is not None or told.budget is not None:
        raise ConfigError(
            "--k and --budget: an agent reads what it wants: leave them out; --max-loops and --max-answer-tokens end it"
        )
    asking = Asking(
        AGENT,
        ask.model,
        concurrency=how.concurrency,
        base_url=ask.base_url,
        api_key_file=ask.api_key_file,
        timeout=how.timeout,
        retries=how.retries,
        max_calls=how.max_calls,
        max_tokens=how.max_tokens,
        price_in=how.price_in,
        price_out=how.price_out,
    )
    return Agent(asking, ask.max_loops, ask.max_answer_tokens)


def check_answers(metric: str, questions: Sequence[Question], source: str) -> list[str]:
    """Say how many questions name no answer.

    Raises
    ------
    ConfigError
        None does, and the metric needs them.
    """
    lacking = sum(not question.answers for question in questions)
    if lacking == len(questions) and metric == "contains_answer":
        raise ConfigError(
            f"--metric contains_answer: no question of {source} names its answer: add a column 'answer', or leave --metric out"
        )
    return (
        [f"{lacking:,} of {len(questions):,} questions name no answer: contains_answer leaves them out"]
        if lacking
        else []
    )


def asked(
    agent: Agent,
    tables: Mapping[str, pd.DataFrame],
    files: Mapping[str, ChunkFile],
    questions: Sequence[Question],
    corpus: Corpus,
    config: AuditConfig,
    folder: Path,
    *,
    cache: Cache,
    progress: Progress,
) -> tuple[pd.DataFrame, tuple[agents.Conversation, ...]]:
    """Ask every question of every strategy's chunks.

    Parameters
    ----------
    agent
        As `settled` gives it.
    tables, files
        Every strategy's chunks, as `agents.converse` takes them, and on disk.
    questions, corpus
        What is asked, of which documents.
    config
        Embedder and splitter; how the work is done.
    folder
        Where indexes are kept while it works.
    cache
        Where replies and vectors are kept.

    Raises
    ------
    ServerLost, BudgetSpent, ConfigError
        As `agents.converse` does.
    """
    learned = _learned(config, corpus)
    indexes: dict[str, Index] = {}
    for number, (name, file) in enumerate(files.items()):
        place = folder / f"index-{number}"
        write_texts(file, place, progress)
        make = partial(write_sentences, file, place, config.score, config.run, cache, progress, learned)
        indexes[name] = Index(place, make)
    # Vectors are made before the first question: conversations go on side by side.
    counters = [index.sentences.embedder for index in indexes.values()]
    about = [*corpus.texts.values(), *(question.text for question in questions)]
    with agent.asking.threads(cache, about, list(tables), agent.facts()) as pool:
        return agents.converse(
            tables,
            indexes,
            corpus.texts,
            questions,
            agent.asking,
            pool,
            tokens=tokens_of(tables, counters[0]),
            max_loops=agent.max_loops,
            max_tokens=agent.max_answer_tokens,
            where=agent.asking.where,
            progress=progress,
            watch=agent.asking.watch,
        )


def _learned(config: AuditConfig, corpus: Corpus) -> Arrays | None:
    """What an embedder learns that learns from a corpus: once, from the documents, whatever the strategies cut."""
    if not isinstance(embeddings.load(config.score.embedder), embeddings.Fittable):
        return None
    sentences = Sentences(Line(corpus.texts), config.run.workers).whole()
    embedder = embedder_for(config.score.embedder, sentences)
    assert isinstance(embedder, embeddings.Fittable)
    return embedder.arrays


def costs(conversations: Sequence[agents.Conversation], prices: tuple[float | None, float | None]) -> dict[str, Any]:
    """Add up what each strategy's conversations took, whether it was paid for now or earlier."""
    found: dict[str, dict[str, Any]] = {}
    for one in conversations:
        held = found.setdefault(one.strategy, {"llm_calls": 0, "llm_tokens": 0, "cost": None})
        prompt, completion = one.answered.tokens
        held["llm_calls"] += len(one.answered.steps)
        held["llm_tokens"] += prompt + completion
        if prices[0] is not None and prices[1] is not None:
            held["cost"] = (held["cost"] or 0.0) + (prompt * prices[0] + completion * prices[1]) / 1e6
    return {
        name: {**held, "cost": None if held["cost"] is None else round(held["cost"], 6)} for name, held in found.items()
    }
