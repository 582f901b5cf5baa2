"""A run's flagged chunks cut again, audited under the same state and limits, and taken back where that makes things worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkeval import flags as judging
from chunkeval.cache import Cache
from chunkeval.chunkers.base import AsksModel, Chunker, columns_of
from chunkeval.config import FlagConfig, RechunkConfig, RunConfig, ScoreConfig
from chunkeval.progress import Progress
from chunkeval.rechunk import cutting, proof
from chunkeval.rechunk.changes import Change, pieces_of
from chunkeval.rechunk.conservation import Characters, conserved
from chunkeval.rechunk.gold import against_gold
from chunkeval.rechunk.merging import merges
from chunkeval.rechunk.trial import Judged, Trial, borders, worse
from chunkeval.rechunk.work import Work, documents_after, judged_after, most, scored, work_of
from chunkeval.results import Flags
from chunkeval.score import score_chunks


@dataclass(frozen=True)
class Round:
    """What cutting again did, once."""

    flags: Flags
    """Of the new table, by the earlier limits."""
    kinds: Mapping[str, int]
    """Changes by kind."""
    characters: Characters
    splits: Mapping[str, Any]
    """The chunks to split before and after, beside random cuts; see `proof.compared`."""
    wanted: frozenset[str]
    """chunk_ids of the earlier table of which something was to be done."""
    documents: Sequence[str]
    """Document of each row of the new table, its parent's where it is not known."""


def cut_again(
    flags: Flags,
    config: RechunkConfig,
    chunker: Chunker | None,
    decisions: Mapping[str, str],
    folder: Path,
    *,
    documents: Sequence[str],
    first: Collection[str],
    gold: Mapping[str, Sequence[int]] | None,
    run: RunConfig,
    cache: Cache,
    progress: Progress,
) -> Round:
    """Cut flagged chunks again, once.

    Parameters
    ----------
    flags
        Judged chunks.
    config
        What is done, and how far.
    chunker
        The chunker that splits; each chunk's own weakest place where not given.
    decisions
        Filled decisions by chunk_id.
    folder
        Where the new ``chunks.parquet`` goes.
    documents
        Document of each row, as `sampling.documents_of` gives it for the first table.
    first
        Ids of the table before the first round; see `write_table`.
    gold
        Document to the starts of its sections, as `read_boundaries` gives them, to compare cuts with.
    """
    columns = columns_of(chunker) if chunker is not None else ()
    work = work_of(flags, config, decisions, documents, first, run, cache, columns)
    order, pieces, todo = work.order, work.pieces, work.todo
    task = _task(work, config, decisions)
    with progress.step("find better cuts", 2 + cutting.DRAWS) as step:
        if chunker is not None and isinstance(chunker, AsksModel):
            chunker.watch(step.tell)
        changes, counts = cutting.real(task, chunker)
        step.advance(1)
        changes += [*_merges(work, config, {row for change in changes for row in change.rows}), *_drops(work)]
        step.advance(1)
        random = []
        for draw in range(cutting.DRAWS if task.places else 0):
            random.append(cutting.drawn(task, counts, draw, move=chunker is None))
            step.advance(1)
    changes.sort(key=lambda change: change.rows)
    before = work.trial.read(flags)
    new, changes = _taken_back(work, config, changes, before, folder / "chunks.parquet", run, cache, progress)
    texts = {row: piece.text for row, piece in zip(order, pieces, strict=True)}
    judge = _second_judge(flags, config.judge, run, cache, progress) if task.places else None
    targets = [order[place] for place in task.places]
    kept = [change for change in changes if change.kind in ("split", "move")]
    tried = proof.compared(texts, documents, targets, kept, random, work.trial, judge)
    if gold is not None:
        tried["boundaries"] = against_gold(gold, order, pieces, targets, kept, random)
    names = flags.frame["chunk_id"]
    return Round(
        flags=new,
        kinds=Counter(change.kind for change in changes),
        characters=conserved(order, pieces, changes, pieces_of(new.scores.chunks.path)[1]),
        splits=tried,
        wanted=frozenset(name for name, action in zip(names, todo, strict=True) if action not in ("keep", "leave")),
        documents=documents_after(work, changes),
    )


def _taken_back(
    work: Work,
    config: RechunkConfig,
    changes: Sequence[Change],
    before: Sequence[Judged],
    path: Path,
    run: RunConfig,
    cache: Cache,
    progress: Progress,
) -> tuple[Flags, list[Change]]:
    """Write and judge the new table, and again without the changes that made things worse there, until none does.

    Returns
    -------
    Flags, list of Change
        Of the new table; the changes that it has.
    """
    while True:
        new = scored(work, changes, path, run, cache, progress)
        bad = [
            change
            for change, after in zip(changes, judged_after(work, changes, new), strict=True)
            if change.kind != "drop" and worse([before[row] for row in change.rows], after)
        ]
        if config.keep_worse or not bad:
            return new, list(changes)
        changes = [change for change in changes if change not in bad]


def _task(work: Work, config: RechunkConfig, decisions: Mapping[str, str]) -> cutting.Task:
    state = work.flags.scores.state
    decided = [decisions.get(name) == "split" for name in work.flags.frame["chunk_id"]]
    places = [place for place, row in enumerate(work.order) if work.todo[row] == "split"]
    return cutting.Task(
        pieces=work.pieces,
        order=work.order,
        homes=[work.documents[row] for row in work.order],
        places=places,
        decided={place for place in places if decided[work.order[place]]},
        free={place for place, row in enumerate(work.order) if work.todo[row] == "leave"},
        borders={place: [start for start, _ in borders(state, work.order[place])[1:]] for place in places},
        trial=work.trial,
        max_size=most(work, config),
        keep_worse=config.keep_worse,
        seed=int(state.meta.get("seed", 0)),
    )


def _merges(work: Work, config: RechunkConfig, taken: Collection[int]) -> list[Change]:
    wanted = [place for place, row in enumerate(work.order) if work.todo[row] == "merge" and row not in taken]
    free = [place for place, row in enumerate(work.order) if work.todo[row] == "leave" and row not in taken]
    homes = [work.documents[row] for row in work.order]
    found = merges(work.pieces, wanted, free, homes, work.trial, most(work, config), keep_worse=config.keep_worse)
    return [Change("merge", tuple(work.order[place] for place in pair), (piece,)) for pair, piece in found]


def _drops(work: Work) -> list[Change]:
    return [Change("drop", (row,), ()) for row, action in enumerate(work.todo) if action == "drop"]


def _second_judge(flags: Flags, name: str, run: RunConfig, cache: Cache, progress: Progress) -> Trial:
    """Another embedder over the earlier table; where the run itself was scored by this one, the default one, or lsa."""
    used = flags.scores.settings["embedder"]
    other = next(one for one in (name, ScoreConfig().embedder, "lsa") if one != used)
    settings = ScoreConfig(**{**flags.scores.settings, "embedder": other, "analyzers": ("similarity",), "sample": None})
    scores = score_chunks(flags.scores.chunks, settings, run, cache, progress)
    return Trial(judging.flag(scores, FlagConfig()), run, cache)
