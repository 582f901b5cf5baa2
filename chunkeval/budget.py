"""A joint budget: what many calibrated limits flag wrongly together, and how certain they must be to stay within it.

Each of them flags where a chunk is more likely bad than not, so each flags some good chunks; a chunk is flagged where any does.
What they cost together is read off the recombined chunks: of what is flagged, so much is of the bad kinds as their shares
and the part of them that is found say. The rest is false. A corpus has one share of bad chunks: where a
measure is a probability, learned from many signals, its share holds for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.limits import beyond, column
from chunkeval.results import FalseFlags, Limit
from chunkeval.separation import DECIMALS, likely_limit

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from chunkeval.results import Calibration, Floats, Judgement, State

    Bools = NDArray[np.bool_]

CERTAINTIES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)
"""Probabilities of being bad from which to flag, tried one after the other; beyond the last nothing is flagged."""


def keep_within(
    frame: pd.DataFrame, state: State, free: tuple[Judgement, ...], judged: tuple[Judgement, ...], allowed: float
) -> tuple[tuple[Judgement, ...], FalseFlags | None]:
    """Ask the limits learned from a corpus to be as certain as the budget needs.

    Parameters
    ----------
    frame
        The scores, one row a chunk.
    state
        Holds the recombined chunks' scores.
    free
        Limits as they would be were none given by hand: they say how certain flags must be, so that a limit given for one
        measure moves no other.
    judged
        Limits in use. Calibrated ones are tightened; published, shipped, labelled and given ones, fences and fixed ones stay as
        they are, and are not in the estimate.
    allowed
        Share of the chunks that may be flagged wrongly.

    Returns
    -------
    tuple
        ``judged``, and the estimate; None where no limit in use is calibrated.

    Notes
    -----
    The estimate is an upper bound: of a kind, as much is taken as found as the best of the limits finds alone, and no less is false
    than what the worst of them flags wrongly alone.
    """
    learned = [one for one in free if one.limit.rule == "calibrated" and one.limit.column in state.recombined]
    used = {one.measure.analyzer for one in judged if one.limit.rule == "calibrated"}
    if not used.intersection(one.measure.analyzer for one in learned):
        return judged, None
    best = max(learned, key=lambda one: (one.measure.probability, _known(one).auroc or 0.0))
    shares = _shares(best)
    for certainty in CERTAINTIES:
        tried = {
            one.measure.analyzer: one.limit
            if one is best and certainty == CERTAINTIES[0]
            else _limit(frame, state, one, shares if best.measure.probability else _shares(one), certainty)
            for one in learned
        }
        if _estimate(frame, state, tried, allowed, shares, certainty).estimated <= allowed:
            break
    else:
        certainty = 1.0
        tried = {name: replace(limit, low=None, high=None) for name, limit in tried.items()}
    tried = {name: limit for name, limit in tried.items() if name in used}
    told = _estimate(frame, state, tried, allowed, shares, certainty)
    leading = best.measure.analyzer
    return tuple(
        replace(one, limit=_said(tried[name], None if name == leading else best, told))
        if (name := one.measure.analyzer) in tried
        else one
        for one in judged
    ), told


def _known(judgement: Judgement) -> Calibration:
    assert judgement.calibration is not None
    return judgement.calibration


def _shares(judgement: Judgement) -> tuple[float, float]:
    known = _known(judgement)
    return known.share_mix or 0.0, known.share_splice or 0.0


def _limit(
    frame: pd.DataFrame, state: State, judgement: Judgement, shares: tuple[float, float], certainty: float
) -> Limit:
    """A limit from this certainty on, by these shares; never a laxer one than there is."""
    limit, measure = judgement.limit, judgement.measure
    bound = limit.high if measure.side == "high" else limit.low
    if bound is None:
        return limit
    if measure.probability:
        return replace(limit, low=round(min(bound, 1 - certainty), DECIMALS))
    sign = -1.0 if measure.side == "high" else 1.0
    kinds = state.recombined[limit.column]
    parts = [(share, _sorted(sign * made)) for share, made in zip(shares, (kinds.mixes, kinds.splices), strict=True)]
    found = likely_limit(_sorted(sign * _learned_from(frame, state, limit.column)), parts, certainty)
    found = None if found is None else sign * min(found, sign * bound)
    return replace(limit, high=found) if measure.side == "high" else replace(limit, low=found)


def _learned_from(frame: pd.DataFrame, state: State, name: str) -> Floats:
    values = column(frame, name)
    return values[state.arrays["sample"]["rows"]] if "sample" in state.arrays else values


def _sorted(values: Floats) -> Floats:
    return np.sort(values[np.isfinite(values)])


def _estimate(
    frame: pd.DataFrame,
    state: State,
    limits: Mapping[str, Limit],
    allowed: float,
    shares: tuple[float, float],
    certainty: float,
) -> FalseFlags:
    rows = max(len(frame), 1)
    measured = np.zeros(len(frame), dtype=bool)
    flagged = np.zeros(len(frame), dtype=bool)
    most = np.zeros(2)
    alone = {}
    for name, limit in limits.items():
        values = column(frame, limit.column)
        here = _beyond(values, limit)
        kinds = state.recombined[limit.column]
        found = np.array([_share(kind, limit) for kind in (kinds.mixes, kinds.splices)])
        known = np.isfinite(values)
        alone[name] = _false(int(here.sum()), int(known.sum()), shares, found) / rows
        flagged, measured, most = flagged | here, measured | known, np.maximum(most, found)
    joined = _false(int(flagged.sum()), int(measured.sum()), shares, most) / rows
    together = max([joined, *alone.values()])
    return FalseFlags(
        allowed,
        round(together, DECIMALS),
        certainty,
        *shares,
        {name: round(share, DECIMALS) for name, share in alone.items()},
    )


def _false(flagged: int, measured: int, shares: Sequence[float], found: Floats) -> float:
    """Number of flagged chunks that are of no bad kind."""
    return max(flagged - measured * float(np.dot(shares, found)), 0.0)


def _beyond(values: Floats, limit: Limit) -> Bools:
    low, high = beyond(values, limit, inclusive=False)
    found: Bools = low | high
    return found


def _share(values: Floats, limit: Limit) -> float:
    known = values[np.isfinite(values)]
    return float(_beyond(known, limit).mean()) if known.size else 0.0


def _said(limit: Limit, leading: Judgement | None, told: FalseFlags) -> Limit:
    said = [limit.source]
    if leading is not None and leading.measure.probability:
        said.append(f"with the share of bad chunks that {leading.measure.analyzer} found")
    if told.certainty > CERTAINTIES[0]:
        said.append(f"flags from {told.certainty:.0%} certainty on, to keep false flags under {told.allowed:.3g}")
    return replace(limit, source="; ".join(said))
