"""Strategies side by side: cut, judged by one judge, asked the same questions, and what the difference is worth."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval.cache import Cache
from chunkeval.chunkers.base import embedders_of
from chunkeval.compare import agents, baselines, documents, strategies
from chunkeval.compare.facts import frame_of, gathered
from chunkeval.compare.judging import judged, learn, second
from chunkeval.compare.lanes import strips
from chunkeval.compare.measures import GOLD, INTRINSIC, Measured, measured
from chunkeval.compare.questions import ASKED, Answered, ask, read
from chunkeval.compare.reading import readings
from chunkeval.compare.strategies import Strategy
from chunkeval.compare.verdicts import decided
from chunkeval.errors import ConfigError, TableError, unknown_name
from chunkeval.given import given_limits
from chunkeval.loaders.boundaries import read_boundaries
from chunkeval.loaders.documents import read_documents
from chunkeval.score import check
from chunkeval.scoring import timed
from chunkeval.text import embeddings

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.compare.agents import Agent
    from chunkeval.compare.documents import Corpus, Row
    from chunkeval.config import AuditConfig
    from chunkeval.progress import Progress
    from chunkeval.report.lanes import Strips
    from chunkeval.results import Limit
    from chunkeval.retrieval.agents import Conversation

ANALYZERS = ("tokens", "similarity", "boundaries", "duplicates")
"""Those that run where nobody names others. Topics stand on many words, so that chunks of another size compare badly by them."""


@dataclass(frozen=True)
class Comparison:
    """What a comparison found."""

    facts: Mapping[str, Any]
    """What ``comparison.json`` holds."""
    frame: pd.DataFrame
    """A row a strategy, as in ``comparison.csv``."""
    questions: pd.DataFrame | None = None
    """A row a strategy and question; None where nothing was asked."""
    lanes: Strips | None = None
    """A document as each strategy cuts it."""
    answers: tuple[Conversation, ...] = ()
    """What an agent answered, and each of its steps; nothing of other retrievers."""

    def to_json(self) -> str:
        """Give what was found, as JSON text."""
        return json.dumps(self.facts, ensure_ascii=False, allow_nan=False)

    def _repr_html_(self) -> str:
        from html import escape

        table: str = self.frame.to_html(index=False, escape=True, na_rep="")
        return f"<p><strong>{escape(str(self.facts['verdict']))}</strong></p>{table}"


@dataclass(frozen=True)
class Job:
    """What is to be compared, settled and checked."""

    chunkers: Mapping[str, Any]
    tables: Mapping[str, str | pd.DataFrame]
    docs: str | None
    config: AuditConfig
    metric: str
    gold: Mapping[str, Sequence[int]] | None
    cuts_by: Mapping[str, tuple[str, ...]]
    """Strategies to the embedders that they cut by."""
    judge: str
    """Embedder that judges."""
    agent: Agent | None = None
    target: Limit | None = None
    """Token counts that chunks are to have, as ``--limit tokens=LOW:HIGH`` says."""
    seconds: dict[str, float] = field(default_factory=dict)


def settle(config: AuditConfig, tables: Mapping[str, str | pd.DataFrame], docs: str | None, *, analyzers: bool) -> Job:
    """Check everything that can be checked before any work is done.

    Parameters
    ----------
    config
        Settings of every stage.
    tables
        Chunk tables by name: sources, or frames.
    docs
        Source of the documents.
    analyzers
        Whether the caller named the analyzers; `ANALYZERS` run where not.

    Raises
    ------
    InputError
        There is nothing to compare, a name is not known or there twice, or a setting does not fit the others.
    """
    told = config.compare
    chunkers = strategies.named_chunkers(told.chunkers) if told.chunkers is not None else {}
    if not chunkers and not tables:
        raise ConfigError(
            'nothing to compare: give documents and --chunkers "recursive:size=300; sentence", '
            "or --tables now=a.parquet new=b.parquet"
        )
    if chunkers and docs is None:
        raise ConfigError("--chunkers cuts documents: name them, as in chunkeval compare DOCS --chunkers …")
    strategies.check_names([*chunkers, *tables])
    if not analyzers:
        config = replace(config, score=replace(config.score, analyzers=ANALYZERS))
    check(config.score)
    target = given_limits(config.flag.limit, config.score.analyzers).get("tokens")
    embeddings.load(config.rechunk.judge)
    cuts_by = {name: used for name, chunker in chunkers.items() if (used := embedders_of(chunker))}
    judge = second(config.score.embedder, config.rechunk.judge, cuts_by)
    if config.flag.calibration is not None:
        raise ConfigError("--calibration: limits of one table's labels do not judge other ways to cut: leave it out")
    known = config.rechunk.boundaries
    gold = None if known is None else read_boundaries(Path(known))
    return Job(
        chunkers,
        tables,
        docs,
        config,
        _metric(config, gold is not None, target is not None),
        gold,
        cuts_by,
        judge,
        agents.settled(config),
        target,
    )


def _metric(config: AuditConfig, gold: bool, target: bool) -> str:
    told = config.compare
    asked = told.questions is not None
    if not asked and (told.k is not None or told.budget is not None or told.strict):
        raise ConfigError("--k, --budget and --strict are about questions: give --questions")
    metric = told.metric or ("recall" if asked else "flagged")
    if metric in ASKED and not asked:
        raise ConfigError(f"--metric {metric}: is measured on questions: give --questions")
    if metric in GOLD and not gold:
        raise ConfigError(f"--metric {metric}: is measured against known section boundaries: give --boundaries")
    if metric == "on_target" and not target:
        raise ConfigError("--metric on_target: is measured against a size: give one, as --limit tokens=200:400")
    if metric not in {**ASKED, **GOLD, **INTRINSIC}:
        raise unknown_name("metric", metric, [*ASKED, *GOLD, *INTRINSIC])
    return metric


@dataclass(frozen=True)
class _Table:
    strategy: Strategy
    order: Sequence[int]
    rows: Sequence[Row]


def compared(job: Job, folder: Path, progress: Progress) -> Comparison:
    """Compare.

    Parameters
    ----------
    job
        As `settle` gives it.
    folder
        Where tables are kept while it works.
    progress
        Told of the stages.

    Raises
    ------
    InputError
        Sources, tables, documents or questions are at fault; the message names the place and the fix.
    """
    config = job.config
    cache, jobs = Cache(config.run.cache), config.run.workers
    with timed(job.seconds, "cut"):
        tables, corpus, notes = _read(job, folder, cache, progress)
    if job.gold is not None and (corpus is None or not job.gold.keys() & corpus.exact):
        raise TableError(
            f"{config.rechunk.boundaries}: its documents ({documents.named(sorted(job.gold))}) are none of those compared"
            f", or those have no offsets: name them as --docs does"
        )
    asked = read(config.compare, corpus) if config.compare.questions is not None else None
    if asked is not None and job.agent is not None:
        notes += agents.check_answers(job.metric, asked[0], str(config.compare.questions))
    with timed(job.seconds, "baselines"):
        matched = _with_baselines(job, tables, corpus, folder, cache, progress)
    own = [one.strategy for one in tables.values() if one.strategy.baseline is None]
    score = replace(config.score, embedder=job.judge)
    with timed(job.seconds, "judge"):
        contexts = readings(
            {name: (one.strategy, one.order, one.rows) for name, one in tables.items()}, corpus, score, jobs
        )
        judge = learn(own, contexts, score, config.flag, folder, run=config.run, cache=cache, progress=progress)
        flags = {
            name: judged(one.strategy, judge, contexts[name], run=config.run, cache=cache, progress=progress)
            for name, one in tables.items()
        }
    with timed(job.seconds, "measure"):
        found = {
            name: measured(one.rows, one.order, flags[name], judge, contexts[name], corpus, job.gold, cache, job.target)
            for name, one in tables.items()
        }
    answered: Answered | None = None
    if asked is not None and corpus is not None:
        with timed(job.seconds, "questions"):
            pairs = {name: (one.strategy, flags[name]) for name, one in tables.items()}
            answered = ask(*asked, pairs, corpus, config, job.agent, folder, cache=cache, progress=progress)
    with timed(job.seconds, "decide"):
        decision = decided(job.metric, found, answered, seed=config.score.seed)
    facts = gathered(
        job,
        {name: one.strategy for name, one in tables.items()},
        found,
        decision,
        answered,
        judge=judge,
        cuts_by=job.cuts_by,
        matched=matched,
        notes=[
            *notes,
            *(f"{one.name}: {note}" for one in own for note in contexts[one.name].notes),
            *(answered.notes if answered is not None else ()),
            *judge.scores.state.meta.get("notes", ()),
        ],
        corpus=corpus,
    )
    drawn = {name: (one.rows, one.order, flags[name]) for name, one in tables.items()}
    lanes = strips(drawn, corpus, job.gold)
    if answered is None:
        return Comparison(facts, frame_of(facts), None, lanes)
    return Comparison(facts, frame_of(facts), answered.frame, lanes, answered.conversations)


def _read(
    job: Job, folder: Path, cache: Cache, progress: Progress
) -> tuple[dict[str, _Table], Corpus | None, list[str]]:
    config = job.config
    stored = None if job.docs is None else read_documents(job.docs, config.load, folder, progress)
    made: list[Strategy] = []
    for name, chunker in job.chunkers.items():
        assert stored is not None
        made.append(
            strategies.cut(name, chunker, stored, folder, jobs=config.run.workers, cache=cache, progress=progress)
        )
    made += [strategies.read(name, source, config.load, folder, progress) for name, source in job.tables.items()]
    tables = {one.name: _Table(one, *documents.rows_of(one)) for one in made}
    rows = {name: one.rows for name, one in tables.items()}
    corpus = documents.pieced(rows, folder) if stored is None else documents.read_texts(stored)
    notes = list(stored.info.notes) if stored is not None else []
    if corpus is not None:
        notes += documents.check(rows, corpus, given=stored is not None)
        inexact = len(corpus.texts) - len(corpus.exact)
        if inexact:
            notes.append(
                f"{inexact:,} documents were pieced together by joining a table's texts, since its chunks do not say "
                f"where they stand: give --docs for exact places"
            )
    else:
        notes.append("no table names its documents: no baselines of the same size, and nothing compared by document")
    return tables, corpus, notes


def _with_baselines(
    job: Job, tables: dict[str, _Table], corpus: Corpus | None, folder: Path, cache: Cache, progress: Progress
) -> dict[str, tuple[str, ...]]:
    """Add fixed and random cuts of each strategy's size; strategies by the names of their baselines."""
    if corpus is None:
        return {}
    jobs, seed = job.config.run.workers, job.config.score.seed
    borders = baselines.sentence_borders(jobs)
    sizes = {name: sum(len(row.text) for row in one.rows) / len(one.rows) for name, one in tables.items()}
    found: dict[str, tuple[str, ...]] = {}
    for match in baselines.matches(sizes):
        for kind, chunker in baselines.of_size(match.size, borders, seed).items():
            name = f"{kind} {match.size}"
            while name in tables:
                name += "*"
            one = strategies.cut(
                name, chunker, corpus.stored, folder, jobs=jobs, cache=cache, progress=progress, baseline=kind
            )
            tables[name] = _Table(one, *documents.rows_of(one))
            found[name] = match.names
    return found


__all__ = ["ANALYZERS", "Comparison", "Job", "Measured", "compared", "settle"]
