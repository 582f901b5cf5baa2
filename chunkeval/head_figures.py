"""A head fitted on labelled chunks, and whether it judges better than each column does by its own limit.

What is said of it is said of heads that were fitted without the chunk's fold; the head in use is fitted on all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval import evidence
from chunkeval.evidence import FEWEST, FOLDS, Labels
from chunkeval.head import LABELS, Head, shaped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Floats, Measure, Side

    Bools = NDArray[np.bool_]

PENALTY = 1.0
"""Weight of the chunks against that of small weights: scikit-learn's C."""

MEANT: Mapping[Side, int] = {"low": 1, "high": -1, "both": 0}
"""Sign of a weight that says what its column means; where both sides can be bad, the labels say which."""

DIGITS = 10
"""Significant digits of the numbers in a head."""


def form_of(measure: Measure | None, column: str) -> str:
    """Say how a column's values enter; see `head.FORMS`.

    Examples
    --------
    >>> form_of(None, "token_count"), form_of(None, "cut_gap")
    ('log', 'plain')
    """
    if column == "token_count":
        return "log"
    return "logit" if measure is not None and measure.probability else "plain"


def fit(values: Mapping[str, Floats], forms: Mapping[str, str], sides: Mapping[str, Side], bad: Bools) -> Head | None:
    """Fit a logistic head; good and bad chunks weigh the same together.

    Parameters
    ----------
    values
        Column to its values, (n,), NaN where not measured: counts as the good chunks' mean.
    forms
        How each enters.
    sides
        Which side of each is bad. A column that would be weighed against its meaning, only to correct others, is left out:
        that holds for chunks like the labelled ones alone.
    bad
        (n,)

    Returns
    -------
    Head or None
        None where no column is left.
    """
    from sklearn.linear_model import LogisticRegression

    shown = {name: shaped(values[name], forms[name]) for name in values}
    spread = {name: told for name, one in shown.items() if (told := _spread(one, bad)) is not None}
    names = list(spread)
    while names:
        centre, scale = (np.array([spread[name][i] for name in names]) for i in range(2))
        each = np.nan_to_num((np.stack([shown[name] for name in names], axis=1) - centre) / scale)
        model = LogisticRegression(C=PENALTY, class_weight="balanced", solver="newton-cholesky", tol=1e-8, max_iter=200)
        weights = model.fit(each, ~bad).coef_[0]
        against = np.array([min(weight * MEANT[sides[name]], 0.0) for name, weight in zip(names, weights, strict=True)])
        if not against.any():
            near, wide, heavy, [intercept] = map(_short, (centre, scale, weights, model.intercept_))
            return Head(tuple(names), tuple(forms[name] for name in names), near, wide, heavy, intercept)
        del names[int(np.argmin(against))]
    return None


def held_out(
    values: Mapping[str, Floats], forms: Mapping[str, str], sides: Mapping[str, Side], labels: Labels
) -> Floats | None:
    """Probability of being good by a head that was fitted without the chunk's fold.

    Returns
    -------
    (n,) or None
        NaN where none of the head's columns was measured. None where some four folds hold only good or only bad chunks.
    """
    found = np.full(labels.bad.size, np.nan)
    for fold in range(FOLDS):
        here = labels.folds == fold
        if not 0 < labels.bad[~here].sum() < (~here).sum():
            return None
        head = fit({name: one[~here] for name, one in values.items()}, forms, sides, labels.bad[~here])
        if head is not None:
            found[here] = head.probability({name: one[here] for name, one in values.items()})
    return found


