"""Whether flags matter: how questions whose answers lie in flagged chunks fare against the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.stats import t as student

from chunkeval.errors import unknown_name
from chunkeval.statistics.bootstrap import weights

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.results import Floats, Ints

FEWEST_QUESTIONS = 30
"""Questions in flagged chunks below which nothing is said."""

FlagOutcome = Literal["worse", "better", "mixed", "nothing", "too_few"]


@dataclass(frozen=True)
class FlagEffect:
    """One metric: questions in flagged chunks less the others of the same chunk size."""

    metric: str
    flagged: float
    """Mean over the questions in flagged chunks of sizes that others have too."""
    others: float
    """Mean over the others, weighted to the same sizes."""
    difference: float
    low: float
    high: float
    """Interval, simultaneous over the metrics."""


@dataclass(frozen=True)
class FlagEvidence:
    """What flags predict of one strategy's chunks."""

    strategy: str
    outcome: FlagOutcome
    """``worse``: in flagged chunks some metric is decidedly lower and none higher; ``nothing``: no interval excludes 0;
    ``too_few``: fewer than 30 questions in flagged chunks of sizes that other questions' chunks have, or one document."""
    questions_flagged: int
    """In flagged chunks, of whatever size."""
    questions_others: int
    documents: int
    effects: tuple[FlagEffect, ...]
    """Empty where there are too few."""


def flags_matter(
    frame: pd.DataFrame,
    *,
    metrics: Sequence[str] = ("recall", "iou"),
    strata: int = 5,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> tuple[FlagEvidence, ...]:
    """Compare questions answered in flagged chunks with the others, strategy by strategy.

    Flagged chunks are often the large or the small ones, and size alone moves recall and IoU: questions are compared
    within strata of the size of the chunks that hold their references. Documents are resampled.

    Parameters
    ----------
    frame
        As `evaluate` gives it, with ``in_flagged`` and ``chunk_size``.
    metrics
        What to compare.
    strata
        Quantile groups of chunk size at most.
    level, resamples, seed
        Of the intervals.

    Returns
    -------
    tuple of FlagEvidence
        One a strategy whose table says what is flagged, in the frame's order.

    Raises
    ------
    ConfigError
        A metric is not in the frame.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("s", f"d{i % 25}", 100 + i % 7, i % 4 == 0, float(i % 8 > 0), 0.2) for i in range(200)]
    >>> names = ["strategy", "doc_id", "chunk_size", "in_flagged", "recall", "iou"]
    >>> (found,) = flags_matter(pd.DataFrame(rows, columns=names))
    >>> found.outcome, found.questions_flagged, round(found.effects[0].difference, 2)
    ('worse', 50, -0.5)
    """
    for metric in metrics:
        if metric not in frame.columns:
            raise unknown_name("metric", metric, map(str, frame.columns))
    found = []
    for strategy, rows in frame.groupby("strategy", sort=False):
        told = rows[rows["in_flagged"].notna() & rows["chunk_size"].notna()].dropna(subset=list(metrics))
        if len(told):
            found.append(_evidence(str(strategy), told, metrics, strata, level, resamples, seed))
    return tuple(found)


def _evidence(
    strategy: str, rows: pd.DataFrame, metrics: Sequence[str], strata: int, level: float, resamples: int, seed: int
) -> FlagEvidence:
    flagged = rows["in_flagged"].to_numpy(bool)
    names, documents = np.unique(rows["doc_id"].to_numpy(object).astype(str), return_inverse=True)
    sizes = rows["chunk_size"].to_numpy(np.float64)
    edges = np.unique(np.quantile(sizes, np.linspace(0, 1, strata + 1)[1:-1]))
    stratum = np.searchsorted(edges, sizes, side="right")
    counts = _by_document(np.ones(len(rows)), documents, stratum, flagged, len(names), len(edges) + 1)
    both = (counts.sum(axis=0) > 0).all(axis=1)
    matched = counts.sum(axis=0)[both, 1].sum()
    told = (strategy, int(flagged.sum()), int((~flagged).sum()), len(names))
    if matched < FEWEST_QUESTIONS or len(names) < 2:
        return FlagEvidence(strategy, "too_few", *told[1:], ())
    sums = [
        _by_document(rows[m].to_numpy(np.float64), documents, stratum, flagged, len(names), len(edges) + 1)[:, both]
        for m in metrics
    ]
    counts = counts[:, both]
    whole = np.ones((1, len(names)))
    here = np.array([_means(whole, s, counts)[0] for s in sums])
    drawn = [[_means(w, s, counts) for s in sums] for w in weights(len(names), resamples, seed)]
    apart = np.concatenate([np.stack([m[:, 0] - m[:, 1] for m in block], axis=1) for block in drawn])
    reach = _reach(apart, here[:, 0] - here[:, 1], len(names), level)
    effects = tuple(
        FlagEffect(metric, float(f), float(o), float(f - o), float(f - o - r), float(f - o + r))
        for metric, (f, o), r in zip(metrics, here, reach, strict=True)
    )
    lower, higher = any(e.high < 0 for e in effects), any(e.low > 0 for e in effects)
    outcome: FlagOutcome = "mixed" if lower and higher else "worse" if lower else "better" if higher else "nothing"
    return FlagEvidence(strategy, outcome, *told[1:], effects)


def _by_document(values: Floats, documents: Ints, stratum: Ints, flagged: np.ndarray, n: int, strata: int) -> Floats:
    """(n, strata, 2): sums over each document's questions in other chunks, and in flagged ones."""
    sums = np.zeros((n, strata, 2))
    np.add.at(sums, (documents, stratum, flagged.astype(np.int64)), values)
    return sums


def _means(drawn: Floats, sums: Floats, counts: Floats) -> Floats:
    """(b, 2): means in flagged chunks and in others, strata weighted by their questions in flagged chunks.

    A resample's strata that lack one of the two count for nothing there.
    """
    total, number = np.tensordot(drawn, sums, 1), np.tensordot(drawn, counts, 1)
    usable = np.asarray((number > 0).all(axis=2, keepdims=True))
    mean = np.where(usable, total / np.where(number > 0, number, 1.0), 0.0)
    weight = np.where(usable[..., 0], number[..., 1], 0.0)
    share = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300)
    return np.asarray((mean * share[..., None]).sum(axis=1)[:, ::-1])


def _reach(drawn: Floats, here: Floats, documents: int, level: float) -> Floats:
    """Half-widths, as many standard errors for each metric, together of the level; at least Student's t for one."""
    error = np.sqrt(((drawn - here) ** 2).mean(axis=0) * documents / (documents - 1))
    statistic = np.abs(drawn - here) / np.where(error > 0, error, 1.0)
    quantile = float(np.quantile(statistic.max(axis=1), level, method="higher"))
    return np.asarray(error * max(quantile, float(student.ppf((1 + level) / 2, documents - 1))))
