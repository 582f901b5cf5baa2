"""A run's flagged chunks cut again, audited under the same state and limits, and taken back where that makes things worse."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval import flags as judging
from chunkeval.chunkers import spec
from chunkeval.config import FlagConfig, RechunkConfig, RunConfig, ScoreConfig
from chunkeval.rechunk import proof
from chunkeval.rechunk.changes import Action, Change, actions, conserved, pieces_of, write_table
from chunkeval.rechunk.merging import merges
from chunkeval.rechunk.pieces import Piece
from chunkeval.rechunk.splitting import accepted, at_weakest, by_chunker
from chunkeval.rechunk.trial import Judged, Trial, borders, limits_of, worse
from chunkeval.results import ChunkFile, Flags
from chunkeval.score import rescore, score_chunks

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.cache import Cache
    from chunkeval.progress import Progress


@dataclass(frozen=True)
class Rechunked:
    """The new table, judged by the earlier limits, and what was done."""

    flags: Flags
    changes: tuple[Change, ...]
    facts: Mapping[str, Any]
    """Counts, characters, fates by reason, before and after, placebo, second judge."""

    @property
    def chunks(self) -> pd.DataFrame:
        """The new chunk table."""
        import pyarrow.parquet as pq

        from chunkeval.table import frame_of

        return frame_of(pq.read_table(self.flags.scores.chunks.path))

    @property
    def frame(self) -> pd.DataFrame:
        """Scores and flags of the new table."""
        return self.flags.frame

    def to_json(self) -> str:
        """Give what was done, as JSON text."""
        return json.dumps(self.facts, ensure_ascii=False, allow_nan=False)

    def _repr_html_(self) -> str:
        return self.flags._repr_html_()


@dataclass(frozen=True)
class _Work:
    flags: Flags
    order: Sequence[int]
    pieces: Sequence[Piece]
    todo: Sequence[Action]
    trial: Trial


def rechunk_flags(
    flags: Flags,
    config: RechunkConfig,
    chunker: str | None,
    decisions: Mapping[str, str],
    folder: Path,
    *,
    run: RunConfig,
    cache: Cache,
    progress: Progress,
) -> Rechunked:
    """Cut flagged chunks again, once.

    Parameters
    ----------
    flags
        Judged chunks.
    config
        What is done, and how far.
    chunker
        Spec of the chunker that splits; each chunk's own weakest place where not given.
    decisions
        Filled decisions by chunk_id.
    folder
        Where the new ``chunks.parquet`` goes.

    Returns
    -------
    Rechunked
        Its flags are of the new table, under the limits of the old one.
    """
    chunks = flags.scores.chunks
    order, pieces = pieces_of(chunks.path, flags)
    work = _Work(
        flags, order, pieces, actions(flags, decisions, allow_drop=config.allow_drop), Trial(flags, run, cache)
    )
    with progress.step("find better cuts", 3) as step:
        cuts = _cuts(work, chunker, keep_worse=config.keep_worse)
        step.advance(1)
        changes = [*_splits(work, cuts), *_merges(work, config), *_drops(work)]
        step.advance(1)
        tried = _placebo(work, cuts, config, run, cache, progress)
        step.advance(1)
    changes.sort(key=lambda change: change.rows)
    undone: list[int] = []
    before = work.trial.read(flags, [""] * len(flags.frame))
    while True:
        new = _scored(flags, order, changes, folder / "chunks.parquet", run, cache, progress)
        judged = _judged(work, changes, new)
        bad = [
            change.kind != "drop" and worse([before[row] for row in change.rows], after)
            for change, after in zip(changes, judged, strict=True)
        ]
        if config.keep_worse or not any(bad):
            break
        undone += [row for change, gone in zip(changes, bad, strict=True) if gone for row in change.rows]
        changes = [change for change, gone in zip(changes, bad, strict=True) if not gone]
    flagged = {row: before[row] for row in np.flatnonzero(flags.frame["flagged"].to_numpy(bool)).tolist()}
    wanted = {row for row, action in enumerate(work.todo) if action != "leave"}
    touched = {row for change in changes for row in change.rows}
    facts = {
        "chunks": {"before": len(flags.frame), "after": len(new.frame)},
        "flagged": {"before": int(flags.frame["flagged"].sum()), "after": int(new.frame["flagged"].sum())},
        "changes": {kind: sum(change.kind == kind for change in changes) for kind in ("split", "merge", "drop")},
        "taken_back": len(wanted - touched),
        "characters": asdict(conserved(pieces, order, changes)),
        "reasons": proof.fates(
            flagged, list(zip(changes, judged, strict=True)), sorted((wanted - touched) | set(undone))
        ),
        "splits": tried,
    }
    return Rechunked(new, tuple(changes), facts)


def _cuts(work: _Work, chunker: str | None, *, keep_worse: bool) -> dict[int, list[int]]:
    """Where to cut each row that is to be split; empty where no cut is worth it."""
    rows = [row for row, action in enumerate(work.todo) if action == "split"]
    of = dict(zip(work.order, work.pieces, strict=True))
    texts = [of[row].text for row in rows]
    cuts = at_weakest(texts, work.trial) if chunker is None else by_chunker(texts, spec.make(chunker))
    if not keep_worse:
        cuts = [places if ok else [] for places, ok in zip(cuts, accepted(texts, cuts, work.trial), strict=True)]
    return dict(zip(rows, cuts, strict=True))


def _splits(work: _Work, cuts: Mapping[int, Sequence[int]]) -> list[Change]:
    of = dict(zip(work.order, work.pieces, strict=True))
    return [Change("split", (row,), tuple(of[row].cut(places))) for row, places in cuts.items() if places]


def _merges(work: _Work, config: RechunkConfig) -> list[Change]:
    wanted = [place for place, row in enumerate(work.order) if work.todo[row] == "merge"]
    free = [place for place, row in enumerate(work.order) if work.todo[row] == "leave"]
    limit = next((j.limit.high for j in work.flags.judgements if j.limit.column == "token_count"), None)
    most = config.max_size if config.max_size is not None else limit if limit is not None else np.inf
    found = merges(work.pieces, wanted, free, work.trial, most, keep_worse=config.keep_worse)
    return [Change("merge", tuple(work.order[place] for place in pair), (piece,)) for pair, piece in found]


def _drops(work: _Work) -> list[Change]:
    return [Change("drop", (row,), ()) for row, action in enumerate(work.todo) if action == "drop"]


def _scored(
    flags: Flags,
    order: Sequence[int],
    changes: Sequence[Change],
    path: Path,
    run: RunConfig,
    cache: Cache,
    progress: Progress,
) -> Flags:
    write_table(flags.scores.chunks, order, changes, path)
    info = flags.scores.chunks.info
    import pyarrow.parquet as pq

    file = ChunkFile(path, replace(info, rows=pq.read_metadata(path).num_rows))
    scores = rescore(file, flags.scores, run, cache, progress)
    return judging.flag(scores, limits_of(flags), judgements=flags.judgements)


def _judged(work: _Work, changes: Sequence[Change], new: Flags) -> list[list[Judged]]:
    """What the new table says about each change's pieces."""
    every = work.trial.read(new, [""] * len(new.frame))
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


def _placebo(
    work: _Work,
    cuts: Mapping[int, Sequence[int]],
    config: RechunkConfig,
    run: RunConfig,
    cache: Cache,
    progress: Progress,
) -> dict[str, Any]:
    of = dict(zip(work.order, work.pieces, strict=True))
    state = work.flags.scores.state
    return proof.placebo(
        [of[row].text for row in cuts],
        list(cuts.values()),
        [[start for start, _ in borders(state, row)[1:]] for row in cuts],
        work.trial,
        _second_judge(work.flags, config.judge, run, cache, progress) if cuts else None,
        seed=int(state.meta.get("seed", 0)),
        keep_worse=config.keep_worse,
    )


def _second_judge(flags: Flags, name: str, run: RunConfig, cache: Cache, progress: Progress) -> Trial:
    """Another embedder over the earlier table; the default one where the run itself was scored by this one."""
    used = flags.scores.settings["embedder"]
    other = name if name != used else ScoreConfig().embedder
    settings = ScoreConfig(**{**flags.scores.settings, "embedder": other, "analyzers": ("similarity",), "sample": None})
    scores = score_chunks(flags.scores.chunks, settings, run, cache, progress)
    return Trial(judging.flag(scores, FlagConfig()), run, cache)
