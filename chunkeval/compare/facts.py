"""What ``comparison.json`` and ``comparison.csv`` hold; keys only ever get added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from chunkeval.chunkers.asked import asked_lines, in_vain
from chunkeval.compare.agents import costs
from chunkeval.compare.measures import GOLD, INTRINSIC, Measured
from chunkeval.compare.questions import ASKED, Answered, apart, reading
from chunkeval.compare.verdicts import BETTER, Decision
from chunkeval.config import AuditConfig
from chunkeval.summary import plain, versions

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.compare.documents import Corpus
    from chunkeval.compare.judging import Judge
    from chunkeval.compare.road import Job
    from chunkeval.compare.strategies import Strategy

SCHEMA = 1

COLUMNS = (
    "strategy",
    "baseline",
    "mean",
    "probability_best",
    "beats",
    "chunks",
    "characters_median",
    "tokens_median",
    "tokens_total",
    *INTRINSIC,
    *GOLD,
    *ASKED,
    "seconds",
    "llm_calls",
    "llm_tokens",
    "questions_llm_calls",
    "questions_llm_tokens",
    "questions_cost",
)
"""Of ``comparison.csv``."""


def gathered(
    job: Job,
    strategies: Mapping[str, Strategy],
    found: Mapping[str, Measured],
    decision: Decision,
    answered: Answered | None,
    *,
    judge: Judge,
    cuts_by: Mapping[str, tuple[str, ...]],
    matched: Mapping[str, tuple[str, ...]],
    notes: Sequence[str],
    corpus: Corpus | None,
) -> dict[str, Any]:
    """Put together what a comparison found: plain values that JSON has, no NaN."""
    config, verdict = job.config, decision.verdict
    own = [name for name, one in strategies.items() if one.baseline is None]
    told = [] if len(own) > 1 else [f"{own[0]} is the only strategy: it is compared with cuts of its size alone"]
    told += [f"{name}: {line}" for name, one in strategies.items() for line in asked_lines(one.asked)]
    asked = None if answered is None else _asked(answered, config)
    vain = [name for name, one in strategies.items() if in_vain(one.asked)]
    withheld = verdict is not None and verdict.winner in vain
    standings = {one.strategy: one for one in verdict.standings} if verdict is not None else {}
    lines = [
        {
            "name": name,
            "number": standings[name].number if name in standings else None,
            "spec": one.spec,
            "baseline": one.baseline,
            "size_of": list(matched.get(name, ())),
            "mean": round(standings[name].mean, 6) if name in standings else None,
            "probability_best": round(standings[name].probability_best, 6) if name in standings else None,
            "beats": list(standings[name].beats) if name in standings else [],
            **found[name].facts,
            "questions": None if asked is None else asked[name],
            "seconds": one.seconds,
            "llm_calls": _used(one, "calls", "earlier_calls"),
            "llm_tokens": _used(one, "prompt_tokens", "completion_tokens", "earlier_tokens"),
            "told": dict(one.told),
            "asked": _came_of(one),
            "input": asdict(one.file.info),
        }
        for name, one in strategies.items()
    ]
    facts = {
        "schema": SCHEMA,
        "verdict": "",
        "metric": {
            "name": decision.metric,
            "better": BETTER[decision.metric],
            **(_how(job) if decision.metric in ASKED else {}),
        },
        "outcome": "no_data" if verdict is None else "in_vain" if withheld else verdict.outcome,
        "winner": None if verdict is None or withheld else verdict.winner,
        "asked_in_vain": vain,
        "language": judge.scores.state.meta.get("language"),
        "documents": 0 if corpus is None else len(corpus.texts),
        "strategies": lines,
        "statistics": None if verdict is None else _statistics(asdict(verdict)),
        "questions": None if answered is None else answered.facts(config.compare),
        "apart": [] if answered is None else apart(answered, _telling(decision.metric), own),
        "flags_matter": [asdict(one) for one in decision.evidence],
        "judge": {
            "embedder": judge.scores.settings["embedder"],
            "asked_for": config.score.embedder,
            "cuts_by": cuts_by,
        },
        "limits": {
            one.measure.analyzer: asdict(one.limit) for one in judge.judgements if one.measure.analyzer != "tokens"
        },
        "target": None if job.target is None else {"low": job.target.low, "high": job.target.high, "unit": "tokens"},
        "boundaries": None if job.gold is None else {"source": config.rechunk.boundaries, "documents": len(job.gold)},
        "values": decision.values,
        "notes": list(dict.fromkeys([*told, *notes, *_of_limits(judge)])),
        "settings": {**_settings(config), "docs": job.docs, **({} if job.agent is None else job.agent.facts())},
        "versions": versions(),
        "seconds": dict(job.seconds),
    }
    result: dict[str, Any] = plain(facts)
    return result


def _came_of(strategy: Strategy) -> dict[str, Any] | None:
    """Give what came of asking a language model; what this run alone used is not part of it."""
    asked = strategy.asked
    return None if asked is None else {name: asked[name] for name in ("questions", "failed", "fell_back")}


def _used(strategy: Strategy, *names: str) -> int | None:
    """Give what a strategy asked of a language model, also in earlier runs: their replies are kept."""
    usage = (strategy.asked or {}).get("usage")
    return sum(usage[name] for name in names) if usage else None


def _of_limits(judge: Judge) -> list[str]:
    """What the judge's limits say of themselves; the fences of token counts are each strategy's own."""
    return [
        f"{one.measure.analyzer}: {note}"
        for one in judge.judgements
        if one.measure.analyzer != "tokens"
        for note in one.notes
    ]


def _telling(metric: str) -> str:
    return metric if metric in ASKED else "recall"


def _how(job: Job) -> dict[str, Any]:
    told = job.config.compare
    return {"retriever": told.retriever, **reading(told), **({} if job.agent is None else job.agent.facts())}


def _statistics(verdict: dict[str, Any]) -> dict[str, Any]:
    names = (
        "questions",
        "documents",
        "left_out",
        "questions_needed",
        "critical",
        "level",
        "resamples",
        "seed",
    )
    pairs = [{key: round(v, 6) if isinstance(v, float) else v for key, v in one.items()} for one in verdict["pairs"]]
    return {**{name: verdict[name] for name in names}, "pairs": pairs}


def _asked(answered: Answered, config: AuditConfig) -> dict[str, dict[str, float | None]]:
    names = [name for name in (*ASKED, "chunks_read") if name in answered.frame]
    means = answered.frame.groupby("strategy", sort=False)[names].mean()
    found: dict[str, dict[str, float | None]] = {}
    for name, row in means.iterrows():
        found[str(name)] = {column: round(float(row[column]), 6) for column in names if row[column] == row[column]}
    for strategy, took in costs(answered.conversations, (config.agent.price_in, config.agent.price_out)).items():
        found[strategy] |= took
    return found


def _settings(config: AuditConfig) -> dict[str, Any]:
    return {
        **asdict(config.score),
        "limits": config.flag.limits,
        "limit": dict(config.flag.limit),
        "inclusive": config.flag.inclusive,
        "judge": config.rechunk.judge,
        "boundaries": config.rechunk.boundaries,
        **{one.name: getattr(config.compare, one.name) for one in fields(config.compare)},
    }


def frame_of(facts: Mapping[str, Any]) -> pd.DataFrame:
    """Lay the strategies out, a row each; columns of `COLUMNS` in which there is a value."""
    import pandas as pd

    rows = [_row(one) for one in facts["strategies"]]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    kept = [name for name in COLUMNS if name in COLUMNS[:9] or frame[name].notna().any()]
    return frame[kept]


def _row(one: Mapping[str, Any]) -> dict[str, Any]:
    tokens = one.get("tokens") or {}
    return {
        "strategy": one["name"],
        **{name: one.get(name) for name in ("baseline", "mean", "probability_best", "chunks", "seconds")},
        **{name: one.get(name) for name in ("llm_calls", "llm_tokens", *INTRINSIC, *GOLD)},
        "beats": ";".join(map(str, one["beats"])),
        "characters_median": one["characters"]["median"],
        "tokens_median": tokens.get("median"),
        "tokens_total": tokens.get("total"),
        **{name: (one["questions"] or {}).get(name) for name in ASKED},
        **{f"questions_{name}": (one["questions"] or {}).get(name) for name in ("llm_calls", "llm_tokens", "cost")},
    }
