"""A head as the ``[head]`` table of a calibration's file, and as a column of a run's scores.

::

    [head]
    columns = ["token_count", "similarity_centred"]
    forms = ["log", "plain"]                # log(1 + value), log odds ("logit"), or as it is
    centre = [4.61, 0.142]                  # the good chunks' mean: what counts where a column was not measured
    scale = [0.31, 0.055]                   # standard deviation
    weights = [0.4, 1.9]                    # a standard deviation, in log odds of being good
    intercept = 1.2
    limit = 0.5                             # flagged where a chunk is good with less than this probability
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chunkeval.errors import ConfigError, unknown_name
from chunkeval.given import score_columns
from chunkeval.head import FORMS, LABELS, Head
from chunkeval.limits import column

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.results import Judgement

LISTS = ("columns", "forms", "centre", "scale", "weights")
KEYS = (*LISTS, "intercept", "limit")

WANTED = {
    "forms": f"one of {', '.join(FORMS)}",
    "centre": "a number",
    "scale": "a number above 0",
    "weights": "a number",
    "intercept": "a number",
    "limit": "a probability between 0 and 1",
}


def weighed(frame: pd.DataFrame, judgements: Sequence[Judgement]) -> pd.DataFrame:
    """Add what the judgements' head makes of a table's scores; the table itself where they have none.

    Parameters
    ----------
    frame
        Scores, a row a chunk, with the head's columns.
    judgements
        Of this table or of an earlier one.
    """
    for judgement in judgements:
        if judgement.head is not None:
            values = {name: column(frame, name) for name in judgement.head.columns}
            return frame.assign(**{LABELS.column: judgement.head.probability(values)})
    return frame


def read_head(path: str, facts: Mapping[str, Any], ran: Sequence[str]) -> Head:
    """Read a ``[head]`` table, perhaps edited since it was written.

    Parameters
    ----------
    path
        Its file, named in errors.
    facts
        The table.
    ran
        Analyzers that ran.

    Raises
    ------
    ConfigError
        A key is missing, unknown or of the wrong kind, or the analyzer of a column did not run; the message names the key
        and the fix.

    Examples
    --------
    >>> facts = {"columns": ["token_count"], "forms": ["log"], "centre": [4.6], "scale": [0.3], "weights": [1.0]}
    >>> read_head("x.toml", {**facts, "intercept": 0.0, "limit": 0.5}, ("tokens",)).limit
    0.5
    """
    fix = "write it as `chunkeval calibrate` does, or take [head] out"
    for key in facts:
        if key not in KEYS:
            raise ConfigError(f"{path}: head.{key}: {unknown_name('key', key, KEYS)}")
    for key in KEYS:
        if key not in facts:
            raise ConfigError(f"{path}: head.{key} is missing: {fix}")
    columns = facts["columns"]
    if not _names(columns):
        raise ConfigError(f"{path}: head.columns must list score columns, each once, not {columns!r}: {fix}")
    for key in LISTS:
        if not isinstance(facts[key], list) or len(facts[key]) != len(columns):
            raise ConfigError(f"{path}: head.{key} must list a value for each of the {len(columns)} columns: {fix}")
        for name, value in zip(columns, facts[key], strict=True):
            if not _fits(key, value):
                raise ConfigError(f"{path}: head.{key} of {name} must be {WANTED[key]}, not {value!r}: {fix}")
    for key in ("intercept", "limit"):
        if not _fits(key, facts[key]):
            raise ConfigError(f"{path}: head.{key} must be {WANTED[key]}, not {facts[key]!r}: {fix}")
    _ran(path, columns, ran)
    centre, scale, weights = (tuple(map(float, facts[key])) for key in ("centre", "scale", "weights"))
    forms = tuple(facts["forms"])
    return Head(tuple(columns), forms, centre, scale, weights, float(facts["intercept"]), float(facts["limit"]))


def head_lines(found: Mapping[str, Any]) -> list[str]:
    """Write a fitted head as the lines that `read_head` reads, below what it was found to do; none where it is not used."""
    if found["limit"] is None:
        return []
    lists = [f"{key} = [{', '.join(_written(value) for value in found[key])}]" for key in LISTS]
    return [
        "",
        "# One head over all columns: the probability that a chunk is good, were there as many good ones as bad.",
        f"# {found['said']}",
        *(f"# {line}" for line in found["weighs"]),
        "[head]",
        *lists,
        f"intercept = {_written(found['intercept'])}",
        f"limit = {_written(found['limit']['low'])}",
    ]


def _ran(path: str, columns: Sequence[str], ran: Sequence[str]) -> None:
    known = score_columns()
    for name in columns:
        if name not in known:
            raise ConfigError(f"{path}: head.columns: {unknown_name('score column', name, known)}")
        if known[name][0] not in ran:
            raise ConfigError(
                f"{path}: head.columns: {name} needs the analyzer {known[name][0]!r}, which did not run "
                f"(ran: {', '.join(ran)}): add it to --analyzers or take [head] out of the file"
            )


def _names(columns: Any) -> bool:
    if not isinstance(columns, list) or not all(isinstance(name, str) for name in columns):
        return False
    return 0 < len(columns) == len({*columns})


def _fits(key: str, value: Any) -> bool:
    if key in ("columns", "forms"):
        return isinstance(value, str) and (key == "columns" or value in FORMS)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    return value > 0 if key == "scale" else 0 < value < 1 if key == "limit" else True


def _written(value: str | float) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(float(value))
