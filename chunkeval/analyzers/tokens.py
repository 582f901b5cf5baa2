"""Token counts: chunks far longer or shorter than the rest are outliers (Tukey's fences)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from chunkeval.analyzers.base import Features, Fitted, Need, Sample
from chunkeval.results import Measure

if TYPE_CHECKING:
    from chunkeval.results import Arrays


class TokensAnalyzer:
    """``token_count``: tokens of the chunk, special tokens left out."""

    name = "tokens"
    scope: Literal["row", "corpus"] = "row"
    needs: frozenset[Need] = frozenset({"tokens"})
    columns = ("token_count",)
    measure = Measure(
        analyzer="tokens",
        column="token_count",
        side="both",
        reasons={"low": "too_short", "high": "too_long"},
        unit="tokens",
        calibrated=False,
    )

    def fit(self, sample: Sample) -> Fitted:
        """Learn nothing: fences come from the whole corpus' counts afterwards."""
        return Fitted({})

    def score(self, features: Features, state: Arrays) -> Arrays:
        """Give the counts."""
        return {"token_count": features.token_count}
