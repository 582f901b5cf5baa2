"""``chunkeval audit``: the whole road."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from chunkeval.cli.options import Given, takes
from chunkeval.cli.verdict import check_gate, gate_of, tell

Source = Annotated[str, Parameter(allow_leading_hyphen=True)]


@takes("load", "score", "flag", "report", "run", also=("preset",))
def audit_command(source: Source, /, *, given: Given) -> None:
    """Audit a chunk table: scores, limits, flags, and a folder with a report, plots and an outlier list.

    Parameters
    ----------
    source
        A file (csv, tsv, json, jsonl, parquet, xlsx), a folder of txt, md or parquet files, or - for standard input.
    """
    gate = gate_of(given)
    from chunkeval import api

    done = api.audit(source, given.config, given.progress())
    tell(done.summary, Path(done.out), given)
    check_gate(gate, done.summary)
