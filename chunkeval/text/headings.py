"""Headings and code fences in a text, also in one that was cut out of another."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex

from chunkeval.text.markup import line_kind

Spans = Sequence[tuple[int, int]]

LOOSE = 7
"""Level of what only looks like a heading: a line in bold, a short line by itself."""
_FENCE = regex.compile(r"^[ \t]{0,3}(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?P<mark>```+|~~~+)(?P<info>[^`\n]*)$", regex.M)
_HEADING = regex.compile(
    r"^[ ]{0,3}(?P<hashes>\#{1,6})[ \t]+(?!(?:define|undef|ifn?def|if|elif|else|endif|include|import|pragma|error)\b)\S.*$"
    r"|^[ \t]*+(?P<wiki>={2,6}|=(?:[ ]=){0,5}(?=[ ]))[ \t]*+[^=\s][^=\n]{0,99}?[ \t]*+(?P=wiki)[ \t]*+$"
    r"|^[ \t]*+<h(?P<html>[1-6])[ >].*$"
    r"|^(?P<under>[^\s|\#>=-][^\n|]{0,80})\n={3,}[ \t]*$"
    r"|^[ \t]*+제[ ]?\d{1,3}[ ]?(?P<law>[편장절관])(?:의[ ]?\d+)?(?:[ \t.:]+[^\n]{0,40}[^\n.!?,다])?[ \t]*$"
    r"|^[ \t]*+(?P<chapter>CHAPTER|Chapter|PART|Part)[ ](?:\d{1,3}|[IVXLC]+)(?:[ \t.:—–-]+[^\n]{0,60}[^\n.!?,;])?[ \t]*$"
    r"|^[ \t]*+(?P<bold>(?P<stars>\*\*|__)[^*_\n]{1,59}[^*_\n.!?。！？](?P=stars)):?[ \t]*$",
    regex.M,
)
_LAW = {"편": 1, "장": 2, "절": 3, "관": 4}
_ENDED = regex.compile(r"[.!?。！？][\"'”’」』)]*\Z")
_TITLED = regex.compile(r"[^\s\-*+>|#=<`~.,;:)\]}a-z][^|`{}<>;=]{1,59}\Z")
_ALONE = regex.compile(r"[^\s\-*+>|#=~.,;:)\]}][^|;=]{1,39}\Z")
_FOLLOWED = 30
"""Code points of the line after a title, at least."""
_SPEAKS = regex.compile(r"[.。!！,，:：;；…다요죠음함][\"'”’」』)*_]*\s*\Z|[^\w\s]{3}")
_TITLE = regex.compile(r"[\p{Lu}\p{Lo}\p{N}\"'“‘「『《<(\[■□◆▣▶○●【].*\p{L}{2}")


class Heading(NamedTuple):
    """A heading's line: code points from ``start`` to ``end``."""

    start: int
    end: int
    level: int
    """1 to 6 as in Markdown, `LOOSE` for what only looks like one."""


class Fences(NamedTuple):
    """Code fences of a text."""

    spans: list[tuple[int, int]]
    begins_inside: bool
    """The first fence closes code that began before the text did."""
    ends_inside: bool


def fences(text: str) -> Fences:
    r"""Find fenced code; a text may have been cut within it.

    Where the marks do not tell which side of a fence is code, the lines there do.

    Examples
    --------
    >>> fences("x = f(1)\ny = g(x)\n```\n본문이다.\n")
    Fences(spans=[(0, 22)], begins_inside=True, ends_inside=False)
    """
    if "```" not in text and "~~~" not in text:
        return Fences([], False, False)
    marks = list(_FENCE.finditer(text))
    if not marks:
        return Fences([], False, False)
    outside, first = _walked(text, marks, ""), marks[0]
    if first["info"].strip():
        return outside[0]
    inside = _walked(text, marks, first["mark"])
    if outside[1] != inside[1]:
        return min(outside, inside, key=lambda found: found[1])[0]
    before, after = text[: first.start()], text[first.end() : marks[1].start() if len(marks) > 1 else len(text)]
    written = _written(before)
    if written is None:
        return (inside if len(marks) == 1 and _written(after) is False else outside)[0]
    return (inside if written and (len(marks) % 2 or not _written(after)) else outside)[0]


