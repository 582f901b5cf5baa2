"""What one measure found, and what to know before reading on, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chunkeval.report.numerals import percent, rough, score, whole
from chunkeval.report.phrases import known, say
from chunkeval.report.view import Lang
from chunkeval.report.wording import Summary, cannot, condition, fell_back, flagged_share, name_of, rule_of, tells

FEW = 0.8
"""Share of measured chunks below which the page says so up front."""


def means(analyzer: str, lang: Lang) -> str:
    """Say what a measure looks at and how to read it, in two sentences."""
    return known(lang, f"means_{analyzer}", say(lang, "means_other"))


def found(analyzer: str, summary: Summary, lang: Lang) -> list[str]:
    """Say what a measure found here, what the published limit would have flagged, and what could not be told."""
    facts = summary["analyzers"][analyzer]
    if not facts.get("measured"):
        why = cannot(facts, summary, lang)
        return [say(lang, "found_none_measured"), *([say(lang, "could_not", why=why)] if why else [])]
    said = [_found(facts, lang), *_marked(facts, lang)]
    if tells(facts) and facts["limit"].get("rule") == "calibrated":
        another = _another(analyzer, summary, lang)
        fewer = flagged_share(facts) < 0.8 * facts["calibrated"]["share"]
        said += [another] if another is not None else [say(lang, "fewer")] if fewer else []
    if facts.get("q1") is not None and analyzer == "tokens":
        quartiles = {name: score(facts[name], "token_count") for name in ("q1", "median", "q3")}
        said.insert(0, say(lang, "middle_half", **quartiles))
    if "card" in facts:
        said.append(_card(facts, lang))
    elif (facts.get("limit") or {}).get("rule") == "iqr":
        said.append(say(lang, "card_same"))
    reason = fell_back(facts, summary, lang)
    if reason is not None:
        line = _fallback(analyzer, facts, reason, lang).removeprefix(f"{name_of(analyzer, lang)}: ")
        said.append(line[:1].upper() + line[1:])
    return said


def notices(summary: Summary, lang: Lang) -> list[str]:
    """Say what a reader must know before trusting the numbers; empty where there is nothing."""
    said = [line for name, facts in summary["analyzers"].items() for line in _notices(name, facts, summary, lang)]
    said += _false_flags(summary, lang)
    source = summary.get("input", {})
    if source.get("skipped_null"):
        said.append(say(lang, "notice_skipped", n=whole(source["skipped_null"])))
    if source.get("surrogates"):
        said.append(say(lang, "notice_surrogates", n=whole(source["surrogates"])))
    return said


def _false_flags(summary: Summary, lang: Lang) -> list[str]:
    """What the limits learned here cost, where they flag anything."""
    told = summary.get("false_flags")
    if not told or not any(summary["analyzers"][name].get("flagged") for name in told["by_analyzer"]):
        return []
    allowed = rough(told["allowed"])
    said = [say(lang, "false_flags_all", share=rough(told["estimated"]), allowed=allowed)]
    if told["certainty"] > 0.5:
        said.append(say(lang, "false_flags_certain", allowed=allowed, certainty=rough(told["certainty"])))
    return said


def _notices(analyzer: str, facts: Mapping[str, Any], summary: Summary, lang: Lang) -> list[str]:
    said, name, limit = [], name_of(analyzer, lang), facts.get("limit") or {}
    measured, chunks = facts.get("measured", 0), summary["chunks"]
    share = flagged_share(facts)
    if share > 0.5:
        said.append(
            say(
                lang,
                "notice_card_half" if limit.get("rule") == "card" else "notice_half",
                name=name,
                share=percent(share),
            )
        )
    reason = fell_back(facts, summary, lang)
    if reason is not None and measured:
        said.append(_fallback(analyzer, facts, reason, lang))
    published = condition(facts.get("card"), "", lang)
    if analyzer == "topics" and measured and published is None and limit.get("rule") in ("card", "none", None):
        said.append(say(lang, "notice_no_card", name=name, topics=whole(facts.get("num_topics") or 0)))
    if limit.get("rule") == "iqr" and _one_size(facts):
        said.append(say(lang, "notice_fixed", name=name))
    if 0 < measured < FEW * chunks:
        cause = known(lang, f"few_{analyzer}", say(lang, "few_other"))
        said.append(
            say(
                lang,
                "notice_few",
                name=name,
                n=whole(measured),
                total=whole(chunks),
                share=percent(measured / chunks),
                cause=cause,
            )
        )
    return said


def _found(facts: Mapping[str, Any], lang: Lang) -> str:
    limit, measured = facts.get("limit") or {}, whole(facts["measured"])
    what = condition(limit, limit.get("column", ""), lang)
    if what is None:
        key = "calibrated_clean" if limit.get("rule") == "calibrated" else "found_no_limit"
        return say(lang, key, measured=measured)
    flagged = facts.get("beyond", facts.get("flagged"))
    if not flagged:
        return say(lang, "found_nothing", measured=measured, condition=what)
    share = percent(flagged_share(facts, flagged))
    return say(lang, "found", measured=measured, condition=what, n=whole(flagged), share=share)


def _another(analyzer: str, summary: Summary, lang: Lang) -> str | None:
    """Say why the limit in use is not the one that the measure alone would set; None where it is, or nothing tells why."""
    analyzers, told = summary["analyzers"], summary.get("false_flags")
    facts = analyzers[analyzer]
    if told is None or not has_another(facts):
        return None
    own, best = facts["calibrated"], analyzers.get("coherence", {})
    why = []
    kinds = ("share_mix", "share_splice")
    if analyzer != "coherence" and tells(best) and all(best["calibrated"].get(kind) == told[kind] for kind in kinds):
        why.append(say(lang, "another_share", share=rough(best["calibrated"]["share"])))
    if told["certainty"] > 0.5:
        allowed, certainty = rough(told["allowed"]), rough(told["certainty"])
        why.append(say(lang, "another_certain", allowed=allowed, certainty=certainty))
    if not why:
        return None
    return say(
        lang,
        "another",
        share=rough(own["share"]),
        condition=condition(own, str(own["column"]), lang),
        n=whole(own["flagged"]),
        why=say(lang, "another_and").join(why),
    )


def has_another(facts: Mapping[str, Any]) -> bool:
    """Whether the limit in use is another than the one that the measure would set by its own estimate."""
    own, used = facts.get("calibrated") or {}, facts.get("limit") or {}
    return any(own.get(side) is not None and own[side] != used.get(side) for side in ("low", "high"))


def _marked(facts: Mapping[str, Any], lang: Lang) -> list[str]:
    """Say what is flagged whatever the limit."""
    return [say(lang, f"found_{code}", n=whole(n)) for code, n in facts.get("marked", {}).items() if n]


def _card(facts: Mapping[str, Any], lang: Lang) -> str:
    card, limit = facts["card"], facts.get("limit") or {}
    if card is None:
        return say(lang, "card_no")
    if limit.get("rule") == "card":
        return say(lang, "card_same")
    what = condition(card, card_column(card, limit), lang)
    if what is None:
        return say(lang, "card_no")
    flagged = card.get("flagged") or 0
    share = flagged_share(facts, flagged)
    said = say(lang, "card_says", condition=what, n=whole(flagged), share=percent(share))
    return f"{said} {say(lang, 'card_half')}" if share > 0.5 else said


def card_column(card: Mapping[str, Any], limit: Mapping[str, Any]) -> str:
    """Name the column that the published limit judges, where the summary does not."""
    column = str(card.get("column") or limit.get("column", ""))
    return {"similarity_centred": "similarity", "topic_entropy_z": "topic_entropy_card"}.get(column, column)


def _fallback(analyzer: str, facts: Mapping[str, Any], reason: str, lang: Lang) -> str:
    limit, name = facts.get("limit") or {}, name_of(analyzer, lang)
    if condition(limit, "", lang) is None:
        return say(lang, "notice_calibrated_none", name=name, why=reason)
    return say(lang, "notice_fallback", name=name, why=reason, rule=rule_of(limit, lang))


def _one_size(facts: Mapping[str, Any]) -> bool:
    if any(facts.get(name) is None for name in ("q1", "median", "q3")):
        return False
    return bool(facts["q3"] - facts["q1"] < 0.05 * facts["median"])
