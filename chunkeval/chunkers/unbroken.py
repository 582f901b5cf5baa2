"""What of a Markdown document is not cut in two as long as it fits: code fences, tables, a table's rows."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from chunkeval.chunkers.base import Span

_FENCE = re.compile(r"^[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*\n?", re.MULTILINE)
_BARRED = re.compile(r"^[^\n|]*\|[^\n]*\n?", re.MULTILINE)
_DELIMITER = re.compile(r"[ \t>]*+\|?(?:[ \t]*+:?-{2,}+:?[ \t]*+\|)+(?:[ \t]*+:?-{2,}+:?[ \t]*+\|?)?\s*")


def fences(text: str) -> list[Span]:
    r"""Find code fences, from the opening line to the end of the closing one; one left open goes to the text's end.

    Examples
    --------
    >>> fences("글\n```py\nx = 1\n```\n글\n~~~\n열림")
    [(2, 18), (20, 26)]
    """
    if "```" not in text and "~~~" not in text:
        return []
    found: list[Span] = []
    start, opening = -1, ""
    for line in _FENCE.finditer(text):
        bare = line[0].strip(" \t>\r\n")
        if start < 0:
            start, opening = line.start(), line[1]
        elif bare.startswith(opening) and not bare.strip(opening[0]):
            found.append((start, line.end()))
            start = -1
    if start >= 0:
        found.append((start, len(text)))
    return found


def tables(text: str, code: list[Span]) -> list[list[Span]]:
    r"""Find tables as their rows: neighbouring lines with bars, outside code, with a delimiter row or all led by a bar.

    Examples
    --------
    >>> tables("글\n| a | b |\n|---|---|\n| c | d |\n글", [])
    [[(2, 12), (12, 22), (22, 32)]]
    """
    return [rows for rows in _runs(text, code) if _is_table([text[a:b].strip(" \t>\r\n") for a, b in rows])]


def _runs(text: str, code: list[Span]) -> Iterator[list[Span]]:
    if "|" not in text:
        return
    rows: list[Span] = []
    for line in _BARRED.finditer(text):
        if within(code, line.start() + 1):
            continue
        if rows and rows[-1][1] != line.start():
            yield rows
            rows = []
        rows.append(line.span())
    if rows:
        yield rows


def _is_table(rows: list[str]) -> bool:
    barred = all(row.startswith("|") and row.count("|") > 1 for row in rows)
    return barred or (len(rows) > 1 and any(map(_DELIMITER.fullmatch, rows)))


def within(spans: list[Span], position: int) -> Span | None:
    """Give the span, of some in order, that a cut at a position would break."""
    at = bisect_left(spans, (position,)) - 1
    return spans[at] if at >= 0 and position < spans[at][1] else None
