"""What chunkers and comparisons share that ask a language model: threads, the cache, what was used, and an end when the caller stops."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from chunkeval.cache import Cache

if TYPE_CHECKING:
    from chunkeval.llm.client import Ask, Asker, Client, Message, Reply


class Asking:
    """A model, asked from many threads.

    Parameters
    ----------
    model
        Its name, or something else that answers.
    settings
        See `llm.client.Client`.

    Raises
    ------
    ConfigError, MissingExtraError
        See `llm.client.Client`.
    """

    def __init__(self, model: str | Asker | None, concurrency: int, **settings: Any) -> None:
        self.concurrency = concurrency
        self.told: Callable[[str], None] | None = None
        """Takes what was used so far, after each reply."""
        self._asker: Asker | None = None
        self._client: Client | None = None
        if model is None or isinstance(model, str):
            self._named, self._settings = model, settings
            self._client = self._new()
        else:
            self._asker = model

    @property
    def model(self) -> str:
        """Name of the model, for people."""
        return self._client.endpoint.model if self._client is not None else type(self._asker).__name__

    def watch(self, told: Callable[[str], None]) -> None:
        """Have what was used so far told after each reply."""
        self.told = told

    def ask(self, ask: Ask) -> Reply:
        """Ask; see `llm.client.Asker`."""
        asker = self._client or self._asker
        assert asker is not None
        try:
            return asker.ask(ask)
        finally:
            if self.told is not None and self._client is not None:
                self.told(str(self._client.usage))

    def chat(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        *,
        tool_choice: str | Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
    ) -> Message:
        """Take a turn of a chat; see `llm.client.Client`."""
        assert self._client is not None
        try:
            return self._client.chat(messages, tools, tool_choice=tool_choice, max_tokens=max_tokens)
        finally:
            if self.told is not None:
                self.told(str(self._client.usage))

    def used(self) -> dict[str, Any]:
        """Say what was used so far; nothing where someone else answers."""
        return self._client.usage.to_dict() if self._client is not None else {}

    @contextmanager
    def threads(self, cache: Cache | None) -> Iterator[Executor]:
        """Open threads to ask from; replies are kept in a cache, the default folder where None.

        Where what is done with them fails, or the caller stops it, no more is sent; what is under way is waited for,
        since it is paid for.
        """
        if self._client is not None:
            self._client.cache = cache or Cache()
        pool = ThreadPoolExecutor(self.concurrency)
        try:
            yield pool
        except BaseException:
            if self._client is not None:
                self._client.stop()
            pool.shutdown(cancel_futures=True)
            if self._client is not None:
                self._client = (
                    self._new()
                )  # A client that was stopped asks no more; whoever comes back is to be answered.
            raise
        pool.shutdown()

    def _new(self) -> Client:
        from chunkeval.llm.client import Client

        return Client(self._named, concurrency=self.concurrency, **self._settings)
