"""What the differences are worth: the declared metric, decided document by document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkeval.compare.measures import GOLD, INTRINSIC, Better, Measured
from chunkeval.compare.questions import ASKED, Answered
from chunkeval.errors import InputError
from chunkeval.statistics.flags import FlagEvidence, flags_matter
from chunkeval.statistics.verdict import Verdict, compare_paired

if TYPE_CHECKING:
    import pandas as pd

BETTER: Mapping[str, Better] = {**INTRINSIC, **GOLD, **ASKED}
"""Every metric, and which end of it is good."""


@dataclass(frozen=True)
class Decision:
    """The verdict on one metric, and what else the figures say."""

    metric: str
    verdict: Verdict | None
    """None where no document or question has a value for every strategy."""
    values: Mapping[str, Mapping[str, float | None]]
    """Strategy to document to its mean."""
    evidence: tuple[FlagEvidence, ...]
    """Whether questions answered in flagged chunks fare worse."""


def decided(metric: str, found: Mapping[str, Measured], answered: Answered | None, *, seed: int) -> Decision:
    """Decide the declared metric.

    Parameters
    ----------
    metric
        Declared before the figures were seen.
    found
        Each strategy's figures without questions.
    answered
        The questions; a metric that needs none is decided by document also where there are some.
    seed
        Of the bootstrap.
    """
    if metric in ASKED:
        assert answered is not None
        frame = answered.frame
    else:
        frame = _by_document(metric, found)
    verdict: Verdict | None
    try:
        verdict = compare_paired(frame, metric, higher_is_better=BETTER[metric] == "higher", seed=seed)
    except InputError:
        verdict = None
    means = frame.groupby(["strategy", "doc_id"], sort=False, as_index=False)[metric].mean()
    values: dict[str, dict[str, float | None]] = {name: {} for name in found}
    for strategy, doc, value in means.itertuples(index=False, name=None):
        values[strategy][doc] = round(float(value), 6) if value == value else None
    evidence = flags_matter(answered.frame, seed=seed) if answered is not None else ()
    return Decision(metric, verdict, values, evidence)


def _by_document(metric: str, found: Mapping[str, Measured]) -> pd.DataFrame:
    import pandas as pd

    parts = [
        pd.DataFrame(
            {
                "strategy": name,
                "question_id": one.documents.index.astype(object),
                "doc_id": one.documents.index.astype(object),
                metric: one.documents[metric].to_numpy(float) if metric in one.documents else float("nan"),
            }
        )
        for name, one in found.items()
    ]
    return pd.concat(parts, ignore_index=True)
