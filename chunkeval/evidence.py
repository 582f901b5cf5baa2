"""What labelled chunks say about one score column: how well it tells good from bad, where, and how sure that is.

A limit is chosen and read on the same labels, so what it finds there is too good. Beside it stands the same rule held
out: documents go to five folds, and the limit that judges a fold was chosen on the other four.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.separation import best_limit, best_range, placements
from chunkeval.summary import wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Floats, Ints, Side

    Bools = NDArray[np.bool_]

FEWEST = 20
"""Good chunks, and bad ones, below which no limit is read off them."""

FOLDS = 5

RESAMPLES = 1000
"""Bootstrap resamples of documents."""

FEWEST_BEYOND = 5
"""Bad chunks that must lie beyond one side's limit where both sides may be bad: fewer make no rule."""

POINTS = 200
"""Points of a ROC curve that are kept."""

DECIMALS = 6

Bounds = tuple[float | None, float | None]


@dataclass(frozen=True)
class Labels:
    """Which chunks are bad, and which belong together."""

    bad: Bools
    """(n,)"""
    groups: Ints
    """(n,) Chunks of a group are alike, as those of a document are: resampled and held out together."""
    folds: Ints
    """(n,) Fold of each chunk, 0 to 4; a group is in one."""
    seed: int

    @staticmethod
    def of(bad: Bools, groups: Ints, seed: int) -> Labels:
        """Deal the groups to folds, good and bad in each as nearly as can be.

        Examples
        --------
        >>> labels = Labels.of(np.arange(40) % 2 == 0, np.arange(40) // 4, 42)
        >>> np.bincount(labels.folds).tolist()
        [8, 8, 8, 8, 8]
        """
        from sklearn.model_selection import StratifiedGroupKFold

        folds = np.zeros(bad.size, dtype=np.int64)
        dealt = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # says that a fold may lack a kind, which is looked for where it matters
            for fold, (_, held) in enumerate(dealt.split(bad, bad, groups)):
                folds[held] = fold
        return Labels(bad, groups, folds, seed)

    def only(self, rows: Bools) -> Labels:
        """Some of the chunks, in the folds they are in."""
        return Labels(self.bad[rows], self.groups[rows], self.folds[rows], self.seed)


def suspicion(values: Floats, bad: Bools, side: Side) -> Floats:
    """How suspicious each value is, so that one direction is bad.

    Where both sides can be bad, a value is the more suspicious the fewer good ones lie beyond it on its nearer side;
    a good value is not counted against itself, so that values of one distribution come out near AUROC 0.5 (above it by
    half a good chunk's share: 0.025 with 20, 0.005 with 100).

    Parameters
    ----------
    values
        (n,) without NaN.
    bad
        (n,)
    side
        Which side is bad.

    Examples
    --------
    >>> suspicion(np.array([1.0, 2, 3, 9]), np.array([False, False, False, True]), "both").tolist()
    [0.0, -0.5, 0.0, 0.0]
    """
    if side != "both":
        return -values if side == "low" else values.astype(np.float64)
    good = values[~bad]
    place = placements(values, good)
    place[~bad] = (place[~bad] * good.size - 0.5) / (good.size - 1)
    return 0.0 - np.minimum(place, 1 - place)


def limits(values: Floats, bad: Bools, side: Side) -> Bounds:
    """Lower and upper limit where balanced accuracy is highest; None: that side flags nothing.

    Parameters
    ----------
    values
        (n,) without NaN, good and bad ones among them.
    bad
        (n,)
    side
        Which side is bad; a side of two needs 5 bad chunks beyond its limit.

    Examples
    --------
    >>> limits(np.array([0.1, 0.2, 0.5, 0.6]), np.array([True, True, False, False]), "low")
    (0.35, None)
    """
    good, worse = values[~bad], values[bad]
    if side == "low":
        return best_limit(good, worse)[0], None
    if side == "high":
        return None, -best_limit(-good, -worse)[0]
    low, high = best_range(good, worse)
    thin_low = low is None or int((worse < low).sum()) < FEWEST_BEYOND
    thin_high = high is None or int((worse > high).sum()) < FEWEST_BEYOND
    if thin_low and thin_high:
        return None, None
    if thin_low or thin_high:
        return limits(values, bad, "high" if thin_low else "low")
    return low, high


def beyond(values: Floats, bounds: Bounds) -> Bools:
    """Which values lie strictly outside; NaN never does."""
    low, high = bounds
    outside = np.zeros(values.shape, dtype=bool)
    if low is not None:
        outside |= values < low
    if high is not None:
        outside |= values > high
    return outside


def held_out(values: Floats, labels: Labels, side: Side) -> Bools | None:
    """Judge every chunk by limits that were chosen without its fold.

    Parameters
    ----------
    values
        (n,) NaN where not measured: not flagged.

    Returns
    -------
    (n,) bool or None
        None where some four folds have only good or only bad values to choose by.
    """
    flagged = np.zeros(values.shape, dtype=bool)
    measured = np.isfinite(values)
    for fold in range(FOLDS):
        here = labels.folds == fold
        rest = measured & ~here
        if not 0 < labels.bad[rest].sum() < rest.sum():
            return None
        flagged[here] = beyond(values[here], limits(values[rest], labels.bad[rest], side))
    return flagged


