"""Whom the client asks, with which key, and that the key shows nowhere."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from fake_llm import KEY, MODEL, Fake, alone, says, status

from chunkeval.cache import Cache
from chunkeval.cli.main import main
from chunkeval.errors import ChunkevalError, ConfigError
from chunkeval.llm import client as module
from chunkeval.llm.client import Ask, Client
from chunkeval.llm.endpoint import PLACEHOLDER, Endpoint, configured, endpoint

ASK = Ask("Group.", "문서", "ids", {"type": "object"}, "1", 50)


def test_neither_key_nor_address_is_one_line_that_says_what_to_set() -> None:
    with pytest.raises(ConfigError) as caught:
        endpoint("m", environment={})
    assert "base_url=" in str(caught.value) and "OPENAI_API_KEY" in str(caught.value)


def test_the_nearer_setting_holds(tmp_path: Path) -> None:
    file = tmp_path / "열쇠.txt"
    file.write_text(f"\ufeff{KEY}\n", "utf-8")
    around = {"OPENAI_API_KEY": "sk-one", "OPENAI_BASE_URL": "http://one/v1", "CHUNKEVAL_MODEL": "one"}
    assert endpoint(environment=around) == Endpoint("one", "http://one/v1", "sk-one")
    around |= {"CHUNKEVAL_API_KEY": "sk-two", "CHUNKEVAL_BASE_URL": "http://two/v1"}
    assert endpoint(environment=around) == Endpoint("one", "http://two/v1", "sk-two")
    assert endpoint("three", "http://three/v1", str(file), around) == Endpoint("three", "http://three/v1", KEY)
    assert endpoint("m", environment={"CHUNKEVAL_API_KEY_FILE": str(file)}).key == KEY
    assert configured(around) and not configured({"CHUNKEVAL_MODEL": "m"})


@pytest.mark.parametrize("content", [b"", b"two words", b"sk-\xff", "sk-열쇠".encode(), b"sk-a\nsk-b"])
def test_a_file_that_holds_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "key"
    file.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        endpoint("m", None, str(file), {})
    assert str(file) in str(caught.value) and "sk-" not in str(caught.value).replace(str(file), "")
    with pytest.raises(ConfigError, match="cannot read the key"):
        endpoint("m", None, str(tmp_path), {})


@pytest.mark.parametrize(
    "address", [f"http://me:{KEY}@host/v1", f"http://host/v1?token={KEY}", f"http://host/v1#{KEY}"]
)
def test_a_secret_in_the_address_is_refused_unsaid(address: str) -> None:
    with pytest.raises(ConfigError) as caught:
        endpoint("m", address, None, {})
    assert KEY not in str(caught.value)


def test_without_a_key_a_placeholder_is_sent(fake: Fake) -> None:
    Client(MODEL, fake.base_url).ask(ASK)
    assert fake.requests[0].headers["authorization"] == f"Bearer {PLACEHOLDER}"


@pytest.mark.parametrize("wrong", [401, 403, 404])
def test_wrong_settings_are_one_line(fake: Fake, monkeypatch: pytest.MonkeyPatch, wrong: int) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    fake.always = status(wrong, f"Incorrect API key provided: {KEY}")
    with pytest.raises(ConfigError) as caught:
        Client(MODEL, fake.base_url).ask(ASK)
    said = str(caught.value)
    assert str(wrong) in said and MODEL in said and fake.base_url in said and len(said.splitlines()) == 1
    assert KEY not in said and fake.calls == 1


def test_the_key_shows_nowhere(
    fake: Fake,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CHUNKEVAL_API_KEY", KEY)
    monkeypatch.setattr(module, "_FIRST_WAIT", 0.001)
    caplog.set_level(logging.DEBUG)
    fake.keys = (KEY,)
    fake.answers = lambda request: {"ids": [1]}
    client = Client(MODEL, fake.base_url, cache=Cache(tmp_path), retries=1)
    said = [repr(client), repr(client.endpoint), str(client.usage)]
    echo = f"no: {KEY}, Bearer {KEY}"
    for number, act in enumerate([says('{"ids": []}'), status(400, echo), status(401, echo), status(404, echo)]):
        fake.first([act])
        try:
            said.append(repr(client.ask(Ask("s", str(number), "ids", {}, "1", 9))))
        except ChunkevalError as error:
            said.append(f"{error!r} {error} {error.__cause__!r}")
    fake.always = status(500, echo)
    with pytest.raises(ChunkevalError) as caught:
        client.ask(ASK)
    said.append(str(caught.value))
    assert fake.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert not any(KEY in one for one in said), said
    assert KEY not in caplog.text
    captured = capsys.readouterr()
    assert KEY not in captured.out + captured.err
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files and not any(KEY.encode() in path.read_bytes() for path in files)


def test_the_key_shows_in_no_table_log_or_output(
    fake: Fake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    document = tmp_path / "글.txt"
    document.write_text("김치는 발효 음식이다. 배추를 절여 담근다.", "utf-8")
    chunker = f"proposition:model={MODEL},base_url={fake.base_url},retries=0"

    def chunk(name: str, spec: str = chunker, *more: str) -> int:
        cache, out = str(tmp_path / f"{name}-cache"), str(tmp_path / f"{name}.jsonl")
        return main(["chunk", str(document), "--chunker", spec, "--cache", cache, "--out", out, *more])

    assert chunk("a") == 0
    fake.always = status(500, KEY)
    assert chunk("b") == 0
    assert chunk("c", f"{chunker},fallback=none") == 3
    fake.keys = ("another",)
    assert chunk("d", chunker, "--json") == 2
    captured = capsys.readouterr()
    assert KEY not in captured.out + captured.err
    assert "refuses the key (401)" in captured.err
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 4 and not (tmp_path / "d.jsonl").exists()
    assert not any(KEY.encode() in path.read_bytes() for path in written)


def test_bad_configuration_is_one_line_and_exit_2(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone(monkeypatch)
    document = tmp_path / "글.txt"
    document.write_text("김치.", "utf-8")
    assert main(["chunk", str(document), "--chunker", "proposition:model=m", "--out", str(tmp_path / "a.csv")]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("chunkeval: error: no language model to ask: give the server's address")
    assert not (tmp_path / "a.csv").exists()
