"""Whether a Markdown table was cut at the start or end of a text."""

from __future__ import annotations

from collections.abc import Sequence

from chunkeval.text.markup import delimits


def table_begins_cut(lines: Sequence[str]) -> bool | None:
    """Whether a table was cut before these lines, a text's first; None where they are no table.

    Examples
    --------
    >>> table_begins_cut(["| c | d |", "| e | f |"]), table_begins_cut(["| a | b |", "|---|---|"]), table_begins_cut(["a | b"])
    (True, False, None)
    """
    rows = [line.strip() for line in lines]
    first, second = rows[0], rows[1] if len(rows) > 1 else ""
    if delimits(first):
        return True
    if delimits(second):
        return not first.startswith("|") and second.startswith("|")
    if first.startswith("|") and first.count("|") > 1:
        # Rows without the line under a header: of a table that began before, or a row cut in two.
        return True
    if (first.endswith("|") and first.count("|") > 1) or (first.endswith("|") and second.startswith("|")):
        return True
    return True if second.startswith("|") and second.endswith("|") and second.count("|") > 1 else None


def table_ends_cut(lines: Sequence[str]) -> bool | None:
    """Whether a table was cut behind these lines, a text's last; None where they are no table.

    Examples
    --------
    >>> table_ends_cut(["| a | b |", "|---|---|", "| c |"]), table_ends_cut(["|---|---|", "| c | d |"]), table_ends_cut(["a"])
    (True, False, None)
    """
    rows = [line.strip() for line in lines]
    last, before = rows[-1], rows[-2] if len(rows) > 1 else ""
    if delimits(last):
        return True
    barred = before.startswith("|") and before.endswith("|")
    if last.startswith("|") and barred:
        return not last.endswith("|") or last.count("|") < before.count("|")
    if last.startswith("|"):
        return None if last.count("|") < 2 and not before else not last.endswith("|")
    return False if "|" in before else None