def figures(
    values: Mapping[str, Floats],
    measures: Mapping[str, Measure],
    sides: Mapping[str, Side],
    labels: Labels,
    alone: Mapping[str, Bools | None],
) -> tuple[dict[str, Any], tuple[Bools, Bools] | None]:
    """Fit a head on all columns and say what it finds.

    Parameters
    ----------
    values
        Column to the labelled chunks' values.
    measures
        Column to its measure, of those that judge.
    sides
        Column to its bad side.
    labels
        Of the same chunks.
    alone
        Column to how its own limit judges held-out chunks, where it has one.

    Returns
    -------
    dict
        As of a column: ``good``, ``bad``, ``auroc``, ``auroc_ci``, ``limit`` or ``why`` it is not used, ``on_these``,
        ``held_out``, ``roc``. Also the head's numbers, and in words ``weighs`` and ``missing``, what counts where a column was
        not measured.
    two of (n,) bool, or None
        How it judges these very chunks and how held out, where it is used.
    """
    bad = labels.bad
    found: dict[str, Any] = {
        **{"analyzer": LABELS.analyzer, "judges": False, "side": LABELS.side},
        **{"good": int((~bad).sum()), "bad": int(bad.sum())},
        **dict.fromkeys(("auroc", "auroc_ci", "limit", "on_these", "held_out")),
        **{"roc": [], "weighs": [], "missing": "where a column was not measured, the mean of the good chunks counts"},
    }

    def unused(why: str) -> tuple[dict[str, Any], None]:
        return {**found, "why": why, "said": why}, None

    enough = {name: one for name, one in values.items() if _enough(one, bad)}
    forms = {name: form_of(measures.get(name), name) for name in enough}
    head = fit(enough, forms, sides, bad) if enough else None
    if head is None or len(head.columns) < 2:
        told = "none" if head is None else f"only {head.columns[0]}"
        return unused(f"of the columns, {told} could be weighed in its own sense: there is nothing to put together")
    found |= {**asdict(head), "limit": None, "weighs": [_weighs(head, i) for i in range(len(head.columns))]}
    probability = held_out(enough, forms, sides, labels)
    if probability is None:
        return unused("the labelled chunks cannot be held out: some four folds have only good or only bad ones")
    known = np.isfinite(probability)
    here = labels.only(known)
    flagged = evidence.beyond(probability, (head.limit, None))
    auroc, interval = evidence.auroc(-probability[known], here)
    found |= {"good": int((~here.bad).sum()), "bad": int(here.bad.sum()), "auroc": auroc, "auroc_ci": interval}
    found |= {"roc": evidence.curve(-probability[known], here.bad), "held_out": evidence.rates(flagged[known], here)}
    fitted = evidence.beyond(head.probability(enough), (head.limit, None))
    found["on_these"] = evidence.rates(fitted[known], here)
    told = f"AUROC held out {auroc:.2f} [{interval[0]:.2f}, {interval[1]:.2f}]"
    if interval[0] <= 0.5:
        return unused(f"{told}: no better than chance can be")
    mine = evidence.balanced(flagged, bad)
    others = {name: evidence.balanced(mask, bad) for name, mask in alone.items() if mask is not None}
    best = max(others, key=lambda name: others[name], default=None)
    if best is not None and others[best] > mine:
        return unused(f"{told}: held-out balanced accuracy {mine:.3f}, by the limit on {best} alone {others[best]:.3f}")
    found |= {"judges": True, "limit": {"low": head.limit, "high": None}, "why": None}
    rates = found["held_out"]
    said = f"held out, it finds {rates['recall']:.0%} of the bad and flags {rates['false_flags']:.0%} of the good"
    return {**found, "said": f"{told}; {said.replace('%', ' %')}"}, (fitted, flagged)


def _spread(shown: Floats, bad: Bools) -> tuple[float, float] | None:
    """Mean of the good chunks and standard deviation of all; None where nothing can be told by them."""
    known = np.isfinite(shown)
    good = shown[known & ~bad]
    scale = float(shown[known].std()) if good.size else 0.0
    return (float(good.mean()), scale) if scale > 1e-9 else None


def _enough(values: Floats, bad: Bools) -> bool:
    known = np.isfinite(values)
    return bool(min((known & bad).sum(), (known & ~bad).sum()) >= FEWEST)


def _weighs(head: Head, i: int) -> str:
    weight = head.weights[i]
    side = "low" if weight > 0 else "high"
    return f"{head.columns[i]}: {side} speaks against a chunk, {abs(weight):.2f} a standard deviation"


def _short(numbers: Floats) -> tuple[float, ...]:
    return tuple(float(f"{number:.{DIGITS}g}") for number in numbers)
