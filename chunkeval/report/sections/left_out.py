"""What the page does not show, and where it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkeval.report.numerals import whole
from chunkeval.report.phrases import say
from chunkeval.report.view import View


def build(view: View, held: int) -> Mapping[str, Any] | None:
    """Say what is left out; nothing where there are no chunks at all.

    Parameters
    ----------
    view
        The audit.
    held
        Chunks whose text is in the page.
    """
    lang, flagged, chunks = view.lang, int(view.summary["flagged"]), int(view.summary["chunks"])
    if not chunks:
        return None
    counts = {"flagged": whole(flagged), "n": whole(held), "rest": whole(flagged - held), "chunks": whole(chunks)}
    if view.redact:
        lines = [say(lang, "left_out_redacted")]
    elif held < flagged:
        lines = [say(lang, "left_out_texts", **counts), say(lang, "left_out_elided")]
    else:
        lines = [say(lang, "left_out_none"), say(lang, "left_out_elided")]
    return {"lines": [*lines, say(lang, "left_out_scores", n=whole(chunks))]}
