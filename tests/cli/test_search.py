"""search, read and mcp from the command line."""

import doctest
import io
import json
import subprocess
import sys
import unicodedata

import pytest

from chunkeval.cli import words
from chunkeval.retrieval import serving

ROWS = [
    {
        "id": "c_3",
        "doc": "물리",
        "text": "아인슈타인은 1905년 특수 상대성이론을 발표했다. 세상이 놀랐다. 이후 일반 상대성이론이 나왔다.",
    },
    {"id": "4", "doc": "물리", "text": unicodedata.normalize("NFD", "그는 1905년에 베른에서 살았다.")},
    {"id": "5", "doc": "요리", "text": "김치는 배추로 담근다.\x1b[31m Kimchi keeps for months."},
]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), "utf-8")
    return path


def test_the_examples_hold():
    assert doctest.testmod(words).failed == 0


def test_keyword_search_prints_ids_scores_and_snippets(call, table):
    said = call("search", "keyword", table, "상대성이론", "1905", "--quiet")
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[:4] == [
        "14  c_3",
        "    아인슈타인은 1905년 특수 상대성이론을 발표했다.",
        "    이후 일반 상대성이론이 나왔다.",
        "4  4",
    ]


def test_json_is_a_list_best_first(call, table):
    found = json.loads(call("search", "keyword", table, "1905", "--json", "--top-k", "1").out)
    assert [list(hit) for hit in found] == [["chunk_id", "score", "snippet"]] and found[0]["chunk_id"] == "c_3"
    assert json.loads(call("search", "keyword", table, "없는말", "--json").out) == []
    weighed = json.loads(call("search", "keyword", table, "배추", "--json", "--weight", "bytes").out)
    assert weighed[0]["score"] == 6


def test_searches_by_meaning(call, table):
    found = json.loads(call("search", "semantic", table, "배추", "절임은?", "--json", "--embedder", "lsa").out)
    assert len(found) == 3 and found[0]["chunk_id"] == "5"
    both = json.loads(call("search", "hybrid", table, "상대성이론은 누가 발표했나?", "--json", "--embedder", "lsa").out)
    assert both[0]["chunk_id"] == "c_3" and len(both) == 3


def test_read_gives_texts(call, table):
    said = call("read", table, "4", "--neighbours", "1", "--json")
    assert json.loads(said.out) == [{"chunk_id": row["id"], "text": row["text"]} for row in ROWS[:2]]
    shown = call("read", table, "5", "5").out
    assert shown == "[5]\n김치는 배추로 담근다.\\x1b[31m Kimchi keeps for months.\n"


def test_a_run_is_searched(call, run):
    said = call("search", "keyword", run, "발효", "--json", "--top-k", "20")
    assert said.code == 0 and len(json.loads(said.out)) == 20
    assert call("read", run, "=c5").code == 0


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("search keywrd T 김치", "unknown kind of search 'keywrd': did you mean 'keyword'?"),
        ("search keyword T", "say what to look for, as in chunkeval search keyword"),
        ("search keyword T 김치 --top-k 21", "top_k must be between 1 and 20, not 21"),
        ("search keyword T 김치 --top-k -1", "top_k must be between 1 and 20, not -1"),
        ("search keyword T 김치 --weight byte", 'Invalid value "byte" for --weight.'),
        ("search keyword nosuch.csv 김치", "nosuch.csv"),
        ("read T c_33", "there is no chunk 'c_33': give ids as a search gave them. Did you mean 'c_3'?"),
        ("read T", "chunk_ids is empty"),
        ("search keyword T 김치 --top-kk 3", "unknown option '--top-kk': did you mean --top-k?"),
        ("read T 4 --neigbours 1", "unknown option '--neigbours': did you mean --neighbours?"),
        ("ask 언제? T --modell m", "Unknown option: --modell. Did you mean --model?"),
        ("mcp -", "an agent speaks on standard input, so that no table can come there: name a file"),
        ("read T 4 --neighbours 6", "neighbours must be between 0 and 5, not 6"),
    ],
)
def test_bad_words_are_one_line(call, table, words, line):
    said = call(*(str(table) if word == "T" else word for word in words.split()), "--quiet")
    assert said.code == 2 and said.err.startswith(f"chunkeval: error: {line}") and said.err.count("\n") == 1
    assert said.out == ""


def test_words_may_begin_with_a_hyphen_and_the_table_may_come_on_standard_input(call, table, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(table.read_bytes())))
    said = call("search", "keyword", "-", "상대성이론", "-5도", "--json")
    assert [hit["chunk_id"] for hit in json.loads(said.out)] == ["c_3"]


def test_a_missing_extra_is_one_line(call, table, monkeypatch):
    monkeypatch.setattr(serving, "find_spec", lambda name: None)
    said = call("mcp", table)
    assert (said.code, said.err) == (
        2,
        "chunkeval: error: chunkeval mcp needs the package mcp: pip install 'chunkeval[mcp]'\n",
    )


def test_nothing_of_the_protocol_is_imported_to_search():
    code = "import sys, chunkeval.retrieval.tools, chunkeval.searching; print('mcp' in sys.modules, 'torch' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "False False\n"
