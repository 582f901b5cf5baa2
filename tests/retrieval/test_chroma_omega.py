"""Chroma's precision omega on its own questions, against what its code does, written down again from its description."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))

import omega

from chunkeval.retrieval.questions import read_questions

DATA = omega.DATA


@pytest.fixture(scope="module")
def documents() -> dict[str, str]:
    pytest.importorskip("tiktoken")
    core = pytest.importorskip("llama_index.core")
    if not DATA.exists():
        pytest.skip(f"{DATA} is not there")
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(Path(core.__file__).parent / "_static/tiktoken_cache"))
    return {path.name: path.read_text("utf-8") for path in sorted((DATA / "corpora").iterdir())}


def test_every_question_finds_its_place(documents):
    found = read_questions(DATA / "questions.jsonl", documents, strict=True)
    assert len(found.questions) == 220 and found.skipped == ()


@pytest.mark.parametrize(
    ("chunker", "near"),
    [
        (f"{omega.RECURSIVE},size=200,overlap=0", 29.9),
        (f"{omega.RECURSIVE},size=400,overlap=200", 13.9),
        (f"{omega.FIXED},chunk_size=200,chunk_overlap=0", 21.0),
    ],
)
def test_omega_is_that_of_its_code_and_near_what_was_published(documents, chunker, near, monkeypatch):
    """The table is over five corpora; these two come within two points of it."""
    monkeypatch.setattr(omega, "DATA", DATA)
    found = omega.omegas(chunker, documents)
    cut = omega.table(chunker, documents)
    places = []
    for doc_id, text in zip(cut["doc_id"], cut["text"], strict=True):
        wanted = text[:-1] if text.endswith(".") else text
        start = documents[doc_id].find(wanted)
        places.append((doc_id, start, start + len(wanted)))
    expected = []
    for question in read_questions(DATA / "questions.jsonl", documents).questions:
        answer = {point for r in question.references for point in range(r.start, r.end)}
        read: set[int] = set()
        for doc_id, start, end in places:
            if doc_id == question.doc_id and any(start <= r.end and end >= r.start for r in question.references):
                read.update(range(start, end))
        expected.append(len(answer & read) / len(answer | read) if read else 0.0)
    assert found == pytest.approx(np.array(expected))
    assert 100 * found.mean() == pytest.approx(near, abs=2)
