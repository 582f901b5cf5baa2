"""What the audit found, in sentences: said from the summary alone, so that the command line can say it too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chunkeval.calibration import MIN_OBSERVED
from chunkeval.limits import REPEATS
from chunkeval.report.numerals import DASH, fixed, percent, rough, rough_range, score, whole
from chunkeval.report.phrases import counted, known, say, say_counted
from chunkeval.report.reasons import in_words
from chunkeval.report.view import Lang
from chunkeval.shares import MAX_SHARE

Summary = Mapping[str, Any]

READING = ("coherence", "similarity", "topics")
"""Measures that estimate what share of a corpus reads badly, the best first: the first that can tell is asked."""

MANY = 0.3
"""Share of flagged chunks from which on the way of cutting is to blame rather than single chunks."""


@dataclass(frozen=True)
class Verdict:
    """The first thing a reader sees."""

    headline: str
    """How many chunks need another look."""
    beside: str
    """What the count stands for: a sample, and what has changed since an earlier run."""
    share: str
    """What share reads badly, with its interval, or why nobody can tell."""
    first: str
    """What to do first."""


def verdict(summary: Summary, lang: Lang) -> str:
    """Say what share reads badly and what to do first, in a few sentences.

    Parameters
    ----------
    summary
        As in ``summary.json``; ``reasons`` and ``suggestions`` (code to count) sharpen the advice where they are there.
    lang
        ``ko`` or ``en``.

    Examples
    --------
    >>> verdict({"chunks": 0, "documents": 0, "flagged": 0, "analyzers": {}}, "en")
    'There are no chunks to examine.'
    """
    parts = verdict_parts(summary, lang)
    return " ".join(part for part in (parts.headline, parts.beside, parts.share, parts.first) if part)


def verdict_parts(summary: Summary, lang: Lang) -> Verdict:
    """Say the verdict's parts one by one; parts with nothing to say are empty."""
    if not summary["chunks"]:
        return Verdict(say(lang, "verdict_none_at_all"), "", "", "")
    headline, beside = _headline(summary, lang), " ".join(_beside(summary, lang))
    if summary["flagged"] == summary["chunks"] == summary.get("reasons", {}).get("blank", 0):
        return Verdict(headline, beside, "", say(lang, "first_nothing_unmeasured"))
    return Verdict(headline, beside, _share(summary, lang), _first(summary, lang))


def name_of(analyzer: str, lang: Lang) -> str:
    """Name a measure; one that a third party brought keeps its own name."""
    return known(lang, f"name_{analyzer}", analyzer)


def named_inside(analyzer: str, lang: Lang) -> str:
    """Name a measure in the middle of a sentence."""
    name = name_of(analyzer, lang)
    return name[:1].lower() + name[1:] if lang == "en" and name != analyzer else name


def column_of(column: str, lang: Lang) -> str:
    """Name a score column."""
    return known(lang, f"column_{column}", column)


def reason_of(code: str, lang: Lang) -> str:
    """Say a reason code in words."""
    return known(lang, f"reason_{code}", code)


def why_incoherent(code: str | None, lang: Lang) -> str | None:
    """Say a ``coherence_reason`` in words; None where there is none.

    Examples
    --------
    >>> why_incoherent("mixed:shared_words", "en")
    'reads like sentences of several texts: its sentences share few words'
    """
    if not isinstance(code, str):
        return None
    head, _, signal = code.partition(":")
    return say(lang, f"why_{head}", signal=say(lang, f"signal_{signal}"))


def rule_of(limit: Mapping[str, Any] | None, lang: Lang) -> str:
    """Say where a limit comes from."""
    rule = (limit or {}).get("rule") or "none"
    return known(lang, f"rule_{rule}", str(rule))


def condition(limit: Mapping[str, Any] | None, column: str, lang: Lang) -> str | None:
    """Say what a limit flags ("token count below 50 or above 800"); None where it flags nothing.

    Examples
    --------
    >>> condition({"low": 0.4}, "similarity", "en")
    'sentence similarity below 0.4'
    """
    low, high = (limit or {}).get("low"), (limit or {}).get("high")
    if low is None and high is None:
        return None
    key = "outside" if low is not None and high is not None else "below" if low is not None else "above"
    if (limit or {}).get("inclusive"):
        key += "_equal"
    return say(lang, key, column=column_of(column, lang), low=score(low, column), high=score(high, column))


def tells(facts: Mapping[str, Any]) -> bool:
    """Whether an analyzer's calibration could estimate a share."""
    calibrated = facts.get("calibrated") or {}
    return calibrated.get("share") is not None and not calibrated.get("why")


def cannot(facts: Mapping[str, Any], summary: Summary, lang: Lang) -> str | None:
    """Say why the calibration of an analyzer cannot tell; None where it can, or was never meant to."""
    calibrated = facts.get("calibrated")
    if calibrated is None or tells(facts):
        return None
    measured = calibrated.get("measured", facts.get("measured", 0))
    documents = calibrated.get("documents", summary.get("documents", 0))
    if measured < 200:
        return say_counted(lang, "cannot_measured", measured)
    if calibrated.get("documents_before") is not None:
        return say_counted(lang, "cannot_joined", documents, before=whole(calibrated["documents_before"]))
    if documents < 5:
        return say_counted(lang, "cannot_documents", documents)
    if calibrated.get("auroc") is not None and calibrated["auroc"] < 0.7:
        return say(lang, "cannot_auroc", auroc=fixed(calibrated["auroc"], 2))
    if calibrated.get("auroc_observed") is not None and calibrated["auroc_observed"] < MIN_OBSERVED:
        return say(lang, "cannot_observed", auroc=fixed(calibrated["auroc_observed"], 2))
    if (calibrated.get("share") or 0) > MAX_SHARE:
        return say(lang, "cannot_ruined", share=rough(calibrated["share"]))
    why = calibrated.get("why")
    return in_words(str(why), lang) if why else say(lang, "cannot_else")


