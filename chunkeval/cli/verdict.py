"""What ``audit`` and ``flag`` say in the end, and the gate they go through."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chunkeval.cli.options import Given
from chunkeval.cli.speak import as_json, say, visible
from chunkeval.gates import MaxFlagged


def gate_of(given: Given) -> MaxFlagged | None:
    """Read the stated gate, before any work is done."""
    stated = given.config.report.max_flagged
    return None if stated is None else MaxFlagged.parse(stated)


def check_gate(gate: MaxFlagged | None, summary: Mapping[str, Any]) -> None:
    """Fail where the gate does not hold; with a baseline it is about what is new."""
    if gate is None:
        return
    new = summary.get("new")
    flagged = summary["flagged"] if new is None else new["flagged"]
    gate.check(flagged, summary["chunks"], "flagged" if new is None else "newly flagged")


def tell(summary: Mapping[str, Any], out: Path, given: Given) -> None:
    """Print the summary with ``--json``, else the verdict and where the report is; warnings go to standard error."""
    for name, facts in summary["analyzers"].items():
        for note in facts.get("notes", ()):
            say(f"{name}: {visible(note)}", given)
    for note in summary.get("notes", ()):
        say(visible(note), given)
    if given.console.json:
        sys.stdout.write(as_json(summary))
    elif not given.console.quiet:
        print(visible(summary["verdict"]))
        print(f"report: {out / 'report.html'}")
