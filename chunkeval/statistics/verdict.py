"""Which strategy is better, with its certainty: what a comparison says, and nothing that it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, inf
from typing import TYPE_CHECKING, Literal

import numpy as np

from chunkeval.errors import ConfigError, InputError, unknown_name
from chunkeval.statistics.bootstrap import Intervals, intervals

if TYPE_CHECKING:
    import pandas as pd

FEWEST_DOCUMENTS = 20
"""Documents below which no winner is named."""
LEVEL = 0.95
RESAMPLES = 10_000
_POWER = 0.8416
"""Standard errors beyond the critical value at which a true difference is found in four cases of five."""
_ENDLESS = 10_000_000
"""Questions beyond which nobody asks: the difference is as good as none."""

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
    """The simultaneous interval: all pairs' hold the truth together in 95 % of comparisons; it holds 0 where fewer than
    six documents tell the two apart."""
    decided: bool
    """The interval excludes 0, and there are `FEWEST_DOCUMENTS` documents."""
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
        No question has a value for every strategy, or a question is there twice.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("a", f"q{i}", f"d{i // 2}", float(i % 3 > 0)) for i in range(80)]
    >>> rows += [("b", f"q{i}", f"d{i // 2}", float(i % 3 > 1)) for i in range(80)]
    >>> found = compare_paired(pd.DataFrame(rows, columns=["strategy", "question_id", "doc_id", "recall"]), "recall")
    >>> found.winner, found.documents, [standing.beats for standing in found.standings]
    ('a', 40, [(2,), ()])
    """
    _check(frame, metric, strategies)
    names = list(dict.fromkeys(frame["strategy"])) if strategies is None else list(dict.fromkeys(strategies))
    values, documents, left_out = _paired(frame, metric, names)
    sign = 1.0 if higher_is_better else -1.0
    order = np.argsort(-sign * values.mean(axis=0), kind="stable").tolist()
    names, values = [names[i] for i in order], values[:, order]
    number = len(documents_of := np.unique(documents))
    sums = np.zeros((number, len(names)))
    np.add.at(sums, np.searchsorted(documents_of, documents), sign * values)
    counts = np.bincount(np.searchsorted(documents_of, documents), minlength=number).astype(np.float64)
    columns = list(combinations(range(len(names)), 2))
    found = intervals(sums, counts, columns, level=level, resamples=resamples, seed=seed)
    pairs = _pairs(names, columns, found, sign, len(values), number)
    standings = tuple(
        Standing(
            name,
            at + 1,
            float(values[:, at].mean()),
            float(found.best[at]),
            tuple(j + 1 for (i, j), pair in zip(columns, pairs, strict=True) if i == at and pair.decided),
        )
        for at, name in enumerate(names)
    )
    won = len(names) > 1 and len(standings[0].beats) == len(names) - 1
    leading = [pair for (i, _), pair in zip(columns, pairs, strict=True) if i == 0]
    return Verdict(
        metric=metric,
        higher_is_better=higher_is_better,
        outcome=_outcome(won, len(names), number, bool((sums == sums[:, :1]).all())),
        winner=names[0] if won else None,
        standings=standings,
        pairs=pairs,
        questions=len(values),
        documents=number,
        left_out=left_out,
        questions_needed=None if won else max((pair.questions_needed or 0 for pair in leading), default=0) or None,
        critical=found.critical,
        level=level,
        resamples=resamples,
        seed=seed,
    )


def _check(frame: pd.DataFrame, metric: str, strategies: Sequence[str] | None) -> None:
    if metric not in frame.columns:
        kept = [str(c) for c in frame.columns if c not in ("strategy", "question_id", "doc_id")]
        raise unknown_name("metric", metric, kept)
    known = list(dict.fromkeys(frame["strategy"]))
    for name in strategies or ():
        if name not in known:
            raise unknown_name("strategy", name, known)
    if strategies is not None and not strategies:
        raise ConfigError("strategies: name at least one to compare")
    repeated = frame[frame.duplicated(["strategy", "question_id"])]
    if len(repeated):
        question, strategy = str(repeated.iloc[0]["question_id"]), repeated.iloc[0]["strategy"]
        raise InputError(f"question {question!r} of strategy {strategy!r} is there twice: keep one row")


def _paired(frame: pd.DataFrame, metric: str, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray, int]:
    """Give (q, s) values of the questions that every strategy answered, their documents, and how many others there are."""
    wide = frame.pivot(index="question_id", columns="strategy", values=metric).reindex(columns=list(names))
    documents = frame.drop_duplicates("question_id").set_index("question_id")["doc_id"]
    whole = wide.notna().all(axis=1)
    if not whole.any():
        raise InputError(f"no question has {metric} for every strategy ({', '.join(names)}): ask all of them the same")
    kept = wide[whole]
    return kept.to_numpy(np.float64), documents[kept.index].to_numpy(object).astype(str), int((~whole).sum())


def _pairs(
    names: Sequence[str],
    columns: Sequence[tuple[int, int]],
    found: Intervals,
    sign: float,
    questions: int,
    documents: int,
) -> tuple[Pair, ...]:
    made = []
    for at, (i, j) in enumerate(columns):
        difference, low, high = (float(x[at]) for x in (found.differences, found.low, found.high))
        decided = documents >= FEWEST_DOCUMENTS and (low > 0 or high < 0)
        needed = None if decided else _needed(difference, float(found.errors[at]), found.critical, questions, documents)
        if sign < 0:
            difference, low, high = -difference, -high, -low
        made.append(Pair(names[i], names[j], difference + 0.0, low + 0.0, high + 0.0, decided, needed))
    return tuple(made)


def _needed(difference: float, error: float, critical: float, questions: int, documents: int) -> int | None:
    if difference == 0 or error in (0, inf) or critical == inf:
        return None
    factor = max(((critical + _POWER) * error / abs(difference)) ** 2, FEWEST_DOCUMENTS / documents)
    wanted = ceil(questions * factor)
    return wanted if wanted <= _ENDLESS else None


def _outcome(won: bool, strategies: int, documents: int, alike: bool) -> Outcome:
    if strategies < 2:
        return "one_strategy"
    if won:
        return "winner"
    if alike:
        return "no_difference"
    return "too_few_documents" if documents < FEWEST_DOCUMENTS else "undecided"
