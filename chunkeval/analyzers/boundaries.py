"""Boundaries: whether a chunk was cut where its text has a border, or inside a sentence, table, code block or section.

The score is a product: 1, times a factor for each thing that is wrong. Any of those that are strong evidence brings it
below the measure's own limit; those that are weak bring it there only together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np

from chunkeval.analyzers.base import Features, Fitted, Need, Sample
from chunkeval.results import Mark, Measure
from chunkeval.text.edges import BIT, MARKS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Arrays, Floats

FACTORS: Mapping[str, float] = {
    "starts_mid_sentence": 0.5,
    "ends_mid_sentence": 0.5,
    "cut_table": 0.5,
    "cut_code": 0.5,
    "heading_inside": 0.2,
    "heading_at_end": 0.5,
    "subheading_inside": 0.7,
    "points_back": 0.9,
}
"""What each mark leaves of the score. A heading inside weighs more than both ends cut: that only costs words at the rim."""
LIMIT = 0.6
"""Above one strong mark (0.5), below the weak ones together (0.63)."""


class BoundariesAnalyzer:
    """``boundary_score``: 1 where a chunk begins and ends with its text; ``boundary_marks``, what is wrong, as bits."""

    name = "boundaries"
    scope: Literal["row", "corpus"] = "row"
    needs: frozenset[Need] = frozenset({"edges"})
    columns = ("boundary_score", "boundary_marks", "heading_cut")
    measure = Measure(
        analyzer="boundaries",
        column="boundary_score",
        side="low",
        reasons={},
        calibrated=False,
        fixed=LIMIT,
        marks=tuple(Mark(name, "boundary_marks", bit=bit, flags=False) for bit, name in enumerate(MARKS)),
    )

    def fit(self, sample: Sample) -> Fitted:
        """Learn nothing: what is wrong with a border does not hang on the corpus."""
        return Fitted({})

    def score(self, features: Features, state: Arrays) -> Arrays:
        """Give the score, the marks and where another section begins; null for blank chunks."""
        blank = features.edges & BIT["blank"] != 0
        marks = (features.edges & ((1 << len(MARKS)) - 1)).astype(np.float64)
        cut = features.heading.astype(np.float64)
        return {
            "boundary_score": np.where(blank, np.nan, product(features.edges)),
            "boundary_marks": np.where(blank, np.nan, marks),
            "heading_cut": np.where(cut >= 0, cut, np.nan),
        }


def product(bits: NDArray[np.int32]) -> Floats:
    """Give n scores by what is wrong, bits of `text.edges`."""
    scores = np.ones(len(bits))
    for name, factor in FACTORS.items():
        scores[bits & BIT[name] != 0] *= factor
    return scores
