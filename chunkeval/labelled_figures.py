"""Every figure that labelled chunks give: how well each score column tells good from bad, and where its limit lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from chunkeval import evidence, head_figures, labelled, registry
from chunkeval.evidence import FEWEST, Labels
from chunkeval.given import score_columns
from chunkeval.head import LABELS
from chunkeval.limits import column
from chunkeval.summary import plain, versions

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from chunkeval.labels import Marks
    from chunkeval.results import Floats, Ints, Measure, Scores, Side

ALSO_WEIGHED = ("cut_gap",)
"""Columns that no limit is set on but that a head may weigh: what they tell depends on the others."""

FEWEST_DOCUMENTS = 10
"""Known documents below which chunks are resampled one by one."""

RULE = "the limit at which balanced accuracy, (share of bad flagged + share of good not flagged) / 2, is highest"


def figures(scores: Scores, marks: Marks, seed: int, notes: Sequence[str] = ()) -> dict[str, Any]:
    """Read the labelled rows' figures, column by column and together.

    Parameters
    ----------
    scores
        A row a chunk.
    marks
        Labels of the same rows, at least 20 of a kind.
    seed
        Of folds and resamples.
    notes
        What a reader should know, one sentence each.

    Returns
    -------
    dict
        Plain values: ``labelled`` (source, column, counts, documents), ``rule``, ``columns`` by name, the judging ones
        first (``auroc``, ``auroc_ci``, ``limit`` or ``why`` there is none, ``on_these`` and ``held_out`` as
        `evidence.rates` gives them, ``published`` where a rule is, ``roc``), ``head`` (as of a column, of all judging ones
        together; see `head_figures.figures`), ``together`` (flagged by any of the limits and the head),
        ``notes``, ``made_with``, ``settings``, ``versions``.
    """
    frame, state = scores.frame, scores.state
    ran = tuple(state.meta["analyzers"])
    seen = np.flatnonzero(marks.good | marks.bad)
    # The table's order must not decide who is held out with whom.
    seen = seen[np.argsort(frame["chunk_id"].to_numpy(dtype=str)[seen], kind="stable")]
    groups, documents = _groups(frame["doc_id"].iloc[seen])
    notes = list(notes)
    if documents < FEWEST_DOCUMENTS:
        notes.append(
            f"documents known: {documents}; under {FEWEST_DOCUMENTS}, chunks are resampled and held out one by one: where "
            f"those of a document are alike, intervals are too narrow and held-out figures too good"
        )
        groups = np.arange(seen.size)
    known = Labels.of(marks.bad[seen], groups, seed)
    measures = [
        m for m in (getattr(registry.find("analyzers", name), "measure", None) for name in ran) if m is not None
    ]
    judged = {measure.column: measure for measure in measures}
    columns: dict[str, Any] = {}
    seen_all: dict[str, NDArray[np.bool_]] = {}
    held_out: dict[str, NDArray[np.bool_] | None] = {}
    weighed: dict[str, Floats] = {}
    known_columns = score_columns()
    for name, (analyzer, side) in known_columns.items():
        if analyzer not in ran or name not in frame or frame[name].dtype.kind not in "iufb":
            continue
        values = column(frame, name)[seen]
        if name in judged or name in ALSO_WEIGHED:
            weighed[name] = values
        published = next((m for m in measures if m.card_column == name), None)
        found, flagged = _column(values, known, side, published)
        columns[name] = {"analyzer": analyzer, "judges": name in judged, **found}
        if name in judged and found["limit"] is not None:
            seen_all[name] = evidence.beyond(values, (found["limit"]["low"], found["limit"]["high"]))
            held_out[name] = flagged
    sides = {name: known_columns[name][1] for name in weighed}
    head, masks = head_figures.figures(weighed, judged, sides, known, held_out)
    if masks is not None:
        seen_all[LABELS.column], held_out[LABELS.column] = masks
    notes += _weaker_together(held_out, known)
    good, bad = marks.counts
    return cast(
        "dict[str, Any]",
        plain(
            {
                "schema": labelled.SCHEMA,
                "labelled": {
                    "source": marks.source,
                    "column": marks.column,
                    "read_as": marks.read_as,
                    "good": good,
                    "bad": bad,
                    "unused": int(len(frame) - seen.size),
                    "documents": documents,
                    "resampled_by": "document" if documents >= FEWEST_DOCUMENTS else "chunk",
                },
                "rule": RULE,
                "columns": dict(sorted(columns.items(), key=lambda item: not item[1]["judges"])),
                "head": head,
                "together": {
                    "on_these": _any(seen_all, known),
                    "held_out": _any(held_out, known),
                },
                "notes": notes,
                "made_with": labelled.made_with(scores.settings, state.meta),
                "settings": {**scores.settings, "seed": seed},
                "versions": versions(),
            }
        ),
    )


def _column(
    values: Floats, labels: Labels, side: Side, published: Measure | None
) -> tuple[dict[str, Any], NDArray[np.bool_] | None]:
    """Figures of one column, and how it judges held-out chunks."""
    measured = np.isfinite(values)
    here = labels.only(measured)
    bad = int(here.bad.sum())
    good = int(here.bad.size) - bad
    found: dict[str, Any] = {"side": side, "good": good, "bad": bad}
    nothing: dict[str, Any] = {
        "auroc": None,
        "auroc_ci": None,
        "limit": None,
        "on_these": None,
        "held_out": None,
        "roc": [],
    }
    if min(good, bad) < FEWEST:
        why = f"{good} good and {bad} bad chunks could be measured, {FEWEST} of each are needed"
        return {**found, **nothing, "why": why, "said": why}, None
    suspicious = evidence.suspicion(values[measured], here.bad, side)
    auroc, interval = evidence.auroc(suspicious, here)
    found |= {**nothing, "auroc": auroc, "auroc_ci": interval, "roc": evidence.curve(suspicious, here.bad)}
    if published is not None and published.card_value is not None:
        bounds = (published.card_value, None) if published.side == "low" else (None, published.card_value)
        found["published"] = {
            **dict(zip(("low", "high"), bounds, strict=True)),
            **evidence.rates(evidence.beyond(values[measured], bounds), here),
        }
    told = f"AUROC {auroc:.2f} [{interval[0]:.2f}, {interval[1]:.2f}]"
    if interval[0] <= 0.5:
        why = f"{told}: " + ("the wrong way round" if interval[1] < 0.5 else "no better than chance can be")
        return {**found, "why": why, "said": why}, None
    low, high = evidence.limits(values[measured], here.bad, side)
    if low is None and high is None:
        why = f"{told}: under {evidence.FEWEST_BEYOND} bad chunks lie beyond any limit"
        return {**found, "why": why, "said": why}, None
    flagged = evidence.held_out(values, labels, side)
    found |= {
        "limit": {"low": low, "high": high},
        "on_these": evidence.rates(evidence.beyond(values[measured], (low, high)), here),
        "held_out": None if flagged is None else evidence.rates(flagged[measured], here),
    }
    return {**found, "why": None, "said": f"{told}; {said(found)}"}, flagged


def _any(flagged: Mapping[str, NDArray[np.bool_] | None], labels: Labels) -> dict[str, Any] | None:
    """Rates of being flagged by any of the limits; None where one of them could not be held out."""
    masks = [mask for mask in flagged.values() if mask is not None]
    if len(masks) < len(flagged):
        return None
    return evidence.rates(np.any([np.zeros(labels.bad.size, dtype=bool), *masks], axis=0), labels)


def _weaker_together(flagged: Mapping[str, NDArray[np.bool_] | None], labels: Labels) -> list[str]:
    """Say where one limit alone judges better than all together: weak measures add more false flags than finds."""
    masks = {name: mask for name, mask in flagged.items() if mask is not None}
    if len(masks) < 2:
        return []
    alone = {name: evidence.balanced(mask, labels.bad) for name, mask in masks.items()}
    together = evidence.balanced(np.any(list(masks.values()), axis=0), labels.bad)
    best = max(alone, key=lambda name: alone[name])
    if alone[best] <= together:
        return []
    fix = "leave weaker measures out of the audit with --analyzers"
    if best == LABELS.column:
        fix = f"flag_{LABELS.analyzer} in scores.parquet is that judgement by itself"
    return [
        f"flagged by any of the limits, held-out balanced accuracy is {together:.2f}; by {best} alone it is "
        f"{alone[best]:.2f}: {fix}"
    ]


def said(found: Mapping[str, Any]) -> str:
    """What a judgement finds and flags wrongly, held out where that could be read.

    Examples
    --------
    >>> said({"held_out": {"recall": 0.9, "false_flags": 0.05}})
    'held out, it finds 90 % of the bad and flags 5 % of the good'
    """
    rates, where = (found["held_out"], "held out") if found["held_out"] else (found["on_these"], "on these very chunks")
    return (
        f"{where}, it finds {rates['recall']:.0%} of the bad and flags {rates['false_flags']:.0%} of the good".replace(
            "%", " %"
        )
    )


def _groups(names: pd.Series[Any]) -> tuple[Ints, int]:
    """Number each row's document, a row without one by itself; and count the known ones."""
    import pandas as pd

    codes, known = pd.factorize(names, sort=True)
    numbered = np.asarray(codes, dtype=np.int64).copy()
    unknown = numbered < 0
    numbered[unknown] = len(known) + np.arange(int(unknown.sum()))
    return numbered, len(known)
