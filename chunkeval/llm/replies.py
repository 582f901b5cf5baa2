"""Replies that were paid for, kept on disk: by what was asked, of which model, by which version of the prompt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from chunkeval.cache import Cache, digest
from chunkeval.llm.reading import Answer

KIND = "replies"
_FORM = "1"
"""Of what is stored; another one is not read."""


def key(*parts: str) -> str:
    """Name what was asked; neither the key nor the address is part of it."""
    return digest([_FORM, *parts])


class UnderWay:
    """Questions under way, by name: who puts one that is under way waits, and finds the reply that was paid for."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._asked: WeakValueDictionary[str, Any] = WeakValueDictionary()

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Ask, while no one else asks the same."""
        with self._lock:
            mine = self._asked.setdefault(name, Lock())
        with mine:
            yield


def load(cache: Cache, name: str) -> Answer | None:
    """Give what the model answered, or None where it was not asked this yet."""
    stored = cache.load(KIND, name)
    if stored is None or "reply" not in stored:
        return None
    try:
        read = json.loads(stored["reply"].tobytes())
        tokens = tuple(read["tokens"]) if read.get("tokens") else None
        return Answer(read["text"], read.get("message") or {}, read["finish"], read["trouble"], tokens)
    except (ValueError, KeyError, TypeError):
        return None


def store(cache: Cache, name: str, answer: Answer, *, turn: bool = False) -> None:
    """Keep an answer, also one of no use: the same question would be answered so again.

    With ``turn``, also what a chat goes on with: the whole message, and what it took.
    """
    import numpy as np

    kept: dict[str, object] = {"text": answer.text, "finish": answer.finish, "trouble": answer.trouble}
    if turn:
        kept |= {"message": answer.message, "tokens": answer.tokens}
    cache.store(KIND, name, {"reply": np.frombuffer(json.dumps(kept).encode(), dtype=np.uint8)})
