"""Shares by a metadata column, where ``--by`` asked for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkeval.report.numerals import percent, whole
from chunkeval.report.view import View


def build(view: View) -> Mapping[str, Any] | None:
    """Gather the groups of ``summary["by"]``: ``{"column": …, "groups": [{"value", "chunks", "flagged"}, …]}``."""
    by = view.summary.get("by")
    if not by:
        return None
    rows = [(group["value"], int(group["chunks"]), int(group["flagged"])) for group in by["groups"]]
    return {
        "column": by["column"],
        "rows": [
            ("" if value is None else str(value), whole(chunks), whole(flagged), share, percent(share))
            for value, chunks, flagged in rows
            for share in [flagged / chunks if chunks else 0.0]
        ],
    }
