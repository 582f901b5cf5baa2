"""What a comparison says in words: the answer in one sentence with its certainty, and the names of its measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chunkeval.report.numerals import RANGE, decimal, fixed, percent, whole
from chunkeval.report.phrases import say
from chunkeval.report.view import Lang

Facts = Mapping[str, Any]

COUNTED = frozenset({"tokens_read"})
"""Measures that count something; all others are shares or the like."""


def metric_of(name: str, lang: Lang) -> str:
    """Name a measure."""
    return say(lang, f"metric_{name}")


def value_of(value: float | None, name: str) -> str:
    """Write a measure's value."""
    if name == "loops":
        return decimal(value, 1)
    return decimal(value, 0) if name in COUNTED else fixed(value, 3)


def target_of(facts: Facts, lang: Lang) -> str:
    """Write the token counts that chunks are to have."""
    low, high = (None if (end := facts["target"][side]) is None else decimal(end, 0) for side in ("low", "high"))
    if low is None or high is None:
        return f"≤ {high}" if low is None else f"≥ {low}"
    return f"{low}{RANGE[lang]}{high}"


def ranked(facts: Facts) -> list[Mapping[str, Any]]:
    """Strategies and baselines by the declared metric, the best first; as they were named where there is none."""
    return sorted(facts["strategies"], key=lambda one: one["number"] if one["number"] is not None else 1_000_000)


def verdict(facts: Facts, lang: Lang) -> str:
    """Say the answer in one sentence.

    Parameters
    ----------
    facts
        What ``comparison.json`` holds.
    """
    name, metric = facts["metric"]["name"], metric_of(facts["metric"]["name"], lang)
    first, *rest = ranked(facts)
    said = {"metric": metric, "leader": first["name"], "mean": value_of(first["mean"], name)}
    outcome = facts["outcome"]
    if outcome == "winner":
        key = "cmp_winner_base" if first["baseline"] else "cmp_winner"
        return say(lang, key, winner=first["name"], n=whole(len(rest)), **said)
    if outcome == "undecided":
        return say(lang, "cmp_undecided", rivals=_listed(rivals(facts), lang), **said)
    if outcome == "too_few_documents":
        return say(lang, "cmp_too_few", documents=whole(facts["statistics"]["documents"]), **said)
    keys = {"no_difference": "cmp_no_difference", "one_strategy": "cmp_alone", "in_vain": "cmp_in_vain"}
    return say(lang, keys.get(outcome, "cmp_no_data"), **said)


def rivals(facts: Facts) -> list[str]:
    """Strategies that the leader is not decidedly better than, the nearest first."""
    first, *rest = ranked(facts)
    return [one["name"] for one in rest if one["number"] not in first["beats"]]


def certainty(facts: Facts, lang: Lang) -> list[str]:
    """Say how sure the answer is, and what it does not say."""
    said = [_in_vain(one, lang) for one in ranked(facts) if one["name"] in facts["asked_in_vain"]]
    unserved = (facts["questions"] or {}).get("unserved")
    if unserved:
        counts = ", ".join(f"{name} {whole(count)}" for name, count in unserved.items())
        said.append(say(lang, "cmp_unserved", n=whole(facts["questions"]["used"]), counts=counts))
    statistics = facts["statistics"]
    first, *rest = ranked(facts)
    if statistics is not None and rest and facts["outcome"] not in ("no_difference", "one_strategy"):
        pair = _pair(statistics["pairs"], first["name"], rest[0]["name"])
        if pair is not None and pair["low"] is not None and pair["high"] is not None:
            name = facts["metric"]["name"]
            ends = RANGE[lang].join(value_of(pair[end], name) for end in ("low", "high"))
            difference = value_of(pair["difference"], name)
            said.append(say(lang, "cmp_margin", second=rest[0]["name"], difference=difference, range=ends))
        if statistics["questions_needed"]:
            asked = facts["metric"].get("retriever") is not None
            key = "cmp_needed_questions" if asked else "cmp_needed_documents"
            said.append(say(lang, key, n=whole(statistics["questions_needed"])))
    if facts["questions"] is None:
        said.append(say(lang, "cmp_no_questions"))
    judge = facts["judge"]
    if judge["embedder"] != judge["asked_for"]:
        names = [one for one, used in judge["cuts_by"].items() if judge["asked_for"] in used]
        said.append(say(lang, "cmp_judge", judge=judge["embedder"], names=", ".join(names), asked=judge["asked_for"]))
    return said


def _in_vain(one: Mapping[str, Any], lang: Lang) -> str:
    asked = one["asked"]
    return say(
        lang,
        "cmp_asked_in_vain",
        name=one["name"],
        failed=whole(asked["failed"]["questions"]),
        n=whole(asked["questions"]),
        share=percent(asked["fell_back"]["share"]),
        to=asked["fell_back"]["to"],
    )


def how(facts: Facts, lang: Lang) -> str:
    """Say what the declared metric is measured on."""
    metric = facts["metric"]
    if metric.get("retriever") is None:
        counted = float({**facts, **(facts["statistics"] or {})}["documents"])
        return say(lang, "cmp_how_none", n=whole(counted))
    retriever = say(lang, f"retriever_{metric['retriever']}")
    if metric.get("model") is not None:
        return say(lang, "cmp_how_agent", retriever=retriever, model=metric["model"], n=whole(metric["max_loops"]))
    if metric.get("k") is not None:
        return say(lang, "cmp_how_k", retriever=retriever, n=whole(metric["k"]))
    return say(lang, "cmp_how_budget", retriever=retriever, n=whole(metric["budget"]))


def _pair(pairs: Sequence[Mapping[str, Any]], first: str, second: str) -> Mapping[str, Any] | None:
    return next((one for one in pairs if (one["first"], one["second"]) == (first, second)), None)


def _listed(names: Sequence[str], lang: Lang) -> str:
    if len(names) > 2:
        return say(lang, "cmp_rest", first=names[0], n=whole(len(names) - 1))
    return ", ".join(names)
