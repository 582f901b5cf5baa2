"""What chunkers and comparisons share that ask a language model: settings, threads, counts, the cache, and an end when the caller stops."""

from __future__ import annotations

import inspect
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypedDict, TypeVar

from chunkeval.cache import Cache, digest
from chunkeval.errors import ChunkevalError, ConfigError, ServerLost, unknown_name
from chunkeval.llm.client import Ask, Asker, Client, Reply
from chunkeval.llm.turns import Message

FALLBACKS = ("recursive", "none")
RECURSIVE = 1_000
"""Code points of a chunk of the recursive chunker, where it takes over."""
LEAST_INPUT = 4_000
"""Characters of a request that leave room for the rules and some text."""
LOST, SPENT = "no answer from the server", "budget spent"
"""Why there was no reply, as results name it."""

_Made = TypeVar("_Made", bound=type)
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class Settings(TypedDict, total=False):
    """What such a chunker takes besides its own settings; see `Asking`."""

    model: str | Asker | None
    base_url: str | None
    api_key_file: str | None
    concurrency: int
    timeout: float
    retries: int
    max_calls: int | None
    max_tokens: int | None
    price_in: float | None
    price_out: float | None
    max_input: int
    fallback: str


class Asking:
    """A model, asked from many threads, and what came of it.

    Parameters
    ----------
    name
        The chunker's, or the agent's.
    model
        The model's name, or something else that answers.
    max_input
        Characters of a request at most.
    fallback
        What cuts text for which no reply is of use: ``recursive``, or ``none``, which makes it an error.
    concurrency, settings
        See `llm.client.Client`.

    Raises
    ------
    ConfigError
        A setting is not valid; it does not say whom to ask.
    MissingExtraError
        The extra ``llm`` is not installed.
    """

    def __init__(
        self,
        name: str,
        model: str | Asker | None = None,
        max_input: int = 10_000,
        fallback: str = "recursive",
        concurrency: int = 8,
        **settings: Any,
    ) -> None:
        if type(max_input) is not int or max_input < LEAST_INPUT:
            raise ConfigError(f"{name}: max_input must be a whole number from {LEAST_INPUT}, not {max_input!r}")
        if fallback not in FALLBACKS:
            raise unknown_name(f"{name} fallback", str(fallback), FALLBACKS)
        self.max_input, self.fallback = max_input, fallback
        self.told: Callable[[str], None] | None = None
        """Takes what was used so far, after each reply."""
        self._name, self._concurrency, self._begun = name, concurrency, False
        self._client: Client | None = None
        self._asker: Asker
        if model is None or isinstance(model, str):
            self._asker = self._client = Client(model, concurrency=concurrency, **settings)
        else:
            self._asker = model
        self._lock = Lock()
        self._counted: Counter[str] = Counter()
        self._why: Counter[str] = Counter()
        self._lost: str | None = None

    def watch(self, told: Callable[[str], None]) -> None:
        """Have what was used so far told after each reply."""
        self.told = told

    def ask(self, ask: Ask) -> Reply:
        """Ask; see `llm.client.Asker`."""
        try:
            return self._asker.ask(ask)
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

    @property
    def model(self) -> str:
        """Name of the model, for people."""
        return self._client.endpoint.model if self._client is not None else type(self._asker).__name__

    @property
    def where(self) -> str:
        """The server's address; the model's name where someone else answers."""
        return self._client.endpoint.where if self._client is not None else self.model

    def used(self) -> dict[str, Any]:
        """Say what was used so far; nothing where someone else answers."""
        return self._client.usage.to_dict() if self._client is not None else {}

    @contextmanager
    def threads(self, cache: Cache | None, texts: Sequence[str], *settings: object) -> Iterator[Executor]:
        """Open threads to ask from.

        Where what is done with them fails, or the caller stops it, no more is sent; what is under way is waited for,
        since it is paid for. Whoever comes back is answered again.

        Parameters
        ----------
        cache
            Where replies are kept; the default folder where None.
        texts
            What the questions are about. The first time, they and the settings say which job this is: budgets hold for
            a job, however often it is stopped and started again.
        settings
            What makes the questions others.
        """
        if self._client is not None:
            held = cache or Cache()
            if self._begun:
                self._client.cache = held
            else:
                model = self._client.endpoint.model
                self._client.begin(held, digest([self._name, model, repr(settings), *texts]))
                self._begun = True
        pool = ThreadPoolExecutor(self._concurrency)
        try:
            yield pool
        except BaseException:
            if self._client is not None:
                self._client.stop()
            try:
                pool.shutdown(cancel_futures=True)
            finally:  # also where the caller is in a hurry, and stops the waiting
                if self._client is not None:
                    self._client.go_on()
            raise
        pool.shutdown()

    def count(self, **counts: int) -> None:
        """Add to what is counted: ``questions``, ``repaired``, ``characters``, ``fell_back``, or the chunker's own."""
        with self._lock:
            self._counted.update(counts)

    def counted(self, name: str) -> int:
        """Say what was counted so far."""
        return self._counted[name]

    def of_no_use(self, why: str) -> None:
        """Count a question to which no reply was of use."""
        with self._lock:
            self._why[why] += 1

    def without_reply(self, error: ChunkevalError) -> str:
        """Count a question without a reply, and give why there was none; where nothing takes over, it is an error."""
        if self.fallback == "none":
            raise error
        why = reason(error)
        self.count(questions=1)
        self.of_no_use(why)
        with self._lock:
            self._lost = self._lost or str(error)
        return why

    def report(self, **own: object) -> dict[str, Any]:
        """Say what was asked since it was made, what it took, how much fell back, and what the chunker counts besides."""
        counted = self._counted
        fell_back = {
            "to": self.fallback,
            "characters": counted["fell_back"],
            "share": round(counted["fell_back"] / max(counted["characters"], 1), 6),
        }
        return {
            "model": self.model,
            "questions": counted["questions"],
            "repaired": counted["repaired"],
            "failed": {"questions": self._why.total(), "why": dict(self._why.most_common()), "lost": self._lost},
            **own,
            "fell_back": fell_back,
            "usage": self.used(),
        }


def in_turn(pool: Executor, do: Callable[[_Task], _Result], tasks: Iterable[_Task]) -> Iterator[tuple[_Task, _Result]]:
    """Do tasks in threads, the first ones while the next are still being made.

    Yields
    ------
    tuple
        Each task and its result, in their order; an error as soon as it is its turn, and no more tasks are made then.
    """
    waiting: deque[tuple[_Task, Future[_Result]]] = deque()
    for made in tasks:
        waiting.append((made, pool.submit(do, made)))
        while waiting and waiting[0][1].done():
            task, future = waiting.popleft()
            yield task, future.result()
    for task, future in waiting:
        yield task, future.result()


def reason(error: ChunkevalError) -> str:
    """Name why there was no reply."""
    return LOST if isinstance(error, ServerLost) else SPENT


def takes_settings(chunker: _Made) -> _Made:
    """Show what a chunker takes with ``**asking`` as parameters of its own, with their defaults, for whoever looks it up."""
    every = [*inspect.signature(Asking).parameters.values(), *inspect.signature(Client).parameters.values()]
    known = {one.name: one.replace(kind=one.KEYWORD_ONLY) for one in every if one.name in Settings.__annotations__}
    own = [one for one in inspect.signature(chunker).parameters.values() if one.kind is not one.VAR_KEYWORD]
    shown: Any = chunker
    shown.__signature__ = inspect.Signature([*own, *(known[name] for name in Settings.__annotations__)])
    return chunker
