"""The client against a server that answers right, late, wrong, or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fake_llm import (
    MODEL,
    Act,
    Fake,
    calls_tool,
    closes_mid_body,
    drip,
    hang,
    html,
    no_choices,
    refuses,
    round_the_json,
    says,
    serve,
    status,
    truncated,
    white_space,
)

from chunkeval.cache import Cache
from chunkeval.errors import BudgetSpent, ConfigError, MissingExtraError, ServerLost
from chunkeval.llm import client as module
from chunkeval.llm.client import Ask, Client
from chunkeval.llm.dialect import Dialect

SCHEMA = {
    "type": "object",
    "properties": {"ids": {"type": "array", "items": {"type": "integer"}}},
    "required": ["ids"],
    "additionalProperties": False,
}
RIGHT = {"ids": [1, 2]}


def ask(user: str = "한국어 문서다.", version: str = "1", max_tokens: int = 50) -> Ask:
    return Ask("Group.", user, "ids", SCHEMA, version, max_tokens)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FIRST_WAIT", 0.01)


@pytest.fixture
def make(fake: Fake) -> Callable[..., Client]:
    fake.answers = lambda request: RIGHT
    return lambda **settings: Client(MODEL, fake.base_url, **settings)


def test_a_question_is_put_with_its_schema_and_answered(fake: Fake, make: Callable[..., Client]) -> None:
    client = make()
    reply = client.ask(ask())
    assert (reply.value, reply.trouble, reply.cached) == (RIGHT, None, False)
    [sent] = fake.requests
    assert sent.system == "Group." and sent.user == "한국어 문서다."
    assert sent.body["model"] == MODEL and sent.body["max_tokens"] == 50 and sent.body["temperature"] == 0
    assert sent.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "ids", "schema": SCHEMA, "strict": True},
    }
    usage = client.usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cost) == (1, 10, 5, None)


@pytest.mark.parametrize(
    ("act", "value", "trouble"),
    [
        (no_choices, None, "no choices"),
        (refuses, None, "refused by the model"),
        (round_the_json, RIGHT, None),
        (truncated, None, "cut off at the most tokens allowed"),
        (white_space, None, "cut off at the most tokens allowed"),
        (html, None, "no JSON from the server"),
        (says(""), None, "empty reply"),
        (says("한국어로만 답합니다."), None, "no JSON in the reply"),
        (says("<think>{\"ids\": [9]}</think>\n{\"ids\": [1, 2]}"), RIGHT, None),
        (says('{"ids": [NaN]}'), None, "no JSON in the reply"),
        (says("[" * 100_000), None, "no JSON in the reply"),
        (says('{"ids":' * 3_000), None, "no JSON in the reply"),
        (says('{"a": "줄\n바꿈 \\ud800"}'), {"a": "줄\n바꿈 \ufffd"}, None),
        (says("{}", "content_filter"), {}, "stopped by the server's filter"),
        (says(9 * "9" + " {\"ids\": []} " + "{"), {"ids": []}, None),
    ],
)  # fmt: skip
def test_a_reply_of_no_use_is_told_and_costs_no_second_call(
    fake: Fake, make: Callable[..., Client], act: Act, value: object, trouble: str | None
) -> None:
    fake.first([act])
    reply = make().ask(ask())
    assert (reply.value, reply.trouble) == (value, trouble)
    assert fake.calls == 1


@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b'{"choices": [null]}', b'{"choices": [{"message": 3}]}', b"\xff"]
)
def test_no_body_is_trusted(fake: Fake, make: Callable[..., Client], body: bytes) -> None:
    fake.always = lambda handler, request: handler.send_bytes(body, 200, {"Content-Type": "application/json"})
    reply = make().ask(ask())
    assert reply.value is None and reply.trouble


@pytest.mark.parametrize("act", [status(429), status(500), status(503), status(408), closes_mid_body])
def test_what_passes_is_asked_again(fake: Fake, make: Callable[..., Client], act: Act) -> None:
    fake.first([act, act])
    client = make()
    assert client.ask(ask()).value == RIGHT
    assert (client.usage.calls, client.usage.retries, fake.calls) == (3, 2, 3)


def test_retry_after_is_kept_and_bounded(fake: Fake, make: Callable[..., Client]) -> None:
    fake.first([status(429, retry_after="0.3")])
    start = time.monotonic()
    assert make().ask(ask()).value == RIGHT
    assert 0.3 <= time.monotonic() - start < 3
    fake.first([status(429, retry_after="3600")])
    with pytest.raises(ServerLost, match="429"):
        make().ask(ask())


def test_waits_grow_and_differ() -> None:
    waits = [[module._backoff(tries) for _ in range(200)] for tries in (0, 3, 40)]
    assert all(len(set(some)) > 100 for some in waits)
    assert all(max(some) <= limit for some, limit in zip(waits, (0.01, 0.08, 8.0), strict=True))
    assert all(min(some) >= limit / 2 for some, limit in zip(waits, (0.01, 0.08, 8.0), strict=True))


@pytest.mark.parametrize("act", [hang(5), drip(5)])
def test_no_answer_in_time_is_asked_again_once(fake: Fake, make: Callable[..., Client], act: Act) -> None:
    fake.always = act
    start = time.monotonic()
    with pytest.raises(ServerLost, match="within 0.3 s"):
        make(timeout=0.3).ask(ask())
    assert time.monotonic() - start < 3
    assert fake.calls == 2


def test_a_server_that_is_not_there_is_given_up(make: Callable[..., Client]) -> None:
    with serve() as gone:
        address = gone.base_url
    client = Client(MODEL, address, retries=1)
    with pytest.raises(ServerLost, match=r"no answer from http://127\.0\.0\.1:\d+/v1 after 2 tries"):
        client.ask(ask())
    with pytest.raises(ServerLost, match="as before"):
        client.ask(ask("다른 물음"))
    assert client.usage.calls == 2


def test_a_server_lost_in_the_middle_is_given_up_after_some_questions(fake: Fake, make: Callable[..., Client]) -> None:
    client = make(retries=0)
    client.ask(ask())
    fake.always = status(500)
    for number in range(5):
        with pytest.raises(ServerLost):
            client.ask(ask(str(number)))
    assert fake.calls == 4


@pytest.mark.parametrize("formats", [("json_object",), ()])
def test_a_server_without_schemas_is_asked_more_simply_and_remembered(
    fake: Fake, make: Callable[..., Client], formats: tuple[str, ...]
) -> None:
    fake.formats = formats
    client = make()
    assert client.ask(ask()).value == RIGHT
    before = fake.calls
    assert before == (2 if formats else 3)
    assert client.ask(ask("둘째")).value == RIGHT
    assert fake.calls == before + 1
    last = fake.requests[-1]
    assert last.body.get("response_format") == ({"type": "json_object"} if formats else None)
    assert '"additionalProperties": false' in last.system


def test_a_refusal_without_a_reason_is_tried_more_simply_and_not_remembered_where_nothing_helps(
    fake: Fake, make: Callable[..., Client]
) -> None:
    fake.always = status(400, "Bad Request")
    client = make()
    assert client.ask(ask()).trouble == "refused by the server (400): Bad Request"
    assert fake.calls == 3
    fake.always = None
    client.ask(ask())
    assert fake.requests[-1].schema_name == "ids"


def test_other_names_of_parameters_are_found(fake: Fake, make: Callable[..., Client]) -> None:
    fake.refuses_parameters = ("max_tokens", "temperature")
    client = make()
    assert client.ask(ask()).value == RIGHT
    assert client._dialect == Dialect(limit="max_completion_tokens", temperature=False)
    assert fake.requests[-1].body["max_completion_tokens"] == 50


def test_the_same_question_is_paid_for_once(fake: Fake, make: Callable[..., Client], tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    first = make(cache=cache).ask(ask())
    client = make(cache=cache)
    again = client.ask(ask())
    assert (again.value, again.cached, first.cached) == (first.value, True, False)
    assert fake.calls == 1 and client.usage.calls == 0 and client.usage.cached == 1
    for other in (ask(version="2"), ask("다른 글"), ask(max_tokens=51)):
        assert not client.ask(other).cached
    fake.models = ("another",)
    assert not Client("another", fake.base_url, cache=cache).ask(ask()).cached


def test_a_reply_of_no_use_is_kept_too_but_no_answer_is_not(
    fake: Fake, make: Callable[..., Client], tmp_path: Path
) -> None:
    cache = Cache(tmp_path)
    fake.first([truncated, no_choices])
    assert make(cache=cache).ask(ask()).trouble == make(cache=cache).ask(ask()).trouble
    assert fake.calls == 1
    assert make(cache=cache).ask(ask("둘째")).trouble == "no choices"
    assert make(cache=cache).ask(ask("둘째")).value == RIGHT


def test_a_damaged_part_of_the_cache_is_asked_again(fake: Fake, make: Callable[..., Client], tmp_path: Path) -> None:
    make(cache=Cache(tmp_path)).ask(ask())
    [part] = tmp_path.rglob("*.npz")
    part.write_bytes(part.read_bytes()[:-9])
    assert make(cache=Cache(tmp_path)).ask(ask()).value == RIGHT
    assert fake.calls == 2


def test_budgets_hold_however_many_ask(fake: Fake, make: Callable[..., Client]) -> None:
    fake.latency = 0.02

    def tries(client: Client, number: int) -> bool:
        try:
            return client.ask(ask(str(number))).value == RIGHT
        except BudgetSpent:
            return False

    for settings, most in (({"max_calls": 5}, 5), ({"max_tokens": 300}, 20)):
        client = make(**settings)
        before = fake.calls
        with ThreadPoolExecutor(8) as pool:
            done = list(pool.map(lambda number, asker=client: tries(asker, number), range(30)))
        assert 0 < sum(done) == fake.calls - before <= most
        assert client.usage.prompt_tokens + client.usage.completion_tokens <= 300
    assert make(max_calls=0, cache=None).usage.calls == 0


def test_retries_count_against_the_budget(fake: Fake, make: Callable[..., Client]) -> None:
    fake.always = status(500)
    with pytest.raises(BudgetSpent, match="budget of 3 calls"):
        make(max_calls=3).ask(ask())
    assert fake.calls == 3


def test_no_more_than_so_many_are_under_way(fake: Fake, make: Callable[..., Client]) -> None:
    fake.latency = 0.05
    client = make(concurrency=3)
    start = time.monotonic()
    with ThreadPoolExecutor(12) as pool:
        assert all(reply.value == RIGHT for reply in pool.map(lambda n: client.ask(ask(str(n))), range(12)))
    assert fake.most_at_once == 3
    assert time.monotonic() - start >= 4 * 0.05


def test_tokens_that_no_one_reports_are_estimated_and_said_to_be(fake: Fake, make: Callable[..., Client]) -> None:
    fake.usage = False
    client = make(price_in=1.0, price_out=10.0)
    client.ask(ask("가" * 100))
    assert client.usage.unreported == 1 and client.usage.prompt_tokens == 102
    assert client.usage.cost == pytest.approx((102 + 10 * client.usage.completion_tokens) / 1e6)
    assert "about" in str(client.usage) and "cost" in str(client.usage)


def test_a_stopped_client_asks_no_more(fake: Fake, make: Callable[..., Client]) -> None:
    client = make()
    client.stop()
    with pytest.raises(ServerLost, match="stopped"):
        client.ask(ask())
    assert not fake.calls


def test_lone_surrogates_are_asked_about(fake: Fake, make: Callable[..., Client]) -> None:
    assert make().ask(ask("가 \ud800 나")).value == RIGHT
    assert fake.requests[0].user == "가 \ufffd 나"


def test_a_chat_with_tools(fake: Fake, make: Callable[..., Client]) -> None:
    fake.first([calls_tool("search", {"query": "김치"}), says("김치는 발효 음식이다.")])
    client = make()
    tools = [{"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}]
    chat: list[dict[str, object]] = [{"role": "user", "content": "김치가 뭐야? \ud800"}]
    turn = client.chat(chat, tools)
    [call] = turn.calls
    assert (call.name, call.arguments, turn.trouble) == ("search", '{"query": "김치"}', None)
    assert turn.raw is not None
    chat += [dict(turn.raw), {"role": "tool", "tool_call_id": call.id, "content": "…"}]
    assert client.chat(chat, tools, tool_choice="auto").text == "김치는 발효 음식이다."
    assert fake.requests[-1].body["tools"] == tools and fake.requests[-1].body["tool_choice"] == "auto"
    assert client.usage.calls == 2 and turn.tokens == (10, 5)


def test_calls_of_tools_are_read_without_trust(fake: Fake, make: Callable[..., Client]) -> None:
    made = [
        None,
        {"function": 3},
        {"id": 7, "function": {"name": "f", "arguments": {"a": 1}}},
        {"function": {"name": "g"}},
    ]
    fake.first([says("", tool_calls=made)])
    assert [(call.id, call.name, call.arguments) for call in make().chat([{"role": "user", "content": "?"}]).calls] == [
        ("7", "f", '{"a": 1}'),
        ("", "g", "null"),
    ]


@pytest.mark.parametrize(
    "settings",
    [
        {"concurrency": 0},
        {"retries": -1},
        {"timeout": 0},
        {"timeout": float("nan")},
        {"max_calls": -1},
        {"max_tokens": 1.5},
        {"price_in": 1.0},
        {"price_in": -1.0, "price_out": 1.0},
        {"base_url": "localhost:8080"},
        {"base_url": "ftp://localhost"},
        {"base_url": "http://"},
        {"base_url": "http://a b"},
        {"base_url": "http://localhost:99999/v1"},
        {"base_url": 3},
        {"model": " "},
        {"model": 3},
    ],
)
def test_bad_settings_are_refused_when_it_is_made(fake: Fake, settings: dict[str, object]) -> None:
    with pytest.raises(ConfigError) as caught:
        Client(**{"model": MODEL, "base_url": fake.base_url, **settings})  # type: ignore[arg-type]
    assert len(str(caught.value).splitlines()) == 1


def test_the_missing_extra_is_named(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'chunkeval\[llm\]'"):
        Client(MODEL, fake.base_url)
