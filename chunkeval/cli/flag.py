"""``chunkeval flag``: other limits on an existing run."""

from __future__ import annotations

import time
from pathlib import Path

from chunkeval.cli.options import Given, takes
from chunkeval.cli.verdict import check_gate, gate_of, tell


@takes(
    "flag",
    "report",
    also=("preset", "out", "overwrite"),
    out="Put the judged run there and leave this one as it is.",
)
def flag_command(run: str, /, *, given: Given) -> None:
    """Judge an existing run by new limits; nothing is scored again.

    Flags, outliers, summary and report are rewritten. Limits that are not stated are the defaults, whatever the run had before.
    Decisions in outliers.csv are carried over.

    Parameters
    ----------
    run
        Folder of the run.
    """
    gate = gate_of(given)
    from chunkeval import decisions, flags, outputs, runs
    from chunkeval.breakdown import check_by
    from chunkeval.summary import Extras

    began = time.monotonic()
    opened = runs.open_run(Path(run))
    decided = decisions.current(opened)
    report, out = given.config.report, given.config.run.out
    scores = opened.flags.scores
    if report.by is not None:
        check_by(scores.chunks.path, report.by)
    judged = flags.flag(scores, given.config.flag)
    target = Path(out) if out is not None else opened.path
    elsewhere = target.resolve() != opened.path.resolve()
    extras = Extras(
        by=report.by,
        baseline=report.baseline,
        known=runs.flagged_in(Path(report.baseline)) if report.baseline is not None else frozenset(),
        run={**opened.summary.get("run", {}), "out": str(target)},
        seconds={"flag": time.monotonic() - began},
        rechunk=opened.summary.get("rechunk"),
        lanes=opened.lanes,
    )
    with runs.writing(target, overwrite=given.config.run.overwrite or not elsewhere) as folder:
        runs.carry(opened.path, folder, frozenset({runs.CHUNKS, runs.CHANGES}))
        summary = outputs.write(
            judged,
            folder,
            lang=report.lang,
            extras=extras,
            decisions=decided,
            embed=report.embed,
            redact=report.redact,
        )
    tell(summary, target, given)
    check_gate(gate, summary)
