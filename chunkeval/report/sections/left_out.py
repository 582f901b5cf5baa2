"""What the page does not show, and where it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkeval.report.numerals import whole
from chunkeval.report.phrases import say
from chunkeval.report.sections.chunks import SHOWN
from chunkeval.report.view import View


def build(view: View) -> Mapping[str, Any] | None:
    """Say what is left out; nothing where there are no chunks at all."""
    lang, flagged, chunks = view.lang, int(view.summary["flagged"]), int(view.summary["chunks"])
    if not chunks:
        return None
    if flagged > SHOWN:
        texts = say(lang, "left_out_texts", flagged=whole(flagged), n=whole(SHOWN), rest=whole(flagged - SHOWN))
        if view.summary.get("new"):
            texts = say(lang, "left_out_texts_new", flagged=whole(flagged), n=whole(SHOWN))
    else:
        texts = say(lang, "left_out_none")
    return {"lines": [texts, say(lang, "left_out_elided"), say(lang, "left_out_scores", n=whole(chunks))]}
