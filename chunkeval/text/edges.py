"""How a text begins and ends, and what headings it has: cut in a sentence, a table, code, or whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import regex

from chunkeval.text.endings import ending
from chunkeval.text.headings import LOOSE, Fences, Heading, fences, headings, within
from chunkeval.text.markup import line_kind, speaker
from chunkeval.text.normal import composed
from chunkeval.text.openings import continues, points_back
from chunkeval.text.sentences import VISIBLE
from chunkeval.text.tables import table_begins_cut, table_ends_cut

if TYPE_CHECKING:
    from numpy.typing import NDArray

MARKS = (
    "starts_mid_sentence",
    "ends_mid_sentence",
    "cut_table",
    "cut_code",
    "heading_inside",
    "heading_at_end",
    "subheading_inside",
    "points_back",
)
"""What can be wrong; bit i of `Edges.bits` is ``MARKS[i]``."""
SEAMS = (
    "blank",
    "open_start",
    "open_end",
    "line_before",
    "line_after",
    "new_start",
    "closed_end",
    "unmarked_end",
    "prose_start",
    "prose_end",
)
"""What tells, together with the neighbour's, how two neighbours meet; the bits above ``MARKS``. ``open_start`` and ``open_end``: a letter
or digit with no white space outside of it; ``line_before`` and ``line_after``: a line break outside of what is visible; ``new_start``: a
heading, list item, table, code or quotation; ``prose_start`` and ``prose_end``: neither table, code nor heading."""
BIT = {name: 1 << number for number, name in enumerate(MARKS + SEAMS)}

_KOREAN = regex.compile(r"[가-힣] [가-힣]+ [가-힣]+[^가-힣]{0,3}\Z")
_NEAR = 6
"""Lines that tell whether one among them is code."""
_WORD = regex.compile(r"[^\W_]")
_SAID = regex.compile(r"[,.!?)。」]")


class Edges(NamedTuple):
    """How n texts begin and end."""

    bits: NDArray[np.int32]
    """(n,) of `MARKS` and `SEAMS`."""
    heading: NDArray[np.int32]
    """(n,) code points from which another section begins: the first heading of the highest rank inside; -1 where there is none."""


def edges(texts: Sequence[str], skip: NDArray[np.int64]) -> Edges:
    r"""Read how texts begin and end; the result for a text does not depend on its neighbours.

    Parameters
    ----------
    texts
        n texts.
    skip
        (n,) code points at each text's start that are not its own.

    Examples
    --------
    >>> found = edges(["는 규칙이다.\n\n## 벌칙\n\n어기면"], np.zeros(1, np.int64))
    >>> [name for name in MARKS if found.bits[0] & BIT[name]], found.heading.tolist()
    (['starts_mid_sentence', 'heading_inside'], [9])
    """
    read = [_read(text[skipped:], skipped) for text, skipped in zip(texts, skip.tolist(), strict=True)]
    bits, heading = zip(*read, strict=True) if read else ((), ())
    return Edges(np.array(bits, np.int32), np.array(heading, np.int32))


def _read(body: str, skipped: int) -> tuple[int, int]:
    form, origin = composed(body)
    if VISIBLE.search(form) is None:
        return BIT["blank"], -1
    lines = _lines(form)
    if not lines:
        return BIT["new_start"] | BIT["closed_end"], -1
    code = fences(form)
    found = headings(form, code.spans)
    first, last = lines[0], lines[-1]
    bits = _seams(form)
    bits |= _start(form, first, lines, code, found)
    bits |= _end(form, last, lines, code, found)
    inside, place = _inside(form, first[0], last, found)
    if place >= 0:
        place = skipped + (place if origin is None else int(origin[place]))
    return bits | inside, place


def _lines(form: str) -> list[tuple[int, int]]:
    """Places of the lines that are neither blank nor rules at the text's ends."""
    found = list(_spans(form))
    first, last = 0, len(found)
    while first < last and not _spoken(form, *found[first]):
        first += 1
    while last > first and not _spoken(form, *found[last - 1]):
        last -= 1
    return found[first:last]


