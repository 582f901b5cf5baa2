"""The first screen: the verdict in words, three numbers, what to do first, the three worst chunks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from chunkeval.report.numerals import DASH, measured, percent, rough, rough_range, whole
from chunkeval.report.passages import chunk_pieces, listed
from chunkeval.report.phrases import counted, say
from chunkeval.report.view import View, stated, worst_rows
from chunkeval.report.wording import READING, cannot, column_of, reason_of, tells, verdict_parts

WORST = 3
"""Chunks shown."""

LOOKED_AT = 500
"""Worst chunks among which the three are looked for."""

AROUND = 110
"""Code points shown on either side of the weak place."""


def build(view: View) -> Mapping[str, Any]:
    """Gather the verdict, the numbers and the worst chunks."""
    return {
        "verdict": verdict_parts(stated(view), view.lang),
        "numbers": numbers(view),
        "worst": worst(view),
    }


def worst(view: View) -> list[Mapping[str, Any]]:
    """Show the three worst chunks around their weak place: not blank ones, and of different documents, where there are such."""
    if view.frame.empty or "flagged" not in view.frame:
        return []
    rows = worst_rows(view, LOOKED_AT)
    reasons = view.frame.get("reasons")
    documents = view.frame.get("doc_id")
    chosen: list[int] = []
    seen: set[str] = set()
    for row in rows:
        blank = reasons is not None and "blank" in listed(reasons.iloc[row])
        document = str(documents.iloc[row]) if documents is not None else ""
        if not blank and document not in seen and len(chosen) < WORST:
            chosen.append(row)
            seen.add(document)
    chosen = sorted({*chosen, *[row for row in rows if row not in chosen][: WORST - len(chosen)]}, key=rows.index)
    texts = [""] * len(chosen) if view.redact else view.texts(chosen)
    return [_card(view, row, text) for row, text in zip(chosen, texts, strict=True)]


def _card(view: View, row: int, text: str) -> Mapping[str, Any]:
    values, lang = view.frame.iloc[row], view.lang
    doc = values.get("doc_id")
    judged = [
        (column_of(column, lang), measured(float(values[column]), column))
        for name, facts in view.summary["analyzers"].items()
        for column in [str((facts.get("limit") or {}).get("column") or "")]
        if bool(values.get(f"flag_{name}")) and column in values
    ]
    return {
        "id": str(values["chunk_id"]),
        "address": quote(str(values["chunk_id"]), safe="", errors="replace"),
        "doc": None if doc is None or doc != doc else str(doc),
        "new": view.earlier is not None and str(values["chunk_id"]) not in view.earlier,
        "reasons": [reason_of(str(code), lang) for code in listed(values.get("reasons"))],
        "scores": " · ".join(f"{name} {value}" for name, value in judged),
        "pieces": [("remark", say(lang, "ui_redacted"))] if view.redact else _around(view, row, text),
    }


def _around(view: View, row: int, text: str) -> list[tuple[str, str]]:
    """The words on either side of the weak place, or the beginning where there is none."""
    lang = view.lang
    shown = chunk_pieces(view, row, text)
    if not shown:
        return [("remark", say(lang, "blank_text"))]
    at = next((place for place, piece in enumerate(shown) if piece.kind in ("cut", "weak")), None)
    left = "".join(piece.text for piece in shown[:at]) if at is not None else ""
    right = "".join(piece.text for piece in shown[at or 0 :])
    head = [("text", left if len(left) <= AROUND else f"…{left[-AROUND:]}")] if left else []
    mark = (
        [(shown[at].kind, say(lang, "cut_suggested" if shown[at].kind == "cut" else "cut_weak"))]
        if at is not None
        else []
    )
    room = AROUND if at is not None else 2 * AROUND
    return [*head, *mark, ("text", right if len(right) <= room else f"{right[:room]}…")]


def numbers(view: View) -> list[tuple[str, str, str]]:
    """Give the three numbers: what each is, its value, and its base or interval."""
    summary, lang = view.summary, view.lang
    chunks, documents = int(summary["chunks"]), int(summary.get("documents") or 0)
    flagged = int(summary["flagged"])
    size = counted(lang, documents, "document") if documents else say(lang, "no_documents")
    return [
        (say(lang, "number_flagged"), percent(flagged / chunks) if chunks else DASH, of(flagged, chunks, view)),
        (say(lang, "number_share"), *_share(view)),
        (say(lang, "number_size"), whole(chunks), size),
    ]


def of(part: int, total: int, view: View) -> str:
    """Say a count with its base."""
    return say(view.lang, "of_chunks", n=whole(part), total=whole(total))


def _share(view: View) -> tuple[str, str]:
    lang, analyzers = view.lang, view.summary["analyzers"]
    for name in READING:
        facts = analyzers.get(name)
        if facts is not None and tells(facts):
            ends = facts["calibrated"].get("share_ci")
            base = say(lang, "base_measured", n=whole(facts["calibrated"].get("measured") or facts["measured"]))
            said = [say(lang, "interval", range=rough_range(ends, lang))] if ends else []
            return say(lang, "about", share=rough(facts["calibrated"]["share"])), " · ".join([*said, base])
    reasons = [cannot(analyzers[name], view.summary, lang) for name in READING if name in analyzers]
    return say(lang, "unknown"), next((reason for reason in reasons if reason), say(lang, "cannot_not_run"))
