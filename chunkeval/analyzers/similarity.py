"""Sentence similarity: whether a chunk's sentences speak of the same thing.

The published measure is the mean cosine over all pairs of a chunk's sentences, flagged below 0.4. Its closed form needs one sum a chunk
instead of n(n − 1)/2 products: with unit vectors and S their sum, (‖S‖² − Σ‖eᵢ‖²) / (n(n − 1)).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from chunkeval.analyzers.base import Features, Fitted, Groups, Need, Sample
from chunkeval.results import Measure, Recombined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Arrays, Floats, Ints

_AT_ONCE = 16_384
"""Sentences whose vectors are in memory at a time: 16,384 × 512 × 8 bytes = 64 MB in float64."""
MOST_OF_ONE = 100
"""Sentences of a chunk that a corpus' mean and spread are learned from: a chunk that is a whole book must not speak for the rest."""
_TIE = 9
"""Decimals to which two cuts are equally good."""


class SimilarityAnalyzer:
    """``similarity``, its centred form, the weakest place to cut, and repetition."""

    name = "similarity"
    scope: Literal["row", "corpus"] = "row"
    needs: frozenset[Need] = frozenset({"sentences", "vectors"})
    columns = ("similarity", "similarity_centred", "sentences", "repetition", "weakest_cut", "cut_gap")
    measure = Measure(
        analyzer="similarity",
        column="similarity_centred",
        side="low",
        reasons={"low": "incoherent"},
        card_column="similarity",
        card_value=0.4,
    )

    def fit(self, sample: Sample) -> Fitted:
        """Learn the mean sentence vector, then score the recombined chunks around it."""
        mean = mean_vector(sample.features)
        recombined = Recombined(
            mixes=_centred(sample.features, sample.mixes, mean), splices=_centred(sample.features, sample.splices, mean)
        )
        return Fitted({"mean": mean}, {"similarity_centred": recombined})

    def score(self, features: Features, state: Arrays) -> Arrays:
        """Give all six columns; null under two sentences but for ``sentences`` and ``repetition``."""
        n = np.diff(features.sentences.offsets)
        out = {name: np.full(len(n), np.nan) for name in self.columns}
        out["sentences"] = n
        out["repetition"] = _repetition(features)
        for a, b in blocks(features.sentences):
            part = stretch(features.sentences, a, b)
            raw = unit(features.vectors(part.members).astype(np.float64))
            out["similarity"][a:b] = mean_pairwise(raw, part.offsets)
            centred = unit(raw - state["mean"])
            out["similarity_centred"][a:b] = mean_pairwise(centred, part.offsets)
            out["weakest_cut"][a:b], out["cut_gap"][a:b] = weakest_cuts(centred, part.offsets)
        return out


def unit(vectors: Floats) -> Floats:
    """Scale rows to length 1; zero rows stay zero."""
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    scaled: Floats = vectors / np.where(norms > 0, norms, 1.0)[:, None]
    return scaled


def mean_pairwise(vectors: Floats, offsets: Ints) -> Floats:
    """Mean cosine over all pairs of each group's rows.

    Parameters
    ----------
    vectors : (m, d) float64
        Of length 1 (or 0).
    offsets : (n + 1,) int64
        Group i holds the rows ``offsets[i]:offsets[i + 1]``.

    Returns
    -------
    (n,) float64
        In [-1, 1]; NaN for groups of fewer than two rows.

    Examples
    --------
    >>> import numpy as np
    >>> mean_pairwise(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), np.array([0, 2, 3])).tolist()
    [0.0, nan]
    """
    n = np.diff(offsets)
    sums = _segment_sums(vectors, offsets)
    own = _segment_sums(np.einsum("ij,ij->i", vectors, vectors)[:, None], offsets)[:, 0]
    pairs = np.where(n > 1, n * (n - 1), 1)
    means: Floats = np.where(n > 1, (np.einsum("ij,ij->i", sums, sums) - own) / pairs, np.nan)
    return means


