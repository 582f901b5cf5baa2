"""Entropy of topic distributions: in bits, against mixes of as many words, and how alike several fits order chunks by it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from chunkeval.results import Arrays, Floats, Ints

FEWEST_WORDS = 5
"""Content words under which a chunk is not measured."""
NEAREST_MIXES = 200
_SMALLEST_DEVIATION = 0.01


def entropies(weights: Floats, least: float = 0.0) -> Floats:
    """Entropy of each row in bits.

    Parameters
    ----------
    weights : (n, topics) float64
        Rows sum to 1.
    least : float
        Weights under it are dropped, and the rest is not scaled up again: as gensim's ``get_document_topics`` does.

    Examples
    --------
    >>> import numpy as np
    >>> entropies(np.array([[0.5, 0.5], [1.0, 0.0]])).tolist()
    [1.0, 0.0]
    """
    kept = np.where((weights >= least) & (weights > 0), weights, 1.0)
    bits: Floats = -(kept * np.log2(kept)).sum(axis=1)
    return bits + 0.0


def against_mixes(entropy: Floats, words: Ints, state: Arrays) -> Floats:
    """Standard score of each entropy among the mixes nearest in content words; NaN under five of them."""
    z = np.full(len(entropy), np.nan)
    if len(state["mix_words"]) < 2:
        return z
    for n in np.unique(words[words >= FEWEST_WORDS]):
        nearest = np.argsort(np.abs(state["mix_words"] - n), kind="stable")[:NEAREST_MIXES]
        among = state["mix_entropy"][nearest]
        at = words == n
        z[at] = (entropy[at] - among.mean()) / max(float(among.std()), _SMALLEST_DEVIATION)
    return np.round(z, 6)


def alike(ranked: Sequence[Floats]) -> float | None:
    """Spearman's correlation of several orders of the same chunks, the mean over all pairs; None where there is nothing to rank.

    Examples
    --------
    >>> import numpy as np
    >>> alike([np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 9.0])])
    1.0
    """
    from scipy.stats import spearmanr

    if len(ranked[0]) < 3 or any(np.ptp(one) == 0 for one in ranked):
        return None
    return round(float(np.mean([spearmanr(one, other).statistic for one, other in combinations(ranked, 2)])), 4)
