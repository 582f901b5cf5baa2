"""A run that asks a language model, stopped by a signal and started again: nothing is paid for twice, and budgets hold for both."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fake_llm import KEY, MODEL, Fake, Request, alone, serve
from made_replies import answers

import chunkeval as ce

if TYPE_CHECKING:
    from conftest import Call

TEXTS = [f"Story {n} is about a lighthouse. {f'The keeper of story {n} lights the lamp. ' * 3}" for n in range(20)]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    alone(monkeypatch)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serve(Fake(answers=answers, latency=0.15)) as shown:
        yield shown


def stopped(command: list[str], fake: Fake, after: int, how: signal.Signals) -> subprocess.CompletedProcess[str]:
    """Run until the server has answered so often and holds back two more, all that is asked at once; then send a signal.

    The server answers soon after.
    """
    signalled = threading.Event()

    def held(request: Request) -> object:
        if request in fake.requests[after:]:
            signalled.wait(120)
        return answers(request)

    fake.answers = held
    process = subprocess.Popen(
        [sys.executable, "-m", "chunkeval", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 120
    while fake.calls < after + 2 and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(how)
    time.sleep(1)
    signalled.set()
    fake.answers = answers
    out, err = process.communicate(timeout=120)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


@pytest.mark.skipif(sys.platform == "win32", reason="no signals to another process")
@pytest.mark.parametrize(
    "how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=["interrupted", "terminated", "killed"]
)
def test_what_was_paid_for_counts_and_is_kept(call: Call, fake: Fake, tmp_path: Path, how: signal.Signals) -> None:
    docs, out = tmp_path / "docs.jsonl", tmp_path / "out.parquet"
    docs.write_text(
        "".join(json.dumps({"doc_id": str(n), "text": text}) + "\n" for n, text in enumerate(TEXTS)), "utf-8"
    )
    named = f"agentic:model={MODEL},base_url={fake.base_url},mini_size=40,concurrency=2,price_in=1000,price_out=0"
    command = ["chunk", str(docs), "--out", str(out), "--cache", str(tmp_path / "replies"), "--chunker"]
    first = stopped([*command, f"{named},max_calls=9"], fake, 4, how)
    paid = fake.calls
    assert 4 <= paid < 9 and not out.exists(), first.stderr
    if how is not signal.SIGKILL:
        assert first.returncode == (130 if how is signal.SIGINT else 143)
        assert "finished parts are kept, run the same command again" in first.stderr

    second = call(*command, f"{named},max_calls=9", "--json")
    assert second.code == 0 and fake.calls == 9
    asked = json.loads(second.out)["asked"]
    assert asked["usage"]["earlier_calls"] == paid and asked["usage"]["calls"] == 9 - paid
    lost = paid - asked["usage"]["cached"]
    assert lost <= 2 if how is signal.SIGKILL else lost == 0
    assert asked["usage"]["earlier_cost"] == pytest.approx(0.01 * (paid - lost))
    assert asked["failed"]["why"] == {"budget spent": len(TEXTS) - 9 + lost}
    assert f"calls, {paid - lost} replies from the cache" in second.err
    assert f"; earlier runs of the same: {paid} calls, {15 * (paid - lost)} tokens, cost" in second.err
    assert f"the budget of 9 calls is spent, {paid} of them by earlier runs of the same" in second.err

    again = call(*command, f"{named},max_calls=9", "--overwrite", "--json")
    assert again.code == 0 and fake.calls == 9
    assert json.loads(again.out)["asked"]["fell_back"] == asked["fell_back"]

    rest = call(*command, named, "--overwrite", "--json")
    assert rest.code == 0 and fake.calls == len(TEXTS) + lost
    assert json.loads(rest.out)["asked"]["fell_back"]["characters"] == 0
    assert sorted(Counter(request.user for request in fake.requests).values()) == [1] * (len(TEXTS) - lost) + [2] * lost
    table = ce.load(out)
    assert ["".join(table[table["doc_id"] == str(n)]["text"]) for n in range(len(TEXTS))] == TEXTS
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert KEY not in first.stderr + second.err + rest.err
