"""A csv as a spreadsheet opens it."""

from __future__ import annotations

import csv
from pathlib import Path

NUMBERS = frozenset({"position", "start", "end", "token_count", "similarity", "topic_entropy", "severity"})


def assert_no_formula(path: Path) -> int:
    """No text starts as a formula does, and numbers are numbers; gives the number of rows."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    for row in rows:
        for name, cell in row.items():
            if name in NUMBERS:
                assert cell == "" or float(cell) == float(cell), (name, cell)
            else:
                assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")), (name, cell)
    return len(rows)
