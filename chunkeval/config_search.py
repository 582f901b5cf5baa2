"""Settings of searching and asking; see `config`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from chunkeval.bounds import one_of, within
from chunkeval.errors import ConfigError


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


@dataclass(frozen=True)
class AgentConfig:
    """How much is asked of a model where it answers many questions, and what that may cost."""

    concurrency: int = 8
    """Conversations with the language model at the same time at most."""
    timeout: int = 60
    """Seconds that the language model's server has for one reply."""
    retries: int = 4
    """Times that a request is sent again which the language model's server did not answer."""
    max_calls: int | None = None
    """Requests to the language model at most, of all questions together; replies so far are kept."""
    max_tokens: int | None = None
    """Tokens of the language model at most, of all questions together; replies so far are kept."""
    price_in: float | None = None
    """Price of a million tokens of prompts, with ``price_out``."""
    price_out: float | None = None
    """Price of a million tokens of replies, with ``price_in``."""

    def __post_init__(self) -> None:
        """Refuse values that no later step could use."""
        within("concurrency", self.concurrency, 1, 256)
        within("timeout", self.timeout, 1)
        within("retries", self.retries, 0)
        within("max_calls", self.max_calls, 0)
        within("max_tokens", self.max_tokens, 0)
        for name, price in (("price_in", self.price_in), ("price_out", self.price_out)):
            if price is not None and not 0 <= price < float("inf"):
                raise ConfigError(f"{name} must be a number from 0, not {price}")
        if (self.price_in is None) != (self.price_out is None):
            raise ConfigError("price_in and price_out: give both, what a million tokens of each cost")
