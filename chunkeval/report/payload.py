"""What the page's script works on: the scores of all chunks, the worst texts, the limits, the words."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.config import FlagConfig
from chunkeval.decisions import DECISIONS
from chunkeval.flags import INERT, REASONS, SUGGESTIONS
from chunkeval.given import PLACES
from chunkeval.report.packed import codes, pack_arrays, pack_json
from chunkeval.report.passages import listed, neighbours, passages
from chunkeval.report.phrases import known, script_phrases
from chunkeval.report.view import SUGGESTIONS as ACTIONS
from chunkeval.report.view import View
from chunkeval.report.visible import HIDDEN
from chunkeval.report.wording import column_of, name_of, reason_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

WHERE = ("position", "start", "end")
"""Columns that say where a chunk is, not how it scored."""

NO_SCORES = frozenset({*WHERE, "severity", *PLACES})


def payload(view: View) -> tuple[str, int]:
    """Give the text of the page's data block: JSON whose strings are letters, digits, ``+``, ``/`` and ``=`` only.

    Parameters
    ----------
    view
        The audit, with its summary as `stated` gives it.

    Returns
    -------
    str, int
        The text, safe inside a ``<script>`` whatever the corpus holds, the same for the same view; and the number of
        chunks whose own text is in it.
    """
    frame = view.frame
    before, after = neighbours(frame) if len(frame) else (np.zeros(0, dtype=np.int64),) * 2
    documents, names = codes(_texts(frame, "doc_id"))
    sets, reasons = codes([tuple(listed(cell)) for cell in frame.get("reasons", ())])
    suggestion, suggestions = codes(_texts(frame, "suggestion"))
    scores = [name for name in frame.columns if name not in NO_SCORES and _number(frame[name])]
    arrays: dict[str, NDArray[Any]] = {
        "after": np.where(after >= 0, after - np.arange(len(frame)), 0),
        "document": documents,
        "reasons": sets,
        "suggestion": suggestion,
        "flags": _flags(view),
        **{name: frame[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in WHERE if name in frame},
        **{name: frame[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in ["severity", *scores]},
    }
    kinds, packed = pack_arrays({name: values for name, values in arrays.items() if len(values) == len(frame)})
    held = list(passages(view, before, after))
    identities = _texts(frame, "chunk_id")
    place = {identity: row for row, identity in enumerate(identities)} if view.decisions else {}
    head = {
        "rows": len(frame),
        "key": _key(view),
        "run": str(view.summary.get("run", {}).get("out") or "RUN"),
        "lang": view.lang,
        "ids": identities,
        "documents": names,
        "arrays": kinds,
        "scores": [[name, column_of(name, view.lang)] for name in scores],
        "measures": [_measure(view, name) for name in view.summary["analyzers"]],
        "inclusive": bool(view.summary.get("settings", {}).get("inclusive")),
        "reasons": reasons,
        "reason_order": list(REASONS),
        "suggestions": suggestions,
        "suggest": [[reason, action] for reason, action in SUGGESTIONS.items()],
        "inert": list(INERT),
        "words": _words(view, {code for codes in reasons for code in codes}),
        "hidden": HIDDEN,
        "new": None if view.earlier is None else [identity not in view.earlier for identity in identities],
        "decisions": [[place[name], choice] for name, choice in view.decisions.items() if name in place],
        "choices": DECISIONS,
        "options": _options(view),
        "redacted": view.redact,
    }
    block = {"head": pack_json(head), "arrays": packed, "passages": pack_json(held)}
    return json.dumps(block), len(held)


def _measure(view: View, analyzer: str) -> dict[str, Any]:
    facts = view.summary["analyzers"][analyzer]
    limit = facts.get("limit") or {}
    column = str(limit.get("column") or "")
    reasons = dict(view.reasons.get(analyzer, {}))
    return {
        "name": analyzer,
        "label": name_of(analyzer, view.lang),
        "column": column,
        "label_column": column_of(column, view.lang),
        "low": limit.get("low"),
        "high": limit.get("high"),
        "rule": limit.get("rule"),
        "reasons": reasons,
        "marks": [[mark.column, mark.reason, mark.above] for mark in view.marks.get(analyzer, ()) if mark.flags],
        "percentiles": list(view.percentiles.get(column, ())) or None,
        "movable": analyzer in view.reasons and column in view.frame,
    }


def _flags(view: View) -> NDArray[np.int64]:
    """One bit an analyzer, in the summary's order; the next for what is flagged whatever the limits."""
    found = np.zeros(len(view.frame), dtype=np.int64)
    judged = np.zeros(len(view.frame), dtype=bool)
    for bit, analyzer in enumerate(view.summary["analyzers"]):
        if f"flag_{analyzer}" in view.frame:
            here = view.frame[f"flag_{analyzer}"].to_numpy(dtype=bool)
            found |= here.astype(np.int64) << bit
            judged |= here
    if "flagged" in view.frame:
        others = view.frame["flagged"].to_numpy(dtype=bool) & ~judged
        blank = np.array(["blank" in listed(cell) for cell in view.frame.get("reasons", ())], dtype=bool)
        others |= blank if len(blank) else False
        found |= others.astype(np.int64) << len(view.summary["analyzers"])
    return found


def _options(view: View) -> list[str]:
    """Options of ``chunkeval flag`` that keep what the run was asked for besides its limits."""
    settings, by, new = view.summary.get("settings", {}), view.summary.get("by"), view.summary.get("new")
    limits, usual = settings.get("limits", "auto"), "card" if settings.get("inclusive") else "auto"
    kept = ["--preset", "article"] if settings.get("inclusive") else []
    kept += ["--limits", str(limits)] if limits != usual else []
    kept += ["--calibration", str(settings["calibration"])] if settings.get("calibration") else []
    allowed = settings.get("false_flags")
    kept += ["--false-flags", str(allowed)] if allowed not in (None, FlagConfig.false_flags) else []
    kept += ["--by", str(by["column"])] if by else []
    kept += ["--baseline", str(new["baseline"])] if new else []
    kept += ["--redact"] if view.redact else []
    return kept + (["--embed", view.embed] if view.embed != "worst" else [])


def _words(view: View, codes: set[str]) -> dict[str, Any]:
    lang = view.lang
    return {
        **script_phrases(lang),
        "reason": {code: reason_of(code, lang) for code in sorted(codes | set(SUGGESTIONS))},
        "suggestion": {name: known(lang, f"suggestion_{name}", name) for name in ACTIONS},
    }


def _key(view: View) -> str:
    """Tell this run's decisions from others that the same browser remembers."""
    told = json.dumps([view.summary.get("input"), len(view.frame)], sort_keys=True, default=str)
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:16]


def _texts(frame: Any, column: str) -> list[str | None]:
    if column not in frame:
        return [None] * len(frame)
    return [None if value is None or value != value else str(value) for value in frame[column].astype(object)]


def _number(series: Any) -> bool:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return bool(is_numeric_dtype(series) and not is_bool_dtype(series))
