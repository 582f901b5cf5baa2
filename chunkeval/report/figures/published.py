"""The published rule for token counts, where another limit judged them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.report.figures.reach import past

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def with_published(facts: Mapping[str, Any], values: Floats) -> dict[str, Any]:
    """Add what the published rule for counts, the interquartile fences, would have flagged where another one judged.

    Parameters
    ----------
    facts
        The part of the summary on token counts.
    values
        Shape (n,), NaN where not counted.

    Examples
    --------
    >>> facts = {"limit": {"column": "token_count", "rule": "given", "high": 9.0}}
    >>> with_published(facts, np.array([1.0, 2, 3, 4, 100]))["card"]
    {'column': 'token_count', 'rule': 'iqr', 'low': -1.0, 'high': 7.0, 'flagged': 1}
    """
    from chunkeval.fences import fences

    limit = facts.get("limit") or {}
    found = fences(values)
    if found is None or limit.get("rule") != "given" or "card" in facts:
        return dict(facts)
    ends = {"low": found.low, "high": found.high}
    flagged = int(past(values, ends).sum())
    return {**facts, "card": {"column": "token_count", "rule": "iqr", **ends, "flagged": flagged}}
