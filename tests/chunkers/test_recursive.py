from __future__ import annotations

import os
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkeval.chunkers.recursive import RecursiveChunker
from chunkeval.chunkers.units import Units
from chunkeval.errors import ConfigError, MissingExtraError

TABLE = "| 이름 | 값 |\n|---|---|\n| 하나, 둘. 셋 | 1 |\n| 넷 다섯 여섯 | 2 |\n"
FENCE = "```python\ndef f():\n    # 주석\n\n    return 1\n```\n"
CL100K = "cl100k_base"


@pytest.fixture
def cl100k(monkeypatch: pytest.MonkeyPatch) -> str:
    """Its file comes with llama-index-core."""
    pytest.importorskip("tiktoken")
    core = pytest.importorskip("llama_index.core")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(Path(core.__file__).parent / "_static/tiktoken_cache"))
    return CL100K


def texts(text: str, **settings: object) -> list[str]:
    return [chunk.text(text) for chunk in RecursiveChunker(**settings).split(text)]


def test_coarse_separators_come_first() -> None:
    text = "첫 문단이다. 둘째 문장이다.\n\n둘째 문단이다.\n셋째 줄이다.\n\n끝이다."
    assert texts(text, size=18) == ["첫 문단이다. 둘째 문장이다.\n\n", "둘째 문단이다.\n셋째 줄이다.\n\n", "끝이다."]
    assert texts(text, size=12) == [
        "첫 문단이다. ",
        "둘째 문장이다.\n\n",
        "둘째 문단이다.\n",
        "셋째 줄이다.\n\n",
        "끝이다.",
    ]


def test_korean_sentence_ends_come_before_dates_and_lists() -> None:
    text = "이 법은 2024. 3. 5. 시행한다. 다만 제1. 항은 그러지 아니하다. 끝은 없다."
    assert texts(text, size=25) == ["이 법은 2024. 3. 5. 시행한다. ", "다만 제1. 항은 그러지 아니하다. ", "끝은 없다."]


def test_full_width_marks_end_sentences() -> None:
    assert texts("今天天气很好。我们去公园吧！真的吗？好", size=8) == ["今天天气很好。", "我们去公园吧！", "真的吗？好"]


def test_blank_lines_belong_to_what_is_before() -> None:
    assert texts("가나다라\n\n\n\n마바사아", size=8) == ["가나다라\n\n\n\n", "마바사아"]


def test_no_table_row_is_cut_that_fits() -> None:
    text = f"앞에 글이 있다. 길다.\n{TABLE}뒤에 글이 있다."
    for size in range(len("| 하나, 둘. 셋 | 1 |\n"), 80):
        for kind in ("auto", "markdown"):
            for separators in (None, [". ", " "], []):
                parts = texts(text, size=size, kind=kind, separators=separators)
                for row in TABLE.splitlines(keepends=True):
                    assert any(row in part for part in parts), (size, separators, row, parts)


def test_no_code_fence_is_cut_that_fits() -> None:
    text = f"# 제목\n\n글이 있다.\n\n{FENCE}\n뒤에 글이 있다. 또 있다.\n\n- 항목\n  ~~~\n  a b\n\n  c\n  ~~~\n"
    for size in range(len(FENCE), 120):
        for separators in (None, ["\n", " "], []):
            parts = texts(text, size=size, separators=separators, kind="markdown")
            assert any(FENCE in part for part in parts), (size, separators, parts)


def test_a_large_fence_is_cut_at_its_lines_not_at_its_comments() -> None:
    text = "글이다.\n\n```sh\n# 하나\necho 1\n# 둘\necho 2\n```\n"
    assert texts(text, size=20) == ["글이다.\n\n", "```sh\n# 하나\necho 1\n", "# 둘\necho 2\n```\n"]


def test_headings_begin_a_chunk() -> None:
    text = "머리말이다.\n\n# 하나\n본문이다.\n\n## 절\n본문이다.\n\n# 둘\n본문이다.\n"
    assert texts(text, size=18) == [
        "머리말이다.\n\n",
        "# 하나\n본문이다.\n\n",
        "## 절\n본문이다.\n\n",
        "# 둘\n본문이다.\n",
    ]


