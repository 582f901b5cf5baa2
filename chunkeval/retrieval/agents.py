"""Strategies asked by an agent: what it reads of each one's chunks, and whether it answers right."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.errors import BudgetSpent, ServerLost
from chunkeval.retrieval import agent
from chunkeval.retrieval.agent import Answered, Chat, Spoken
from chunkeval.retrieval.containing import contains
from chunkeval.retrieval.line import Line, Placed, placed
from chunkeval.retrieval.reading import Read, beginning, scored
from chunkeval.retrieval.tools import Tools

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.progress import Progress
    from chunkeval.results import Ints
    from chunkeval.retrieval.building import Index
    from chunkeval.retrieval.questions import Question

METRICS = ("contains_answer", "loops")
"""Measures that only an agent has, besides those of any retriever."""


@dataclass(frozen=True)
class Conversation:
    """A question, asked of a strategy's chunks."""

    strategy: str
    question_id: str
    contains_answer: bool | None
    """Whether the answer holds one that is known to be right; None where none is known."""
    answered: Answered

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        told = {"strategy": self.strategy, "question_id": self.question_id, "contains_answer": self.contains_answer}
        return {**told, **self.answered.to_dict()}


def converse(
    tables: Mapping[str, pd.DataFrame],
    indexes: Mapping[str, Index],
    documents: Mapping[str, str],
    questions: Sequence[Question],
    client: Chat,
    pool: Executor,
    *,
    tokens: Mapping[str, Ints],
    max_loops: int,
    max_tokens: int | None,
    where: str,
    progress: Progress,
    watch: Callable[[Callable[[str], None]], None] = lambda told: None,
) -> tuple[pd.DataFrame, tuple[Conversation, ...]]:
    """Let a model answer every question from every strategy's chunks.

    Parameters
    ----------
    tables, documents, questions
        As `evaluate.evaluate` takes them.
    indexes
        Of the tables, row by row the same chunks.
    client
        The model.
    pool
        Carries the conversations out.
    tokens
        Of every table's chunks.
    max_loops, max_tokens
        Of one conversation; see `agent.ask`.
    where
        The server's address, for people.
    progress
        Told of the conversations.
    watch
        Gets what takes words on what was used so far.

    Returns
    -------
    DataFrame
        As `evaluate.evaluate` gives it, of what was read as whole chunks; `METRICS` besides.
    tuple of Conversation
        Row by row.

    Raises
    ------
    ServerLost, BudgetSpent
        In the middle; the message says how many conversations are finished. Or the server answered, but nothing is
        measured: of a strategy no reply held anything, or none of all questions was answered since it refused to go on.
    ConfigError
        The server refuses the key, or has no such model.
    """
    import pandas as pd

    line = Line(documents)
    asked = [line.spans(question.references) for question in questions]
    laid = {name: placed(name, table, line, "strict") for name, table in tables.items()}
    protocol, lock = _Protocol(), Lock()
    rows: list[dict[str, object]] = []
    done: list[Conversation] = []
    for name, table in laid.items():
        index = indexes[name]
        known = index.texts.rows
        with progress.step(f"agent asks {name}", len(questions)) as step:
            watch(step.tell)
            put = functools.partial(_answered, index, client, protocol, lock, max_loops, max_tokens)
            answers = pool.map(put, [question.text for question in questions])
            for question, references in zip(questions, asked, strict=True):
                try:
                    answered = next(answers)
                except (ServerLost, BudgetSpent) as error:
                    far = f"{len(done):,} of {len(questions) * len(laid):,} answers are finished"
                    kept = ", their replies are kept: run the same command again to go on"
                    raise type(error)(f"{error}; {far}{kept if isinstance(error, ServerLost) else ''}") from error
                right = contains(answered.answer, question.answers, known)
                found = _read(answered.read, known, table, tokens[name])
                facts = {"strategy": name, "question_id": question.question_id, "doc_id": question.doc_id}
                held = {"contains_answer": float("nan") if right is None else float(right), "loops": answered.loops}
                rows.append({**facts, **scored(references, found, table, "strict"), **held})
                done.append(Conversation(name, question.question_id, right, answered))
                step.advance()
        mine = done[-len(questions) :]
        if all(one.answered.nothing for one in mine):
            raise ServerLost(f"{_in_vain(mine, where)} of {name}; {agent.ASK_CHAT}")
    if all(one.answered.unserved for one in done):
        raise ServerLost(_in_vain(done, where))
    return pd.DataFrame(rows).astype({"in_flagged": "boolean"}), tuple(done)


def ended(conversations: Sequence[Conversation]) -> dict[str, dict[str, int]]:
    """Count, for each strategy, how its conversations ended.

    Examples
    --------
    >>> ended([])
    {}
    """
    found: dict[str, Counter[str]] = {}
    for one in conversations:
        found.setdefault(one.strategy, Counter())[one.answered.ended] += 1
    return {name: dict(sorted(counts.items())) for name, counts in found.items()}


def unserved(conversations: Sequence[Conversation]) -> dict[str, int]:
    """Count, for each strategy, the conversations without an answer that the server is to blame for.

    Examples
    --------
    >>> unserved([])
    {}
    """
    return dict(Counter(one.strategy for one in conversations if one.answered.unserved))


def _in_vain(conversations: Sequence[Conversation], where: str) -> str:
    [(why, _)] = Counter(one.answered.trouble or agent.EMPTY for one in conversations).most_common(1)
    return f"{where} gave no answer ({why}) to any of {len(conversations):,} questions"


class _Protocol:
    """How the server takes calls of tools, once it is known: a server that takes none is asked for them once."""

    def __init__(self) -> None:
        self.spoken: Spoken = "tools"


class _OneAtATime(Tools):
    """Tools that conversations share an index by."""

    def __init__(self, index: Index, lock: Lock) -> None:
        super().__init__(index)
        self._lock = lock

    @property
    def functions(self) -> Mapping[str, Callable[..., list[dict[str, Any]]]]:
        return {name: self._alone(function) for name, function in super().functions.items()}

    def _alone(self, function: Callable[..., list[dict[str, Any]]]) -> Callable[..., list[dict[str, Any]]]:
        @functools.wraps(function)
        def called(*given: Any, **named: Any) -> list[dict[str, Any]]:
            with self._lock:
                return function(*given, **named)

        return called


def _answered(
    index: Index, client: Chat, protocol: _Protocol, lock: Lock, loops: int, tokens: int | None, question: str
) -> Answered:
    tools = _OneAtATime(index, lock)
    found = agent.ask(question, tools, client, max_loops=loops, max_tokens=tokens, protocol=protocol.spoken)
    # One that was refused in every form says nothing of tools.
    if not found.nothing:
        protocol.spoken = found.protocol
    return found


def _read(ids: Sequence[str], known: Mapping[str, int], table: Placed, tokens: Ints) -> Read:
    """What the model has seen of the chunks that it read: of one too long for a result, the beginning."""
    rows = [known[name] for name in ids]
    shares = [min(1.0, agent.LONGEST / max(len(table.texts[row]), 1)) for row in rows]
    spans = [
        table.spans[row] if share == 1 else beginning(table.spans[row], share)
        for row, share in zip(rows, shares, strict=True)
    ]
    return Read(tuple(spans), int(np.dot(tokens[rows], shares)) if rows else 0)
