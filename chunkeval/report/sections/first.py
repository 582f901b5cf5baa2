"""The first screen: the verdict in words, three numbers, what to do first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkeval.report.measure_wording import notices
from chunkeval.report.numerals import DASH, percent, rough, rough_range, whole
from chunkeval.report.phrases import counted, known, say
from chunkeval.report.view import View, noticed_counts, reason_counts, stated, suggestion_counts
from chunkeval.report.wording import cannot, reason_of, tells, verdict_parts


def build(view: View) -> Mapping[str, Any]:
    """Gather the verdict, the numbers, the notices and what is suggested."""
    summary, lang = stated(view), view.lang
    chunks = int(summary["chunks"])
    return {
        "verdict": verdict_parts(summary, lang),
        "numbers": numbers(view),
        "differ": say(lang, "numbers_differ") if any(map(tells, summary["analyzers"].values())) else "",
        "notices": notices(summary, lang),
        "actions": [
            (known(lang, f"suggestion_{name}", name), *_counted(count, chunks))
            for name, count in suggestion_counts(view).items()
        ],
        "reasons": [(reason_of(name, lang), *_counted(count, chunks)) for name, count in reason_counts(view).items()],
        "noticed": [(reason_of(name, lang), *_counted(count, chunks)) for name, count in noticed_counts(view).items()],
    }


def _counted(count: int, chunks: int) -> tuple[str, str]:
    return whole(count), percent(count / chunks)


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
    for name in ("similarity", "topics"):
        facts = analyzers.get(name)
        if facts is not None and tells(facts):
            ends = facts["calibrated"].get("share_ci")
            base = say(lang, "base_measured", n=whole(facts["calibrated"].get("measured") or facts["measured"]))
            said = [say(lang, "interval", range=rough_range(ends, lang))] if ends else []
            return say(lang, "about", share=rough(facts["calibrated"]["share"])), " · ".join([*said, base])
    reasons = [cannot(analyzers[name], view.summary, lang) for name in ("similarity", "topics") if name in analyzers]
    return say(lang, "unknown"), next((reason for reason in reasons if reason), say(lang, "cannot_not_run"))
