"""The worst chunks: text with sentences and weak place, scores against limits, what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from chunkeval.report.excerpt import pieces
from chunkeval.report.numerals import DASH, fixed, measured, score, whole
from chunkeval.report.phrases import known, say
from chunkeval.report.view import Lang, View, worst_rows
from chunkeval.report.visible import shell_word
from chunkeval.report.wording import column_of, name_of, reason_of

SHOWN = 30
"""Chunks shown with their text at most."""


def build(view: View) -> Mapping[str, Any]:
    """Gather the worst chunks."""
    lang, rows = view.lang, worst_rows(view, SHOWN)
    texts = view.texts(rows) if rows else []
    cards = [_card(view, rank, row, text) for rank, (row, text) in enumerate(zip(rows, texts, strict=True), 1)]
    lead = say(lang, "worst_lead", n=whole(len(cards))) if cards else say(lang, "worst_none")
    return {"lead": lead, "cards": cards}


def _card(view: View, rank: int, row: int, text: str) -> Mapping[str, Any]:
    values, lang = view.frame.iloc[row], view.lang
    cuts = [int(cut) for cut in _listed(values.get("suggested_cuts"))]
    weakest = _weakest(view, row, values)
    suggestion = values.get("suggestion")
    return {
        "rank": rank,
        "id": str(values["chunk_id"]),
        "doc": None if _missing(values.get("doc_id")) else str(values["doc_id"]),
        "position": None if _missing(values.get("position")) else whole(int(values["position"]) + 1),
        "new": view.earlier is not None and str(values["chunk_id"]) not in view.earlier,
        "severity": fixed(float(values["severity"]), 2),
        "reasons": [reason_of(str(reason), lang) for reason in _listed(values.get("reasons"))],
        "suggestion": None if _missing(suggestion) else _suggest(str(suggestion), bool(cuts), lang),
        "pieces": pieces(text, view.sentences(row), cuts, weakest) if text.strip() else [],
        "gap": None if _missing(values.get("cut_gap")) else fixed(float(values["cut_gap"]), 2),
        "scores": _scores(view, values),
        "command": _command(view, str(values["chunk_id"])),
    }


def _scores(view: View, values: pd.Series[Any]) -> list[tuple[str, str, str, str, str]]:
    """Measure, column, value, limit and verdict of each measure that ran; the verdict's first character is its sign."""
    lang, rows = view.lang, []
    for analyzer, facts in view.summary["analyzers"].items():
        limit = facts.get("limit") or {}
        column = str(limit.get("column") or "")
        if column not in values:
            continue
        value = None if _missing(values[column]) else float(values[column])
        low, high = limit.get("low"), limit.get("high")
        verdict = _verdict(value, low, high, bool(values.get(f"flag_{analyzer}")))
        allowed = _allowed(column, low, high, bool(limit.get("inclusive")), lang)
        rows.append(
            (name_of(analyzer, lang), column_of(column, lang), measured(value, column), allowed, say(lang, verdict))
        )
    return rows


def _verdict(value: float | None, low: float | None, high: float | None, flagged: bool) -> str:
    if value is None:
        return "is_unmeasured"
    if low is None and high is None:
        return "is_unjudged"
    if not flagged:
        return "is_fine"
    return "is_low" if low is not None and value <= low else "is_high"


def _allowed(column: str, low: float | None, high: float | None, inclusive: bool, lang: Lang) -> str:
    if low is None and high is None:
        return DASH
    key = "limit_both" if low is not None and high is not None else "limit_low" if low is not None else "limit_high"
    return say(lang, f"{key}_equal" if inclusive else key, low=score(low, column), high=score(high, column))


def _suggest(suggestion: str, cuts: bool, lang: Lang) -> str:
    key = "suggest_split_here" if suggestion == "split" and cuts else f"suggest_{suggestion}"
    return known(lang, key, suggestion)


def _weakest(view: View, row: int, values: pd.Series[Any]) -> int | None:
    if _missing(values.get("weakest_cut")):
        return None
    spans, cut = view.sentences(row), int(values["weakest_cut"])
    return spans[cut][0] if 0 < cut < len(spans) else None


def _command(view: View, chunk_id: str) -> str | None:
    run = shell_word(str(view.summary.get("run", {}).get("out") or "RUN"))
    name = shell_word(chunk_id)
    if run is None or name is None or not chunk_id:
        return None
    dashes = "-- " if chunk_id.startswith("-") else ""
    return f"chunkeval show {dashes}{run} {name}"


def _listed(value: Any) -> Sequence[Any]:
    # Lists come back from parquet as arrays, and a column that never held one as nulls.
    return list(value) if isinstance(value, Sequence) or hasattr(value, "tolist") else []


def _missing(value: Any) -> bool:
    return value is None or bool(pd.isna(value))
