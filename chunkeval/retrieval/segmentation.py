"""A segmentation against a gold one: Pk, WindowDiff, boundary similarity, precision and recall, and paired differences by document.

Segmentations are given as masses: the sizes of the segments in order, in any unit (sentences, code points). Both metrics
of windows count errors: 0 is best, and on hard texts no cut at all comes near what the best systems reach, so a figure
means little without its baselines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from chunkeval.results import Ints

_AT_ONCE = 2_000
"""Resamples whose documents are drawn at a time."""


@dataclass(frozen=True)
class Boundaries:
    """How many boundaries were found."""

    precision: float
    """Share of the cuts that are gold boundaries; 1 where nothing was cut."""
    recall: float
    """Share of the gold boundaries that were cut; 1 where there is none."""
    f1: float
    """Their harmonic mean; 0 where both are 0."""


@dataclass(frozen=True)
class Difference:
    """A mean paired difference and its 95 % interval."""

    mean: float
    low: float
    high: float


def masses(cuts: Sequence[int], length: int) -> list[int]:
    """Give the sizes of the segments between cuts.

    Parameters
    ----------
    cuts
        Offsets of the segments' starts but the first's, ascending, in (0, length).
    length
        Of the whole text, in the cuts' unit.

    Raises
    ------
    ValueError
        A cut does not lie between the one before it and the end.

    Examples
    --------
    >>> masses([2, 5], 11)
    [2, 3, 6]
    """
    bounds = [0, *cuts, length]
    sizes = [b - a for a, b in pairwise(bounds)]
    if any(size < 1 for size in sizes):
        raise ValueError(f"cuts must ascend within (0, {length}): {list(cuts)[:20]}")
    return sizes


def cuts_of(spans: Sequence[tuple[int, int]]) -> list[int]:
    """Give the starts of spans but the first: where a text was cut.

    Examples
    --------
    >>> cuts_of([(0, 10), (10, 25), (25, 30)])
    [10, 25]
    """
    return [start for start, _ in spans[1:]]


def window(reference: Sequence[int]) -> int:
    """Half the mean gold segment, rounded half to even, at least 2: the window of `pk` and `window_diff`.

    Examples
    --------
    >>> window([5, 6])
    3
    """
    return max(2, round(sum(reference) / len(reference) / 2))


def pk(hypothesis: Sequence[int], reference: Sequence[int], size: int | None = None) -> float:
    """Share of pairs, ``size`` units apart, that one segmentation holds together and the other parts.

    Beeferman, Berger and Lafferty 1999, "Statistical Models for Text Segmentation".

    Parameters
    ----------
    hypothesis, reference
        Masses of the same text.
    size
        Distance in units; `window` of the reference where None.

    Returns
    -------
    float
        In [0, 1], 0 best; 0 also where the text is no longer than the window.

    Raises
    ------
    ValueError
        The masses are not of one text, or ``size`` is below 1.

    Examples
    --------
    >>> pk([2, 3, 6], [5, 6])
    0.25
    """
    found, gold, size = _labels(hypothesis, reference, size)
    apart = (found[size:] != found[:-size]) != (gold[size:] != gold[:-size])
    return float(apart.mean()) if apart.size else 0.0


def window_diff(hypothesis: Sequence[int], reference: Sequence[int], size: int | None = None) -> float:
    """Share of windows of ``size`` units in which the two segmentations have different numbers of boundaries.

    Pevzner and Hearst 2002, "A Critique and Improvement of an Evaluation Metric for Text Segmentation".

    Parameters
    ----------
    hypothesis, reference, size
        As `pk` takes them.

    Returns
    -------
    float
        In [0, 1], 0 best; 0 also where the text is no longer than the window.

    Raises
    ------
    ValueError
        The masses are not of one text.

    Examples
    --------
    >>> window_diff([2, 3, 6], [5, 6])
    0.25
    """
    found, gold, size = _labels(hypothesis, reference, size)
    differ = (found[size:] - found[:-size]) != (gold[size:] - gold[:-size])
    return float(differ.mean()) if differ.size else 0.0


def boundary_similarity(hypothesis: Sequence[int], reference: Sequence[int], near: int = 2) -> float:
    """Share of boundaries that two segmentations agree on, those that lie close together counted in part.

    Fournier 2013, "Evaluating Text Segmentation using Boundary Edit Distance": one less the edits that turn one into the
    other, a boundary moved by d units being d / ``near`` of an edit, over edits and boundaries in common.

    Parameters
    ----------
    hypothesis, reference
        Masses of the same text.
    near
        Units within which a boundary counts as moved rather than as one too many and one too few; a move is shorter.

    Returns
    -------
    float
        In [0, 1], 1 best; 1 also where neither has a boundary.

    Raises
    ------
    ValueError
        The masses are not of one text.

    Examples
    --------
    >>> boundary_similarity([2, 3, 6], [5, 6]), boundary_similarity([4, 7], [5, 6])
    (0.5, 0.5)
    """
    if sum(hypothesis) != sum(reference):
        raise ValueError(f"the masses are of two texts: {sum(hypothesis)} units against {sum(reference)}")
    ours, theirs = ({*accumulate(sizes[:-1])} for sizes in (hypothesis, reference))
    left = sorted(ours - theirs)
    right = sorted(theirs - ours)
    moved: list[int] = []
    i = j = 0
    while i < len(left) and j < len(right):
        distance = abs(left[i] - right[j])
        if distance < near:
            moved.append(distance)
            i, j = i + 1, j + 1
        elif left[i] < right[j]:
            i += 1
        else:
            j += 1
    single = len(left) + len(right) - 2 * len(moved)
    every = single + len(moved) + len(ours & theirs)
    return 1 - (single + sum(moved) / near) / every if every else 1.0


def boundaries(cuts: Sequence[int], gold: Sequence[int], tolerance: int = 0) -> Boundaries:
    """Match cuts with gold boundaries, each with one at most.

    Parameters
    ----------
    cuts, gold
        Offsets, ascending.
    tolerance
        How far a cut may lie from the boundary that it counts for, in the offsets' unit.

    Examples
    --------
    >>> boundaries([100, 205, 300], [98, 210], tolerance=5)
    Boundaries(precision=0.6666666666666666, recall=1.0, f1=0.8)
    """
    at = matched = 0
    for boundary in gold:
        while at < len(cuts) and cuts[at] < boundary - tolerance:
            at += 1
        if at < len(cuts) and cuts[at] <= boundary + tolerance:
            matched, at = matched + 1, at + 1
    precision = matched / len(cuts) if len(cuts) else 1.0
    recall = matched / len(gold) if len(gold) else 1.0
    both = precision + recall
    return Boundaries(precision, recall, 2 * precision * recall / both if both else 0.0)


def paired_difference(
    ours: ArrayLike, theirs: ArrayLike, *, resamples: int = 10_000, seed: int = 0, level: float = 0.95
) -> Difference:
    """Bootstrap the mean difference of two measures over the same documents.

    Efron and Tibshirani 1993, "An Introduction to the Bootstrap": percentiles over resampled documents.

    Parameters
    ----------
    ours, theirs : (n,) floats
        One value a document, in the same order.
    resamples
        How often n documents are drawn with replacement.
    seed
        Of the draws.
    level
        Share of the resamples that the interval holds.

    Returns
    -------
    Difference
        Of ours − theirs.

    Raises
    ------
    ValueError
        The two are of different lengths, or empty.

    Examples
    --------
    >>> paired_difference([0.25, 0.5], [0.5, 0.75])
    Difference(mean=-0.25, low=-0.25, high=-0.25)
    """
    if np.shape(ours) != np.shape(theirs) or not np.size(ours):
        raise ValueError(f"one value a document on both sides: {np.shape(ours)} against {np.shape(theirs)}")
    differences = np.asarray(ours, np.float64) - np.asarray(theirs, np.float64)
    n = len(differences)
    rng = np.random.default_rng(seed)
    means = np.concatenate(
        [
            differences[rng.integers(0, n, (min(_AT_ONCE, resamples - first), n))].mean(axis=1)
            for first in range(0, resamples, _AT_ONCE)
        ]
    )
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Difference(float(differences.mean()), float(low), float(high))


def _labels(hypothesis: Sequence[int], reference: Sequence[int], size: int | None) -> tuple[Ints, Ints, int]:
    """Number each unit by its segment in both segmentations."""
    if sum(hypothesis) != sum(reference):
        raise ValueError(f"the masses are of two texts: {sum(hypothesis)} units against {sum(reference)}")
    if size is not None and size < 1:
        raise ValueError(f"the window must hold at least 1 unit, not {size}")
    found, gold = (np.repeat(np.arange(len(sizes)), sizes) for sizes in (hypothesis, reference))
    return found, gold, window(reference) if size is None else size
