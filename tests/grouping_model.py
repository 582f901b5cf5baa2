"""Models that group mini-chunks, for tests: what they were shown, and replies right and wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from chunkeval.chunkers.base import Chunk
from chunkeval.llm.client import Ask, Reply

Groups = list[list[int]]


def shown(user: str) -> dict[int, str]:
    """The pieces that a request shows: number to text."""
    lines = user.split("\n")
    rows = lines[lines.index("<document>") + 1 : lines.index("</document>")]
    return {row["id"]: row["text"] for row in map(json.loads, rows)}


def reply(groups: Sequence[Sequence[object]], title: str = "제목") -> dict[str, Any]:
    return {
        "groups": [{"ids": list(ids), "title": f"{title} {ids[0]}", "summary": "한 줄 요약."} for ids in groups if ids]
    }


def threes(user: str) -> Groups:
    """Three and three, as they come."""
    ids = list(shown(user))
    return [ids[at : at + 3] for at in range(0, len(ids), 3)]


def right(user: str) -> dict[str, Any]:
    return reply(threes(user))


class Model:
    """Answers without a server, and keeps what it was asked."""

    def __init__(self, answer: Callable[[str], object] = right) -> None:
        self.answer, self.asked = answer, list[Ask]()

    def ask(self, ask: Ask) -> Reply:
        self.asked.append(ask)
        value = self.answer(ask.user)
        if isinstance(value, Exception):
            raise value
        return Reply(
            value, json.dumps(value, ensure_ascii=False, default=str), trouble=None if value else "empty reply"
        )


def assert_conserved(text: str, chunks: Sequence[Chunk]) -> None:
    """Every character is in exactly one chunk."""
    spans = sorted(span for chunk in chunks for span in chunk.spans)
    assert all(start < end for start, end in spans)
    assert all(end == start for (_, end), (start, _) in pairwise(spans)), spans
    assert "".join(text[start:end] for start, end in spans) == text
