"""Replies of a model that does as it is asked, made from the question: for tests that are about what becomes of them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from fake_llm import MODEL, Fake, Request, serve

from chunkeval.llm import endpoint
from chunkeval.llm.prompts import grouping, propositions

ASKING = ("agentic", "proposition")
"""Chunkers that ask a language model."""


def lines(request: Request, element: str) -> list[dict[str, Any]]:
    """Give the numbered lines that a question shows between ``<element>`` and ``</element>``."""
    _, opened, after = request.user.partition(f"<{element}>\n")
    shown, _, _ = after.partition(f"</{element}>\n")
    return [json.loads(line) for line in shown.split("\n") if line.startswith("{")] if opened else []


def answers(request: Request) -> object:
    """Group three neighbours each (scattered, where that is allowed), restate sentences as they are, file by turns."""
    if request.schema_name == grouping.SCHEMA_NAME:
        ids = [line["id"] for line in lines(request, "document")]
        scattered = any(words.scattered.split("{")[0] in request.system for words in _groupings())
        step = -(-len(ids) // 3)
        groups = (
            [ids[at::step] for at in range(step)] if scattered else [ids[at : at + 3] for at in range(0, len(ids), 3)]
        )
        return {"groups": [{"ids": group, "title": f"제목 {group[0]}", "summary": "요약"} for group in groups]}
    if request.schema_name == propositions.STATED:
        said = [(line["id"], line["text"]) for line in lines(request, "sentences")]
        return {"sentences": [{"id": number, "propositions": halves(text)} for number, text in said]}
    filed = [{"id": line["id"], "passage": 1 + line["id"] % 3} for line in lines(request, "propositions")]
    named = [{"id": number, "title": f"제목 {number}", "summary": "요약"} for number in (1, 2, 3)]
    return {"filed": filed, "passages": named}


def halves(text: str) -> list[str]:
    """Restate a text as two propositions, where it has two words."""
    first, _, second = text.rpartition(" ")
    return [part for part in (first.strip(), second.strip()) if part]


def _groupings() -> tuple[grouping.Wording, ...]:
    return (grouping.ENGLISH, grouping.KOREAN, grouping.CHINESE)


_running: dict[str, Fake] = {}


@contextmanager
def answered() -> Iterator[Fake]:
    """Point the environment to a server that answers so; it runs as long as the tests do."""
    if not _running:
        _running["fake"] = ExitStack().enter_context(serve(Fake(answers=answers)))
    around = {"CHUNKEVAL_BASE_URL": _running["fake"].base_url, "CHUNKEVAL_MODEL": MODEL}
    keys = {name: "" for name in (*endpoint.KEYS, endpoint.KEY_FILE)}
    with patch.dict(os.environ, keys | around):
        yield _running["fake"]
