"""``chunkeval score`` by the command line: what it prints, what it writes, how it ends."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest

GOOD = "서울은 대한민국의 수도이다. 한강이 서울을 가로지른다. 서울에는 궁궐이 여럿 있다."
ENGLISH = "Cats sleep most of the day. A cat naps in the sun. Cats hunt at night."


def test_the_answer_in_korean_and_the_time_apart(call):
    said = call("score", GOOD, "--limit", "tokens=1:5")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "청크로 알맞지 않습니다: 너무 긺 (심각도 1.00)."
    assert lines[1].startswith("! 토큰 수: ") and "걸림; 1 미만이거나 5 초과이면 걸림(직접 지정한 기준)" in lines[1]
    assert (
        lines[2].startswith("  보정 문장 유사도: ")
        and "괜찮음; 0.049 미만이면 걸림(임베더·언어별 기본 기준)" in lines[2]
    )
    assert lines[3] == "  주제 혼재도: 잴 수 없음: 말뭉치에서 배우는 것이므로 --run RUN이 있어야 함"
    assert lines[4] == "  일관성: 잴 수 없음: 말뭉치에서 배우는 것이므로 --run RUN이 있어야 함"
    assert lines[5].startswith("이음이 가장 약한 곳: 글자 ")
    assert lines[-1].startswith("권하는 조치: 나누기")
    assert said.err.startswith("loaded in ") and ", scored 1 text in " in said.err


def test_the_answer_follows_the_text_and_lang(call):
    said = call("score", ENGLISH, "--quiet")
    assert said.out.startswith("Fit to be a chunk.\n") and said.err == ""
    assert "bad below 0.038 (shipped limit for this embedder and language)" in said.out
    assert call("score", GOOD, "--lang", "en").out.startswith("Fit to be a chunk.\n")
    assert call("score", "한 문장이다.").out.startswith(
        "청크로 알맞은지 판정할 수 없습니다.\n눈에 띈 점: 문장이 하나뿐"
    )


def test_json_is_an_object_for_one_text_and_a_list_for_many(call, tmp_path):
    one = json.loads(call("score", GOOD, "--json").out)
    assert (one["verdict"], one["flagged"], one["run"], one["source"]) == ("fit", False, None, "argument 1")
    assert {"load", "score"} == set(one["seconds"])
    assert [(m["column"], m["rule"], m["flagged"]) for m in one["measures"]] == [
        ("token_count", "none", False),
        ("similarity_centred", "profile", False),
    ]
    assert set(one["weakest"]) == {"cut", "before", "after", "gap"}
    (tmp_path / "texts.jsonl").write_text(json.dumps({"id": "a", "text": GOOD}) + "\n", "utf-8")
    many = json.loads(call("score", "texts.jsonl", "--json", "--out", "told.json").out or "null")
    assert many is None
    told = json.loads((tmp_path / "told.json").read_text("utf-8"))
    assert [item["chunk_id"] for item in told] == ["a"] and told[0]["scores"] == one["scores"]


def test_many_texts_are_named_and_counted(call):
    said = call("score", GOOD, "", ENGLISH, GOOD)
    assert "[argument 1]\n청크로" in said.out and "[argument 3]\nFit" in said.out
    assert said.out.endswith("\n글 4개 중 1개가 청크로 알맞지 않습니다.\n")


def test_the_gate_fails_where_any_text_is_flagged(call):
    assert call("score", GOOD, "--gate").code == 0
    said = call("score", GOOD, " ", "--gate", "--json")
    assert said.code == 1 and len(json.loads(said.out)) == 2
    assert said.err.splitlines()[-1] == "chunkeval: error: 1 of 2 texts is not fit to be a chunk; --gate allows none"


def test_settings_come_from_a_file_too(call, tmp_path):
    (tmp_path / "c.toml").write_text('gate = true\n[limit]\ntokens = "1:5"\n', "utf-8")
    assert call("score", GOOD, "--config", "c.toml").code == 1


def test_nothing_in_a_text_reaches_the_terminal(call):
    said = call("score", "\x1b[2J지운다. 그리고\x07 울린다.", "--lang", "en")
    assert said.code == 0 and "\x1b" not in said.out and "\x07" not in said.out and "\\x1b[2J" in said.out


def test_standard_input_in_cp949(call, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode("cp949")), encoding="utf-8"))
    told = json.loads(call("score", "-", "--json").out)
    assert (told["source"], told["language"], told["verdict"]) == ("standard input", "ko", "fit")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], 'give a text, as in chunkeval score "…", a file, or - for standard input'),
        (["nope.csv"], "nope.csv: no such file: check the path; or, if this is the text itself, pipe it in and name it -"),
        ([GOOD, "--run", "nope"], "there is no run at nope: give the folder that `chunkeval audit` wrote"),
        ([GOOD, "--run", "nope", "--embedder", "lsa"], "embedder and run are both given: the run has its own embedder"),
        ([GOOD, "--embedder", "lsa"], "lsa learns from a corpus: audit one with it and name the run with --run"),
        ([GOOD, "--limit", "topic_entropy=3"], "limit 'topic_entropy' needs the analyzer 'topics', which did not run"),
        ([GOOD, "--gat"], "unknown option '--gat': did you mean --gate?"),
        ([GOOD, "-x=1"], "unknown option '-x=1': chunkeval score --help lists them"),
    ],
)  # fmt: skip
def test_faults_are_one_line(call, arguments, message):
    said = call("score", *arguments)
    assert said.code == 2 and said.out == ""
    assert len(said.err.splitlines()) == 1 and message in said.err


def test_a_damaged_run_is_refused(call, run):
    (run / "state" / "state.json").write_text("{", "utf-8")
    said = call("score", GOOD, "--run", run)
    assert said.code == 2 and "is damaged" in said.err and "audit once more with --overwrite" in said.err


def test_help_is_light():
    code = "import sys; from chunkeval.cli.main import main; main(['score', '--help']); print(sorted(sys.modules))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "--gate" in said
    assert not {name for name in ("numpy", "pandas", "torch", "kiwipiepy") if f"'{name}'" in said}
