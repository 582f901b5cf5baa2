"""Whether flags matter: are questions answered worse where their answers lie in flagged chunks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkeval.report.compare_wording import metric_of
from chunkeval.report.numerals import RANGE, fixed, whole
from chunkeval.report.phrases import say

if TYPE_CHECKING:
    from chunkeval.report.comparison import View
    from chunkeval.report.view import Lang


def build(view: View) -> Mapping[str, Any] | None:
    """Gather what flags predict of each strategy's chunks; nothing where no questions were asked."""
    facts, lang = view.facts, view.lang
    baselines = {one["name"] for one in facts["strategies"] if one["baseline"]}
    told = [one for one in facts["flags_matter"] if one["strategy"] not in baselines]
    if not told:
        return None
    return {"lead": say(lang, "cmp_flags_lead"), "rows": [(one["strategy"], _said(one, lang)) for one in told]}


def _said(one: Mapping[str, Any], lang: Lang) -> str:
    outcome = one["outcome"]
    if outcome in ("worse", "better"):
        sign = 1 if outcome == "better" else -1
        clear = [effect for effect in one["effects"] if sign * effect["low"] > 0 or sign * effect["high"] < 0]
        shown = max(clear or one["effects"], key=lambda effect: abs(effect["difference"]))
        return say(
            lang,
            f"flags_{outcome}",
            metric=metric_of(shown["metric"], lang),
            difference=fixed(abs(shown["difference"]), 3),
            range=RANGE[lang].join(fixed(shown[end], 3) for end in ("low", "high")),
        )
    counts = {"flagged": whole(one["questions_flagged"]), "others": whole(one["questions_others"])}
    return say(lang, f"flags_{outcome}", **counts)
