"""One judge for all strategies: limits learned from all of them alike, fences of the token counts from each its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import numpy as np

from chunkeval import flags as judging
from chunkeval import limits, loaders
from chunkeval.config import SAMPLE, FlagConfig, LoadConfig, RunConfig, ScoreConfig
from chunkeval.errors import ConfigError
from chunkeval.results import Flags, Judgement, Scores, State
from chunkeval.sampling import hashes_of
from chunkeval.score import rescore, score_chunks
from chunkeval.scoring import analyzer_of
from chunkeval.text import embeddings
from chunkeval.text.context import Context

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.cache import Cache
    from chunkeval.compare.strategies import Strategy
    from chunkeval.progress import Progress
    from chunkeval.results import ChunkFile, Ints
    from chunkeval.text.embeddings import Embedder

FEWEST = 400
"""Chunks that each strategy brings at least, some of them more than once where it has fewer."""


@dataclass(frozen=True)
class Judge:
    """What was learned from all strategies together."""

    scores: Scores
    judgements: tuple[Judgement, ...]
    """Of all measures; the fences of token counts are the pool's and each strategy gets its own instead."""
    config: FlagConfig
    embedder: Embedder


def learn(
    strategies: Sequence[Strategy],
    contexts: Mapping[str, Context],
    score: ScoreConfig,
    flag: FlagConfig,
    folder: Path,
    *,
    run: RunConfig,
    cache: Cache,
    progress: Progress,
) -> Judge:
    """Fit on as many chunks of each strategy, so that one with many small chunks does not set the limits of all.

    Measures that join all rows of a table learn nothing, and are left out: every strategy says the same texts.

    Parameters
    ----------
    strategies
        Those to learn from.
    contexts
        By strategy, what is known of its chunks.
    score, flag
        As an audit has them.
    folder
        Where the pooled chunks go.
    """
    counts = [strategy.file.rows for strategy in strategies]
    each = min(max(min(counts), min(max(counts), FEWEST)), max(1, SAMPLE // len(counts)))
    drawn = [_drawn(strategy.file, each) for strategy in strategies]
    frame = _pool([_part(number, *one) for number, one in enumerate(drawn)])
    context = _joined([(contexts[one.name], rows) for one, (_, rows) in zip(strategies, drawn, strict=True)])
    file = loaders.write_frame(frame, folder / "pool.parquet", LoadConfig())
    by_row = tuple(name for name in score.analyzers if analyzer_of(name).scope == "row")
    scores = score_chunks(file, replace(score, analyzers=by_row), run, cache, progress, context=context)
    judgements = limits.judge(scores.frame, scores.state, _of(flag, by_row))
    state = State(
        {**scores.state.meta, "analyzers": list(score.analyzers)},
        {**scores.state.arrays, **{name: {} for name in score.analyzers if name not in by_row}},
        scores.state.recombined,
    )
    settings = {**scores.settings, "analyzers": score.analyzers}
    pooled = Scores(scores.frame, state, file, settings, scores.seconds)
    return Judge(pooled, judgements, flag, embeddings.load(score.embedder))


def judged(
    strategy: Strategy, judge: Judge, context: Context, *, run: RunConfig, cache: Cache, progress: Progress
) -> Flags:
    """Score a strategy's chunks by what was learned, and judge them: the pool's limits, its own fences."""
    scores = rescore(
        strategy.file,
        judge.scores,
        run,
        cache,
        progress,
        embedder=judge.embedder,
        context=context,
    )
    learned = {one.measure.analyzer: one for one in judge.judgements}
    own = [name for name in scores.state.meta["analyzers"] if name not in learned or name == "tokens"]
    meta = {**scores.state.meta, "analyzers": own, "percentiles": _percentiles(scores, own)}
    alone = limits.judge(scores.frame, State(meta, scores.state.arrays, {}), _of(judge.config, own))
    learned |= {one.measure.analyzer: one for one in alone}
    ordered = tuple(learned[name] for name in scores.state.meta["analyzers"] if name in learned)
    held = {**scores.state.meta, "percentiles": {**scores.state.meta["percentiles"], **meta["percentiles"]}}
    scores = replace(scores, state=State(held, scores.state.arrays, scores.state.recombined))
    return judging.flag(scores, judge.config, judgements=ordered)


def _of(config: FlagConfig, analyzers: Sequence[str]) -> FlagConfig:
    """The settings without limits given for measures that were judged before."""
    columns = {"tokens", *(name for analyzer in analyzers for name in analyzer_of(analyzer).columns)}
    return replace(config, limit={name: value for name, value in config.limit.items() if name in columns})


def _percentiles(scores: Scores, analyzers: Sequence[str]) -> dict[str, list[float]]:
    """Where severity ends in the columns that each strategy is judged by alone."""
    ends = {}
    for name in (column for analyzer in analyzers for column in analyzer_of(analyzer).columns):
        if name in scores.frame and scores.frame[name].dtype != object:
            values = limits.column(scores.frame, name)
            if np.isfinite(values).any():
                ends[name] = [round(float(p), 6) for p in np.nanpercentile(values, [1, 99])]
    return ends


def _drawn(file: ChunkFile, count: int) -> tuple[pd.DataFrame, Ints]:
    """Read a table and draw so many of its rows, each as often as any other, in the table's order."""
    import pyarrow.parquet as pq

    table: pd.DataFrame = pq.read_table(file.path, columns=["chunk_id", "doc_id", "text"]).to_pandas()
    order = np.argsort(hashes_of(table["chunk_id"].tolist()), kind="stable")
    return table, np.sort(np.resize(order, count))


def _part(number: int, table: pd.DataFrame, rows: Ints) -> pd.DataFrame:
    """Take the drawn rows, under names that no other part has."""
    again = np.arange(len(rows)) - np.searchsorted(rows, rows)
    part = table.iloc[rows].reset_index(drop=True)
    names = [f"{number}:{time}:{name}" for time, name in zip(again.tolist(), part["chunk_id"], strict=True)]
    return part.assign(chunk_id=names)


def _pool(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Lay the parts one behind the other, also within each document."""
    import pandas as pd

    pooled = pd.concat(parts, ignore_index=True)
    place: Ints = np.arange(len(pooled), dtype=np.int64)
    return pooled.assign(position=place)


def _joined(parts: Sequence[tuple[Context, Ints]]) -> Context:
    skip, prefix, traits = (
        np.concatenate([getattr(context, name)[rows] for context, rows in parts])
        for name in ("skip", "prefix", "traits")
    )
    known = [(None if one.sentences is None else one.sentences[row]) for one, rows in parts for row in rows.tolist()]
    return Context(skip, prefix, traits, (), None if known.count(None) == len(known) else known)


def second(embedder: str, judge: str, cuts_by: Mapping[str, Sequence[str]]) -> str:
    """Choose an embedder that none of the strategies cuts by, under whatever name.

    Parameters
    ----------
    embedder
        The one that judges where it cut nothing.
    judge
        The one that judges in its place.
    cuts_by
        Strategies to embedders that they cut by.

    Raises
    ------
    ConfigError
        They cut by all of them.
    """
    used = {_model(name) for names in cuts_by.values() for name in names}
    order = (embedder, judge, ScoreConfig().embedder, "lsa")
    chosen = next((name for name in order if _model(name) not in used), None)
    if chosen is None:
        raise ConfigError(
            f"--judge {judge}: strategies cut by it, and by every other embedder at hand: name one that none cuts by"
        )
    return chosen


def _model(name: str) -> str:
    """What one model is called whatever its folder or organisation.

    Examples
    --------
    >>> _model("sentence-transformers/all-MiniLM-L6-v2") == _model("/models/all-minilm-l6-v2/")
    True
    """
    return PurePath(name).name.casefold()
