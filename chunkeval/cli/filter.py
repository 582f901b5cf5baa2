"""``chunkeval filter``: the table without what is bad."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import as_json, say
from chunkeval.errors import ConfigError

Decisions = Annotated[str | None, Parameter(name="--decisions", show_default=False)]


@takes(
    also=("out", "overwrite"),
    out="Table to write: .parquet, .jsonl or .csv; what was left out goes beside it.",
    overwrite="Replace tables that are there.",
)
def filter_command(run: str, /, *, decisions: Decisions = None, given: Given) -> None:
    """Write the table without what is flagged, and beside it what was left out, with its reasons.

    Where a person filled the decision column of the outlier list, that holds: keep stays; drop, split and merge go.

    Parameters
    ----------
    run
        Folder of the run.
    decisions
        An outlier list with decisions; the run's own outliers.csv where not given.
    """
    from chunkeval.decisions import current
    from chunkeval.filter import filter_run
    from chunkeval.runs import open_run

    out = given.config.run.out
    if out is None:
        raise ConfigError("name the table to write, as in --out kept.parquet")
    opened = open_run(Path(run))
    decided = current(opened, Path(decisions) if decisions is not None else None)
    done = filter_run(opened, Path(out), decided, overwrite=given.config.run.overwrite)
    if given.console.json:
        print(as_json(done.to_dict()), end="")
    by_hand = f" ({done.kept_by_hand:,} kept, {done.left_out_by_hand:,} left out by hand)" if done.decided else ""
    chunks = "chunk" if done.kept == 1 else "chunks"
    say(f"{done.kept:,} {chunks} to {done.out}, {done.left_out:,} to {done.left_out_path}{by_hand}", given)
