"""A made-up audit of a table that came of cutting another one again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
from made_views import changed

import chunkeval as ce
from chunkeval.report.lanes import Border, Box, Changed, Lanes, Step
from chunkeval.report.view import View
from chunkeval.results import Flags


def judged_rows(texts: Sequence[str], folder: Path, limit: str = "1:8", **columns: Sequence[Any]) -> Flags:
    """Chunks judged by their tokens alone."""
    path = folder / "table.parquet"
    pd.DataFrame({"text": texts, **columns}).to_parquet(path)
    return ce.flag(ce.score(ce.load(path), analyzers=("tokens",)), limit={"tokens": limit})


def facts(**splits: Any) -> dict[str, Any]:
    """What ``summary["rechunk"]`` holds; ``splits`` replace what it says of the chunks to split."""
    tried = {
        "chunks": 28,
        "draws": 5,
        "changed": 25,
        "severity": {"before": 0.62, "after": 0.22, "random": {"mean": 0.46, "min": 0.42, "max": 0.51}},
        "gain": 0.24,
        "flagged": {"before": 28, "after": 14, "random": {"mean": 21.8, "min": 21.0, "max": 24.0}},
        "judge": {"before": 0.05, "after": 0.12, "random": {"mean": 0.08, "min": 0.07, "max": 0.09}},
    }
    none = dict.fromkeys(("cured", "not_measurable", "still", "dropped", "taken_back", "left"), 0)
    return {
        "chunks": {"before": 402, "after": 400},
        "flagged": {"before": 90, "after": 60},
        "changes": {"split": 2, "move": 1, "merge": 3, "drop": 0},
        "taken_back": 4,
        "reasons": {
            "incoherent": {**none, "cured": 12, "not_measurable": 3, "still": 11},
            "too_short": {**none, "cured": 6, "taken_back": 4},
        },
        "counts": {"incoherent": {"before": 26, "after": 14}, "too_short": {"before": 10, "after": 4}},
        "splits": {**tried, **splits},
    }


def document(name: str | None, ids: Sequence[str], left_out: int = 0) -> Lanes:
    """Five chunks of 100 code points each: two whose border moved, one split, one merged into the last, which is one."""
    fine, flagged = ("fine", "flagged")
    return Lanes(
        doc_id=name,
        known=True,
        start=0,
        end=500,
        chunks=(5, 5),
        first=(1, 1),
        before=(
            Box(0, 100, fine, True),
            Box(100, 200, flagged, True),
            Box(200, 300, flagged, True),
            Box(300, 400, fine, True),
            Box(400, 500, flagged, True),
        ),
        after=(
            Box(0, 140, fine, True),
            Box(140, 200, flagged, True),
            Box(200, 250, "unmeasured", True),
            Box(250, 300, fine, True),
            Box(300, 500, fine, True),
        ),
        borders=(
            Border("moved", 100, 140),
            Border("kept", 200, 200),
            Border("new", None, 250),
            Border("kept", 300, 300),
            Border("gone", 400, None),
        ),
        steps=(
            Step("move", ((1, "old-1"), (2, "old-2")), ((1, ids[0]), (2, ids[1]))),
            Step("split", ((3, "old-3"),), ((3, ids[2]), (4, ids[3]))),
            Step("merge", ((4, "old-4"), (5, "old-5")), ((5, ids[4]),)),
        ),
        left_out=left_out,
    )


def cut_again(view: View, documents: int = 3, name: str | None = None, **splits: Any) -> View:
    """Make a view one of a table that was cut again, with so many documents drawn of seven more."""
    ids = view.frame["chunk_id"].tolist()
    drawn = tuple(
        document(name or str(view.frame["doc_id"].iloc[20 * at]), ids[20 * at : 20 * at + 5], left_out=at)
        for at in range(documents)
    )
    limits = {key: found["limit"] for key, found in view.summary["analyzers"].items()}
    made = {**facts(**splits), "limits": limits}
    return replace(changed(view, rechunk=made), lanes=Changed(documents + 7, drawn))
