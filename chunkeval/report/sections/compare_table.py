"""The table of strategies: who beats whom, every measure, and the baselines of the same sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkeval.report.compare_wording import metric_of, ranked, target_of, value_of
from chunkeval.report.numerals import DASH, RANGE, decimal, percent, whole
from chunkeval.report.phrases import known, say

if TYPE_CHECKING:
    from chunkeval.report.comparison import View

ASKED = ("contains_answer", "recall", "precision", "iou", "precision_omega", "mrr", "ndcg", "tokens_read", "loops")
ALONE = ("flagged", "broken", "contrast", "reused", "duplicated", "on_target")
GOLD = ("boundary_f1", "boundary_similarity", "pk", "window_diff")

PAIRS = 30
"""Pairs listed at most: those of the leader first."""


def build(view: View) -> Mapping[str, Any]:
    """Gather the rows, and the pairs behind them."""
    facts, lang = view.facts, view.lang
    name = facts["metric"]["name"]
    measures = _measures(facts)
    rows = [_row(one, measures, name) for one in ranked(facts)]
    own = [one["name"] for one in facts["strategies"] if not one["baseline"]]
    end = say(lang, f"cmp_{facts['metric']['better']}")
    return {
        "metric": f"{metric_of(name, lang)} ({end})",
        "heads": [known(lang, f"short_{one}", metric_of(one, lang)) for one in measures],
        "own": [row for row in rows if not row["baseline"]],
        "baselines": [row for row in rows if row["baseline"]],
        "beats": say(lang, "cmp_beats", metric=metric_of(name, lang)),
        "notes": [
            say(lang, "cmp_best_note"),
            *([say(lang, "cmp_omega_note")] if "precision_omega" in measures else []),
            say(lang, "cmp_measures_note"),
            *([say(lang, "cmp_target_note", range=target_of(facts, lang))] if facts["target"] else []),
            *([say(lang, "cmp_baselines_note", names=", ".join(own))] if any(row["baseline"] for row in rows) else []),
        ],
        "pairs": _pairs(view),
    }


def _measures(facts: Mapping[str, Any]) -> list[str]:
    """Those that are known of some strategy, the declared one left out: it has its own column."""
    lines = facts["strategies"]
    asked = [one for one in ASKED if any((line["questions"] or {}).get(one) is not None for line in lines)]
    alone = [one for one in (*ALONE, *GOLD) if any(line.get(one) is not None for line in lines)]
    return [one for one in (*asked, *alone) if one != facts["metric"]["name"]]


def _row(one: Mapping[str, Any], measures: list[str], name: str) -> Mapping[str, Any]:
    held = {**one, **(one["questions"] or {})}
    tokens = one.get("tokens") or {}
    return {
        "number": DASH if one["number"] is None else whole(one["number"]),
        "name": one["name"],
        "baseline": one["baseline"],
        "size_of": ", ".join(one["size_of"]),
        "mean": value_of(one["mean"], name),
        "beats": " ".join(map(str, sorted(one["beats"]))),
        "best": DASH if one["probability_best"] is None else percent(one["probability_best"]),
        "values": [value_of(held.get(measure), measure) for measure in measures],
        "chunks": whole(one["chunks"]),
        "tokens": decimal(tokens.get("median"), 0),
    }


def _pairs(view: View) -> list[tuple[str, str, str, str, str]]:
    """Names, difference, interval, whether it is decided, and what it would take."""
    statistics, lang = view.facts["statistics"], view.lang
    name = view.facts["metric"]["name"]
    found = []
    for one in (statistics or {}).get("pairs", ())[:PAIRS]:
        ends = [one["low"], one["high"]]
        interval = DASH if None in ends else RANGE[lang].join(value_of(end, name) for end in ends)
        needed = DASH if one["questions_needed"] is None else whole(one["questions_needed"])
        decided = say(lang, "cmp_yes" if one["decided"] else "cmp_no")
        found.append(
            (f"{one['first']} – {one['second']}", value_of(one["difference"], name), interval, decided, needed)
        )
    return found
