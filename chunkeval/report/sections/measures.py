"""A part a measure: what it means, what it found, its figures, its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chunkeval.report.figures.plots import JUDGED, Picture, facts_of, pictures
from chunkeval.report.measure_wording import card_column, found, has_another, means
from chunkeval.report.numerals import decimal_range, fixed, percent, rough, rough_range, score, whole
from chunkeval.report.phrases import known, say
from chunkeval.report.view import Lang, View
from chunkeval.report.wording import condition, name_of, of_measured, rule_of, tells


@dataclass(frozen=True)
class LimitRow:
    """One limit in a measure's table."""

    rule: str
    value: str
    flags: str
    in_use: bool


def build(view: View) -> Mapping[str, Any] | None:
    """Gather every measure that ran; nothing where none did."""
    parts = [_part(view, analyzer) for analyzer in view.summary["analyzers"]]
    return {"parts": parts} if parts else None


def _part(view: View, analyzer: str) -> Mapping[str, Any]:
    facts, lang = facts_of(view, analyzer), view.lang
    summary = {**view.summary, "analyzers": {**view.summary["analyzers"], analyzer: facts}}
    return {
        "key": analyzer,
        "name": name_of(analyzer, lang),
        "means": means(analyzer, lang),
        "found": found(analyzer, summary, lang),
        "pictures": [(picture, _caption(picture, facts, lang)) for picture in pictures(view, analyzer)],
        "limits": limit_rows(facts, lang),
        "figures": _figures(facts, lang) + _false(view, analyzer),
        "topics": [] if view.redact else _topics(facts),
        # The notes of the measures known here are said in the page's own words.
        "notes": [] if analyzer in JUDGED else [str(note) for note in facts.get("notes") or ()],
    }


def limit_rows(facts: Mapping[str, Any], lang: Lang) -> list[LimitRow]:
    """List the limit in use, the published one and the calibrated one, each with what it flags."""
    limit = facts.get("limit") or {}
    column, rule = str(limit.get("column") or ""), limit.get("rule")
    rows = [
        LimitRow(
            rule_of(limit, lang),
            _value(limit, column, lang),
            of_measured(facts, facts.get("beyond", facts.get("flagged")), lang),
            rule not in (None, "none"),
        )
    ]
    card, calibrated = facts.get("card"), facts.get("calibrated")
    if card and rule != "card":
        applies = condition(card, card_column(card, limit), lang)
        flags = of_measured(facts, card.get("flagged") if applies else None, lang)
        named = "rule_iqr" if card.get("rule") == "iqr" else "rule_card"
        rows.append(LimitRow(say(lang, named), applies or say(lang, "not_applicable"), flags, False))
    if calibrated and tells(facts) and (rule != "calibrated" or has_another(facts)):
        judged = {"similarity": "similarity_centred", "topic_entropy_card": "topic_entropy_z"}.get(column, column)
        value = _value(calibrated, str(calibrated.get("column") or judged), lang)
        flags = of_measured(facts, calibrated.get("flagged"), lang)
        named = "rule_own" if rule == "calibrated" else "rule_calibrated"
        rows.append(LimitRow(say(lang, named), value, flags, False))
    return rows


def _value(limit: Mapping[str, Any], column: str, lang: Lang) -> str:
    return condition(limit, column, lang) or say(lang, "nothing_flags")


def _figures(facts: Mapping[str, Any], lang: Lang) -> list[tuple[str, str, str]]:
    """Name, value and remark of the numbers behind a measure."""
    rows = [(say(lang, "measured"), whole(facts.get("measured", 0)), "")]
    if facts.get("q1") is not None:
        rows.append(
            (
                say(lang, "quartiles"),
                " · ".join(score(facts[name], "token_count") for name in ("q1", "median", "q3")),
                "",
            )
        )
    if facts.get("num_topics") is not None:
        rows.append((say(lang, "topics_number"), whole(facts["num_topics"]), _topics_found(facts, lang)))
    if facts.get("repeats") is not None:
        rows.append((say(lang, "repeats"), fixed(facts["repeats"], 2), say(lang, "repeats_hint")))
    calibrated = facts.get("calibrated") or {}
    if calibrated.get("auroc") is not None:
        ends = calibrated.get("auroc_ci")
        interval = f" ({say(lang, 'interval', range=decimal_range(ends, lang))})" if ends else ""
        rows.append((say(lang, "auroc"), fixed(calibrated["auroc"], 2) + interval, say(lang, "auroc_hint")))
    if calibrated.get("auroc_splice") is not None:
        rows.append((say(lang, "auroc_splice"), fixed(calibrated["auroc_splice"], 2), ""))
    if tells(facts):
        ends = calibrated.get("share_ci")
        interval = f" ({say(lang, 'interval', range=rough_range(ends, lang))})" if ends else ""
        remarks = [say(lang, "base_measured", n=whole(calibrated.get("measured") or facts.get("measured", 0)))]
        if calibrated.get("share_mix") is not None and calibrated.get("share_splice") is not None:
            mix, splice = rough(calibrated["share_mix"]), rough(calibrated["share_splice"])
            remarks.insert(0, say(lang, "share_parts", mix=mix, splice=splice))
        about = say(lang, "about", share=rough(calibrated["share"]))
        rows.append((say(lang, "share"), about + interval, " · ".join(remarks)))
    return rows


def _false(view: View, analyzer: str) -> list[tuple[str, str, str]]:
    """What the limit learned here flags wrongly by itself."""
    share = view.summary.get("false_flags", {}).get("by_analyzer", {}).get(analyzer)
    lang = view.lang
    return [] if share is None else [(say(lang, "false_flags"), rough(share), say(lang, "false_flags_hint"))]


def _topics_found(facts: Mapping[str, Any], lang: Lang) -> str:
    if facts.get("topics_unclustered") is not None:
        return say(lang, "topics_clustered", share=percent(facts["topics_unclustered"]))
    tried: Mapping[str, float] = facts.get("topics_tried", {})
    costs = ", ".join(f"{whole(int(number))}: {fixed(bits, 2)}" for number, bits in tried.items())
    return say(lang, "topics_tried", costs=costs) if tried else ""


def _topics(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Share and words of the largest topics."""
    return [(percent(topic["share"]), " ".join(topic["words"])) for topic in facts.get("topic_words") or ()]


def _caption(picture: Picture, facts: Mapping[str, Any], lang: Lang) -> str:
    title = known(lang, f"plot_{picture.name}", picture.name)
    return f"{title}. {say(lang, 'caption_curves')}" if picture.curves else title
