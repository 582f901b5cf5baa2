"""Tukey's fences around the middle half of a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from chunkeval.results import Floats


@dataclass(frozen=True)
class Fences:
    """Tukey fences of a column."""

    q1: float
    median: float
    q3: float
    low: float
    """Unclipped: may lie below 0."""
    high: float
    fixed_size: bool
    """Whether the quartiles lie so close together that the fences were widened."""


def fences(token_count: Floats) -> Fences | None:
    """Tukey fences Q1 - h and Q3 + h over numpy's linear quartiles, h = 1.5 IQR.

    Where the IQR is under 5 % of the median, as fixed-size chunkers leave it, every document's last chunk would be
    flagged: h is then the larger of 1.5 IQR and 25 % of the median.

    Parameters
    ----------
    token_count
        ``(n,)`` tokens a chunk, NaN where not counted.

    Returns
    -------
    Fences or None
        None where nothing was counted.

    Examples
    --------
    >>> fences(np.array([1.0, 2, 3, 4, 100]))
    Fences(q1=2.0, median=3.0, q3=4.0, low=-1.0, high=7.0, fixed_size=False)
    >>> fences(np.array([500.0] * 9 + [130.0])).low
    375.0
    """
    counted = token_count[np.isfinite(token_count)]
    if not counted.size:
        return None
    q1, median, q3 = (float(q) for q in np.percentile(counted, [25, 50, 75]))
    fixed_size = q3 - q1 < 0.05 * median
    half = max(1.5 * (q3 - q1), 0.25 * median) if fixed_size else 1.5 * (q3 - q1)
    return Fences(q1, median, q3, q1 - half, q3 + half, fixed_size)
