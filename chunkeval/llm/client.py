"""The client: asks for JSON of a schema, or chats with tools, within a budget, at a bounded pace, and never twice the same."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import BoundedSemaphore, Event, Lock
from typing import TYPE_CHECKING, Any, Protocol

from chunkeval.cache import Cache
from chunkeval.errors import ConfigError, ServerLost
from chunkeval.llm import replies
from chunkeval.llm.account import Account, Usage, estimated
from chunkeval.llm.dialect import Dialect
from chunkeval.llm.endpoint import Endpoint, endpoint
from chunkeval.llm.ledger import Ledger
from chunkeval.llm.reading import Answer, answer, shown, tool_calls, used, value
from chunkeval.llm.sending import Failed, Refused, connect, send
from chunkeval.llm.turns import Message, ToolCall
from chunkeval.text.offsets import encodable

if TYPE_CHECKING:
    from openai import OpenAI

LONGEST_WAIT = 60.0
"""Seconds that a server may ask to wait; one that asks for more is not waited for."""
_FIRST_WAIT, _LAST_WAIT = 0.5, 8.0
_SLOW_TRIES = 1
"""Times a request is sent again that was not answered in time: each costs the whole timeout."""
_GIVEN_UP = 3
"""Questions in a row without an answer, after which no more are asked; one is enough where none was answered yet."""


@dataclass(frozen=True)
class Ask:
    """A question whose answer is JSON."""

    system: str
    """What to do."""
    user: str
    """What to do it with."""
    schema_name: str
    schema: Mapping[str, object]
    """JSON schema; for the strict form every property is required and no other allowed."""
    version: str
    """Of the prompt: replies to another version are not reused."""
    max_tokens: int
    """Of the reply."""


@dataclass(frozen=True)
class Reply:
    """What came back."""

    value: object | None
    """The JSON, not held against the schema; None where there is none."""
    text: str
    """As the model wrote it."""
    cached: bool = False
    """An earlier run had paid for it."""
    trouble: str | None = None
    """What is wrong with it: a refusal, no choices, cut off, no JSON, …"""


class Asker(Protocol):
    """Answers questions; may be used by many threads at once."""

    def ask(self, ask: Ask) -> Reply:
        """Ask, and give what came back, whatever it is.

        Raises
        ------
        ServerLost
            The server cannot be reached or does not answer.
        BudgetSpent
            No more may be asked.
        ConfigError
            The settings are wrong: key, model or address.
        """
        ...


class Client:
    """Asks a model at a server that speaks OpenAI's chat completions.

    Parameters
    ----------
    model, base_url, api_key_file
        See `endpoint.endpoint`.
    concurrency
        Requests under way at the same time at most.
    timeout
        Seconds for one request.
    retries
        Times a request is sent again after 429, 5xx or a lost connection, waiting longer each time, or as long as the
        server asks for.
    max_calls, max_tokens, price_in, price_out
        See `Account`; prices are those of a million tokens.
    cache
        Where replies are kept; none are where None.

    Raises
    ------
    ConfigError
        A setting is not valid, or it does not say whom to ask.
    MissingExtraError
        The extra ``llm`` is not installed.
    """

    def __init__(
        self,
        model: str | None = None,
        base_url: str | None = None,
        api_key_file: str | None = None,
        concurrency: int = 8,
        timeout: float = 60,
        retries: int = 4,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        price_in: float | None = None,
        price_out: float | None = None,
        cache: Cache | None = None,
    ) -> None:
        if type(concurrency) is not int or concurrency < 1:
            raise ConfigError(f"concurrency must be a whole number from 1, not {concurrency!r}")
        if type(retries) is not int or retries < 0:
            raise ConfigError(f"retries must be a whole number from 0, not {retries!r}")
        if type(timeout) not in (int, float) or not 0 < timeout < float("inf"):
            raise ConfigError(f"timeout must be a number of seconds above 0, not {timeout!r}")
        prices = None if price_in is None and price_out is None else (price_in, price_out)
        self._account = Account(max_calls, max_tokens, prices)
        self.endpoint: Endpoint = endpoint(model, base_url, api_key_file)
        self.concurrency, self.cache = concurrency, cache
        self._timeout, self._retries = float(timeout), retries
        self._api: OpenAI = connect(self.endpoint, self._timeout)
        self._gate, self._lock, self._stopped = BoundedSemaphore(concurrency), Lock(), Event()
        self._dialect, self._understood, self._lost = Dialect(), False, 0
        self._under_way = replies.UnderWay()

    def __repr__(self) -> str:
        return f"Client({self.endpoint.model!r}, {self.endpoint.where!r})"

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self._account.usage

    def begin(self, cache: Cache, job: str) -> None:
        """Keep replies in a cache, and count on from what earlier runs of a job, named by its digest, have used."""
        self.cache = cache
        self._account.go_on(Ledger(cache, job))

    def stop(self) -> None:
        """Ask no more: what waits to be sent, or sent again, is lost at once; what is under way is still kept."""
        self._stopped.set()

    def go_on(self) -> None:
        """Ask again after a stop, also a server that was given up; what was used still counts."""
        self._lost = 0
        self._stopped.clear()

    def ask(self, ask: Ask) -> Reply:
        """Ask for JSON; see `Asker`."""
        system, user, model = encodable(ask.system), encodable(ask.user), self.endpoint.model
        schema = json.dumps(ask.schema, sort_keys=True)
        name = replies.key(model, ask.version, system, user, ask.schema_name, schema, str(ask.max_tokens))
        found, cached = self._kept(
            name,
            lambda how: how.for_schema(model, system, user, ask.max_tokens, ask.schema_name, ask.schema),
            system + user,
            ask.max_tokens,
        )
        read = value(found.text, ask.schema)
        trouble = found.trouble or (None if read is not None else "no JSON in the reply")
        return Reply(read, found.text, cached, trouble)

    def chat(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        *,
        tool_choice: str | Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
    ) -> Message:
        """Take one turn of a chat; what it gave is kept where there is a cache, and the same turn not paid for again.

        Parameters
        ----------
        messages
            The chat so far, as the protocol has it; also ``raw`` of earlier turns.
        tools, tool_choice
            As the protocol has them.
        max_tokens
            Of the reply.

        Raises
        ------
        ServerLost, BudgetSpent, ConfigError
            See `Asker.ask`.
        """
        said = [shown(message) for message in messages]
        extra: dict[str, Any] = {"tools": [*tools]} if tools else {}
        if tools and tool_choice is not None:
            extra["tool_choice"] = tool_choice
        prompt = json.dumps([said, extra], ensure_ascii=False)
        model = self.endpoint.model
        name = replies.key(model, "chat", prompt, str(max_tokens))
        found, _ = self._kept(
            name, lambda how: {**how.request(model, said, max_tokens), **extra}, prompt, max_tokens, turn=True
        )
        calls = tuple(ToolCall(*call) for call in tool_calls(found.message))
        return Message(found.text, calls, found.message or None, found.trouble, used(found, prompt))

    def _kept(
        self, name: str, put: Callable[[Dialect], dict[str, Any]], prompt: str, max_tokens: int, *, turn: bool = False
    ) -> tuple[Answer, bool]:
        """The reply that is kept under a name, and whether there was one; else it is asked for, once, and kept."""
        with self._under_way.alone(name):
            found = replies.load(self.cache, name) if self.cache is not None else None
            if found is not None:
                self._account.reused()
                return found, True
            found = self._answer(put, prompt, max_tokens)
            if self.cache is not None and found.message:
                replies.store(self.cache, name, found, turn=turn)
            return found, False

    def _answer(self, put: Callable[[Dialect], dict[str, Any]], prompt: str, max_tokens: int) -> Answer:
        """Ask until there is an answer or no hope; a question in a form that the server refuses is put more simply."""
        with self._gate:
            dialect = self._dialect
            while True:
                try:
                    found = self._tried(put(dialect), prompt, max_tokens)
                except Refused as refused:
                    known = self._understood and dialect == self._dialect
                    simpler = dialect.after(refused.says) or (None if known else dialect.simpler())
                    if simpler is None or put(simpler) == put(dialect):
                        return Answer("", trouble=str(refused))
                    dialect = simpler
                    continue
                with self._lock:
                    self._dialect, self._understood = dialect, True
                return found

    def _tried(self, request: dict[str, Any], prompt: str, max_tokens: int) -> Answer:
        aside = estimated(prompt) + max_tokens
        tries = slow = 0
        while True:
            if self._stopped.is_set():
                raise ServerLost("stopped before it was asked")
            self._check_lost()
            self._account.open(aside)
            spent, reported, taken = (0, 0), True, False
            try:
                found = answer(send(self._api, self.endpoint, request, self._timeout))
                spent, reported, taken = used(found, prompt), found.tokens is not None, True
            except Failed as failed:
                slow, taken = slow + failed.slow, failed.taken
                wait = failed.wait if failed.wait is not None else _backoff(tries)
                if tries >= self._retries or slow > _SLOW_TRIES or wait > LONGEST_WAIT:
                    raise self._gone(failed, tries) from None
            else:
                with self._lock:
                    self._lost = 0
                return found
            finally:
                self._account.close(aside, spent, reported=reported, taken=taken)
            tries += 1
            self._stopped.wait(wait)
            self._account.repeated()

    def _gone(self, failed: Failed, tries: int) -> ServerLost:
        with self._lock:
            self._lost += 1
        return ServerLost(f"no answer from {self.endpoint.where} after {tries + 1} tries: {failed}")

    def _check_lost(self) -> None:
        if self._lost >= (_GIVEN_UP if self._understood else 1):
            raise ServerLost(f"no answer from {self.endpoint.where}, as before: is the server running?")


def _backoff(tries: int) -> float:
    # Not all of those that were refused together come again together.
    return min(_FIRST_WAIT * 2.0 ** min(tries, 10), _LAST_WAIT) * random.uniform(0.5, 1.0)
