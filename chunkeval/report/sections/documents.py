"""The documents with the most flagged chunks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from chunkeval.report.numerals import fixed, percent, whole
from chunkeval.report.phrases import say
from chunkeval.report.view import View

SHOWN = 15
"""Documents listed at most."""


def build(view: View) -> Mapping[str, Any]:
    """Gather the worst documents, and how concentrated the flagged chunks are."""
    lang, table = view.lang, view.documents
    if table.empty:
        return {"lead": [say(lang, "documents_unknown")], "rows": [], "rest": ""}
    hit = table[table["flagged"] > 0]
    if hit.empty:
        return {"lead": [say(lang, "documents_none")], "rows": [], "rest": ""}
    share = hit["flagged"] / hit["chunks"]
    hit = hit.assign(share=share).sort_values(["flagged", "share"], ascending=False, kind="stable")
    shown = hit.head(SHOWN)
    lead = [say(lang, "documents_lead", n=whole(len(hit)), total=whole(len(table)))]
    held = float(shown["flagged"].sum() / hit["flagged"].sum())
    if len(hit) > len(shown):
        lead.append(say(lang, "documents_concentrated", n=whole(len(shown)), share=percent(held)))
    return {
        "lead": lead,
        "rows": [_row(values) for values in shown.to_dict("records")],
        "rest": say(lang, "documents_rest", n=whole(len(hit) - len(shown))) if len(hit) > len(shown) else "",
    }


def _row(values: Mapping[Any, Any]) -> Mapping[str, Any]:
    return {
        "name": "" if pd.isna(values["doc_id"]) else str(values["doc_id"]),
        "chunks": whole(values["chunks"]),
        "flagged": whole(values["flagged"]),
        "share": float(values["share"]),
        "percent": percent(float(values["share"])),
        "worst": str(values["worst"]),
        "severity": fixed(float(values["worst_severity"]), 2),
    }
