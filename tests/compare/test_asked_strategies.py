"""A strategy that asks a language model: what it took, and that a comparison says where it was another chunker in truth."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_llm import KEY, MODEL, Fake, alone, serve, status
from made_replies import answers

import chunkeval as ce


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