def fell_back(facts: Mapping[str, Any], summary: Summary, lang: Lang) -> str | None:
    """Say why another limit stands in for a calibrated one; None where none does, or where the caller wanted another."""
    rule = (facts.get("limit") or {}).get("rule")
    if rule in ("given", "labelled") or (rule == "card" and summary.get("settings", {}).get("limits") == "card"):
        return None
    agreement = facts.get("repeats", 1.0)
    if rule == "none" and agreement is None:
        return say(lang, "cannot_rank")
    if rule == "none" and agreement < REPEATS:
        return say(lang, "cannot_repeat", agreement=fixed(agreement, 2), asked=fixed(REPEATS, 2))
    return cannot(facts, summary, lang)


def flagged_share(facts: Mapping[str, Any], flagged: int | None = None) -> float:
    """Share of what an analyzer measured that is flagged, 0 where nothing was measured."""
    count = facts.get("flagged", 0) if flagged is None else flagged
    return float(count) / facts["measured"] if facts.get("measured") else 0.0


def of_measured(facts: Mapping[str, Any], flagged: int | None, lang: Lang) -> str:
    """Say a count with its base and share."""
    if flagged is None:
        return DASH
    total = facts.get("measured", 0)
    return say(lang, "of_measured", n=whole(flagged), total=whole(total), share=percent(flagged_share(facts, flagged)))


def _headline(summary: Summary, lang: Lang) -> str:
    total, flagged = int(summary["chunks"]), int(summary["flagged"])
    if flagged and flagged == summary.get("reasons", {}).get("blank") == total:
        return say_counted(lang, "verdict_all_blank", total)
    new = summary.get("new")
    if flagged and new:
        counts = {"n": whole(new["flagged"]), "flagged": whole(flagged)}
        return say(lang, "verdict_new", chunks=counted(lang, total, "chunk"), **counts)
    if flagged == total:
        return say_counted(lang, "verdict_all", total)
    if flagged:
        return say_counted(lang, "verdict_some", flagged, total=whole(total), share=percent(flagged / total))
    if not any(facts.get("measured") for facts in summary["analyzers"].values()):
        return say_counted(lang, "verdict_unmeasured", total)
    return say_counted(lang, "verdict_clean", total)


def _beside(summary: Summary, lang: Lang) -> list[str]:
    rows, chunks = summary.get("input", {}).get("rows"), summary["chunks"]
    said = []
    if summary.get("settings", {}).get("sample") and rows and rows > chunks:
        said.append(say(lang, "verdict_sample", rows=whole(rows), n=whole(chunks)))
    if summary.get("flagged_share_ci"):
        said.append(say(lang, "flagged_interval", range=rough_range(summary["flagged_share_ci"], lang)))
    new = summary.get("new")
    if new:
        said.append(say(lang, "newly", baseline=new["baseline"], mended=whole(new["mended"])))
    return said


def _share(summary: Summary, lang: Lang) -> str:
    analyzers = summary["analyzers"]
    able = [name for name in READING if name in analyzers and tells(analyzers[name])]
    if not able:
        reasons = [cannot(analyzers[name], summary, lang) for name in READING if name in analyzers]
        why = next((reason for reason in reasons if reason), say(lang, "cannot_not_run"))
        return say(lang, "reads_unknown", why=why)
    return _reads(analyzers[able[0]]["calibrated"], f"reads_{able[0]}", lang)


def _reads(calibrated: Mapping[str, Any], key: str, lang: Lang) -> str:
    share, ends = calibrated["share"], calibrated.get("share_ci")
    if ends is None:
        return say(lang, "reads_bare", share=rough(share))
    if share < 0.005:
        return say(lang, "reads_fine", range=rough_range(ends, lang))
    return say(lang, key, share=rough(share), range=rough_range(ends, lang))


def _first(summary: Summary, lang: Lang) -> str:
    measured = {name: facts for name, facts in summary["analyzers"].items() if facts.get("measured")}
    if not summary["flagged"]:
        return say(lang, "first_nothing" if measured else "first_nothing_unmeasured")
    doubtful = max(measured, key=lambda name: flagged_share(measured[name]), default=None)
    if doubtful is not None and flagged_share(measured[doubtful]) > 0.5:
        share = percent(flagged_share(measured[doubtful]))
        return say(lang, "first_distrust", name=named_inside(doubtful, lang), share=share)
    if summary["flagged"] > MANY * summary["chunks"]:
        return say(lang, "first_settings", share=percent(summary["flagged"] / summary["chunks"]))
    counts = {name: n for name, n in summary.get("suggestions", {}).items() if f"first_{name}" in _ADVICE and n}
    if not counts:
        return say(lang, "first_read")
    commonest = max(counts, key=lambda name: counts[name])
    return say(lang, f"first_{commonest}", n=whole(counts[commonest]))


_ADVICE = frozenset({"first_drop", "first_split", "first_merge", "first_review"})
