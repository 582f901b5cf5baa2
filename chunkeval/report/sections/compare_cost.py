"""Quality against what it costs: tokens read, seconds, calls of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkeval.report.compare_wording import metric_of, ranked, value_of
from chunkeval.report.figures import compared
from chunkeval.report.numerals import DASH, decimal, whole

if TYPE_CHECKING:
    from chunkeval.report.comparison import View


def build(view: View) -> Mapping[str, Any]:
    """Gather the figures and the costs of each."""
    facts, lang = view.facts, view.lang
    name = facts["metric"]["name"]
    rows = [
        (
            one["name"],
            value_of(one["mean"], name),
            decimal((one["questions"] or {}).get("tokens_read"), 0),
            decimal((one.get("tokens") or {}).get("total"), 0),
            decimal(one["seconds"], 1),
            DASH if one["llm_calls"] is None else whole(one["llm_calls"]),
            DASH if one["llm_tokens"] is None else whole(one["llm_tokens"]),
        )
        for one in ranked(facts)
    ]
    return {
        "pictures": compared.pictures(facts, lang, ("differences", "cost")),
        "metric": metric_of(name, lang),
        "rows": rows,
    }
