"""An agent as the retriever, against a scripted server: what it finds, reads and answers of every strategy's chunks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from cut_tables import DOCUMENTS, every, halves, line_of, table
from fake_llm import KEY, MODEL, Act, Fake, Handler, Request, alone, calls_tool, html, says, serve, status

import chunkeval as ce
from chunkeval.cli.main import main
from chunkeval.compare import Comparison
from chunkeval.errors import BudgetSpent, ConfigError, ServerLost
from chunkeval.report.compare_wording import certainty

ASKED = (
    ("판다는 무엇을 먹나?", "판다", "대나무", "판다는 대나무를 먹는다."),
    ("은행은 무엇을 올렸나?", "은행", "금 리", "은행은 금리를 올렸다."),
    ("What do aircraft burn?", "Aircraft", "fuel.", "Aircraft burn fuel."),
)
FEW = {name: DOCUMENTS[name] for name in list(DOCUMENTS)[:3]}
QUICK: dict[str, Any] = {"analyzers": "tokens", "embedder": "lsa", "retriever": "agent", "model": MODEL, "lang": "en"}


def act(handler: Handler, request: Request) -> None:
    """Search for the question's word and its document's number, read the first chunk found, and answer with its beginning."""
    messages = request.body["messages"]
    if len(messages) == 2:
        word = next(word for question, word, *_ in ASKED if question in messages[1]["content"])
        return calls_tool("keyword_search", {"keywords": [word], "top_k": 20})(handler, request)
    found = json.loads(re.sub(r"^Result of .*\n", "", messages[-1]["content"]))
    if "text" not in found[0]:
        return calls_tool("chunk_read", {"chunk_ids": [found[0]["chunk_id"]]})(handler, request)
    return says(f"{found[0]['text']} [{found[0]['chunk_id']}]")(handler, request)


@pytest.fixture(scope="module")
def server() -> Iterator[Fake]:
    with pytest.MonkeyPatch.context() as patch, serve(Fake(always=act)) as shown:
        alone(patch)
        yield shown


@pytest.fixture
def fake(server: Fake) -> Iterator[Fake]:
    server.requests.clear()
    yield server
    server.always, server.refuses_parameters, server.latency = act, (), 0.0


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        {
            "id": f"{name}-{word}",
            "question": asked,
            "answer": right,
            "references": [{"doc_id": name, "start": text.index(where), "end": text.index(where) + len(where)}],
        }
        for name, text in FEW.items()
        for asked, word, right, where in ASKED
        if where in text
    ]
    assert sum("?" in row["question"] and "나?" in row["question"] for row in rows) >= 3
    path = tmp_path_factory.mktemp("asked") / "questions.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return {"halves": table(halves, FEW), "twenty": table(every(20), FEW)}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def asked(
    server: Fake, questions: Path, tables: dict[str, pd.DataFrame], kept: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Comparison, Path, int]:
    """The comparison, its folder, and how many requests it took."""
    out = tmp_path_factory.mktemp("made") / "comparison"
    done = ce.compare(
        tables,
        questions=questions,
        out=out,
        base_url=server.base_url,
        cache=str(kept),
        metric="contains_answer",
        price_in=1000,
        price_out=2000,
        **QUICK,
    )
    return done, out, server.calls


def test_every_strategy_is_searched_read_and_answered_from(asked: tuple[Comparison, Path, int]) -> None:
    done, _, calls = asked
    whole, short = (line_of(done, name)["questions"] for name in ("halves", "twenty"))
    assert whole["contains_answer"] == 1.0 > short["contains_answer"]
    assert whole["recall"] >= short["recall"] and whole["chunks_read"] == whole["loops"] - 2 == 1
    assert whole["tokens_read"] > short["tokens_read"] > 0
    assert whole["llm_calls"] == 18 and whole["llm_tokens"] == 18 * 15
    assert whole["cost"] == pytest.approx(18 * (10 * 1000 + 5 * 2000) / 1e6)
    usage = done.facts["questions"]["usage"]
    assert usage["calls"] == calls and usage["calls"] + usage["cached"] == 18 * len(done.facts["strategies"])
    assert done.facts["questions"]["ended"]["halves"] == {"answered": 6}
    assert done.facts["metric"] == {
        "name": "contains_answer", "better": "higher", "retriever": "agent", "k": None, "budget": None, "model": MODEL,
        "max_loops": 10, "max_answer_tokens": None,
    }  # fmt: skip
    assert done.facts["settings"]["model"] == MODEL
    assert (
        len(done.facts["statistics"]["pairs"])
        == len(done.facts["strategies"]) * (len(done.facts["strategies"]) - 1) / 2
    )


def test_the_files_tell_it(asked: tuple[Comparison, Path, int]) -> None:
    done, out, _ = asked
    lines = [json.loads(line) for line in (out / "answers.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) == 6 * len(done.facts["strategies"])
    first = lines[0]
    assert (first["strategy"], first["contains_answer"], first["ended"]) == ("halves", True, "answered")
    assert first["read"] == first["citations"] and [c["tool"] for s in first["steps"] for c in s["calls"]] == [
        "keyword_search",
        "chunk_read",
    ]
    page = (out / "report.html").read_text("utf-8")
    assert "an agent that searches, reads and answers: fake-model, at most 10 loops a question" in page
    assert "answer contained" in page and "LLM tokens to answer" in page
    frame = pd.read_csv(out / "comparison.csv").set_index("strategy")
    assert frame.loc["halves", "contains_answer"] == 1.0 and frame.loc["halves", "questions_llm_calls"] == 18


def test_the_second_time_costs_no_call(
    asked: tuple[Comparison, Path, int], fake: Fake, questions: Path, tables: dict[str, pd.DataFrame], kept: Path
) -> None:
    fake.always = status(500)
    again = ce.compare(
        tables, questions=questions, base_url=fake.base_url, cache=str(kept), metric="loops", price_in=1, price_out=1,
        **QUICK,
    )  # fmt: skip
    assert fake.calls == 0
    usage = again.facts["questions"]["usage"]
    assert (usage["calls"], usage["cached"], usage["cost"]) == (0, 18 * len(again.facts["strategies"]), 0.0)
    assert again.answers == asked[0].answers
    assert again.questions is not None and again.questions.equals(asked[0].questions)
    assert again.facts["metric"]["better"] == "lower"


def compared(fake: Fake, questions: Path, tables: dict[str, pd.DataFrame], cache: Path, **more: Any) -> Comparison:
    """Compare once more, with what judging has put into the cache already."""
    told = {"retries": 0, **QUICK, **more}
    return ce.compare(tables, questions=questions, base_url=fake.base_url, cache=str(cache), **told)


def test_a_server_that_takes_no_tools_is_asked_for_them_once(
    fake: Fake, questions: Path, tables: dict[str, pd.DataFrame], tmp_path: Path
) -> None:
    def spoken(handler: Handler, request: Request) -> None:
        messages = request.body["messages"]
        if len(messages) == 2:
            word = next(word for question, word, *_ in ASKED if question in messages[1]["content"])
            return says(json.dumps({"tool": "keyword_search", "arguments": {"keywords": [word]}}))(handler, request)
        found = json.loads(re.sub(r"^Result of .*\n", "", messages[-1]["content"]))
        return says(json.dumps({"answer": f"{found[0]['snippet']} [{found[0]['chunk_id']}]"}))(handler, request)

    fake.always, fake.refuses_parameters = spoken, ("tools",)
    done = compared(fake, questions, tables, tmp_path, concurrency=1)
    assert sum("tools" in request.body for request in fake.requests) == 1
    assert all(one.answered.protocol == "text" and one.answered.unread for one in done.answers)
    assert line_of(done, "halves")["questions"]["recall"] == 0, "a snippet is not a chunk that was read"


def test_a_server_that_dies_and_a_budget_keep_what_is_finished(
    fake: Fake, questions: Path, tables: dict[str, pd.DataFrame], tmp_path: Path
) -> None:
    with pytest.raises(BudgetSpent, match=r"raise max_calls .*; [23] of 36 answers are finished$"):
        compared(fake, questions, tables, tmp_path, max_calls=8, concurrency=1)
    assert fake.calls == 8

    def dying(handler: Handler, request: Request) -> None:
        (act if fake.calls <= 8 + 6 else status(500))(handler, request)

    fake.always = dying
    with pytest.raises(
        ServerLost, match=r"\d+ of 36 answers are finished, their replies are kept: run the same command again"
    ):
        compared(fake, questions, tables, tmp_path, concurrency=1)
    fake.always = act
    done = compared(fake, questions, tables, tmp_path)
    assert done.facts["questions"]["usage"]["cached"] >= 14
    assert fake.calls < 18 * len(done.facts["strategies"])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"base_url": None}, "no language model to ask: give the server's address"),
        ({"model": None}, "no model is named"),
        ({"k": 5}, "--k and --budget: an agent reads what it wants"),
        ({"budget": 500}, "--k and --budget: an agent reads what it wants"),
        ({"questions": None}, "an agent answers questions: give --questions"),
        ({"retriever": "semantic"}, "--model is for an agent"),
        ({"retriever": "keyword", "model": None, "metric": "loops"}, "--metric loops: is measured of an agent"),
        ({"price_in": 3}, "give both"),
        ({"concurrency": 0}, "concurrency must be between 1"),
        ({"max_loops": 0}, "max_loops must be between 1"),
        ({"metric": "contain_answer"}, "did you mean 'contains_answer'"),
    ],
)
def test_what_is_wrong_is_said_before_any_work(
    fake: Fake, questions: Path, tables: dict[str, pd.DataFrame], tmp_path: Path, more: dict[str, Any], said: str
) -> None:
    told = {**QUICK, "questions": questions, "base_url": fake.base_url, **more}
    if more.get("retriever") == "keyword":
        told["base_url"] = None
    with pytest.raises(ConfigError, match=re.escape(said)):
        ce.compare(tables, cache=str(tmp_path / "none"), **told)
    assert fake.calls == 0 and not (tmp_path / "none").exists()


def test_questions_without_answers_are_measured_by_what_was_read(
    fake: Fake, questions: Path, tables: dict[str, pd.DataFrame], kept: Path, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in questions.read_text("utf-8").splitlines()]
    bare = tmp_path / "bare.jsonl"
    bare.write_text("".join(json.dumps({**row, "answer": None}) + "\n" for row in rows), "utf-8")
    with pytest.raises(ConfigError, match="no question of .* names its answer"):
        compared(fake, bare, tables, kept, metric="contains_answer")
    assert fake.calls == 0


def test_the_command_says_what_it_took_and_no_key(
    asked: tuple[Comparison, Path, int],
    fake: Fake,
    questions: Path,
    tables: dict[str, pd.DataFrame],
    kept: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    for name, frame in tables.items():
        frame.to_parquet(f"{name}.parquet")
    words = ["compare", "--tables", "halves=halves.parquet", "twenty=twenty.parquet", "--questions", str(questions),
             "--retriever", "agent", "--model", MODEL, "--base-url", fake.base_url, "--analyzers", "tokens", "--embedder",
             "lsa", "--cache", str(kept), "--no-progress", "--lang", "ko", "--out", "out"]  # fmt: skip
    assert main(words) == 0
    said = capsys.readouterr()
    assert "asked fake-model for 36 answers: 0 calls, 108 replies from the cache" in said.err
    fake.always = status(401, f"no {KEY}")
    assert main([*words[:-7], "--cache", str(tmp_path / "c"), "--out", "other"]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and "refuses the key" in said.err and not Path("other").exists()
    written = [path.read_bytes() for folder in (tmp_path, kept) for path in folder.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in each for each in written)


def of_no_use(handler: Handler, request: Request) -> None:
    status(400, "no such thing")(handler, request)


@pytest.mark.parametrize(
    ("always", "why"), [(html, "no JSON from the server"), (of_no_use, "refused by the server (400): no such thing")]
)
def test_a_server_that_says_nothing_of_use_measures_nothing(
    fake: Fake, questions: Path, tables: dict[str, pd.DataFrame], tmp_path: Path, always: Act, why: str
) -> None:
    fake.always = always
    said = f"{fake.base_url} gave no answer ({why}) to any of 6 questions of halves; is it the address up to /v1"
    with pytest.raises(ServerLost, match=re.escape(said)):
        compared(fake, questions, tables, tmp_path, out=tmp_path / "out")
    assert not (tmp_path / "out").exists() and fake.calls < 40, "the other strategies are not asked any more"


def test_a_server_that_never_lets_it_answer_measures_nothing(
    fake: Fake, questions: Path, tables: dict[str, pd.DataFrame], tmp_path: Path
) -> None:
    def refuses_to_go_on(handler: Handler, request: Request) -> None:
        (act if len(request.body["messages"]) == 2 else of_no_use)(handler, request)

    fake.always = refuses_to_go_on
    with pytest.raises(ServerLost, match=r"\(refused by the server \(400\): no such thing\) to any of 36 questions$"):
        compared(fake, questions, tables, tmp_path)


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_some_questions_without_an_answer_are_told_on_the_first_screen(
    fake: Fake, questions: Path, tables: dict[str, pd.DataFrame], tmp_path: Path, lang: str
) -> None:
    def often(handler: Handler, request: Request) -> None:
        told = [message["content"] for message in request.body["messages"]]
        (of_no_use if ASKED[2][0] in told[1] else act)(handler, request)

    fake.always = often
    done = compared(fake, questions, tables, tmp_path, out=tmp_path / "out", lang=lang)
    unserved = done.facts["questions"]["unserved"]
    assert unserved == {name: ended["refused"] for name, ended in done.facts["questions"]["ended"].items()}
    said = certainty(done.facts, lang)[0]  # type: ignore[arg-type]
    assert all(f"{name} {count}" in said for name, count in unserved.items())
    assert said in (tmp_path / "out" / "report.html").read_text("utf-8").partition("</section>")[0]
