"""A strategy that asks a language model: what it took, and that a comparison says where it was another chunker in truth."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_llm import KEY, MODEL, Act, Fake, alone, html, serve, status
from made_replies import answers

import chunkeval as ce
from chunkeval.compare import baselines
from chunkeval.report.compare_wording import certainty


def test_what_was_asked_and_what_fell_back_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone(monkeypatch)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    docs, out = tmp_path / "docs", tmp_path / "out"
    docs.mkdir()
    for name in "가나":
        text = "".join(f"등대지기 {name} 씨가 {n}번째 불을 켰다. 배가 돌아왔다.\n" for n in range(6))
        (docs / f"{name}.txt").write_text(text, "utf-8", newline="\n")
    with serve(Fake(answers=answers)) as fake:
        asks = f"agentic:model={MODEL},base_url={fake.base_url},mini_size=40,retries=0"
        told = {
            "docs": docs,
            "chunkers": f"recursive:size=60; {asks}",
            "analyzers": "tokens",
            "cache": str(tmp_path / "c"),
        }
        fake.always = status(500, f"no {KEY}")
        done = ce.compare(out=out, **told)  # type: ignore[arg-type]
        notes = [note for note in done.facts["notes"] if note.startswith(f"{asks}: ")]
        assert any("no reply of use to 2 of 2 questions: no answer from the server (2)" in note for note in notes)
        assert any("cut by the recursive chunker instead: 100.0 % of the characters" in note for note in notes)
        assert any("warning: no answer from http://127.0.0.1:" in note for note in notes)
        assert not [path for path in out.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
        fake.always, fake.requests = None, []
        for _ in range(2):  # the second time from the cache: what it cost stays what it cost
            done = ce.compare(**told)  # type: ignore[arg-type]
            [one] = [one for one in done.facts["strategies"] if one["name"] == asks]
            assert (one["llm_calls"], one["llm_tokens"]) == (2, 30) and fake.calls == 2
            [note] = [note for note in done.facts["notes"] if note.startswith(f"{asks}: ")]
            assert f"asked {MODEL} 2 questions: " in note


@pytest.mark.parametrize(
    ("chunker", "act", "questions", "share", "why"),
    [
        ("agentic:mini_size=20", status(500), 24, 1.0, "no answer from the server"),
        ("proposition:max_size=1500", status(500), 24, 1.0, "no answer from the server"),
        ("proposition:max_size=1500", html, 48, 0.0, "no JSON from the server"),
    ],
)
def test_a_strategy_whose_model_said_nothing_of_use_wins_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunker: str, act: Act, questions: int, share: float, why: str
) -> None:
    alone(monkeypatch)
    # Random cuts at sentence borders break nothing either.
    monkeypatch.setattr(baselines, "matches", lambda sizes: [])
    docs = tmp_path / "docs"
    docs.mkdir()
    for n in range(24):
        text = f"등대지기 김 씨가 {n}번째 불을 켰다. 배가 항구로 {n}척 돌아왔다.\n"
        (docs / f"{n:02}.txt").write_text(text, "utf-8", newline="\n")
    with serve(Fake(always=act)) as fake:
        asks = f"{chunker},model={MODEL},base_url={fake.base_url},retries=0,concurrency=1"
        done = ce.compare(
            docs=docs,
            chunkers=f"{asks}; fixed_char_length:char_limit=9",
            out=tmp_path / "out",
            metric="broken",
            analyzers="tokens,boundaries",
            cache=str(tmp_path / "c"),
            lang="en",
        )
    best, other = done.facts["strategies"]
    assert best["beats"] == [other["number"]]
    assert (done.facts["outcome"], done.facts["winner"], done.facts["asked_in_vain"]) == ("in_vain", None, [asks])
    assert best["asked"]["failed"]["why"] == {why: questions} and best["asked"]["fell_back"]["share"] == share
    assert done.facts["verdict"].startswith(f"No winner: {asks} comes out best by ")
    said = f"no reply of use to {questions} of {questions} questions; its fallback (recursive) cut {share:.0%} of the characters."
    assert certainty(done.facts, "en")[0].startswith(f"{asks}: {said}")
    assert said in (tmp_path / "out" / "report.html").read_text("utf-8").partition("</section>")[0]
