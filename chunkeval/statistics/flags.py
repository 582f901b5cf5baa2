"""Whether flags matter: do questions whose answers lie in flagged chunks fare worse?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

FEWEST_QUESTIONS = 30
"""Questions in flagged chunks below which nothing is said."""

FlagOutcome = Literal["worse", "better", "mixed", "nothing", "too_few", "not_flagged"]


@dataclass(frozen=True)
class FlagEffect:
    """One metric: questions in flagged chunks less the others of the same chunk size."""

    metric: str
    flagged: float
    """Mean over the questions whose references lie in flagged chunks."""
    others: float
    """Mean over the others, weighted to the same chunk sizes."""
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
    ``too_few``: fewer than 30 questions in flagged chunks, or in others of their sizes."""
    questions_flagged: int
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
    """
