"""How large the chunks of each strategy are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkeval.report.compare_wording import ranked
from chunkeval.report.figures import compared
from chunkeval.report.numerals import decimal
from chunkeval.report.phrases import say

if TYPE_CHECKING:
    from chunkeval.report.comparison import View

ENDS = ("min", "q1", "median", "q3", "max")


def build(view: View) -> Mapping[str, Any]:
    """Gather the figure and the numbers behind it: tokens where they were counted, else characters."""
    facts, lang = view.facts, view.lang
    unit = compared.unit_of(facts)
    rows = [(one["name"], [decimal(one[unit][end], 0) for end in ENDS]) for one in ranked(facts)]
    return {
        "pictures": compared.pictures(facts, lang, ("sizes",)),
        "caption": say(lang, f"cmp_size_{unit}"),
        "heads": [say(lang, f"cmp_size_{end}") for end in ENDS],
        "rows": rows,
    }
