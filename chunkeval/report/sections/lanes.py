"""The changed documents, each as two lanes: where its chunks were, where they are, and what became of the borders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from chunkeval.report.lanes import Border, Box, Lanes
from chunkeval.report.numerals import RANGE, whole
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang, View
from chunkeval.report.visible import plain

LEGIBLE, ROOMY = 2.4, 6.5
"""Per cent of the width from which a chunk's number fits into its box: on a screen, on a phone."""

NAMED = 80
"""Characters of a document's name that its drawing is called by."""

STANDINGS = ("fine", "flagged", "unmeasured")
BORDERS = ("kept", "moved", "new", "gone")


@dataclass(frozen=True)
class Drawn:
    """A chunk in its lane, in per cent of the width."""

    x: str
    width: str
    middle: str
    kind: str
    """Its classes."""
    standing: str
    number: str
    """Empty where it does not fit."""
    narrow: bool


@dataclass(frozen=True)
class Told:
    """A chunk in the table."""

    number: str
    name: str
    address: str
    """Empty for a chunk that is not in this page."""
    place: str
    standing: str
    flagged: bool


def build(view: View) -> Mapping[str, Any] | None:
    """Gather the documents to draw; nothing where none changed."""
    lang, lanes = view.lang, view.lanes
    if lanes is None or not lanes.drawn:
        return None
    boxes = [box for one in lanes.drawn for box in (*one.before, *one.after)]
    borders = {border.fate for one in lanes.drawn for border in one.borders}
    there = frozenset(view.frame["chunk_id"]) if "chunk_id" in view.frame else frozenset()
    rest = lanes.documents - len(lanes.drawn)
    return {
        "lead": say(lang, "lanes_lead", n=whole(lanes.documents)),
        "rest": say(lang, "lanes_rest", shown=whole(len(lanes.drawn)), n=whole(rest)) if rest else "",
        "standings": [
            (name, say(lang, f"lane_{name}")) for name in STANDINGS if name in {box.standing for box in boxes}
        ],
        "borders": [(name, say(lang, f"border_{name}")) for name in BORDERS if name in borders],
        "documents": [_document(one, there, lang) for one in lanes.drawn],
    }


def _document(lanes: Lanes, there: frozenset[str], lang: Lang) -> Mapping[str, Any]:
    name = say(lang, "lanes_unnamed") if lanes.doc_id is None else plain(lanes.doc_id)
    told = Counter(border.fate for border in lanes.borders)
    bad = [sum(box.standing == "flagged" for box in side) for side in (lanes.before, lanes.after)]
    sides = [
        _count(len(side), total, lang) for side, total in zip((lanes.before, lanes.after), lanes.chunks, strict=True)
    ]
    reach = {"start": whole(lanes.start + 1), "end": whole(lanes.end)}
    return {
        "name": name,
        "reach": say(lang, "lanes_whole" if lanes.known else "lanes_summed", **reach),
        "stretch": say(lang, "lanes_stretch", n=whole(lanes.left_out)) if lanes.left_out else "",
        "before": _lane(lanes, lanes.before, lanes.first[0]),
        "after": _lane(lanes, lanes.after, lanes.first[1]),
        "gaps": [_drawn(lanes, box, 0) for box in _dropped(lanes)],
        "borders": [_border(lanes, border) for border in lanes.borders],
        "said": (say(lang, "lanes_before", n=sides[0]), say(lang, "lanes_after", n=sides[1])),
        "alt": say(
            lang,
            "lanes_alt",
            name=name if len(name) <= NAMED else f"{name[:NAMED]}…",
            before=whole(len(lanes.before)),
            after=whole(len(lanes.after)),
            bad_before=whole(bad[0]),
            bad_after=whole(bad[1]),
            **{fate: whole(told[fate]) for fate in ("kept", "moved", "new", "gone")},
        ),
        "steps": [
            (
                say(lang, f"did_{step.kind}"),
                _told(lanes, step.before, 0, frozenset(), lang),
                _told(lanes, step.after, 1, there, lang),
            )
            for step in lanes.steps
        ],
    }


def _count(drawn: int, total: int, lang: Lang) -> str:
    return whole(total) if drawn == total else say(lang, "lanes_of", n=whole(drawn), total=whole(total))


def _lane(lanes: Lanes, boxes: Sequence[Box], first: int) -> list[Drawn]:
    # Bold outlines over thin ones.
    drawn = [(box.changed, _drawn(lanes, box, first + at)) for at, box in enumerate(boxes)]
    return [one for _, one in sorted(drawn, key=lambda pair: pair[0])]


def _drawn(lanes: Lanes, box: Box, number: int) -> Drawn:
    share = 100 * (box.end - box.start) / ((lanes.end - lanes.start) or 1)
    return Drawn(
        x=_at(lanes, box.start),
        width=f"{share:.3f}%",
        middle=_at(lanes, (box.start + box.end) / 2),
        kind=f"{box.standing} changed" if box.changed else box.standing,
        standing=box.standing,
        number=whole(number) if share >= LEGIBLE else "",
        narrow=share < ROOMY,
    )


def _dropped(lanes: Lanes) -> list[Box]:
    """The places of chunks that were left out, where they are drawn."""
    numbers = [number for step in lanes.steps if step.kind == "drop" for number, _ in step.before]
    places = [number - lanes.first[0] for number in numbers]
    return [lanes.before[place] for place in places if 0 <= place < len(lanes.before)]


def _border(lanes: Lanes, border: Border) -> tuple[str, str, str]:
    before, after = (
        at if at is not None else other for at, other in ((border.before, border.after), (border.after, border.before))
    )
    assert before is not None and after is not None
    return border.fate, _at(lanes, before), _at(lanes, after)


def _at(lanes: Lanes, place: float) -> str:
    return f"{100 * (place - lanes.start) / ((lanes.end - lanes.start) or 1):.3f}%"


def _told(lanes: Lanes, chunks: Sequence[tuple[int, str]], side: int, there: frozenset[str], lang: Lang) -> list[Told]:
    boxes, first = ((lanes.before, lanes.after)[side], lanes.first[side])
    found = []
    for number, name in chunks:
        box = boxes[number - first] if 0 <= number - first < len(boxes) else None
        found.append(
            Told(
                number=whole(number),
                name=name,
                address=quote(name, safe="", errors="replace") if name in there else "",
                place=f"{whole(box.start + 1)}{RANGE[lang]}{whole(box.end)}" if box is not None else "",
                standing=say(lang, f"lane_{box.standing}") if box is not None else "",
                flagged=box is not None and box.standing == "flagged",
            )
        )
    return found
