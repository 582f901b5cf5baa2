"""``chunkeval calibrate``: limits from labelled chunks."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chunkeval.cli.audit import Source
from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import as_json, say, visible
from chunkeval.errors import ConfigError
from chunkeval.head import LABELS

OUT = "calibration.toml"


@takes(
    "load",
    "score",
    "calibrate",
    also=("preset", "out", "overwrite", "jobs", "batch", "cache"),
    without=("sample",),
    out=f"File for the limits, {OUT} where not given; all figures go to the .json of the same name.",
    overwrite="Replace files that are there.",
)
def calibrate_command(source: Source, /, *, given: Given) -> None:
    """Read limits off chunks that a person called good or bad, and say how far each can be trusted.

    For every measure the limit where balanced accuracy is highest; none where AUROC's interval reaches 0.5. The limits are used by
    --calibration of audit and flag.

    Parameters
    ----------
    source
        A chunk table with a label column, which is scored as an audit would; or a run's outliers.csv with its decision column filled
        (keep is good; drop, split, merge are bad), or the run's folder.
    """
    from chunkeval.calibrate import check_out, read_off

    out, overwrite = Path(given.config.run.out or OUT), given.config.run.overwrite
    outputs = check_out(out, overwrite=overwrite)
    if Path(source).resolve() in [path.resolve() for path in outputs]:
        raise ConfigError(f"--out {out} would replace the labels in {source}: name another file")
    found = read_off(source, given.config, given.progress(), given.stated)
    written = found.save(out, overwrite=overwrite)
    for note in found.facts["notes"]:
        say(visible(note), given)
    if given.console.json:
        sys.stdout.write(as_json(found.facts))
    elif not given.console.quiet:
        for line in lines(found.facts):
            print(visible(line))
        print(f"limits: {written[0]}, figures: {written[1]}")


def lines(facts: Mapping[str, Any]) -> list[str]:
    """The figures as a table: rates are those of held-out chunks."""
    about = facts["labelled"]
    words = ", ".join(f"{value} = {meaning}" for value, meaning in about["read_as"].items())
    head = ("", "good + bad", "AUROC", "bad", "finds", "flags of good", "precision", "balanced accuracy")
    rows = [head, *(_row(name, found) for name, found in facts["columns"].items() if found["judges"])]
    rows.append(_row(LABELS.column, facts["head"]))
    rows.append(("together", f"{about['good']} + {about['bad']}", "", "", *_rates(facts["together"])))
    rest = [_row(name, found) for name, found in facts["columns"].items() if not found["judges"]]
    published = [
        (
            f"published {name}",
            f"{found['good']} + {found['bad']}",
            "",
            _bad(found["published"]),
            *_rates({"held_out": found["published"]}),
        )
        for name, found in facts["columns"].items()
        if "published" in found
    ]
    widths = [max(len(row[i]) for row in (*rows, *rest, *published)) for i in range(len(head))]

    def laid(some: list[tuple[str, ...]]) -> list[str]:
        return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in some]

    judged = about["good"] + about["bad"]
    return [
        f"{about['good']:,} good and {about['bad']:,} bad chunks of {about['documents']:,} documents, column {about['column']}: {words}",
        f"95 % intervals by {about['resampled_by']}; rates on held-out chunks, precision at {about['bad'] / judged:.0%} bad ones",
        *laid(rows),
        *_head(facts["head"]),
        *(["not used as limits:", *laid([*rest, *published])] if rest or published else []),
    ]


def _head(found: Mapping[str, Any]) -> list[str]:
    """What the head weighs, or why there is none."""
    if found["limit"] is None:
        return [f"{LABELS.column}: not used: {found['why']}"]
    said = f"{LABELS.column}, of all columns together, flags what is good with a probability below {found['limit']['low']:g}; it weighs"
    return [said, *(f"  {line}" for line in found["weighs"]), f"  {found['missing']}"]


def _row(name: str, found: Mapping[str, Any]) -> tuple[str, ...]:
    measured = f"{found['good']} + {found['bad']}"
    auroc = "" if found["auroc"] is None else _with(found["auroc"], found["auroc_ci"])
    if found["limit"] is None:
        why = "cannot tell" if found["auroc"] is not None else f"cannot tell: {found['why']}"
        return (name, measured, auroc, why, "", "", "", "")
    return (name, measured, auroc, _bad(found["limit"]), *_rates(found))


def _bad(limit: Mapping[str, Any]) -> str:
    sides = (("below", limit["low"]), ("above", limit["high"]))
    return ", ".join(f"{word} {value:.6g}" for word, value in sides if value is not None)


def _rates(found: Mapping[str, Any]) -> tuple[str, ...]:
    rates = found["held_out"]
    if rates is None:
        return ("cannot be held out", "", "", "")
    names = ("recall", "false_flags", "precision", "balanced_accuracy")
    return tuple("none" if rates[name] is None else _with(rates[name], rates[f"{name}_ci"]) for name in names)


def _with(value: float, interval: list[float]) -> str:
    return f"{value:.2f} [{interval[0]:.2f}, {interval[1]:.2f}]"
