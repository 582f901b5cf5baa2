"""Chunking with a language model from the command line: what is written, what is said, and which exit code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from fake_llm import KEY, MODEL, Fake, Request, alone, serve, status
from made_replies import answers

import chunkeval as ce

if TYPE_CHECKING:
    from conftest import Call

TEXTS = {
    "ko.txt": "".join(f"등대지기 김 씨가 {n}번째 불을 켰다. 그는 배를 기다렸다.\n\n" for n in range(9)),
    "en.txt": "".join(f"Sentence number {n} is about the lighthouse. " for n in range(9)),
}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    alone(monkeypatch)
    with serve(Fake(answers=answers)) as shown:
        yield shown


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, "utf-8", newline="\n")
    return folder


def spec(fake: Fake, more: str = "") -> str:
    return f"agentic:model={MODEL},base_url={fake.base_url},mini_size=40,retries=0,timeout=5{more}"


def assert_complete(path: Path) -> pd.DataFrame:
    table = ce.load(path)
    for name, text in TEXTS.items():
        rows = table[table["doc_id"] == name]
        spans = [
            tuple(span)
            for row in rows.itertuples()
            for span in (row.spans if row.spans is not None else [(row.start, row.end)])
        ]
        assert "".join(text[a:b] for a, b in sorted(spans)) == text
        for row in rows.itertuples():
            mine = row.spans if row.spans is not None else [(row.start, row.end)]
            assert row.text == "".join(text[a:b] for a, b in mine)
    return table


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_the_table_has_titles_summaries_and_spans(call: Call, fake: Fake, docs: Path, ending: str) -> None:
    out = docs.parent / f"out.{ending}"
    ran = call("chunk", docs, "--chunker", spec(fake, ",price_in=1000,price_out=0"), "--out", out, "--json")
    assert ran.code == 0, ran.err
    table = assert_complete(out)
    assert table["title"].str.startswith("제목").all() and (table["summary"] == "요약").all()
    assert table["fallback"].isna().all()
    asked = json.loads(ran.out)["asked"]
    assert asked["model"] == MODEL and asked["questions"] == 2
    assert asked["fell_back"] == {"to": "recursive", "characters": 0, "share": 0.0}
    assert asked["usage"]["calls"] == 2 and asked["usage"]["cost"] == pytest.approx(0.02)
    assert f"asked {MODEL} 2 questions: 2 calls, 0 replies from the cache, 20 + 10 tokens, cost 0.0200" in ran.err
    again = call("chunk", docs, "--chunker", spec(fake), "--out", out, "--overwrite")
    assert again.code == 0 and "0 calls, 2 replies from the cache" in again.err and fake.calls == 2


def test_chunks_of_several_places_have_spans(call: Call, fake: Fake, docs: Path) -> None:
    out = docs.parent / "out.parquet"
    assert call("chunk", docs, "--chunker", spec(fake, ",contiguous=false"), "--out", out).code == 0
    table = assert_complete(out)
    several = table[table["spans"].notna()]
    assert len(several) and several["start"].isna().all() and several["end"].isna().all()


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", None], ids=["unreachable", "500"])
def test_a_lost_server_is_a_warning_and_the_table_is_complete(
    call: Call, fake: Fake, docs: Path, address: str | None
) -> None:
    fake.always, out = status(500), docs.parent / "out.parquet"
    named = spec(fake) if address is None else spec(fake).replace(fake.base_url, address)
    ran = call("chunk", docs, "--chunker", named, "--out", out, "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["asked"]["fell_back"]["share"] == 1.0
    assert "no reply of use to 2 of 2 questions: no answer from the server (2)" in ran.err
    assert "warning: no answer from http://127.0.0.1:" in ran.err
    assert "cut by the recursive chunker instead: 100.0 % of the characters" in ran.err
    assert (assert_complete(out)["fallback"] == "no answer from the server").all()
    lost = call("chunk", docs, "--chunker", named, "--out", docs.parent / "b.parquet", "--fallback", "none")
    assert lost.code == 3 and "no answer from http://127.0.0.1:" in lost.err and "(log: " in lost.err
    assert not (docs.parent / "b.parquet").exists()


def test_without_a_fallback_what_was_finished_is_kept(call: Call, fake: Fake, docs: Path) -> None:
    out = docs.parent / "out.parquet"
    fake.first([lambda handler, request: handler.complete(handler.fake.written(request)), status(500)])
    named = spec(fake, ",concurrency=1")
    assert call("chunk", docs, "--chunker", named, "--out", out, "--fallback", "none").code == 3
    assert call("chunk", docs, "--chunker", named, "--out", out, "--fallback", "none").code == 0
    assert fake.calls == 3
    assert_complete(out)


def test_words_of_no_use_fall_back_and_are_counted(call: Call, fake: Fake, docs: Path) -> None:
    def only_english(request: Request) -> object:
        return answers(request) if "lighthouse" in request.user else "Sorry."

    fake.answers, out = only_english, docs.parent / "out.parquet"
    ran = call("chunk", docs, "--chunker", spec(fake), "--out", out, "--json")
    assert ran.code == 0
    fell_back = json.loads(ran.out)["asked"]["fell_back"]
    total = sum(map(len, TEXTS.values()))
    assert fell_back["characters"] == len(TEXTS["ko.txt"])
    assert fell_back["share"] == pytest.approx(len(TEXTS["ko.txt"]) / total, abs=1e-6)
    table = assert_complete(out)
    assert table["title"].notna().sum() == table["fallback"].isna().sum() > 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--chunker", "agentic"], "give the server's address as base_url="),
        (["--chunker", "agentic:base_url={url}"], "give model=NAME"),
        (["--chunker", "agentic:model=none-such,base_url={url}"], "check model and base_url"),
        (["--chunker", "agentic:model=m,base_url={url},max_minis=0"], "max_minis"),
        (["--chunker", "agentic:model=m,base_url={url},api_key=x"], "did you mean 'api_key_file'"),
        (["--chunker", "sentence", "--fallback", "none"], "--fallback is for chunkers that ask a language model"),
        (["--chunker", "agentic:model=m,base_url={url},fallback=none", "--fallback", "none"], "give one of them"),
    ],
)
def test_what_is_wrong_is_one_line_with_the_fix(
    call: Call, fake: Fake, docs: Path, options: list[str], said: str
) -> None:
    out = docs.parent / "out.parquet"
    ran = call("chunk", docs, *(word.format(url=fake.base_url) for word in options), "--out", out, "--no-progress")
    assert ran.code == 2 and said in ran.err and ran.err.count("\n") == 1
    assert not out.exists()


def test_a_key_shows_nowhere(call: Call, fake: Fake, docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    said = []
    for number, act in enumerate([None, status(500, f"bad key {KEY}"), status(401, f"no {KEY}")]):
        fake.always = act
        out = docs.parent / f"{number}.jsonl"
        named = spec(fake, f",max_minis={number + 2}")
        ran = call("chunk", docs, "--chunker", named, "--out", out, "--json")
        lost = call("chunk", docs, "--chunker", named, "--out", out, "--overwrite", "--fallback", "none")
        said += [ran.out, ran.err, lost.out, lost.err]
    assert fake.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert not [text for text in said if KEY in text]
    written = [path for path in docs.parent.rglob("*") if path.is_file()]
    assert any("replies" in path.parts for path in written) and any(path.suffix == ".log" for path in written)
    assert not [path for path in written if KEY.encode() in path.read_bytes()]