def test_html_tags_are_not_cut() -> None:
    text = "<div><p>첫 문단이다.</p><p>둘째 문단이다.</p></div><P>셋째다.</P>"
    assert texts(text, size=24) == ["<div><p>첫 문단이다.</p>", "<p>둘째 문단이다.</p></div>", "<P>셋째다.</P>"]


def test_definitions_begin_a_chunk_of_code() -> None:
    text = "import os\n\nx = 1\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
    assert texts(text, size=40, kind="code") == [
        "import os\n\nx = 1\n\n\n",
        "def f():\n    return 1\n\n\n",
        "def g():\n    return 2\n",
    ]


def test_overlap_repeats_whole_pieces() -> None:
    text = "하나다. 둘이다. 셋이다. 넷이다. 다섯이다."
    assert texts(text, size=11, overlap=6) == [
        "하나다. 둘이다. ",
        "둘이다. 셋이다. ",
        "셋이다. 넷이다. ",
        "넷이다. 다섯이다.",
    ]
    assert texts(text, size=11, overlap=4) == ["하나다. 둘이다. ", "셋이다. 넷이다. ", "다섯이다."]


def test_windows_without_separators() -> None:
    text = "가나다라마바사아자차"
    assert texts(text, size=4, overlap=2, separators=[]) == ["가나다라", "다라마바", "마바사아", "사아자차"]
    assert texts("a b c d e", size=2, unit="words", separators=[]) == ["a b ", "c d ", "e"]


def test_sizes_in_tokens_hold_on_the_document_and_nearly_by_themselves(minilm_folder: str, cl100k: str) -> None:
    rng = random.Random(0)
    words = ["서울은", "대한민국의", "수도이다.", "Dr.", "$3.50.", "unbelievable", "👨‍👩‍👧‍👦", "漢字である。"]
    text = " ".join(rng.choice(words) + rng.choice(["", "", "\n", "\n\n"]) for _ in range(1500))
    for tokenizer in ("use-multilingual", minilm_folder, cl100k):
        units = Units("tokens", tokenizer)
        ruler = units.ruler(text)
        chunks = RecursiveChunker(size=40, unit="tokens", tokenizer=tokenizer).split(text)
        spans = [chunk.spans[0] for chunk in chunks]
        assert max(ruler.size(*span) for span in spans) <= 40
        by_themselves = [units.ruler(text[a:b]).size(0, b - a) for a, b in spans]
        # Only a cut within a word changes tokens, and then by the few of that word.
        assert max(by_themselves) <= 42
        assert abs(sum(by_themselves) - ruler.size(0, len(text))) <= 0.02 * ruler.size(0, len(text))


def test_a_tokenizer_is_read_in_windows_as_it_reads_the_whole(minilm_folder: str, cl100k: str) -> None:
    from chunkeval.text import offsets

    text = ("서울은 대한민국의 수도이다. The capital of Korea, 漢字である。\n\n" * 3000)[:100_001]
    for name in (minilm_folder, cl100k):
        tokenizer = offsets.load(name)
        whole = tokenizer._read([text])[0] if hasattr(tokenizer, "_read") else None
        assert whole is not None and tokenizer.starts(text).tolist() == whole.tolist()


@pytest.mark.parametrize(
    "text", ["ｆｕｌｌ ¨가 ㎏ 각 ﷺ", "\ufeffa\u200bb \x1c", "<unk> <s> 👨‍👩‍👧‍👦", "漢字かな交じり文", "\ud800 가"]
)
def test_token_starts_are_as_many_as_tokens(text: str, minilm_folder: str) -> None:
    from chunkeval.text.embeddings import load
    from chunkeval.text.tokens import load_hugging_face

    for counter in (load("use-multilingual"), load_hugging_face(minilm_folder)):
        starts = counter.starts(text).tolist()
        assert len(starts) == counter.count([text.replace("\ud800", "\ufffd")])[0]
        assert starts == sorted(starts) and all(0 <= start < len(text) for start in starts)


