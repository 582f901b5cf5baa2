"""Budgets hold for a job, however often it is stopped and started again."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fake_llm import MODEL, Act, Fake, closes_mid_body, hang, serve, status
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.cache import Cache
from chunkeval.errors import BudgetSpent, ConfigError, ServerLost
from chunkeval.llm import client as module
from chunkeval.llm.account import Account, Usage
from chunkeval.llm.client import Ask, Client
from chunkeval.llm.ledger import Ledger, Spent

SCHEMA = {"type": "object", "required": ["ids"]}


def ask(user: str) -> Ask:
    return Ask("Group.", user, "ids", SCHEMA, "1", 50)


@pytest.fixture
def make(fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Client]:
    monkeypatch.setattr(module, "_FIRST_WAIT", 0.01)
    fake.answers = lambda request: {"ids": [1]}

    def build(job: str = "한 일", **settings: object) -> Client:
        client = Client(MODEL, fake.base_url, **settings)  # type: ignore[arg-type]
        client.begin(Cache(tmp_path), job)
        return client

    return build


def test_calls_of_earlier_runs_count_and_kept_replies_do_not(fake: Fake, make: Callable[..., Client]) -> None:
    first = make(max_calls=3)
    for number in range(2):
        first.ask(ask(f"물음 {number}"))
    again = make(max_calls=3, price_in=1e5, price_out=0)
    assert [again.ask(ask(f"물음 {number}")).cached for number in range(3)] == [True, True, False]
    with pytest.raises(
        BudgetSpent, match=r"budget of 3 calls is spent, 2 of them by earlier runs of the same: raise max"
    ):
        again.ask(ask("물음 3"))
    assert fake.calls == 3
    assert str(again.usage) == (
        "1 calls, 2 replies from the cache, 10 + 5 tokens, cost 1.0000; earlier runs of the same: 2 calls, 30 tokens, cost 2.0000"
    )
    assert make(max_calls=4).ask(ask("물음 3")).value and make("another", max_calls=1).ask(ask("물음 4")).value


def test_tokens_of_earlier_runs_count(fake: Fake, make: Callable[..., Client]) -> None:
    make(max_tokens=100).ask(ask("가"))
    fake.always = None
    with pytest.raises(BudgetSpent, match="budget of 60 tokens is spent, 15 of them by earlier runs"):
        make(max_tokens=60).ask(ask("나"))
    assert fake.calls == 1


@pytest.mark.parametrize("act", [hang(5), closes_mid_body], ids=["slow", "cut"])
def test_what_the_server_may_have_worked_on_counts(fake: Fake, make: Callable[..., Client], act: Act) -> None:
    fake.always = act
    with pytest.raises(BudgetSpent):
        make(max_calls=1, timeout=0.3).ask(ask("가"))
    fake.always = None
    with pytest.raises(BudgetSpent, match="1 of them by earlier"):
        make(max_calls=1).ask(ask("가"))
    assert fake.calls == 1


@pytest.mark.parametrize("act", [status(500), status(429, retry_after="0"), status(401), status(404), status(400)])
def test_what_the_server_did_not_take_does_not_count_in_later_runs(
    fake: Fake, make: Callable[..., Client], act: Act
) -> None:
    fake.always = act
    with pytest.raises((BudgetSpent, ConfigError)):
        make(max_calls=1).ask(ask("가"))
    fake.always = None
    client = make(max_calls=1)
    assert client.ask(ask("가")).value and client.usage.earlier_calls == 0


def test_a_server_that_was_not_there_has_cost_nothing(tmp_path: Path, make: Callable[..., Client]) -> None:
    with serve() as gone:
        address = gone.base_url
    client = Client(MODEL, address, max_calls=1, retries=0)
    client.begin(Cache(tmp_path), "한 일")
    with pytest.raises(ServerLost):
        client.ask(ask("가"))
    assert make(max_calls=1).ask(ask("가")).value


def test_the_same_asked_at_the_same_time_is_paid_for_once(fake: Fake, make: Callable[..., Client]) -> None:
    fake.latency = 0.05
    client = make()
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(client.ask, [ask("같은 물음"), ask("다른 물음")] * 8))
    assert fake.calls == 2 and fake.most_at_once == 2
    assert sum(not reply.cached for reply in replies) == 2 and client.usage.cached == 14


def test_a_stopped_client_goes_on_and_still_counts(make: Callable[..., Client]) -> None:
    client = make(max_calls=2)
    client.ask(ask("가"))
    client.stop()
    client.go_on()
    client.ask(ask("나"))
    assert client.usage == Usage(calls=2, prompt_tokens=20, completion_tokens=10)
    with pytest.raises(BudgetSpent):
        client.ask(ask("다"))


@given(
    st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 999), st.integers(0, 999)), max_size=6), st.binary(max_size=9)
)
def test_what_is_noted_adds_up_whatever_else_stands_there(
    tmp_path_factory: pytest.TempPathFactory, added: list[tuple[int, int, int]], rest: bytes
) -> None:
    folder = Cache(tmp_path_factory.mktemp("ledger"))
    for more in added:
        Ledger(folder, "job").add(Spent(*more))
    calls, prompts, completions = (sum(more[at] for more in added) for at in range(3))
    calls = max(calls, 0)
    total = Ledger(folder, "job").total()
    assert total == Spent(calls, prompts, completions)
    account = Account()
    account.go_on(Ledger(folder, "job"))
    assert (account.usage.earlier_calls, account.usage.earlier_tokens) == (calls, prompts + completions)
    if not any(chunk.isdigit() for chunk in rest.split()):  # a line that was cut off, or spoiled
        with next(folder.folder.rglob("*.txt"), folder.folder / "none.txt").open("ab") as file:
            file.write(rest)
        assert Ledger(folder, "job").total() == total
