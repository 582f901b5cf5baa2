"""What was found, counted: what to do, for which reasons, and what to know before reading on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkeval.report.measure_wording import notices
from chunkeval.report.numerals import percent, whole
from chunkeval.report.phrases import known, say
from chunkeval.report.view import View, noticed_counts, reason_counts, stated, suggestion_counts
from chunkeval.report.wording import reason_of, tells


def build(view: View) -> Mapping[str, Any] | None:
    """Gather the notices and the counts; nothing where there is none of them."""
    summary, lang = stated(view), view.lang
    chunks = int(summary["chunks"])
    facts = {
        "differ": say(lang, "numbers_differ") if any(map(tells, summary["analyzers"].values())) else "",
        "notices": notices(summary, lang),
        "actions": [
            (known(lang, f"suggestion_{name}", name), *_counted(count, chunks))
            for name, count in suggestion_counts(view).items()
        ],
        "reasons": [(reason_of(name, lang), *_counted(count, chunks)) for name, count in reason_counts(view).items()],
        "noticed": [(reason_of(name, lang), *_counted(count, chunks)) for name, count in noticed_counts(view).items()],
    }
    return facts if any(facts.values()) else None


def _counted(count: int, chunks: int) -> tuple[str, str]:
    return whole(count), percent(count / chunks)
