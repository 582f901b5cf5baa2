"""What asking has used, and what it may use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from chunkeval.errors import BudgetSpent, ConfigError
from chunkeval.llm.ledger import Ledger, Spent


@dataclass(frozen=True)
class Usage:
    """What was used so far, by this run and by earlier runs of the same job.

    Examples
    --------
    >>> print(Usage(calls=12, retries=1, cached=3, prompt_tokens=4000, completion_tokens=500, cost=0.0125))
    12 calls (1 repeated), 3 replies from the cache, 4,000 + 500 tokens, cost 0.0125
    >>> print(Usage(cached=3, earlier_calls=3, earlier_tokens=900))
    0 calls, 3 replies from the cache, 0 + 0 tokens; earlier runs of the same: 3 calls, 900 tokens
    """

    calls: int = 0
    """Requests sent, repeated ones too."""
    retries: int = 0
    """Requests that repeated one that had failed."""
    cached: int = 0
    """Replies that an earlier run had paid for."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unreported: int = 0
    """Answers for which the server named no tokens; theirs are estimated from their bytes."""
    cost: float | None = None
    """In the unit of the prices; None where none were given."""
    earlier_calls: int = 0
    """Requests that earlier runs of the same job sent, and the server took."""
    earlier_tokens: int = 0
    """Of prompts and completions, by these."""
    earlier_cost: float | None = None
    """Of these, by the prices of now."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __str__(self) -> str:
        repeated = f" ({self.retries:,} repeated)" if self.retries else ""
        about = "about " if self.unreported else ""
        said = (
            f"{self.calls:,} calls{repeated}, {self.cached:,} replies from the cache, "
            f"{about}{self.prompt_tokens:,} + {self.completion_tokens:,} tokens{_cost(self.cost)}"
        )
        if not self.earlier_calls:
            return said
        earlier = f"{self.earlier_calls:,} calls, {self.earlier_tokens:,} tokens{_cost(self.earlier_cost)}"
        return f"{said}; earlier runs of the same: {earlier}"


def _cost(cost: float | None) -> str:
    return "" if cost is None else f", cost {cost:.4f}"


class Account:
    """Counts, and refuses what goes beyond the budget; safe among threads.

    Parameters
    ----------
    max_calls
        Requests that may be sent.
    max_tokens
        Tokens of prompts and completions together. What a request may use at most is set aside before it is sent, so
        that the budget holds however many are under way.
    prices
        Of a million tokens of prompts and of completions.

    Examples
    --------
    >>> account = Account(max_calls=1)
    >>> account.open(100)
    >>> account.close(100, (80, 20))
    >>> account.open(100)
    Traceback (most recent call last):
        ...
    chunkeval.errors.BudgetSpent: the budget of 1 calls is spent: raise max_calls and run it again, replies so far are kept
    """

    def __init__(
        self,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        prices: tuple[float | None, float | None] | None = None,
    ) -> None:
        for name, most in (("max_calls", max_calls), ("max_tokens", max_tokens)):
            if most is not None and (type(most) is not int or most < 0):
                raise ConfigError(f"{name} must be a whole number from 0, not {most!r}")
        stated = tuple(
            price
            for price in prices or ()
            if type(price) in (int, float) and price is not None and 0 <= price < float("inf")
        )
        if len(stated) != len(prices or ()):
            raise ConfigError("price_in and price_out must be numbers from 0, both given: what a million tokens cost")
        self._max_calls, self._max_tokens, self._prices = max_calls, max_tokens, stated
        self._usage = Usage(cost=None if prices is None else 0.0)
        self._aside = 0
        self._spent: str | None = None
        self._ledger: Ledger | None = None
        self._lock = Lock()

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        return self._usage

    def go_on(self, ledger: Ledger) -> None:
        """Count on from what earlier runs of a job have used, and note there what this one uses."""
        earlier = ledger.total()
        with self._lock:
            self._ledger = ledger
            self._usage = replace(
                self._usage,
                earlier_calls=earlier.calls,
                earlier_tokens=earlier.tokens,
                earlier_cost=self._cost_of(earlier),
            )

    def open(self, tokens: int) -> None:
        """Count a request and set aside what it may use.

        Raises
        ------
        BudgetSpent
            It would go beyond the budget; from then on, every request would.
        """
        with self._lock:
            now = self._usage
            used = now.earlier_tokens + now.prompt_tokens + now.completion_tokens + self._aside
            if self._max_calls is not None and now.earlier_calls + now.calls >= self._max_calls:
                self._spent = _spent(self._max_calls, "calls", now.earlier_calls)
            elif self._max_tokens is not None and used + tokens > self._max_tokens:
                self._spent = _spent(self._max_tokens, "tokens", now.earlier_tokens)
            if self._spent is not None:
                raise BudgetSpent(self._spent)
            self._aside += tokens
            self._usage = replace(now, calls=now.calls + 1)
            self._note(Spent(calls=1))

    def close(self, tokens: int, used: tuple[int, int], *, reported: bool = True, taken: bool = True) -> None:
        """Give back what was set aside, and count what was used.

        Parameters
        ----------
        tokens
            What was set aside.
        used
            Tokens of prompt and completion.
        reported
            Whether the server counted them.
        taken
            Whether the server took the request; later runs of the job do not count one that it did not.
        """
        more = Spent(0 if taken else -1, *used)
        with self._lock:
            self._aside -= tokens
            cost = self._cost_of(more)
            self._usage = replace(
                self._usage,
                prompt_tokens=self._usage.prompt_tokens + more.prompt_tokens,
                completion_tokens=self._usage.completion_tokens + more.completion_tokens,
                unreported=self._usage.unreported + (not reported),
                cost=None if cost is None or self._usage.cost is None else self._usage.cost + cost,
            )
            if more != Spent():
                self._note(more)

    def repeated(self) -> None:
        """Count a request that is sent once more."""
        with self._lock:
            self._usage = replace(self._usage, retries=self._usage.retries + 1)

    def reused(self) -> None:
        """Count a reply that needed no request."""
        with self._lock:
            self._usage = replace(self._usage, cached=self._usage.cached + 1)

    def _note(self, more: Spent) -> None:
        if self._ledger is not None:
            self._ledger.add(more)

    def _cost_of(self, used: Spent) -> float | None:
        if not self._prices:
            return None
        return (used.prompt_tokens * self._prices[0] + used.completion_tokens * self._prices[1]) / 1e6


def _spent(most: int, what: str, earlier: int) -> str:
    by = f", {earlier:,} of them by earlier runs of the same" if earlier else ""
    return f"the budget of {most:,} {what} is spent{by}: raise max_{what} and run it again, replies so far are kept"


def estimated(text: str) -> int:
    """Estimate a text's tokens where no one has counted them: one for three bytes, for most texts too many.

    Examples
    --------
    >>> estimated("한국어"), estimated("language")
    (3, 3)
    """
    return -(-len(text.encode("utf-8", "replace")) // 3)
