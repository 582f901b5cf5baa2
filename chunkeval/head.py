"""One logistic head over several score columns: how probably a chunk is one that a person would call good."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.results import Measure

if TYPE_CHECKING:
    from chunkeval.results import Floats

LABELS = Measure(
    analyzer="labels",
    column="label_probability",
    side="low",
    reasons={"low": "like_bad"},
    calibrated=False,
    probability=True,
)
"""What a head judges. No analyzer measures it: its column is made of the others'."""

ENDS = (0.0, 1.0)
"""Where its severity ends."""

FARTHEST = 1e9
"""Standard deviations from the centre beyond which a value counts no further: numbers stay numbers."""

SURE = 0.001
"""Distance from 0 and 1 within which a probability's log odds no longer grow."""


def _logit(values: Floats) -> Floats:
    within = np.clip(values, SURE, 1 - SURE)
    return np.log(within / (1 - within))


FORMS: Mapping[str, Callable[[Floats], Floats]] = {"plain": np.positive, "log": np.log1p, "logit": _logit}
"""How a column's values enter: as they are, as log(1 + value), or as log odds."""


@dataclass(frozen=True)
class Head:
    """Weights over columns, each brought to the good chunks' mean and to standard deviations."""

    columns: tuple[str, ...]
    forms: tuple[str, ...]
    """A name of `FORMS` a column."""
    centre: tuple[float, ...]
    """Mean of the good chunks: what a chunk counts as where the column was not measured."""
    scale: tuple[float, ...]
    """Standard deviation."""
    weights: tuple[float, ...]
    """What a standard deviation adds to the log odds of being good."""
    intercept: float
    """Log odds of the average good chunk, were there as many good as bad ones."""
    limit: float = 0.5
    """Probability of being good below which a chunk is flagged."""

    def probability(self, values: Mapping[str, Floats]) -> Floats:
        """Give the probability of being good, were there as many good chunks as bad ones.

        Parameters
        ----------
        values
            Column to its values, (n,), NaN where not measured.

        Returns
        -------
        (n,)
            NaN where none of the columns was measured; rounded as scores are.

        Examples
        --------
        >>> head = Head(("token_count",), ("log",), (4.0,), (0.5,), (1.0,), 0.0)
        >>> head.probability({"token_count": np.array([53.6, 10.0, np.nan])}).round(2).tolist()
        [0.5, 0.04, nan]
        """
        from scipy.special import expit

        each = [shaped(values[name], form) for name, form in zip(self.columns, self.forms, strict=True)]
        with np.errstate(over="ignore"):
            shown = np.clip((np.stack(each, axis=1) - self.centre) / self.scale, -FARTHEST, FARTHEST)
        odds = np.nan_to_num(shown) @ np.array(self.weights) + self.intercept
        return np.where(np.isfinite(shown).any(axis=1), np.round(expit(odds), 6), np.nan)


def shaped(values: Floats, form: str) -> Floats:
    """Bring a column's values to the form in which they are weighed; NaN where that is no number."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found = FORMS[form](values)
    return np.where(np.isfinite(found), found, np.nan)
