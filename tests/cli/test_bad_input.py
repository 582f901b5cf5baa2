"""Bad input to the real pipeline: one line, exit 2, nothing written, and before any text is looked at."""

import pytest

from chunkeval import api


@pytest.fixture
def table(tmp_path):
    rows = "".join(f'c{i},"사과는 {i}번째로 빨갛다. 하늘은 푸르다."\n' for i in range(6))
    (tmp_path / "chunks.csv").write_text("chunk_id,text\n" + rows, "utf-8")
    return "chunks.csv"


@pytest.mark.parametrize(
    ("limit", "line"),
    [
        ("simlarity=0.3", "unknown limit 'simlarity': did you mean 'similarity'? (known: "),
        ("similarity=0.3", "limit 'similarity' needs the analyzer 'similarity', which did not run (ran: tokens): "),
        ("tokens=많이", "limit tokens=많이: '많이' is no number; give tokens=VALUE or tokens=LOW:HIGH"),
        ("tokens=5", "limit tokens=5: both sides can be bad, so give LOW:HIGH, for example tokens=50:800"),
        ("tokens=9:5", "limit tokens=9:5: the first value must be below the second"),
    ],
)
def test_a_bad_limit_is_refused_before_anything_is_read(call, table, tmp_path, monkeypatch, limit, line):
    monkeypatch.setattr(api.loaders, "write_chunks", lambda *_: pytest.fail("the source was read"))
    before = sorted(tmp_path.rglob("*"))
    said = call("audit", table, "--analyzers", "tokens", "--embedder", "lsa", "--limit", limit)
    assert said.code == 2 and said.out == "" and said.err.count("\n") == 1
    assert said.err.startswith(f"chunkeval: error: {line}")
    assert sorted(tmp_path.rglob("*")) == before
