"""What a round works on: the judged table as pieces, and the table with changes made, judged by the same limits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from chunkeval import flags as judging
from chunkeval.cache import Cache
from chunkeval.config import RechunkConfig, RunConfig
from chunkeval.progress import Progress
from chunkeval.rechunk.changes import Action, Change, actions, pieces_of, write_table
from chunkeval.rechunk.pieces import Piece
from chunkeval.rechunk.trial import Judged, Trial
from chunkeval.rejudge import limits_of
from chunkeval.results import ChunkFile, Flags
from chunkeval.score import rescore


@dataclass(frozen=True)
class Work:
    """A table to change."""

    flags: Flags
    order: Sequence[int]
    pieces: Sequence[Piece]
    documents: Sequence[str]
    """Document of each row."""
    todo: Sequence[Action]
    trial: Trial
    first: Collection[str]
    """Ids of the table before the first round."""
    columns: Sequence[str] = ()
    """Those that the chunker brings."""


def work_of(
    flags: Flags,
    config: RechunkConfig,
    decisions: Mapping[str, str],
    documents: Sequence[str],
    first: Collection[str],
    run: RunConfig,
    cache: Cache,
    columns: Sequence[str] = (),
) -> Work:
    """Read the judged table, and say what is to be done with each chunk.

    Parameters
    ----------
    documents
        Document of each row.
    first
        Ids of the table before the first round.
    columns
        Those that the chunker brings.
    """
    order, pieces = pieces_of(flags.scores.chunks.path)
    todo = actions(flags, decisions, allow_drop=config.allow_drop)
    return Work(flags, order, pieces, documents, todo, Trial(flags, run, cache), first, columns)


def most(work: Work, config: RechunkConfig) -> float:
    """Give the weight of a chunk that took something at most."""
    limit = next((j.limit.high for j in work.flags.judgements if j.limit.column == "token_count"), None)
    return float(config.max_size if config.max_size is not None else limit if limit is not None else np.inf)


def scored(
    work: Work, changes: Sequence[Change], path: Path, run: RunConfig, cache: Cache, progress: Progress
) -> Flags:
    """Write the table with the changes made, and judge it by the limits that hold."""
    flags = work.flags
    info = write_table(flags.scores.chunks, work.order, changes, path, work.first, work.columns)
    file = ChunkFile(path, info)
    documents = documents_after(work, changes)
    scores = rescore(file, flags.scores, run, cache, progress, same_texts=True, documents=documents)
    return judging.flag(scores, limits_of(flags), judgements=flags.judgements)


def documents_after(work: Work, changes: Sequence[Change]) -> list[str]:
    """Give the document of each row of the new table: an unknown one stays that of the row it is from, wherever it stands now."""
    instead = {change.rows[0]: len(change.pieces) for change in changes}
    gone = {row for change in changes for row in change.rows}
    return [work.documents[row] for row in work.order for _ in range(instead.get(row, int(row not in gone)))]


def judged_after(work: Work, changes: Sequence[Change], new: Flags) -> list[list[Judged]]:
    """Give what the new table says about each change's pieces."""
    every = work.trial.read(new)
    instead = {change.rows[0]: number for number, change in enumerate(changes)}
    gone = {row for change in changes for row in change.rows}
    found: list[list[Judged]] = [[] for _ in changes]
    at = 0
    for row in work.order:
        if row in instead:
            count = len(changes[instead[row]].pieces)
            found[instead[row]] = every[at : at + count]
            at += count
        elif row not in gone:
            at += 1
    return found
