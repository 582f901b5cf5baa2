"""The list of chunks: a frame that the page's script fills."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkeval.decisions import DECISIONS
from chunkeval.report.numerals import whole
from chunkeval.report.phrases import say
from chunkeval.report.view import View
from chunkeval.report.visible import shell_word


def build(view: View, held: int) -> Mapping[str, Any] | None:
    """Say what the list holds; no list where there are no chunks.

    Parameters
    ----------
    view
        The audit.
    held
        Chunks whose text is in the page.
    """
    lang, chunks = view.lang, len(view.frame)
    if not chunks:
        return None
    run = shell_word(str(view.summary.get("run", {}).get("out") or "RUN")) or "RUN"
    return {
        "lead": say(lang, "worst_lead" if view.summary["flagged"] else "worst_none"),
        "searched": say(lang, "ui_searched", n=whole(held), total=whole(chunks)),
        "choices": DECISIONS,
        "use": say(lang, "ui_use", run=run),
    }
