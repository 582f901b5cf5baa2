"""Strategies on questions: what was asked, what each gave to read, where they differ most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval.compare import agents
from chunkeval.compare.documents import counted, named
from chunkeval.compare.measures import Better
from chunkeval.errors import ConfigError
from chunkeval.retrieval.agents import Conversation, ended, unserved
from chunkeval.retrieval.evaluate import BUDGET, METRICS, evaluate, without_chunks
from chunkeval.retrieval.questions import Question, read_questions

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.cache import Cache
    from chunkeval.compare.agents import Agent
    from chunkeval.compare.documents import Corpus
    from chunkeval.compare.strategies import Strategy
    from chunkeval.config import AuditConfig
    from chunkeval.config_compare import CompareConfig
    from chunkeval.progress import Progress
    from chunkeval.results import Flags

ASKED: Mapping[str, Better] = {
    **dict.fromkeys(METRICS, "higher"),
    "tokens_read": "lower",
    "contains_answer": "higher",
    "loops": "lower",
}
"""Measures that need questions."""

SHOWN = 10
"""Questions shown at most."""

NAMED = 20
"""Skipped questions that are named."""

SAID = 3
"""Those of them that a note names."""


@dataclass(frozen=True)
class Answered:
    """Every question, asked of every strategy."""

    frame: pd.DataFrame
    """As `evaluate` gives it."""
    questions: tuple[Question, ...]
    skipped: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    agent: Agent | None = None
    """Who asked, where an agent did."""
    conversations: tuple[Conversation, ...] = ()

    def facts(self, config: CompareConfig) -> dict[str, Any]:
        """What was asked, and how."""
        used = {}
        if self.agent is not None:
            told = self.conversations
            used = {"usage": self.agent.asking.used(), "ended": ended(told), "unserved": unserved(told)}
        return {
            "source": config.questions,
            "asked": len(self.questions) + len(self.skipped),
            "used": len(self.questions),
            "skipped": {
                "count": len(self.skipped),
                "questions": [{"question_id": name, "why": why} for name, why in self.skipped[:NAMED]],
            },
            "retriever": config.retriever,
            **reading(config),
            **used,
        }


def reading(config: CompareConfig) -> dict[str, int | None]:
    """How much is read: ``k`` chunks, or ``budget`` tokens; an agent reads what it wants."""
    if config.retriever == agents.AGENT:
        return {"k": None, "budget": None}
    return {"k": config.k, "budget": None if config.k is not None else (config.budget or BUDGET)}


def read(config: CompareConfig, corpus: Corpus | None) -> tuple[tuple[Question, ...], tuple[tuple[str, str], ...]]:
    """Read the questions, and say which were left out.

    Raises
    ------
    ConfigError
        No table names its documents.
    SourceError
        As `read_questions` says.
    """
    if corpus is None:
        raise ConfigError("--questions: no table names its documents, on which references stand: give --docs and --doc")
    found = read_questions(Path(str(config.questions)), corpus.texts, strict=config.strict)
    return found.questions, found.skipped


def ask(
    questions: tuple[Question, ...],
    skipped: tuple[tuple[str, str], ...],
    judged: Mapping[str, tuple[Strategy, Flags]],
    corpus: Corpus,
    config: AuditConfig,
    agent: Agent | None,
    folder: Path,
    *,
    cache: Cache,
    progress: Progress,
) -> Answered:
    """Ask every question of every strategy: a retriever, or an agent where there is one."""
    told = config.compare
    tables = {name: _table(strategy, flags) for name, (strategy, flags) in judged.items()}
    notes = [_left_out(skipped, len(skipped) + len(questions))] if skipped else []
    notes += [
        f"{name}: no chunk of {counted(lacking)} asked about ({named(lacking)}); their questions find nothing there"
        for name, lacking in without_chunks(tables, questions).items()
    ]
    if told.k is not None:
        few = [name for name, table in tables.items() if len(table) < told.k]
        notes += [f"{name}: has {len(tables[name]):,} chunks, fewer than the {told.k:,} to read" for name in few]
    if told.retriever == "agent":
        assert agent is not None
        files = {name: strategy.file for name, (strategy, _) in judged.items()}
        frame, conversations = agents.asked(
            agent, tables, files, questions, corpus, config, folder, cache=cache, progress=progress
        )
        return Answered(frame, questions, skipped, tuple(notes), agent, conversations)
    frame = evaluate(
        tables,
        corpus.texts,
        questions,
        retriever=told.retriever,
        k=told.k,
        budget=told.budget or BUDGET,
        embedder=config.score.embedder,
        cache=cache,
        jobs=config.run.workers,
        progress=progress,
    )
    return Answered(frame, questions, skipped, tuple(notes))


def _left_out(skipped: Sequence[tuple[str, str]], asked: int) -> str:
    shown = "; ".join(f"{name!r}: {why}" for name, why in skipped[:SAID])
    more = f"; and {len(skipped) - SAID:,} more" if len(skipped) > SAID else ""
    return f"{len(skipped):,} of {asked:,} questions are left out: {shown}{more}"


def _table(strategy: Strategy, flags: Flags) -> pd.DataFrame:
    """Chunks with places, token counts and flags."""
    import pyarrow.parquet as pq

    table: pd.DataFrame = pq.read_table(
        strategy.file.path, columns=["chunk_id", "doc_id", "text", "start", "end", "spans"]
    ).to_pandas()
    table = table.astype({"start": "Int64", "end": "Int64"})
    if "token_count" in flags.frame:
        table["token_count"] = flags.frame["token_count"].to_numpy()
    return table.assign(flagged=flags.frame["flagged"].to_numpy(dtype=bool))


def apart(answered: Answered, metric: str, strategies: Sequence[str]) -> list[dict[str, Any]]:
    """Give the questions on which the strategies differ most, the farthest apart first; baselines have no say."""
    if metric not in answered.frame:
        return []
    wide = answered.frame.pivot(index="question_id", columns="strategy", values=metric)
    own = wide[list(strategies)]
    reach = (own.max(axis=1) - own.min(axis=1)).fillna(0.0)
    asked = {question.question_id: question for question in answered.questions}
    order = {name: at for at, name in enumerate(asked)}
    listed = sorted((name for name in reach.index if reach[name] > 0), key=lambda name: (-reach[name], order[name]))
    return [
        {
            "question_id": name,
            "question": asked[name].text,
            "doc_id": asked[name].doc_id,
            "values": {column: _value(own.loc[name, column]) for column in strategies},
        }
        for name in listed[:SHOWN]
    ]


def _value(value: float) -> float | None:
    return round(float(value), 6) if value == value else None