def _spans(form: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in form.split("\n"):
        if line.strip():
            yield start, start + len(line)
        start += len(line) + 1


def _spoken(form: str, start: int, end: int) -> bool:
    line = form[start:end]
    return line_kind(line) != "rule" or "|" in line or "`" in line or "~~~" in line or _SAID.search(line) is not None


def _seams(form: str) -> int:
    shown = form.strip()
    at = form.find(shown)
    head, tail = form[:at], form[at + len(shown) :]
    bits = BIT["open_start"] if not head and shown[:1].isalnum() else 0
    bits |= BIT["open_end"] if not tail and shown[-1:].isalnum() else 0
    bits |= BIT["line_before"] if "\n" in head else 0
    return bits | (BIT["line_after"] if "\n" in tail else 0)


def _start(
    form: str, first: tuple[int, int], lines: list[tuple[int, int]], code: Fences, found: Sequence[Heading]
) -> int:
    start, end = first
    if code.begins_inside:
        return BIT["cut_code"]
    if found and found[0].level < LOOSE and found[0].start < end:
        return BIT["new_start"]
    line = form[start:end]
    if within(start, code.spans):
        return BIT["new_start"]
    if "|" in line and (cut := table_begins_cut([form[a:b] for a, b in lines[:3]])) is not None:
        return BIT["cut_table"] if cut else BIT["new_start"]
    if speaker(line) == "a":
        return BIT["points_back"] | BIT["new_start"]
    kind = line_kind(line)
    if _code(line) or _written(form, lines[:_NEAR]):
        return 0
    if kind in ("item", "pair", "heading"):
        return BIT["new_start"]
    bits = BIT["prose_start"]
    if continues(form, start, line) and not (found and found[0].start == start and len(line) < 20):
        return bits | BIT["starts_mid_sentence"]
    return bits | (BIT["points_back"] if points_back(line) else 0)


def _end(form: str, last: tuple[int, int], lines: list[tuple[int, int]], code: Fences, found: Sequence[Heading]) -> int:
    start, end = last
    if code.ends_inside:
        return BIT["cut_code"]
    if found and found[-1].level < LOOSE and found[-1].end >= end:
        return BIT["heading_at_end"] | BIT["closed_end"]
    if within(start, code.spans):
        return BIT["closed_end"]
    line = form[start:end]
    if "|" in line and (cut := table_ends_cut([form[a:b] for a, b in lines[-3:]])) is not None:
        return BIT["cut_table"] if cut else BIT["closed_end"]
    if speaker(line) == "q" and any(speaker(form[a:b]) == "a" for a, b in lines):
        return BIT["heading_at_end"] | BIT["closed_end"]
    if _code(line) or _written(form, lines[-_NEAR:]):
        return 0
    how = ending(form, _after(found, code, start), end)
    bits = BIT["prose_end"]
    if how == "closed":
        return bits | BIT["closed_end"]
    if how == "unknown":
        return bits
    return bits | BIT["ends_mid_sentence"] | (BIT["unmarked_end"] if how == "unmarked" else 0)


def _written(form: str, lines: Sequence[tuple[int, int]]) -> bool:
    """Whether most of these lines are code without a fence."""
    return 2 * sum(_code(form[a:b]) for a, b in lines) > len(lines)


def _code(line: str) -> bool:
    """Whether a line is code; one that a bracket begins may be the rest of a Korean sentence."""
    return line_kind(line) == "code" and not _KOREAN.search(line)


def _after(found: Sequence[Heading], code: Fences, start: int) -> int:
    """Where the last stretch of prose begins: behind headings and code."""
    return max([0, *(h.end for h in found if h.end <= start), *(b for _, b in code.spans if b <= start)])


def _inside(form: str, start: int, last: tuple[int, int], found: Sequence[Heading]) -> tuple[int, int]:
    """Marks of the headings that are neither at the start nor at the end, and the place of the first of highest rank."""
    opening, at, loose = None, start, False
    borders: list[Heading] = []
    nested = False
    for heading in found:
        sure = heading.level < LOOSE
        follows = not (borders or nested) and not _WORD.search(form, pos=at, endpos=max(at, heading.start))
        if heading.end < last[1] and not follows:
            border = sure and (opening is None or heading.level <= opening)
            borders += [heading] if border else []
            nested |= not border
        elif follows:
            # What only looks like a heading may be the last line of what came before.
            nested |= sure and loose
            opening, at, loose = heading.level if sure else opening, heading.end, not sure
    bits = (BIT["heading_inside"] if borders else 0) | (BIT["subheading_inside"] if nested else 0)
    return bits, min(borders, key=lambda one: (one.level, one.start)).start if borders else -1
