"""Asking from threads: in order, while the next is made, and no further than the first error."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fake_llm import MODEL, Fake, alone, serve, status
from made_replies import ASKING, answers

from chunkeval import registry
from chunkeval.cache import Cache
from chunkeval.chunkers import minis
from chunkeval.chunkers.asking import Settings, in_turn
from chunkeval.chunkers.base import AsksModel
from chunkeval.chunkers.spec import make
from chunkeval.errors import ConfigError
from chunkeval.llm.client import Client

TEXTS = [f"{n}번 등대의 김 씨는 불을 켰다. 배가 항구로 돌아왔다. 그는 이야기 {n}을 적었다." for n in range(24)]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    alone(monkeypatch)
    with serve(Fake(answers=answers)) as shown:
        yield shown


def chunker(name: str, fake: Fake, more: str = "") -> Any:
    sizes = "mini_size=20," if name == "agentic" else ""
    return make(f"{name}:{sizes}model={MODEL},base_url={fake.base_url},retries=0{more}")


def test_results_come_in_order_and_the_first_while_tasks_are_made() -> None:
    first, seen = threading.Event(), []

    def tasks() -> Iterator[int]:
        yield 0
        assert first.wait(60), "nothing is done while tasks are made"
        yield from range(1, 50)

    def do(task: int) -> int:
        first.set()
        return -task

    with ThreadPoolExecutor(4) as pool:
        seen = list(in_turn(pool, do, tasks()))
    assert seen == [(n, -n) for n in range(50)]


def test_an_error_ends_the_making_of_tasks() -> None:
    made = []

    def tasks() -> Iterator[int]:
        for n in range(10_000):
            made.append(n)
            assert not n or failed.wait(60)
            yield n

    def do(task: int) -> None:
        try:
            raise ConfigError("no")
        finally:
            failed.set()

    failed = threading.Event()
    with ThreadPoolExecutor(1) as pool, pytest.raises(ConfigError):
        list(in_turn(pool, do, tasks()))
    assert len(made) < 10_000


@pytest.mark.parametrize("name", ASKING)
def test_the_model_is_asked_while_sentences_are_found(
    name: str, fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find, found = minis.minis, []

    def slowly(texts: Sequence[str], *sizes: int, jobs: int | None = None) -> list[list[tuple[int, int]]]:
        if found:
            assert asked.wait(60), "the first document waits for the second"
        found.append(len(texts))
        return find(texts, *sizes, jobs=jobs)

    def answer(request: Any) -> object:
        asked.set()
        return answers(request)

    asked = threading.Event()
    fake.answers = answer
    monkeypatch.setattr(minis, "minis", slowly)
    monkeypatch.setattr(minis, "TOGETHER", 1)
    made = chunker(name, fake)
    cut = made.split_many(TEXTS[:3], cache=Cache(tmp_path))
    assert found == [1, 1, 1]
    monkeypatch.undo()
    assert chunker(name, fake).split_many(TEXTS[:3], cache=Cache(tmp_path)) == cut


@pytest.mark.parametrize("name", ASKING)
def test_as_many_are_under_way_as_allowed_and_no_more(name: str, fake: Fake, tmp_path: Path) -> None:
    together = threading.Barrier(4, timeout=60)  # no reply comes before four are asked for

    def answer(request: Any) -> object:
        together.wait()
        return answers(request)

    fake.answers = answer
    made = chunker(name, fake, ",concurrency=4,timeout=120")
    made.split_many(TEXTS, cache=Cache(tmp_path))
    report = made.report()
    assert fake.most_at_once == 4
    assert fake.calls == report["questions"] == report["usage"]["calls"] == len(TEXTS) * (1 if name == "agentic" else 2)


@pytest.mark.parametrize("name", ASKING)
@pytest.mark.parametrize("code", [401, 403, 404])
def test_a_refused_key_or_model_is_found_out_by_few(name: str, code: int, fake: Fake, tmp_path: Path) -> None:
    fake.always = status(code)
    with pytest.raises(ConfigError):
        chunker(name, fake, ",concurrency=2").split_many(TEXTS, cache=Cache(tmp_path))
    assert fake.calls < 12


@pytest.mark.parametrize("name", ASKING)
def test_settings_of_asking_are_shown_as_the_chunkers_own(name: str, fake: Fake) -> None:
    build: Callable[..., object] = registry.find("chunkers", name)
    shown = inspect.signature(build).parameters
    clients = inspect.signature(Client).parameters
    assert list(shown)[-len(Settings.__annotations__) :] == list(Settings.__annotations__)
    assert set(clients) - {"cache"} <= set(shown)
    for setting in ("timeout", "retries", "max_calls", "max_tokens", "price_in", "price_out"):
        assert shown[setting].default == clients[setting].default
    assert isinstance(chunker(name, fake), AsksModel)
