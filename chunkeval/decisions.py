"""What a person decided about flagged chunks, in the ``decision`` column of an ``outliers.csv``."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from chunkeval import csvs
from chunkeval.errors import TableError, unknown_name

if TYPE_CHECKING:
    from chunkeval.runs import Run

DECISIONS = ("keep", "drop", "split", "merge")
"""What may stand there; empty: not decided."""


def read(path: Path, known: Collection[str] | None = None) -> dict[str, str]:
    """Read the decisions of an outlier list.

    Parameters
    ----------
    path
        The list, as chunkeval wrote it or as Excel saved it.
    known
        The run's chunk ids; an id that is not among them is an error.

    Returns
    -------
    dict
        chunk_id to one of `DECISIONS`, or to the empty string where nothing is decided; in the file's order.

    Raises
    ------
    TableError
        The file cannot be read, lacks a column, or a decision or an id is not known.
    """
    found: dict[str, str] = {}
    for number, row in enumerate(csvs.read(path), start=2):
        missing = {"chunk_id", "decision"} - row.keys()
        if missing:
            raise TableError(f"{path} has no column {' and '.join(sorted(missing))}: give an outliers.csv of a run")
        decision = row["decision"].strip().lower()
        place = f"{path}, row {number}, column decision"
        if decision and decision not in DECISIONS:
            raise TableError(f"{place}: {unknown_name('decision', decision, DECISIONS)}")
        identity = row["chunk_id"]
        if decision and known is not None and identity not in known:
            raise TableError(
                f"{place}: chunk_id {identity!r} is not in this run; a spreadsheet may have rewritten it (import the column as text)"
            )
        if found.get(identity, decision) != decision:
            raise TableError(f"{place}: {identity!r} is decided twice, {found[identity]} and {decision}")
        found[identity] = decision
    return found


def current(run: Run, path: Path | None = None) -> dict[str, str]:
    """Filled decisions that hold for a run: those of the list, and remembered ones for chunks that are not on it.

    Parameters
    ----------
    run
        An opened run.
    path
        An outlier list; the run's own where not given (none, where it was deleted).
    """
    own = run.path / "outliers.csv"
    ids = set(run.flags.frame["chunk_id"])
    listed = read(path or own, ids) if path is not None or own.exists() else {}
    return {identity: decision for identity, decision in {**run.decisions, **listed}.items() if decision}
