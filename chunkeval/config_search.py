"""Settings of searching and asking; see `config`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from chunkeval.bounds import one_of, within


@dataclass(frozen=True)
class SearchConfig:
    """How a chunk table is searched and read."""

    top_k: int = 5
    """Chunks to give."""
    weight: Literal["chars", "bytes", "idf"] = "chars"
    """What a keyword counts where it stands: its length in characters or in UTF-8 bytes, or how rare it is."""
    neighbours: int = 0
    """Chunks to read before and after each, of the same document."""

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        within("top_k", self.top_k, 1, 20)
        one_of("weight", self.weight, ("chars", "bytes", "idf"))
        within("neighbours", self.neighbours, 0, 5)


@dataclass(frozen=True)
class AskConfig:
    """How a model answers from a chunk table."""

    model: str | None = None
    """Language model; the environment's CHUNKEVAL_MODEL where not given."""
    base_url: str | None = None
    """Address of its server, OpenAI-compatible; the environment's where not given."""
    api_key_file: str | None = None
    """File that holds the server's key; the environment's key where not given."""
    max_loops: int = 10
    """Turns with tools at most, after which the model must answer."""
    max_answer_tokens: int | None = None
    """Tokens of prompts and replies together, after which the model must answer."""
    trace: bool = False
    """Tell each step on standard error: thought, calls, what was found, tokens."""

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        within("max_loops", self.max_loops, 1, 100)
        within("max_answer_tokens", self.max_answer_tokens, 1)
