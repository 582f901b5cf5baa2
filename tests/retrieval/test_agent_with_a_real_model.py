"""Whatever a real model says, the loop ends within its limits."""

from types import SimpleNamespace

import pytest
from fake_llm import alone
from real_llm import REAL_MODEL, real_model

from chunkeval.llm.client import Client
from chunkeval.retrieval.agent import ask

__all__ = ["real_model"]

pytestmark = pytest.mark.llm


def test_it_ends_within_its_limits(real_model, tools, monkeypatch):
    alone(monkeypatch)
    client = Client(REAL_MODEL, real_model, timeout=300)
    # A small model fills what it is given.
    brief = SimpleNamespace(chat=lambda *said, **how: client.chat(*said, **{**how, "max_tokens": 40}))
    steps = []
    done = ask("상대성이론은 언제 발표되었나?", tools, brief, max_loops=1, watch=steps.append)
    assert done.loops == 1 and len(steps) <= 2 and tuple(steps) == done.steps
    assert done.ended in ("answered", "max_loops", "refused")
    assert set(done.citations) <= set(done.read) <= set(tools.index.texts.ids)
    assert sum(done.tokens) > 0
