"""``chunkeval ask``: a question, answered by a model that searches and reads the chunks itself."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import hand_over, say, visible
from chunkeval.cli.words import Word, check_words
from chunkeval.errors import BudgetSpent, ConfigError, ServerLost

if TYPE_CHECKING:
    from chunkeval.llm.client import Client
    from chunkeval.retrieval.agent import Answered, Step


@takes(
    "load",
    "ask",
    also=("weight", "chunker", "embedder", "sentences", "timeout", "retries", "out", "jobs", "batch", "cache"),
    out="Write the result to this file.",
)
def ask_command(question: Word, table: Word, /, *, given: Given) -> None:
    """Answer a question from a chunk table, with the ids of the chunks that the answer stands on.

    A language model searches by keywords and by meaning, reads chunks, and answers; at its limits it must answer from what it has.

    Parameters
    ----------
    question
        In any language.
    table
        A chunk table, documents (txt, md, html; cut first), the folder of a run or of an index, or - for standard input.
    """
    check_words("ask", (question, table), "A question holds more than that")
    if not question.strip():
        raise ConfigError('ask something, as in chunkeval ask "…" chunks.csv')
    from chunkeval.cache import Cache
    from chunkeval.llm.client import Client
    from chunkeval.retrieval.agent import ASK_CHAT, EMPTY, ask
    from chunkeval.retrieval.tools import Tools
    from chunkeval.searching import open_index

    config = given.config
    client = Client(
        config.ask.model,
        config.ask.base_url,
        config.ask.api_key_file,
        timeout=config.agent.timeout,
        retries=config.agent.retries,
    )
    tools = Tools(open_index(table, config, given.progress()), config.search.weight)
    steps: list[Step] = []

    def watch(step: Step) -> None:
        steps.append(step)
        for line in _step(step, _about(client)) if config.ask.trace else ():
            say(visible(line), given)

    try:
        done = ask(
            question,
            tools,
            client,
            max_loops=config.ask.max_loops,
            max_tokens=config.ask.max_answer_tokens,
            watch=watch,
        )
    except (ServerLost, BudgetSpent) as error:
        raise type(error)(f"{error}; {_kept(steps, Cache(config.run.cache).folder)}") from error
    if done.unserved:
        why = f"{client.endpoint.where} gave no answer: {done.trouble or EMPTY}"
        fix = ASK_CHAT if done.nothing else _kept(steps, Cache(config.run.cache).folder)
        raise ServerLost(f"{why}; {fix}")
    hand_over(done.to_dict(), (visible(line) for line in _lines(done)), given)
    for line in _remarks(done, _about(client)):
        say(visible(line), given)


def _about(client: Client) -> str:
    return "about " if client.usage.unreported else ""


def _kept(steps: Sequence[Step], cache: Path) -> str:
    """Write the steps so far where they can be looked at."""
    if not steps:
        return "no step was done"
    path = cache / "logs" / f"trace-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(asdict(step), ensure_ascii=False) + "\n" for step in steps), "utf-8")
    return f"the {len(steps)} steps before are in {path}"


def _step(step: Step, about: str) -> Iterator[str]:
    prompt, reply = step.tokens
    yield f"{step.loop}. {step.thought or '(no thought told)'}  [{about}{prompt:,} + {reply:,} tokens]"
    for called in step.calls:
        yield f"   {called.tool} {called.arguments}"
        yield f"   {'error' if called.failed else 'found'}: {called.observation[:200]}"


def _lines(done: Answered) -> Iterator[str]:
    yield from done.answer.splitlines() or ["(no answer)"]


def _remarks(done: Answered, about: str) -> Iterator[str]:
    limits = {
        "max_loops": "at the limit of loops",
        "max_tokens": "at the limit of tokens",
        "refused": "after a refusal",
    }
    how = f", had to answer {limits[done.ended]}" if done.ended in limits else ""
    used = f"{about}{done.tokens[0]:,} + {done.tokens[1]:,} tokens"
    yield f"{done.loops} loops, {len(done.read)} chunks read, {used}{how}"
    if done.trouble:
        yield f"warning: the last reply: {done.trouble}"
    if done.unread:
        yield f"warning: cited and never read: {', '.join(done.unread)}"
    if done.answer and not done.citations:
        yield "warning: the answer cites no chunk that was read"