def headings(text: str, code: Spans) -> list[Heading]:
    r"""Find headings outside of code: Markdown, wiki, HTML, underlined, chapters; and lines that only look like one.

    Examples
    --------
    >>> headings("앞 절의 끝이다.\n\n## 새 절\n\n새 절의 글이다.", [])
    [Heading(start=11, end=17, level=2)]
    """
    found = []
    for match in _HEADING.finditer(text):
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        if not within(start, code) and not (match["hashes"] == "#" and _comment(text, match.start(), match.end())):
            found.append(Heading(start, match.end(), _level(match)))
    known = {heading.start for heading in found}
    for start, end, alone in _titles(text):
        line = text[start:end]
        if start in known or _SPEAKS.search(line) or within(start, code):
            continue
        if alone or (_TITLE.match(line) and line_kind(line) in ("prose", "item")):
            found.append(Heading(start, end, LOOSE))
    return sorted(found)


def _titles(text: str) -> Iterator[tuple[int, int, bool]]:
    """Find short lines behind a blank line or a sentence's end, with a long line after; shorter ones between blank lines."""
    lines = [*text.split("\n"), "", ""]
    start = 0
    for number, line in enumerate(lines[:-2]):
        bare = line.strip()
        before = lines[number - 1].rstrip()[-8:] if number else ""
        if bare and len(bare) <= 60 and (not before or _ENDED.search(before)):
            after, next_but_one = lines[number + 1], lines[number + 2]
            gap = not after.strip()
            alone = gap and not before and number + 2 < len(lines) - 2 and _ALONE.match(bare) is not None
            if alone or (len(next_but_one if gap else after) >= _FOLLOWED and _TITLED.match(bare)):
                first = start + len(line) - len(line.lstrip())
                yield first, first + len(bare), alone
        start += len(line) + 1


def _level(match: regex.Match[str]) -> int:
    if match["hashes"]:
        return len(match["hashes"])
    if match["wiki"]:
        return int(match["wiki"].count("="))
    if match["html"]:
        return int(match["html"])
    if match["law"]:
        return _LAW[match["law"]]
    return LOOSE if match["bold"] else 1


def within(place: int, spans: Spans) -> bool:
    """Whether a place lies in one of some spans, which are in order."""
    at = bisect_right(spans, place, key=lambda span: span[0])
    return at > 0 and place < spans[at - 1][1]


def _comment(text: str, start: int, end: int) -> bool:
    """Whether a line with one hash stands directly beside a line of code."""
    before = text[text.rfind("\n", 0, max(start - 1, 0)) + 1 : max(start - 1, 0)]
    after = text[end + 1 :].split("\n", 1)[0]
    return "code" in (line_kind(before), line_kind(after))


def _walked(text: str, marks: list[regex.Match[str]], opened: str) -> tuple[Fences, int]:
    """Follow the marks from outside or inside of code; also how many open a fence where one is open."""
    spans, start, began, odd = [], 0, bool(opened), 0
    for mark in marks:
        if not opened:
            opened, start = mark["mark"], mark.start()
        elif mark["info"].strip():
            odd += 1
        elif mark["mark"].startswith(opened):
            spans.append((start, min(mark.end() + 1, len(text))))
            opened = ""
    if opened:
        spans.append((start, len(text)))
    return Fences(spans, began, bool(opened)), odd


def _written(piece: str) -> bool | None:
    """Whether a piece reads as code; None where it is blank."""
    kinds = [kind for kind in map(line_kind, piece.split("\n")) if kind != "blank"]
    return 2 * kinds.count("code") >= len(kinds) if kinds else None
