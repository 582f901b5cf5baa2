"""Which strategy is better, with its certainty: what a comparison says, and nothing that it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

FEWEST_DOCUMENTS = 20
"""Documents below which no winner is named."""
LEVEL = 0.95
RESAMPLES = 10_000

Outcome = Literal["winner", "undecided", "no_difference", "too_few_documents", "one_strategy"]


@dataclass(frozen=True)
class Pair:
    """Two strategies on the same questions."""

    first: str
    second: str
    difference: float
    """Mean of the first less mean of the second, over questions."""
    low: float
    high: float
    """The simultaneous interval: all pairs' hold the truth together in 95 % of comparisons; infinite where the data
    says too little."""
    decided: bool
    """The interval excludes 0, and there are documents enough."""
    questions_needed: int | None
    """About how many questions, asked of proportionally more documents, would decide a difference like this one in four
    cases of five; None where it is decided, or there is no difference to decide."""


@dataclass(frozen=True)
class Standing:
    """One strategy among the others."""

    strategy: str
    number: int
    """From 1, in the order of the means: what others' superscripts name it by."""
    mean: float
    probability_best: float
    """Share of resamples in which its mean is the best; information only, never a verdict."""
    beats: tuple[int, ...]
    """Numbers of the strategies that it is decidedly better than: its superscripts."""


@dataclass(frozen=True)
class Verdict:
    """What a comparison says of one metric."""

    metric: str
    higher_is_better: bool
    outcome: Outcome
    winner: str | None
    """The strategy that is decidedly better than every other."""
    standings: tuple[Standing, ...]
    """The best mean first."""
    pairs: tuple[Pair, ...]
    """The better mean first in each."""
    questions: int
    documents: int
    """Clusters: documents, or blocks where documents are unknown."""
    left_out: int
    """Questions without a value for some strategy."""
    questions_needed: int | None
    """The most that any pair of the leader needs; None where it has won, or there is no difference to decide."""
    critical: float
    """Standard errors to each side of a difference that the intervals reach."""
    level: float
    resamples: int
    seed: int


def compare_paired(
    frame: pd.DataFrame,
    metric: str,
    *,
    strategies: Sequence[str] | None = None,
    higher_is_better: bool = True,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Verdict:
    """Compare strategies on the same questions.

    Differences are paired by question; documents, not questions, are resampled, since questions of one document have
    much in common. The intervals are those of the studentised bootstrap, simultaneous over all pairs by the greatest of
    their statistics (max-T; Romano and Wolf 2005, "Exact and Approximate Stepdown Methods for Multiple Hypothesis
    Testing"), and never narrower than Student's t for one pair.

    Parameters
    ----------
    frame
        A row a strategy and question: ``strategy``, ``question_id``, ``doc_id`` and the metric, as `evaluate` gives it.
    metric
        Declared before the figures were seen.
    strategies
        Which to compare; all in the frame by default.
    higher_is_better
        False for costs, as ``tokens_read``.
    level
        Of the intervals together.
    resamples, seed
        Of the bootstrap.

    Returns
    -------
    Verdict

    Raises
    ------
    ConfigError
        The metric or a strategy is not in the frame.
    InputError
        No question has a value for every strategy.
    """