CHROMA = ["\n\n", "\n", ".", "?", "!", " ", ""]
SEPARATORS = [None, CHROMA, ["\n\n", " "], ["가", "다", ""], [""], ["..", "\n"]]


@settings(max_examples=300, deadline=None)
@given(
    st.text(st.sampled_from("ab 가 \n\n.?!다,\r\n👨\u200d\u0301|#\t\u00a0"), max_size=120),
    st.integers(1, 20),
    st.integers(0, 19),
    st.sampled_from(SEPARATORS),
)
def test_compat_gives_langchains_chunks(text: str, size: int, overlap: int, separators: list[str] | None) -> None:
    splitters = pytest.importorskip("langchain_text_splitters")
    overlap = min(overlap, size - 1)
    theirs = splitters.RecursiveCharacterTextSplitter(
        separators=separators, chunk_size=size, chunk_overlap=overlap
    ).split_text(text)
    assert texts(text, size=size, overlap=overlap, separators=separators, compat="langchain") == theirs


@pytest.mark.parametrize(("size", "overlap"), [(80, 40), (40, 20), (40, 0), (20, 0)])
def test_compat_gives_langchains_chunks_in_tokens(cl100k: str, size: int, overlap: int) -> None:
    splitters = pytest.importorskip("langchain_text_splitters")
    text = "서울은 대한민국의 수도이다. Is it? It is! 한강이 흐른다.\n셋째 줄이다.\n\n" * 40
    theirs = splitters.RecursiveCharacterTextSplitter.from_tiktoken_encoder(
        encoding_name=cl100k, separators=CHROMA, chunk_size=size, chunk_overlap=overlap
    ).split_text(text)
    ours = texts(
        text, size=size, overlap=overlap, separators=CHROMA, unit="tokens", tokenizer=cl100k, compat="langchain"
    )
    assert ours == theirs


@pytest.mark.parametrize("special", [False, True])
def test_compat_may_count_the_tokens_that_a_model_adds(minilm_folder: str, special: bool) -> None:
    splitters = pytest.importorskip("langchain_text_splitters")
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(minilm_folder)
    text = "Seoul is the capital. Is it? It is! The river runs.\nA third line.\n\n서울은 수도이다. " * 20
    theirs = splitters.RecursiveCharacterTextSplitter(
        separators=CHROMA,
        chunk_size=30,
        chunk_overlap=0,
        length_function=lambda piece: len(tokenizer.encode(piece, add_special_tokens=special)),
    ).split_text(text)
    how = {"size": 30, "separators": CHROMA, "unit": "tokens", "tokenizer": minilm_folder, "compat": "langchain"}
    assert texts(text, **how, special_tokens=special) == theirs
    with pytest.raises(ConfigError, match="special_tokens count with compat=langchain and unit=tokens only"):
        RecursiveChunker(unit="tokens", special_tokens=True)


def test_compat_spans_leave_out_white_space_only() -> None:
    text = "하나 둘  셋\n\n  넷 다섯\n"
    spans = [chunk.spans[0] for chunk in RecursiveChunker(size=6, compat="langchain").split(text)]
    assert [text[a:b] for a, b in spans] == ["하나 둘", "셋", "넷", "다섯"]
    assert all(text[b:c].isspace() for (_, b), (c, _) in pairwise(spans))


def test_an_unknown_tokenizer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="cannot load tokenizer 'no/such'"):
        RecursiveChunker(unit="tokens", tokenizer="no/such")
    monkeypatch.setitem(__import__("sys").modules, "tiktoken", None)
    with pytest.raises(MissingExtraError, match=r"chunkeval\[compare\]"):
        RecursiveChunker(unit="tokens", tokenizer=CL100K)


def test_threads_share_a_chunker() -> None:
    from concurrent.futures import ThreadPoolExecutor

    chunker = RecursiveChunker(size=5, unit="tokens")
    documents = [f"서울은 {i}번째 대한민국의 수도이다. " * 20 for i in range(40)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parallel = [[c.spans for c in chunks] for chunks in pool.map(chunker.split, documents)]
    assert parallel == [[c.spans for c in chunker.split(document)] for document in documents]
