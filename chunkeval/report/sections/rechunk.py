"""What cutting again did: better than chance or not, before and after by reason, and which borders changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chunkeval.report.numerals import DASH, RANGE, fixed, percent, whole
from chunkeval.report.phrases import say, say_counted
from chunkeval.report.sections import lanes
from chunkeval.report.view import Lang, View
from chunkeval.report.wording import reason_of

ROUNDS_TO_NOTHING = 0.005
"""Gain below which there is none to speak of."""

FATES = ("cured", "not_measurable", "still", "dropped", "taken_back", "left")
"""The first three are always told, the others where they happened."""


def build(view: View) -> Mapping[str, Any] | None:
    """Gather ``summary["rechunk"]``; nothing where the table did not come of cutting again."""
    facts, lang = view.summary.get("rechunk"), view.lang
    if not facts:
        return None
    chunks, flagged, splits = (facts[name] for name in ("chunks", "flagged", "splits"))
    sides = {side: _of(flagged[side], chunks[side], lang) for side in ("before", "after")}
    done = {**facts["changes"], "left": facts["taken_back"]}
    told = [say_counted(lang, f"done_{name}", number) for name, number in done.items() if number]
    rounds = len(facts.get("rounds", ()))
    proved = bool(splits["chunks"] and splits["changed"])
    return {
        "lead": _lead(splits, lang),
        "numbers": [_numbers(splits, lang), _judge(splits.get("judge"), lang)] if proved else [],
        "counts": say(lang, "rechunk_counts", **sides),
        "done": say(lang, "rechunk_done", changes=", ".join(told)) if told else "",
        "shifted": _shifted(facts.get("shifted"), lang),
        "moved": _moved(view),
        "proof": _proof(splits, lang) if proved else [],
        "note": say(lang, "rechunk_proof_note", draws=whole(splits.get("draws", 0)), weighed=_weighed(facts, lang)),
        "rounds": say(lang, "rechunk_rounds", n=whole(rounds)) if proved and rounds > 1 else "",
        "fates": _fates(facts, lang),
        "lanes": lanes.build(view),
    }


def _weighed(facts: Mapping[str, Any], lang: Lang) -> str:
    return say(lang, f"weighed_{facts.get('weighed_by', 'tokens')}")


def _lead(splits: Mapping[str, Any], lang: Lang) -> str:
    if not splits["chunks"]:
        return say(lang, "rechunk_no_splits")
    if not splits["changed"]:
        return say(lang, "rechunk_unchanged", n=whole(splits["chunks"]))
    severity, gain = splits["severity"], splits["gain"]
    if gain < ROUNDS_TO_NOTHING:
        return say(lang, "rechunk_no_gain")
    clear = _beyond(-severity["after"], [-severity["random"][end] for end in ("max", "min")])
    return say(lang, "rechunk_clear" if clear else "rechunk_unclear", gain=fixed(gain, 2))


def _numbers(splits: Mapping[str, Any], lang: Lang) -> str:
    severity = splits["severity"]
    found = {"before": severity["before"], "after": severity["after"], "random": severity["random"]["mean"]}
    numbers = {name: fixed(value, 2) for name, value in found.items()}
    return say(lang, "rechunk_numbers", n=whole(splits["chunks"]), **numbers)


def _judge(found: Mapping[str, Any] | None, lang: Lang) -> str:
    if not found or found["after"] is None or found["random"]["mean"] is None:
        return ""
    clear = _beyond(found["after"], [found["random"][end] for end in ("min", "max")])
    better = "judge_agrees" if clear else "judge_leans"
    return say(lang, better if found["after"] > found["random"]["mean"] else "judge_differs")


def _beyond(value: float, ends: Sequence[float]) -> bool:
    """Whether a value lies farther above the random ones than they lie apart: chance does that once in some sixty times."""
    low, high = ends
    return value > high + (high - low)


def _shifted(found: Mapping[str, Any] | None, lang: Lang) -> str:
    if not found:
        return ""
    sides = {side: whole(found["flagged"][side]) for side in ("before", "after")}
    return say(lang, "rechunk_shifted", n=whole(found["move"]), **sides)


def _moved(view: View) -> str:
    """Say so where other limits hold now than when the chunks were cut."""
    held, analyzers = view.summary["rechunk"].get("limits", {}), view.summary["analyzers"]
    same = all(
        name in analyzers
        and all(limit[key] == (analyzers[name]["limit"] or {}).get(key) for key in ("column", "low", "high"))
        for name, limit in held.items()
    )
    return "" if same else say(view.lang, "rechunk_moved_limits", n=whole(view.summary["flagged"]))


def _proof(splits: Mapping[str, Any], lang: Lang) -> list[tuple[str, list[str]]]:
    """Name and values: with random cuts on average and at the extremes, before, after."""
    rows = [
        (say(lang, "rechunk_severity"), _values(splits["severity"], 2, lang)),
        (say(lang, "rechunk_flagged"), _values(splits["flagged"], 0, lang)),
    ]
    if splits.get("judge"):
        rows.append((say(lang, "rechunk_judge"), _values(splits["judge"], 3, lang)))
    known = splits.get("boundaries", {})
    if known.get("inside"):
        name = say(lang, "rechunk_boundaries", n=whole(known["inside"]))
        rows.append((name, _values(known["found"], 0, lang)))
    return rows


def _values(found: Mapping[str, Any], places: int, lang: Lang) -> list[str]:
    random = found["random"]
    ends = DASH if random["mean"] is None else RANGE[lang].join(fixed(random[end], places) for end in ("min", "max"))
    return [fixed(found["before"], places), fixed(found["after"], places), fixed(random["mean"], max(places, 1)), ends]


def _fates(facts: Mapping[str, Any], lang: Lang) -> Mapping[str, Any] | None:
    """Reason by reason: how many were flagged, how many are, and what became of those that were."""
    fates, counts = facts["reasons"], facts.get("counts", {})
    names = sorted({*fates, *counts}, key=lambda name: (-sum(fates.get(name, {}).values()), name))
    if not names:
        return None
    shown = [fate for fate in FATES if fate in FATES[:3] or any(found.get(fate) for found in fates.values())]
    none: Mapping[str, int] = {}
    return {
        "heads": [say(lang, f"fate_{fate}") for fate in shown],
        "rows": [
            (
                reason_of(name, lang),
                whole(sum(fates.get(name, none).values())),
                whole(counts[name]["after"]) if name in counts else DASH,
                [whole(fates.get(name, none).get(fate, 0)) for fate in shown],
            )
            for name in names
        ],
    }


def _of(part: int, total: int, lang: Lang) -> str:
    share = percent(part / total) if total else DASH
    return say(lang, "of_measured_plain", n=whole(part), total=whole(total), share=share)
