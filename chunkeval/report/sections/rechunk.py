"""What cutting again did: before and after, against random cuts, by a second judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkeval.report.numerals import DASH, fixed, percent, whole
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang, View
from chunkeval.report.wording import reason_of

FATES = ("cured", "not_measurable", "still", "dropped", "taken_back", "left")


def build(view: View) -> Mapping[str, Any] | None:
    """Gather ``summary["rechunk"]``; nothing where the table did not come of cutting again."""
    facts, lang = view.summary.get("rechunk"), view.lang
    if not facts:
        return None
    chunks, flagged, changes, splits = (facts[name] for name in ("chunks", "flagged", "changes", "splits"))
    counts = {
        side: say(
            lang,
            "of_measured_plain",
            n=whole(flagged[side]),
            total=whole(chunks[side]),
            share=_share(flagged[side], chunks[side]),
        )
        for side in ("before", "after")
    }
    return {
        "lead": _lead(splits, lang),
        "counts": say(lang, "rechunk_counts", **counts),
        "done": say(
            lang,
            "rechunk_done",
            **{name: whole(number) for name, number in changes.items()},
            left=whole(facts["taken_back"]),
        ),
        "proof": _proof(splits, lang) if splits["chunks"] else [],
        "fates": [
            (reason_of(reason, lang), [whole(found[fate]) for fate in FATES])
            for reason, found in facts["reasons"].items()
        ],
        "heads": [say(lang, f"fate_{fate}") for fate in FATES],
    }


def _lead(splits: Mapping[str, Any], lang: Lang) -> str:
    if not splits["chunks"]:
        return say(lang, "rechunk_no_splits")
    severity = splits["severity"]
    numbers = {"before": fixed(severity["before"], 2), "after": fixed(severity["after"], 2)}
    key = "rechunk_gain" if splits["gain"] > 0 else "rechunk_no_gain"
    return say(lang, key, n=whole(splits["chunks"]), random=fixed(severity["random"]["mean"], 2), **numbers)


def _proof(splits: Mapping[str, Any], lang: Lang) -> list[tuple[str, list[str]]]:
    """Name and values before, after, with random cuts."""
    rows = [
        (say(lang, "rechunk_severity"), _values(splits["severity"], 2)),
        (say(lang, "rechunk_flagged"), _values(splits["flagged"], 0)),
    ]
    if splits.get("judge"):
        rows.append((say(lang, "rechunk_judge"), _values(splits["judge"], 3)))
    return rows


def _values(found: Mapping[str, Any], places: int) -> list[str]:
    random = found["random"]
    spread = (
        f"{fixed(random['mean'], max(places, 1))} ({fixed(random['min'], places)}\N{EN DASH}{fixed(random['max'], places)})"
        if random["mean"] is not None
        else DASH
    )
    return [fixed(found["before"], places), fixed(found["after"], places), spread]


def _share(part: int, total: int) -> str:
    return percent(part / total) if total else DASH
