"""Made-up audits with all that a run of the command has: metadata, what moving a limit changes, where severity ends."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from made_views import build, changed

from chunkeval.report.view import Lang, View

SIDES = {
    "tokens": {"low": "too_short", "high": "too_long"},
    "similarity": {"low": "incoherent"},
    "topics": {"high": "many_topics"},
}
JUDGED = {"tokens": "token_count", "similarity": "similarity_centred", "topics": "topic_entropy_z"}


def metadata(rows: Sequence[int]) -> list[Mapping[str, Any]]:
    """Other columns of a chunk table, in both forms of Hangul, one of them empty."""
    decomposed = unicodedata.normalize("NFD", "원본")
    return [{"출처": "위키 👩‍👩‍👧‍👦", decomposed: f"{row}쪽", "score": row / 8, "empty": None} for row in rows]


def whole(lang: Lang, chunks: int = 1_600) -> View:
    """A made-up audit of so many chunks."""
    view = build(lang, chunks)
    ends = {name: np.nanpercentile(view.frame[name].astype(float), [1, 99]).tolist() for name in JUDGED.values()}
    source = {**view.summary["input"], "sha256": lang * 32}
    return replace(changed(view, input=source), metadata=metadata, reasons=SIDES, percentiles=ends)
