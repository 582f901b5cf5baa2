"""The committed sample run is that of the Korean demo corpus, drawn by the page as it is now: `make sample` makes it again."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from chunkeval.report.page import script_and_style
from chunkeval.runs import open_run

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "reports" / "sample"


def test_the_sample_is_of_the_corpus_as_it_is() -> None:
    summary = json.loads((SAMPLE / "summary.json").read_text("utf-8"))
    corpus = (ROOT / "datasets" / "ko" / "chunks.csv").read_bytes()
    assert summary["input"]["sha256"] == hashlib.sha256(corpus).hexdigest()
    assert summary["input"]["source"] == "datasets/ko/chunks.csv"
    assert len(open_run(SAMPLE).flags.frame) == summary["chunks"]


def test_the_sample_is_drawn_by_the_page_as_it_is() -> None:
    page = (SAMPLE / "report.html").read_text("utf-8")
    assert all(part in page for part in script_and_style())


def test_the_sample_names_no_place_of_this_machine() -> None:
    for path in SAMPLE.rglob("*.json"):
        assert not re.search(r'"/(home|root|work|tmp)/', path.read_text("utf-8")), path
