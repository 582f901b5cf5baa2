"""Card, calibrated and given limits: which values of a column are bad, and who says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval import registry
from chunkeval.calibration import calibrate
from chunkeval.config import PSEUDO_DOCUMENT
from chunkeval.fences import Fences, fences
from chunkeval.given import given_limits
from chunkeval.head import LABELS
from chunkeval.profiles import Profile, profile
from chunkeval.results import Calibration, Judgement, Limit, Measure, State
from chunkeval.sampling import documents_of
from chunkeval.shares import MIN_CHUNKS, MIN_DOCUMENTS, too_few

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from chunkeval.config import FlagConfig
    from chunkeval.labelled import FromLabels
    from chunkeval.results import Floats, Ints

    Bools = NDArray[np.bool_]

FEWEST_TO_SPEAK_OF_SIZE = 20
"""Chunks below which nothing is said of their all being of one size."""

CARD_TOPICS = 400
"""Number of topics the published limit on topic entropy was read at; at another there is none."""

REPEATS = 0.8
"""Rank correlation between fits of different seeds below which a measure flags nothing by itself."""


def judge(
    frame: pd.DataFrame, state: State, config: FlagConfig, labels: FromLabels | None = None
) -> tuple[Judgement, ...]:
    """Set each measure's limits on this corpus.

    Parameters
    ----------
    frame
        The scores, one row a chunk.
    state
        What ``fit`` learned; ``meta`` names the analyzers that ran, the embedder, the language, the number of topics.
    config
        Where limits come from, and those given by hand.
    labels
        Limits read off labelled chunks, and their head; limits given by hand come first.

    Returns
    -------
    tuple of Judgement
        One an analyzer that judges, in the order they ran. Card and calibration are there in every mode, so that all
        limits can be shown.

    Raises
    ------
    ConfigError
        A limit given by hand names no score column, a column whose analyzer did not run, or no valid value.

    Examples
    --------
    ``judge(scores.frame, scores.state, FlagConfig(limit={"tokens": "50:800"}))``
    """
    ran = tuple(state.meta["analyzers"])
    measures = [m for m in (_measure(name) for name in ran) if m is not None]
    head = labels.head if labels else None
    headed = ran if head is None else (*ran, LABELS.analyzer)
    given = {**(labels.limits if labels else {}), **given_limits(config.limit, headed)}
    untold = labels.untold if labels else {}
    documents = document_codes(frame)
    judged = (_judge(measure, given.get(measure.analyzer), frame, documents, state, config) for measure in measures)
    found = tuple(
        replace(one, notes=(untold[one.measure.analyzer], *one.notes))
        if one.measure.analyzer in untold and one.measure.analyzer not in given
        else one
        for one in judged
    )
    return found if head is None else (*found, Judgement(LABELS, given[LABELS.analyzer], None, None, head=head))


def document_codes(frame: pd.DataFrame) -> Ints:
    """Give each row its document's number, in the order of ids; unknown, a block of 20 neighbouring rows is one.

    Parameters
    ----------
    frame
        A table with ``doc_id``, in the input's order.

    Returns
    -------
    array of int64
        ``(n,)`` codes, those of unknown documents above all others.

    Examples
    --------
    >>> import pandas as pd
    >>> document_codes(pd.DataFrame({"doc_id": ["b", "a", None]}))
    array([1, 0, 2])
    """
    import pandas as pd

    codes, known = pd.factorize(frame["doc_id"], sort=True)
    unknown = np.flatnonzero(codes < 0)
    numbered = np.asarray(codes, dtype=np.int64).copy()
    numbered[unknown] = len(known) + unknown // PSEUDO_DOCUMENT
    return numbered


def column(frame: pd.DataFrame, name: str) -> Floats:
    """Take a score column as float64, NaN where not measured, rounded as it is written.

    Examples
    --------
    >>> import pandas as pd
    >>> column(pd.DataFrame({"token_count": pd.array([3, None], dtype="Int64")}), "token_count")
    array([ 3., nan])
    """
    return np.round(frame[name].to_numpy(dtype=np.float64, na_value=np.nan), 6)


def beyond(values: Floats, limit: Limit | None, inclusive: bool) -> tuple[Bools, Bools]:
    """Find the values below and above a limit, as two boolean arrays; NaN is neither.

    Examples
    --------
    >>> low, high = beyond(np.array([0.1, 0.4, np.nan]), Limit("similarity", "card", "", low=0.4), inclusive=False)
    >>> low.tolist(), high.tolist()
    ([True, False, False], [False, False, False])
    """
    nowhere = np.zeros(values.shape, dtype=bool)
    if limit is None:
        return nowhere, nowhere
    low = nowhere if limit.low is None else (values <= limit.low if inclusive else values < limit.low)
    high = nowhere if limit.high is None else (values >= limit.high if inclusive else values > limit.high)
    return low, high


def _measure(analyzer: str) -> Measure | None:
    found: Measure | None = getattr(registry.find("analyzers", analyzer), "measure", None)
    return found


def _judge(
    measure: Measure, given: Limit | None, frame: pd.DataFrame, documents: Ints, state: State, config: FlagConfig
) -> Judgement:
    notes: list[str] = []
    card = _card(measure, state, config, notes)
    calibration = _calibration(measure, frame, documents, state) if measure.calibrated else None
    found = fences(column(frame, measure.column)) if measure.column == "token_count" else None
    if given is not None:
        limit = given
    elif calibration is not None:
        limit = _learned(measure, card, calibration, frame, state, config, notes)
    elif measure.column == "token_count":
        limit = _iqr(measure, found, frame, notes)
    elif measure.fixed is not None:
        limit = _one_sided(measure, measure.column, "fixed", "the same for every corpus", measure.fixed)
    else:
        limit = card or _none(measure, "no limit is published for it")
    quartiles = (found.q1, found.median, found.q3) if found else None
    return Judgement(measure, limit, card, calibration, quartiles, tuple(notes))


def _iqr(measure: Measure, found: Fences | None, frame: pd.DataFrame, notes: list[str]) -> Limit:
    if found is None:
        return _none(measure, "nothing was counted")
    source = "Tukey fences of this corpus, 1.5 IQR beyond the quartiles"
    if found.fixed_size:
        source = "fences of this corpus, 25 % of the median beyond the quartiles"
    if found.fixed_size and len(frame) >= FEWEST_TO_SPEAK_OF_SIZE:
        notes.append(
            f"chunks are nearly all of one size (quartiles {found.q1:g} and {found.q3:g} tokens): the fences stand "
            f"at least 25 % of the median beyond the quartiles, else every document's last chunk would be flagged"
        )
    return Limit(measure.column, "iqr", source, found.low, found.high)


def _card(measure: Measure, state: State, config: FlagConfig, notes: list[str]) -> Limit | None:
    if measure.card_column is None or measure.card_value is None:
        return None
    topics = state.meta.get("num_topics")
    if measure.analyzer == "topics" and (topics != CARD_TOPICS or "topic_model" in state.meta):
        if config.limits == "card":
            notes.append(
                f"the published limit on {measure.card_column} was read at {CARD_TOPICS} topics: "
                f"at {topics} there is none, so nothing is flagged by it"
            )
        return None
    return _one_sided(measure, measure.card_column, "card", "published rule", measure.card_value)


def _calibration(measure: Measure, frame: pd.DataFrame, documents: Ints, state: State) -> Calibration:
    values = column(frame, measure.column)
    told = state.meta.get("calibrations", {}).get(measure.column)
    if told is not None:
        facts: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in told.items()}
        return Calibration(**facts)
    recombined = state.recombined.get(measure.column)
    if recombined is None:
        measured = int(np.isfinite(values).sum())
        return Calibration(
            measure.column,
            None,
            measured,
            0,
            why=state.meta.get("untold", {}).get(measure.analyzer, "its sentences were not recombined"),
        )
    rows = state.arrays["sample"]["rows"] if "sample" in state.arrays else np.arange(len(frame))
    values, documents = values[rows], documents[rows]
    found = calibrate(values, documents, recombined, measure, seed=int(state.meta.get("seed", 42)))
    families = state.meta.get("families", {})
    if found.tells or not families or found.measured < MIN_CHUNKS:
        return found
    return _counted_as_one(found, frame, rows[np.isfinite(values)], families)


def _counted_as_one(found: Calibration, frame: pd.DataFrame, rows: Ints, families: Mapping[str, str]) -> Calibration:
    """Say so where nothing could be learned since too few documents are left, those that are versions of others aside."""
    named = documents_of(frame["doc_id"].tolist())
    left = len({families.get(named[row], named[row]) for row in rows})
    if left >= min(MIN_DOCUMENTS, found.documents):
        return found
    return replace(found, documents=left, documents_before=found.documents, why=too_few(left, found.documents))


def _learned(
    measure: Measure,
    card: Limit | None,
    calibration: Calibration,
    frame: pd.DataFrame,
    state: State,
    config: FlagConfig,
    notes: list[str],
) -> Limit:
    """Choose among calibrated, profile and card, as the mode says."""
    if config.limits == "card":
        return card or _none(measure, "no published limit applies")
    why = _apart(state.meta.get("repeats", {}), measure.analyzer)
    if why is not None:
        notes.append(f"{why}; nothing is flagged by {measure.analyzer}, its scores are shown")
        return _none(measure, why)
    if calibration.tells:
        source = f"learned from {calibration.measured} chunks of {calibration.documents} documents, recombined"
        return _one_sided(measure, measure.column, "calibrated", source, calibration.limit)
    why = f"{measure.column} could not be calibrated: {calibration.why}"
    if config.limits == "calibrated":
        notes.append(f"{why}; nothing is flagged by {measure.analyzer}")
        return _none(measure, why)
    shipped = profile(str(state.meta.get("embedder")), str(state.meta.get("language")), measure.column)
    if shipped is not None:
        notes.append(f"{why}; the limit shipped for this embedder and language is used")
        return _shipped(measure, shipped)
    if card is None:
        notes.append(f"{why}; no other limit applies, so nothing is flagged by {measure.analyzer}")
        return _none(measure, f"{why}; no other limit applies")
    notes.append(f"{why}; the published limit is used")
    values = column(frame, card.column)
    low, high = beyond(values, card, config.inclusive)
    flagged, measured = int((low | high).sum()), int(np.isfinite(values).sum())
    if flagged * 2 > measured:
        notes.append(
            f"WARNING: the published limit {measure.card_value:g} on {card.column} flags {flagged} of {measured} "
            f"chunks, more than half: it does not fit here; give your own with --limit {card.column}=VALUE"
        )
    return card


def _apart(agreements: Mapping[str, float | None], analyzer: str) -> str | None:
    """Why nothing can be flagged by a measure whose fits do not agree; None where they do, or there is only one."""
    agreement = agreements.get(analyzer, 1.0)
    if agreement is None:
        return "too few chunks have content words, or all have the same value: there is nothing to rank, so whether fits agree is unknown"
    if agreement < REPEATS:
        return f"fits that differ in their seed alone rank the chunks alike by only {agreement:.2f} (Spearman; {REPEATS:g} is asked for)"
    return None


def _shipped(measure: Measure, shipped: Profile) -> Limit:
    source = f"shipped for {shipped.embedder} and language {shipped.language} (AUROC {shipped.auroc:.2f})"
    return _one_sided(measure, measure.column, "profile", source, shipped.limit)


def _one_sided(measure: Measure, name: str, rule: str, source: str, value: float | None) -> Limit:
    if measure.side == "high":
        return Limit(name, rule, source, high=value)
    return Limit(name, rule, source, low=value)


def _none(measure: Measure, source: str) -> Limit:
    return Limit(measure.column, "none", source)
