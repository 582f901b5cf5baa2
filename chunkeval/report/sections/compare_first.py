"""The first screen of a comparison: the answer with its certainty, three numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkeval.report.compare_wording import certainty, how, metric_of, ranked, value_of
from chunkeval.report.numerals import whole
from chunkeval.report.phrases import say

if TYPE_CHECKING:
    from chunkeval.report.comparison import View


def build(view: View) -> Mapping[str, Any]:
    """Gather the verdict and the numbers."""
    return {"verdict": view.facts["verdict"], "certainty": certainty(view.facts, view.lang), "numbers": _numbers(view)}


def _numbers(view: View) -> list[tuple[str, str, str]]:
    facts, lang = view.facts, view.lang
    name, first = facts["metric"]["name"], ranked(facts)[0]
    own = [one for one in facts["strategies"] if not one["baseline"]]
    besides = len(facts["strategies"]) - len(own)
    asked = facts["questions"]
    left = (facts["statistics"] or {}).get("left_out", 0)
    if asked is not None:
        count = (say(lang, "cmp_number_questions"), whole(asked["used"]))
        base = say(lang, "cmp_of_documents", n=whole(facts["documents"]))
        left = asked["skipped"]["count"]
    else:
        count, base = (say(lang, "cmp_number_documents"), whole(facts["documents"])), ""
    out = say(lang, "cmp_left_out", n=whole(left)) if left else say(lang, "cmp_nothing_left_out")
    best = say(lang, "cmp_number_best", metric=metric_of(name, lang))
    return [
        (best, value_of(first["mean"], name), f"{first['name']} · {how(facts, lang)}"),
        (*count, " · ".join(part for part in (base, out) if part)),
        (say(lang, "cmp_number_strategies"), whole(len(own)), say(lang, "cmp_number_baselines", n=whole(besides))),
    ]
