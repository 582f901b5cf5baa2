"""Places of texts that another library cut: found in the document one after the other, never before the one ahead."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chunkeval.chunkers.base import Chunk, Span

_SPACE = re.compile(r"\s*")
_SEEN = re.compile(r"[^\s\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff]")
"""What libraries leave as it is; they drop or change white space and joiners."""
_NEAR = 2_000
"""Code points behind the chunk before, in which a text is looked for first."""
_HEAD = 12
"""Code points by which a text is found whose middle was altered."""


@dataclass(frozen=True)
class Losses:
    """What another library's chunks lost of a document."""

    lost: int
    """Code points in no chunk, white space apart."""
    lost_space: int
    """White space in no chunk."""
    altered: int
    """Code points by which the library's texts differ from the document, at least."""
    unplaced: int
    """Texts that are nowhere in the document, hence left out."""


def anchor(document: str, texts: Sequence[str]) -> list[Chunk]:
    r"""Find texts in a document, in order.

    A text that goes on where the one before ended is taken to; else it is the first occurrence that begins no earlier
    than the one before and brings something new. White space and joiners that the library dropped or changed are
    looked past; of a text altered otherwise, its beginning and end are looked for.

    Parameters
    ----------
    document
        What was cut.
    texts
        What the library made of it.

    Returns
    -------
    list of Chunk
        Its text is the document's, not the library's. Metadata, where not 0: ``altered``; ``lost`` and ``lost_space``
        between the chunks before and this one (behind the last one: in that), ``unplaced``: texts left out there.

    Examples
    --------
    >>> document = "가나다라마 가나다라마\tx"
    >>> [chunk.spans for chunk in anchor(document, ["가나다라마", "가나다라마x"])]
    [((0, 5),), ((6, 13),)]
    """
    places: list[tuple[Span, int, int]] = []
    unplaced = 0
    for text, span in zip(texts, places_of(document, texts), strict=True):
        if span is None:
            unplaced += 1
            continue
        places.append((span, _difference(document[span[0] : span[1]], text), unplaced))
        unplaced = 0
    return _counted(document, places, unplaced)


def places_of(document: str, texts: Sequence[str]) -> list[Span | None]:
    """Find texts in a document as `anchor` does, and give the place of each; None where it is nowhere.

    Examples
    --------
    >>> places_of("하나 둘 셋", ["하나", "넷", "둘 셋"])
    [(0, 2), None, (3, 6)]
    """
    found: list[Span | None] = []
    start = end = 0
    for text in texts:
        span = _place(document, text, start, end) if text else None
        found.append(span)
        if span is not None:
            start, end = span[0], max(end, span[1])
    return found


def losses(chunks: Iterable[Chunk]) -> Losses:
    """Add up what the chunks of a document, or of many, say of losses.

    Examples
    --------
    >>> losses(anchor("하나  둘 셋", ["하나", "둘"]))
    Losses(lost=1, lost_space=3, altered=0, unplaced=0)
    """
    total: Counter[str] = Counter()
    for chunk in chunks:
        total.update({key: chunk.metadata.get(key, 0) for key in ("lost", "lost_space", "altered", "unplaced")})
    return Losses(total["lost"], total["lost_space"], total["altered"], total["unplaced"])


def _counted(document: str, places: list[tuple[Span, int, int]], unplaced: int) -> list[Chunk]:
    found: list[Chunk] = []
    end = 0
    for number, (span, altered, before) in enumerate(places):
        gap = document[end : span[0]]
        end = max(end, span[1])
        if number == len(places) - 1:
            gap += document[end:]
            before += unplaced
        lost = sum(map(len, gap.split()))
        counts = {"altered": altered, "lost": lost, "lost_space": len(gap) - lost, "unplaced": before}
        found.append(Chunk((span,), {key: count for key, count in counts.items() if count}))
    return found


def _place(document: str, text: str, start: int, end: int) -> Span | None:
    space = _SPACE.match(document, end)
    for at in (end, space.end() if space else end):
        if document.startswith(text, at):
            return at, at + len(text)
    first = max(start, end - len(text) + 1)
    for until in (end + len(text) + _NEAR, len(document)):
        at = document.find(text, first, until)
        if at >= 0:
            return at, at + len(text)
        span = _resembling(document, text, start, end, until)
        if span is not None:
            return span
    return None


def _resembling(document: str, text: str, start: int, end: int, until: int) -> Span | None:
    """Find a text but for what libraries drop; else by its beginning and end."""
    wanted = "".join(_SEEN.findall(text))
    if not wanted:
        return None
    places = [found.start() for found in _SEEN.finditer(document, start, until)]
    seen = "".join(document[place] for place in places)
    at = seen.find(wanted)
    while at >= 0 and places[at + len(wanted) - 1] < end:
        at = seen.find(wanted, at + 1)
    if at >= 0:
        return places[at], places[at + len(wanted) - 1] + 1
    if len(wanted) <= 2 * _HEAD:
        return None
    at = seen.find(wanted[:_HEAD])
    last = seen.find(wanted[-_HEAD:], at + _HEAD, at + 2 * len(wanted)) if at >= 0 else -1
    if last < 0 or places[last + _HEAD - 1] < end:
        return None
    return places[at], places[last + _HEAD - 1] + 1


def _difference(own: str, other: str) -> int:
    if own == other:
        return 0
    here, there = Counter(own), Counter(other)
    return (here - there).total() + (there - here).total()
