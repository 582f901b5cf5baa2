"""One document, a lane a strategy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkeval.report.lanes import Strip, Strips
from chunkeval.report.numerals import whole
from chunkeval.report.phrases import say

if TYPE_CHECKING:
    from chunkeval.report.comparison import View
    from chunkeval.report.view import Lang

STANDINGS = ("fine", "flagged")


def build(view: View) -> Mapping[str, Any] | None:
    """Gather the lanes; nothing where no document's chunks have places."""
    strips, lang = view.lanes, view.lang
    if strips is None:
        return None
    reach = {"start": "1", "end": whole(strips.end), "length": whole(strips.length)}
    return {
        "lead": say(lang, "cmp_lanes_lead", name=strips.doc_id, **reach),
        "standings": [(name, say(lang, f"lane_{name}")) for name in STANDINGS],
        "gold": [_at(strips, place) for place in strips.gold],
        "lanes": [_lane(strips, strip, lang) for strip in strips.lanes],
    }


def _lane(strips: Strips, strip: Strip, lang: Lang) -> Mapping[str, Any]:
    flagged = sum(box.standing == "flagged" for box in strip.boxes)
    counts = {"name": strip.name, "n": whole(strip.chunks)}
    return {
        "said": say(lang, "cmp_lane", **counts),
        "alt": say(lang, "cmp_lane_alt", flagged=whole(flagged), **counts),
        "boxes": [(_at(strips, box.start), _at(strips, box.end - box.start), box.standing) for box in strip.boxes],
    }


def _at(strips: Strips, place: int) -> str:
    return f"{100 * place / (strips.end or 1):.3f}%"
