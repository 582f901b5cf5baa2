"""Scores and limits to judgements: which chunks are bad, why, how badly, and what to do about each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.bounds import share_of
from chunkeval.budget import keep_within
from chunkeval.config import FlagConfig
from chunkeval.head import ENDS
from chunkeval.labelled import from_labels
from chunkeval.labelled_head import weighed
from chunkeval.limits import beyond, column, judge
from chunkeval.results import TRAITS, Flags

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from chunkeval.results import Floats, Judgement, Mark, Scores, State

    Bools = NDArray[np.bool_]

REASONS = (
    "blank",
    "duplicate",
    "near_duplicate",
    "not_prose",
    "too_long",
    "over_context",
    "incoherent",
    "many_topics",
    "heading_inside",
    "too_short",
    "tail",
    "starts_mid_sentence",
    "ends_mid_sentence",
    "cut_table",
    "cut_code",
    "heading_at_end",
    "subheading_inside",
    "points_back",
    "boilerplate",
    "competitors",
    "like_bad",
    "one_sentence",
    "no_spaces",
    "nul_bytes",
    "replacement_chars",
    "mojibake",
)
"""Reason codes in the order they are listed; those of other analyzers follow in the order they come."""

SUGGESTIONS: Mapping[str, str] = {
    "blank": "drop",
    "duplicate": "drop",
    "not_prose": "review",
    "too_long": "split",
    "over_context": "split",
    "incoherent": "split",
    "many_topics": "split",
    "heading_inside": "split",
    "too_short": "merge",
    "tail": "merge",
    "starts_mid_sentence": "merge",
    "ends_mid_sentence": "merge",
    "cut_table": "merge",
    "cut_code": "merge",
    "heading_at_end": "merge",
}
"""What to do about a reason, first of the list wins; ``review`` for every other reason."""

UNSAID = ("prefix", "overlap")
"""Traits that tell how a chunk was scored, not what is wrong with it: no reasons."""

SHORTEST_PIECE = 20
"""Code points that a suggested cut leaves on either side at least: less is a scrap of the neighbour, not a part."""

INERT = ("one_sentence", "subheading_inside", "points_back")
"""Reasons why something was not measured, and weak ones: alone they suggest nothing."""


def flag(scores: Scores, config: FlagConfig | None = None, *, judgements: tuple[Judgement, ...] | None = None) -> Flags:
    """Judge every chunk.

    Adds ``flag_<analyzer>`` for each analyzer that judges, ``flag_<analyzer>_card`` where it has a published rule
    (whatever limits are in use; False where the rule does not apply), ``flagged``, ``reasons`` (list of codes in the
    order of ``REASONS``), ``severity`` (0 to 1, 6 decimals), ``suggestion`` (``drop``, ``review``, ``split``,
    ``merge``, or the empty string where there is nothing to do) and ``suggested_cuts`` (list of code-point offsets in
    the chunk's text). None of them is ever null. What was not measured is not flagged; a blank chunk always is.
    Traits of the text and ``over_context`` are reasons that do not flag.

    Parameters
    ----------
    scores
        One row a chunk, and the state that gave them. Nothing is scored again.
    config
        Where limits come from; the defaults where not given.
    judgements
        Limits of an earlier run, which then hold as they are; nothing is learned from these scores.

    Returns
    -------
    Flags
        A new frame, in the input's order. Flag columns that the scores' frame has already are replaced.

    Raises
    ------
    ConfigError
        A limit given by hand is not valid, or the calibration's file is not, or does not fit these scores.

    Examples
    --------
    ``flags = flag(scores, FlagConfig(limits="card"))``
    """
    config = config or FlagConfig()
    frame, state = scores.frame, scores.state
    if judgements is None:
        labels = from_labels(config.calibration, scores.settings, state.meta) if config.calibration else None
        judged = judge(frame, state, config, labels)
        allowed = share_of(config.false_flags)
        assert allowed is not None
        free = judge(frame, state, replace(config, limit={}), labels) if config.limit else judged
        judgements, false_flags = keep_within(frame, state, free, judged, allowed)
    else:
        false_flags = None
    frame, rows = weighed(frame, judgements), len(frame)
    columns: dict[str, Any] = {}
    reasons: dict[str, Bools] = {}
    good = np.ones(rows)
    flagged = np.zeros(rows, dtype=bool)
    for judgement in judgements:
        name = judgement.measure.analyzer
        values = column(frame, judgement.limit.column)
        low, high = beyond(values, judgement.limit, config.inclusive)
        flags = low | high
        for side, where in (("low", low), ("high", high)):
            code = _reason(judgement, side)
            if code and where.any():
                reasons[code] = reasons.get(code, np.zeros(rows, dtype=bool)) | where
        good *= 1 - _severity(values, low, high, judgement, state)
        for mark, where in marked(frame, judgement).items():
            reasons[mark.reason] = reasons.get(mark.reason, np.zeros(rows, dtype=bool)) | where
            if mark.flags:
                flags = flags | where
                good[where] = 0
        columns[f"flag_{name}"] = flags
        if judgement.measure.card_column is not None:
            columns[f"flag_{name}_card"] = _card(frame, judgement, config.inclusive)
        flagged |= flags

    traits = _traits(frame, state)
    blank = traits["blank"]
    reasons |= traits
    if "too_short" in reasons:
        last = _last_of_document(frame)
        reasons["tail"] = reasons["too_short"] & last
        reasons["too_short"] = reasons["too_short"] & ~last
    context = state.meta.get("context")
    if context is not None and "token_count" in frame:
        reasons["over_context"] = column(frame, "token_count") > context
    listed, suggestion = _listed(reasons, rows)

    columns["flagged"] = flagged | blank
    columns["reasons"] = listed
    columns["severity"] = np.round(1 - np.where(blank, 0.0, good), 6)
    columns["suggestion"] = suggestion
    columns["suggested_cuts"] = cuts_of(frame, state, suggestion == "split")
    kept = frame.drop(columns=[c for c in frame.columns if c in columns or str(c).startswith("flag_")])
    settings = {**vars(config), "limit": dict(config.limit)}
    return Flags(kept.assign(**columns), judgements, scores, settings, false_flags)


def _card(frame: pd.DataFrame, judgement: Judgement, inclusive: bool) -> Bools:
    if judgement.card is None:
        return np.zeros(len(frame), dtype=bool)
    low, high = beyond(column(frame, judgement.card.column), judgement.card, inclusive)
    return low | high


def _reason(judgement: Judgement, side: str) -> str | None:
    """Reason code of a side, if the limit has one; a limit given on a measure's good side has only the other one's."""
    known = judgement.measure.reasons
    own = (mark.reason for mark in judgement.measure.marks if mark.column == judgement.limit.column)
    return next(own, None) or known.get(side) or next(iter(known.values()), None)


def marked(frame: pd.DataFrame, judgement: Judgement) -> dict[Mark, Bools]:
    """Say where a measure's marks hold; not those that a limit given by hand has taken the place of."""
    found = {}
    for mark in judgement.measure.marks:
        if mark.column != judgement.limit.column and mark.column in frame:
            values = column(frame, mark.column)
            if mark.bit is not None:
                found[mark] = (np.nan_to_num(values).astype(np.int64) >> mark.bit & 1).astype(bool)
            elif mark.above is not None:
                found[mark] = values > mark.above
    return found


def _severity(values: Floats, low: Bools, high: Bools, judgement: Judgement, state: State) -> Floats:
    limit = judgement.limit
    severity = np.zeros(values.shape)
    if not (low.any() or high.any()):
        return severity
    ends = ENDS if judgement.head is not None else state.meta.get("percentiles", {}).get(limit.column)
    first, last = ends if ends is not None else np.nanpercentile(values, [1, 99])
    for where, bound, end, away in ((low, limit.low, first, -1), (high, limit.high, last, 1)):
        if bound is not None and where.any():
            distance = (end - bound) * away
            severity[where] = np.clip((values[where] - bound) * away / distance, 0, 1) if distance > 0 else 1.0
    return severity


def _traits(frame: pd.DataFrame, state: State) -> dict[str, Bools]:
    """Masks of the traits that are reasons; a blank chunk has no other."""
    bits = state.arrays["text"]["traits"] if "text" in state.arrays else np.zeros(len(frame), dtype=np.uint16)
    masks = {name: (bits >> i & 1).astype(bool) for i, name in enumerate(TRAITS) if name not in UNSAID}
    unmeasured = np.isnan(column(frame, "similarity")) if "similarity" in frame else np.zeros(len(frame), dtype=bool)
    masks["one_sentence"] &= unmeasured
    return {name: mask if name == "blank" else mask & ~masks["blank"] for name, mask in masks.items()}


def _last_of_document(frame: pd.DataFrame) -> Bools:
    """Find each known document's last chunk by position; a document of one chunk has no tail."""
    known = frame["doc_id"].notna().to_numpy()
    positions = frame.groupby("doc_id", sort=False)["position"]
    last, first = positions.transform("max"), positions.transform("min")
    found: Bools = known & (last != first).to_numpy(dtype=bool, na_value=False)
    found &= frame["position"].to_numpy() == last.to_numpy(dtype=np.float64, na_value=np.nan)
    return found


def _listed(reasons: Mapping[str, Bools], rows: int) -> tuple[NDArray[np.object_], NDArray[np.object_]]:
    """Turn a mask a reason into a list of codes and a suggestion a row."""
    names = [r for r in REASONS if r in reasons] + [r for r in reasons if r not in REASONS]
    code = np.zeros(rows, dtype=np.int64)
    for i, name in enumerate(names):
        code |= reasons[name].astype(np.int64) << i
    distinct, which = np.unique(code, return_inverse=True)
    sets = [[name for i, name in enumerate(names) if int(c) >> i & 1] for c in distinct]
    listed = np.empty(rows, dtype=object)
    listed[:] = [list(sets[k]) for k in which]
    suggested = np.array([_suggestion(s) for s in sets], dtype=object)
    return listed, suggested[which] if rows else np.empty(0, dtype=object)


def _suggestion(reasons: list[str]) -> str:
    for reason, suggestion in SUGGESTIONS.items():
        if reason in reasons:
            return suggestion
    return "review" if any(r not in INERT for r in reasons) else ""


def cuts_of(frame: pd.DataFrame, state: State, wanted: Bools) -> NDArray[np.object_]:
    """Give wanted chunks the place where another section begins in them, else the start of the sentence at their weakest cut.

    Others, and those that would leave a scrap, get none.

    Parameters
    ----------
    frame
        Scores, a row a chunk.
    state
        Holds the chunks' sentences.
    wanted
        (n,)

    Returns
    -------
    (n,) lists of int
        Code points of the chunk's text; one at most.
    """
    cuts = np.empty(len(frame), dtype=object)
    cuts[:] = [[] for _ in range(len(frame))]
    if "text" not in state.arrays:
        return cuts
    text = state.arrays["text"]
    offsets, starts, ends = text["sentence_offsets"], text["sentence_start"], text["sentence_end"]
    for name in ("weakest_cut", "heading_cut"):  # a heading is better evidence, so it comes last
        if name not in frame:
            continue
        places = column(frame, name)
        rows = np.flatnonzero(wanted & np.isfinite(places) & (offsets[1:] > offsets[:-1]))
        cut = places[rows].astype(np.int64)
        if name == "weakest_cut":
            sentence = offsets[rows] + cut
            inside = (cut >= 1) & (sentence < offsets[rows + 1])
            rows, cut = rows[inside], starts[sentence[inside]].astype(np.int64)
        left, right = cut - starts[offsets[rows]], ends[offsets[rows + 1] - 1] - cut
        worth = np.minimum(left, right) >= SHORTEST_PIECE
        for row, start in zip(rows[worth], cut[worth], strict=True):
            cuts[row] = [int(start)]
    return cuts
