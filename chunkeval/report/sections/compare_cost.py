"""Quality against what it costs: tokens read, seconds, calls of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkeval.report.compare_wording import metric_of, ranked, value_of
from chunkeval.report.figures import compared
from chunkeval.report.numerals import DASH, decimal, whole
from chunkeval.report.phrases import say

if TYPE_CHECKING:
    from chunkeval.report.comparison import View


def build(view: View) -> Mapping[str, Any]:
    """Gather the figures and the costs of each."""
    facts, lang = view.facts, view.lang
    name = facts["metric"]["name"]
    costs = ("llm_calls", "llm_tokens", "cost")
    asked = [key for key in costs if any(_held(one).get(key) is not None for one in facts["strategies"])]
    rows = [
        (
            one["name"],
            value_of(one["mean"], name),
            decimal(_held(one).get("tokens_read"), 0),
            decimal((one.get("tokens") or {}).get("total"), 0),
            decimal(one["seconds"], 1),
            DASH if one["llm_calls"] is None else whole(one["llm_calls"]),
            DASH if one["llm_tokens"] is None else whole(one["llm_tokens"]),
            [decimal(_held(one).get(key), 4 if key == "cost" else 0) for key in asked],
        )
        for one in ranked(facts)
    ]
    return {
        "pictures": compared.pictures(facts, lang, ("differences", "cost")),
        "metric": metric_of(name, lang),
        "asked": [say(lang, f"cmp_asked_{key.removeprefix('llm_')}") for key in asked],
        "rows": rows,
    }


def _held(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was found by asking."""
    return one["questions"] or {}
