"""The client with a real model: too small to be right, good enough to show that the way works."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_llm import alone
from real_llm import REAL_MODEL

from chunkeval.cache import Cache
from chunkeval.chunkers.proposition import PropositionChunker
from chunkeval.llm.client import Ask, Client

pytestmark = pytest.mark.llm

SCHEMA = {
    "type": "object",
    "properties": {"ids": {"type": "array", "items": {"type": "integer", "enum": [1, 2]}, "maxItems": 2}},
    "required": ["ids"],
    "additionalProperties": False,
}


def test_it_answers_in_the_form_asked_for(real_model: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    alone(monkeypatch)
    client = Client(REAL_MODEL, real_model, timeout=300, cache=Cache(tmp_path))
    ask = Ask(
        "Which belong together?", '{"id": 1, "text": "김치."}\n{"id": 2, "text": "배추."}', "ids", SCHEMA, "1", 48
    )
    reply = client.ask(ask)
    assert reply.trouble is None
    assert isinstance(reply.value, dict) and list(reply.value) == ["ids"] and set(reply.value["ids"]) <= {1, 2}
    usage = client.usage
    assert (usage.calls, usage.unreported) == (1, 0) and usage.prompt_tokens > 20 and usage.completion_tokens > 3
    assert client.ask(ask).cached and client.usage.calls == 1
    turn = client.chat([{"role": "user", "content": "Hi."}], max_tokens=3)
    assert turn.text and turn.trouble == "cut off at the most tokens allowed"


def test_propositions_of_a_real_model_lose_nothing(
    real_model: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    alone(monkeypatch)
    text = "Anna keeps the lighthouse.\n"
    chunker = PropositionChunker(model=REAL_MODEL, base_url=real_model, timeout=300, concurrency=1)
    [chunks] = chunker.split_many([text], cache=Cache(tmp_path))
    assert [chunk.spans for chunk in chunks] == [((0, len(text)),)]
    report = chunker.report()
    assert report["usage"]["calls"] == report["questions"] >= 1
    assert report["sentences"]["all"] == 1 and report["fell_back"]["characters"] == 0
    assert report["sentences"]["kept"] == sum(chunk.derived is None for chunk in chunks)
