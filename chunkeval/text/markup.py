"""Where a text is prose, a table, code, a heading or a list: the blocks that a sentence never crosses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import NamedTuple

_BREAK = re.compile(r"\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_FENCE = re.compile(r"[ \t]{0,3}(?:[-*+][ \t]+|\d+[.)][ \t]+)?(```+(?=[^`]*$)|~~~+)[ \t]*([\w+#.{-]?)")
_DELIMITER = re.compile(r"[ \t]*+\|?(?:[ \t]*+:?-{2,}:?[ \t]*\|)+(?:[ \t]*:?-{2,}:?[ \t]*\|?)?[ \t]*$")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+\S|={2,}[^=]+={2,}[ \t]*$")
_ITEM = re.compile(
    r"[ \t>]*+(?:[-*+•·▪◦‣∙○●■□▶▷※◆◇★☆✓✔–—][ \t]+"
    r"|(?:\d{1,3}(?:[-.]\d{1,3}){0,3}|[A-Za-z]|[ivxIVX]{1,4}|[가-힣])[.)][ \t]+|\(?(?:\d{1,3}|[A-Za-z]|[가-힣])\)[ \t]*"
    r"|[①-⑳⑴-⒇㉠-㉻][ \t]*|제[ ]?\d{1,4}[편장절관조항](?:의[ ]?\d+)?(?=[ (.:]|$))"
)
_PAIR = re.compile(
    r"[ \t]*+[*_\[【(<#-]*+[ \t]*+(?:(?P<q>Q(?:uestion|UESTION)?|질문|물음|문|问题?|問題?|質問)"
    r"|(?P<a>A(?:nswer|NSWER)?|답변?|대답|答案?|回答))"
    r"[ \t]?\d{0,4}[*_\])】>]*[ \t]*[.:：)]"
)
_CODE = re.compile(
    r"[ \t]*+(?:import[ ][\w.{*'\"]+(?:[ ]as[ ]\w+|[ ]from[ ].*)?;?[ \t]*$|from[ ][\w.]+[ ]import[ ]|use[ ][\w:{]+.*;"
    r"|#include\b|#define\b|#!?\[|#!/|//|/\*|\*/|<!--|<[?!]\w"
    r"|</?[A-Za-z][\w:.-]*(?:[ ][^<>]*)?/?>.*$(?<=>)|\$[ ][a-z]|>>>[ ]"
    r"|@\w+(?:\(.*\))?[ \t]*$|[{}\[\]()<>;,]+[ \t]*$|[}\])]+[;,)\w .(]*[{;,(]?[ \t]*$"
    r"|(?:(?:export|default|async|public|private|protected|static|final|pub|abstract)[ ])*"
    r"(?:def|class|function|func|fn|struct|enum|interface|impl|const|let|var|type|namespace)\b"
    r"[ ]*[\w${\[<][^가-힣]*[=({:;\[]"
    r"|(?:if|elif|for|while|switch|catch|with|return|raise|throw|await|except|case|assert|print|echo)\b"
    r"(?=[^가-힣]*(?:\w\(|[=!<>+]=|[\[\]{}_;\"]|\w\.\w))[^가-힣]*[:{;)\]}\"'\w][ \t]*$"
    r"|(?:else|try|finally|do|return|break|continue|pass|where)[ \t]*[:{;]?[ \t]*$"
    r"|[\w$.\[\]\"'-]+[ \t]*(?:[+*/|&-]?=|:=|=>|->)[ \t]*\S.*$|[\w$.]+\([^가-힣]*\)?[;,{]?[ \t]*$"
    r"|[\"'][\w $.@/-]+[\"'][ \t]*:[ \t]*\S.*$|[^.가-힣]*[\w)\]>][ \t]*\{[ \t]*$|.*\w\(.*\);[ \t]*$"
    r"|.*(?:=>|&&|\|\||::|->).*[;{(\[,][ \t]*$)"
)
_SYMBOL = re.compile(r"[{}\[\]<>=&_$\\]|\w\(|\)(?=[;:,.)])")
_SPOKEN = re.compile(r"[^\W_]")
_RUNNING = ("prose", "code")
_LEADING = ("prose", "code", "item", "pair")
_GOES_ON = tuple(",，、-–·/&(+")
_SEEN = 200
"""Code points of a line that tell its kind; longer lines are no code."""
_NARROW = 16
"""Longest line, in code points, of a paragraph that was not broken for width: each line is an entry of its own."""
_FULL = 0.6
"""Share of the longest line from which a line counts as full."""


class Block(NamedTuple):
    """A piece of text that no sentence crosses: code points from ``start`` to ``end``."""

    start: int
    end: int
    whole: bool
    """One sentence as it stands: a table, a code fence."""


class Layout(NamedTuple):
    """A text in blocks."""

    blocks: list[Block]
    not_prose: bool
    """More than half of the visible code points are in tables, code, or question-answer pairs."""


def layout(text: str) -> Layout:
    r"""Cut a text into the blocks that sentences stay within.

    A block is a paragraph, a heading, a list item with the lines that go on with it, a Markdown table or a code
    fence. Lines of a paragraph stay together, since prose is often broken for width; a line that ended well before
    the longest (a title, an entry, a speaker's turn) is the last of its block.

    Parameters
    ----------
    text
        Any string.

    Returns
    -------
    Layout
        The blocks, in order, which cover everything but blank lines.

    Examples
    --------
    >>> text = "# 제목\n본문이다.\n- 하나\n- 둘\n| a | b |\n|---|---|\n| c | d |"
    >>> [text[a:b] for a, b, _ in layout(text).blocks]
    ['# 제목\n', '본문이다.\n', '- 하나\n', '- 둘\n', '| a | b |\n|---|---|\n| c | d |']
    """
    starts = [0, *(match.end() for match in _BREAK.finditer(text)), len(text)]
    lines = [text[a:b] for a, b in pairwise(starts)]
    kinds = _kinds(lines, "")
    blocks: list[Block] = []
    widest = 0
    before = "blank"
    for number, kind in enumerate(kinds):
        running = kind in _RUNNING
        goes_on = running and before in _LEADING
        if kind in ("table", "fence") or (
            goes_on and not _ended(lines[number - 1].strip(), lines[number].lstrip(), widest)
        ):
            blocks[-1] = blocks[-1]._replace(end=starts[number + 1])
        elif kind != "blank":
            blocks.append(Block(starts[number], starts[number + 1], kind in ("rows", "open")))
        if not goes_on and kind in _LEADING:
            following = takewhile(lambda other: kinds[other] in _RUNNING, range(number + 1, len(lines)))
            widest = max(len(lines[other].strip()) for other in (number, *following))
        before = kind
    return Layout(blocks, _not_prose(lines, kinds))


def line_kind(line: str) -> str:
    """Name what a line is by itself: ``blank``, ``prose``, ``code``, ``item``, ``pair``, ``heading`` or ``rule``.

    Examples
    --------
    >>> line_kind("## 개요"), line_kind("- 하나"), line_kind("본문이다.")
    ('heading', 'item', 'prose')
    """
    return _kind(line)


def speaker(line: str) -> str | None:
    """Tell a line that asks (``q``) from one that answers (``a``) where it says so at its start; None for any other.

    Examples
    --------
    >>> speaker("Q: 몇 살부터 타나요?"), speaker("답변 1. 열세 살부터."), speaker("본문이다.")
    ('q', 'a', None)
    """
    match = _PAIR.match(line)
    return match.lastgroup if match else None


def delimits(line: str) -> bool:
    """Whether a line is what stands between a Markdown table's header and its rows.

    Examples
    --------
    >>> delimits("|---|:--:|"), delimits("| a | b |")
    (True, False)
    """
    return _DELIMITER.match(line) is not None


def _ended(line: str, following: str, widest: int) -> bool:
    """Whether a line of prose ended for another reason than its width."""
    full = len(line) >= _FULL * widest and widest >= _NARROW
    return not full and not line.endswith(_GOES_ON) and not following[:1].islower()


def _kinds(lines: list[str], fence: str) -> list[str]:
    """Name each line: blank, prose, code, item, pair, heading, rule; a fence's first line ``open``, a table's ``rows``."""
    kinds: list[str] = []
    inside = fence
    for line in lines:
        if inside:
            kinds.append("fence" if kinds else "open")
            bare = line.strip()
            if bare.startswith(inside) and not bare.strip(inside[0]):
                inside = ""
        elif ("``" in line or "~~" in line) and (opening := _FENCE.match(line)):
            inside = opening[1]
            kinds.append("open")
        else:
            kinds.append(_kind(line))
    if inside and not fence and _cut_in_code(lines, kinds):
        return _kinds(lines, lines[kinds.index("open")].strip())
    for first, last in _tables(lines, kinds):
        kinds[first:last] = ["rows", *["table"] * (last - first - 1)]
    return kinds


def _kind(line: str) -> str:
    if not line or line.isspace():
        return "blank"
    head = line[:_SEEN]
    if _HEADING.match(head):
        return "heading"
    if _PAIR.match(head):
        return "pair"
    if len(line) < _SEEN and (_CODE.match(line) or _dense(line)):
        return "code"
    if _ITEM.match(head):
        return "item"
    return "prose" if _SPOKEN.search(line) else "rule"


def _dense(line: str) -> bool:
    """Whether a line is as full of brackets and operators as code is."""
    symbols = len(_SYMBOL.findall(line))
    return symbols > 3 and 8 * symbols >= len(line.strip())


def _cut_in_code(lines: list[str], kinds: list[str]) -> bool:
    """Whether an odd fence closes code that began before the text does."""
    first = kinds.index("open")
    written = [kind for kind in kinds[:first] if kind != "blank"]
    bare = not lines[first].strip().strip("`~")
    return bare and 2 * written.count("code") > len(written)


def _tables(lines: list[str], kinds: list[str]) -> Iterator[tuple[int, int]]:
    """Give runs of lines with bars that have a delimiter row, or whose lines all start with a bar."""
    first = 0
    while first < len(lines):
        last = first
        while last < len(lines) and "|" in lines[last] and kinds[last] not in ("open", "fence"):
            last += 1
        rows = [line.strip() for line in lines[first:last]]
        barred = all(row.startswith("|") and row.count("|") > 1 for row in rows)
        if rows and (barred or (len(rows) > 1 and any(map(_DELIMITER.match, rows)))):
            yield first, last
        first = last + 1


def _not_prose(lines: list[str], kinds: list[str]) -> bool:
    named = set(kinds)
    if named <= {"blank", "prose", "item", "heading", "rule"}:
        return False
    pairs = "pair" in named and _paired(lines, kinds)
    other = visible = 0
    answer = False
    for line, kind in zip(lines, kinds, strict=True):
        size = len("".join(line.split()))
        answer = pairs and (kind == "pair" or (answer and kind in ("prose", "item")))
        visible += size
        other += size if answer or kind in ("rows", "table", "open", "fence", "code") else 0
    return 2 * other > visible


def _paired(lines: list[str], kinds: list[str]) -> bool:
    found = [_PAIR.match(line) for line, kind in zip(lines, kinds, strict=True) if kind == "pair"]
    return any(match and match["q"] for match in found) and any(match and match["a"] for match in found)
