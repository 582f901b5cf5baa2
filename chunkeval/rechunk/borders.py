"""Borders first: those at which chunks were cut inside a sentence, a table or code are shifted before anything is cut again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from chunkeval.cache import Cache
from chunkeval.config import RechunkConfig, RunConfig
from chunkeval.progress import Progress
from chunkeval.rechunk import proof
from chunkeval.rechunk.changes import Change, pieces_of
from chunkeval.rechunk.conservation import conserved
from chunkeval.rechunk.road import Round
from chunkeval.rechunk.shifting import ENDS, STARTS, Border, Shift, Shifts, borders
from chunkeval.rechunk.trial import Judged, mass
from chunkeval.rechunk.work import Work, documents_after, judged_after, most, scored, work_of
from chunkeval.results import Flags

TRIES = 3
"""Times that a border is shifted elsewhere where the new table says that a piece is worse; after that it stays where it was."""


def shift_borders(
    flags: Flags,
    config: RechunkConfig,
    decisions: Mapping[str, str],
    folder: Path,
    *,
    documents: Sequence[str],
    first: Collection[str],
    run: RunConfig,
    cache: Cache,
    progress: Progress,
) -> Round | None:
    """Shift the borders at which flagged chunks start or end inside something to where it starts or ends.

    A border goes the shortest way, into whichever neighbour; no piece may be worse than its chunk was, by itself and in the
    new table. What a person decided on is not touched.

    Parameters
    ----------
    flags, config, decisions, folder, documents, first
        See `road.cut_again`.

    Returns
    -------
    Round or None
        Borders shifted count as ``move``. None where the analyzer ``boundaries`` did not run or no border can be shifted.
    """
    if "flag_boundaries" not in flags.frame:
        return None
    work = work_of(flags, config, decisions, documents, first, run, cache)
    found = _borders(work, decisions, run)
    before = work.trial.read(flags)
    homes = [work.documents[row] for row in work.order]
    shifts = Shifts(work.pieces, found, [before[row] for row in work.order], homes, work.trial, most(work, config))
    with progress.step("shift borders", TRIES) as step:
        attempt = 0
        while settled := shifts.settle():
            changes = [Change("shift", tuple(work.order[p] for p in one.places), one.pieces) for one in settled]
            new = scored(work, changes, folder / "chunks.parquet", run, cache, progress)
            worse, useless = _bad(work, settled, shifts, before, judged_after(work, changes, new))
            if config.keep_worse or not (worse or useless):
                return _round(work, found, changes, new)
            shifts.give_up(useless)
            (shifts.go_on if attempt < TRIES else shifts.give_up)(worse)
            attempt += 1
            step.advance(attempt <= TRIES)
    return None


def _borders(work: Work, decisions: Mapping[str, str], run: RunConfig) -> list[Border]:
    frame = work.flags.frame
    columns = [frame[name].tolist() for name in ("chunk_id", "flag_boundaries", "reasons")]
    names, flagged, reasons = ([column[row] for row in work.order] for column in columns)
    starts, ends = (
        {place for place, of in enumerate(reasons) if flagged[place] and not set(codes).isdisjoint(of)}
        for codes in (STARTS, ENDS)
    )
    free = {
        place
        for place, row in enumerate(work.order)
        if work.todo[row] not in ("keep", "drop") and not decisions.get(names[place])
    }
    splitter = str(work.flags.scores.settings["sentences"])
    return borders(work.pieces, (starts, ends), free, splitter=splitter, jobs=run.workers)


def _bad(
    work: Work, settled: Sequence[Shift], shifts: Shifts, before: Sequence[Judged], after: Sequence[Sequence[Judged]]
) -> tuple[list[int], list[int]]:
    """Places whose piece is worse in the new table, and those of runs in which nothing is better."""
    worse: list[int] = []
    useless: list[int] = []
    for one, judged in zip(settled, after, strict=True):
        bad = [place for place, found in zip(one.places, judged, strict=True) if shifts.worse(place, found)]
        worse += bad
        if not bad and mass(judged) > mass([before[work.order[place]] for place in one.places]) - 1e-9:
            useless += one.places
    return worse, useless


def _round(work: Work, found: Sequence[Border], changes: Sequence[Change], new: Flags) -> Round:
    names = work.flags.frame["chunk_id"].tolist()
    touched = {place for border in found for place in (border.left, border.left + 1)}
    return Round(
        flags=new,
        kinds={"move": sum(len(change.rows) - 1 for change in changes)},
        characters=conserved(work.order, work.pieces, changes, pieces_of(new.scores.chunks.path)[1]),
        splits=proof.compared({}, work.documents, [], [], [], work.trial, None),
        wanted=frozenset(names[work.order[place]] for place in touched),
        documents=documents_after(work, changes),
    )