def auroc(suspicious: Floats, labels: Labels) -> tuple[float, list[float]]:
    """AUROC, and its 95 % interval from a bootstrap over groups.

    Examples
    --------
    >>> labels = Labels.of(np.arange(40) >= 20, np.arange(40), 42)
    >>> auroc(np.arange(40.0), labels)
    (1.0, [1.0, 1.0])
    """
    seen, place = np.unique(suspicious, return_inverse=True)
    bad = labels.bad

    def read(weights: Floats) -> float:
        worse = np.bincount(place[bad], weights[bad], minlength=seen.size)
        good = np.bincount(place[~bad], weights[~bad], minlength=seen.size)
        pairs = good.sum() * worse.sum()
        return float(worse @ (np.cumsum(good) - good / 2) / pairs) if pairs else np.nan

    resampled = resample(labels, lambda drawn, which: read(drawn[which]))
    return round(read(np.ones(bad.size)), DECIMALS), _percentiles(resampled)


def resample(labels: Labels, read: Callable[[Floats, Ints], Any]) -> list[Any]:
    """Draw the groups anew, with replacement, and read something off each draw.

    Parameters
    ----------
    read
        Given how often each group was drawn, and each chunk's group among these.
    """
    known, which = np.unique(labels.groups, return_inverse=True)
    rng = np.random.default_rng(labels.seed)
    return [
        read(np.bincount(rng.integers(known.size, size=known.size), minlength=known.size).astype(np.float64), which)
        for _ in range(RESAMPLES)
    ]


def rates(flagged: Bools, labels: Labels) -> dict[str, Any]:
    """What a judgement finds and what it flags wrongly, with 95 % intervals.

    Intervals of shares are the wider, at each end, of Wilson's and of a bootstrap over groups: the one knows of no
    documents, the other of no chance where all are right.

    Returns
    -------
    dict
        ``balanced_accuracy``, ``recall`` (share of the bad that is flagged), ``precision`` (share of the flagged that
        is bad, at this share of bad chunks; null where nothing is flagged), ``false_flags`` (share of the good that is
        flagged), each with ``…_ci``; and the counts ``found``, ``missed``, ``false``, ``cleared``.

    Examples
    --------
    >>> labels = Labels.of(np.arange(40) >= 20, np.arange(40), 42)
    >>> found = rates(np.arange(40) >= 19, labels)
    >>> found["balanced_accuracy"], found["precision"], found["false_flags_ci"]
    (0.975, 0.952381, [0.0, 0.236131])
    """
    bad = labels.bad
    kinds = np.stack([flagged & bad, ~flagged & bad, flagged & ~bad, ~flagged & ~bad])
    known, which = np.unique(labels.groups, return_inverse=True)
    by_group = np.stack([np.bincount(which, kind, minlength=known.size) for kind in kinds])
    counts = kinds.sum(axis=1)
    resampled = np.array(resample(labels, lambda drawn, _: _shares(by_group @ drawn)))
    found: dict[str, Any] = {}
    for i, (name, (part, whole)) in enumerate(zip(_SHARES, _parts(counts), strict=True)):
        interval = wilson(int(part), int(whole))
        boot = _percentiles(resampled[:, i])
        found[name] = round(float(part / whole), DECIMALS) if whole else None
        found[f"{name}_ci"] = interval and [min(interval[0], boot[0]), max(interval[1], boot[1])]
    accuracy = (resampled[:, 0] + 1 - resampled[:, 2]) / 2
    return {
        "balanced_accuracy": round((found["recall"] + 1 - found["false_flags"]) / 2, DECIMALS),
        "balanced_accuracy_ci": _percentiles(accuracy),
        **found,
        **dict(zip(("found", "missed", "false", "cleared"), map(int, counts), strict=True)),
    }


def balanced(flagged: Bools, bad: Bools) -> float:
    """Mean of the share of bad chunks that is flagged and of the share of good ones that is not."""
    return float(flagged[bad].mean() + (~flagged[~bad]).mean()) / 2


def curve(suspicious: Floats, bad: Bools) -> list[list[float]]:
    """ROC curve: share of the good and of the bad that is at least so suspicious, from none to all.

    Returns
    -------
    list of [float, float]
        Ascending; where there are more than 200 points, those nearest to evenly spread along the curve.

    Examples
    --------
    >>> curve(np.array([1.0, 2, 3, 4]), np.array([False, False, True, True]))
    [[0.0, 0.0], [0.0, 0.5], [0.0, 1.0], [0.5, 1.0], [1.0, 1.0]]
    """
    seen, place = np.unique(-suspicious, return_inverse=True)
    counts = np.stack([np.bincount(place[kind], minlength=seen.size) for kind in (~bad, bad)])
    points = np.concatenate([np.zeros((2, 1)), np.cumsum(counts, axis=1) / counts.sum(axis=1, keepdims=True)], axis=1)
    if points.shape[1] > POINTS:
        along = points.sum(axis=0)
        points = points[:, np.unique(np.searchsorted(along, np.linspace(0, 2, POINTS)).clip(0, along.size - 1))]
    return [[float(x), float(y)] for x, y in np.round(points, DECIMALS).T]


_SHARES = ("recall", "precision", "false_flags")


def _parts(counts: Sequence[float]) -> list[tuple[float, float]]:
    found, missed, false, cleared = counts
    return [(found, found + missed), (found, found + false), (false, false + cleared)]


def _shares(counts: Floats) -> list[float]:
    return [part / whole if whole else np.nan for part, whole in _parts(counts.tolist())]


def _percentiles(resampled: Sequence[float] | Floats) -> list[float]:
    known = np.asarray(resampled)[np.isfinite(resampled)]
    return [round(float(q), DECIMALS) for q in np.quantile(known, [0.025, 0.975])] if known.size else [0.0, 1.0]