def weakest_cuts(vectors: Floats, offsets: Ints) -> tuple[Floats, Floats]:
    """Where each group falls apart most easily, and how far.

    Returns
    -------
    cut, gap : (n,) float64
        The cut c (first row of the right part, counted from 0) that maximises
        (‖S_L‖²/n_L + ‖S_R‖²/n_R − ‖S‖²/n) / n, the lowest on ties, and that maximum; NaN for groups of fewer than two rows.
    """
    cuts, gaps = np.full(len(offsets) - 1, np.nan), np.full(len(offsets) - 1, np.nan)
    for i, (a, b) in enumerate(pairwise(offsets.tolist())):
        n = b - a
        if n < 2:
            continue
        sums = np.cumsum(vectors[a:b], axis=0)
        left, right = sums[:-1], sums[-1] - sums[:-1]
        c = np.arange(1, n)
        whole = sums[-1] @ sums[-1] / n
        gap = (np.einsum("ij,ij->i", left, left) / c + np.einsum("ij,ij->i", right, right) / (n - c) - whole) / n
        best = int(np.argmax(np.round(gap, _TIE)))
        cuts[i], gaps[i] = best + 1, gap[best]
    return cuts, gaps


def _segment_sums(values: Floats, offsets: Ints) -> Floats:
    sums = np.zeros((len(offsets) - 1, values.shape[1]))
    filled = np.flatnonzero(np.diff(offsets))
    if len(filled):
        sums[filled] = np.add.reduceat(values, offsets[filled], axis=0)
    return sums


def mean_vector(features: Features) -> Floats:
    """Mean of the sentence vectors, each of length 1, of a chunk the first `MOST_OF_ONE`; one zero where there is none."""
    members = shortened(features.sentences, MOST_OF_ONE).members
    total: Floats | None = None
    for a in range(0, len(members), _AT_ONCE):
        part = unit(features.vectors(members[a : a + _AT_ONCE]).astype(np.float64)).sum(axis=0)
        total = part if total is None else total + part
    return np.zeros(1) if total is None else total / len(members)


def _centred(features: Features, groups: Groups, mean: Floats) -> Floats:
    values = np.full(len(groups), np.nan)
    for a, b in blocks(groups):
        part = stretch(groups, a, b)
        values[a:b] = mean_pairwise(unit(unit(features.vectors(part.members).astype(np.float64)) - mean), part.offsets)
    return np.round(values, 6)


def shortened(groups: Groups, most: int) -> Groups:
    """Groups of no more than the first so many of their members.

    Examples
    --------
    >>> shortened(Groups(np.array([0, 1, 4]), np.array([7, 8, 9, 5])), 2)
    Groups(offsets=array([0, 1, 3]), members=array([7, 8, 9]))
    """
    sizes = np.minimum(np.diff(groups.offsets), most)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    places = np.arange(offsets[-1]) + np.repeat(groups.offsets[:-1] - offsets[:-1], sizes)
    return Groups(offsets, groups.members[places])


def blocks(groups: Groups) -> list[tuple[int, int]]:
    """Ranges of whole groups with about ``_AT_ONCE`` members each."""
    blocks, a = [], 0
    while a < len(groups):
        b = int(np.searchsorted(groups.offsets, groups.offsets[a] + _AT_ONCE, side="right")) - 1
        b = min(max(b, a + 1), len(groups))
        blocks.append((a, b))
        a = b
    return blocks


def stretch(groups: Groups, a: int, b: int) -> Groups:
    """Take the groups from a to b, without copying their members."""
    first = groups.offsets[a]
    return Groups(groups.offsets[a : b + 1] - first, groups.members[first : groups.offsets[b]])


def _repetition(features: Features) -> Floats:
    n = np.diff(features.sentences.offsets)
    chunk = np.repeat(np.arange(len(n)), n)
    keys: NDArray[np.uint64] = features.sentence_keys[features.sentences.members]
    order = np.lexsort((keys, chunk))
    again = np.zeros(len(keys), dtype=bool)
    again[1:] = (keys[order][1:] == keys[order][:-1]) & (chunk[order][1:] == chunk[order][:-1])
    repeats = np.bincount(chunk[order][again], minlength=len(n))
    shares: Floats = np.where(n > 0, repeats / np.maximum(n, 1), np.nan)
    return shares
