"""Shares by a metadata column, where ``--by`` asked for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkeval.report.numerals import percent, whole
from chunkeval.report.phrases import say
from chunkeval.report.view import View


def build(view: View) -> Mapping[str, Any] | None:
    """Gather the groups of ``summary["by"]``, and what it counts together."""
    by = view.summary.get("by")
    if not by:
        return None
    rows = [(group["value"], int(group["chunks"]), int(group["flagged"])) for group in by["groups"]]
    rest = by.get("others")
    if rest:
        rows.append((say(view.lang, "by_others", n=whole(rest["values"])), int(rest["chunks"]), int(rest["flagged"])))
    return {
        "column": by["column"],
        "rows": [
            ("" if value is None else str(value), whole(chunks), whole(flagged), share, percent(share))
            for value, chunks, flagged in rows
            for share in [flagged / chunks if chunks else 0.0]
        ],
    }
