"""Turns of a chat with tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ToolCall:
    """A function that the model wants called."""

    id: str
    name: str
    arguments: str
    """JSON as the model wrote it, which need not be valid."""


@dataclass(frozen=True)
class Message:
    """One turn of a chat."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    raw: Mapping[str, Any] | None = None
    """The assistant's message to append to the chat; None where there is none."""
    trouble: str | None = None
    tokens: tuple[int, int] = (0, 0)
    """Of the prompt and of the completion."""
