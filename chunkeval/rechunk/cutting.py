"""What is done with chunks to split: at their weakest place, by a chunker, or, for comparison, at random sentence borders."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from chunkeval.chunkers.base import Chunker
from chunkeval.rechunk.changes import Change
from chunkeval.rechunk.moves import moves
from chunkeval.rechunk.pieces import Piece
from chunkeval.rechunk.splitting import accepted, at_random, at_weakest, by_chunker
from chunkeval.rechunk.trial import Trial

NEAR = 6
"""Sentences at either end of a chunk that may go to a neighbour."""

DRAWS = 5
"""Times the cuts are drawn at random."""


@dataclass(frozen=True)
class Task:
    """Chunks to split, among their neighbours."""

    pieces: Sequence[Piece]
    order: Sequence[int]
    """Row of each piece."""
    homes: Sequence[str]
    """Document of each piece."""
    places: Sequence[int]
    """Those to split."""
    decided: Collection[int]
    """Those of them that a person wants split, also where nothing is wrong with them."""
    free: Collection[int]
    """Those that may take a part."""
    borders: Mapping[int, Sequence[int]]
    """Place to the code points at which its sentences begin, the first left out."""
    trial: Trial
    max_size: float
    keep_worse: bool
    seed: int

    @property
    def texts(self) -> list[str]:
        """Texts to split."""
        return [self.pieces[place].text for place in self.places]

    @property
    def theirs(self) -> list[str]:
        """Documents of the texts to split."""
        return [self.homes[place] for place in self.places]


def real(task: Task, chunker: Chunker | None) -> tuple[list[Change], list[int]]:
    """Split at the weakest place while it pays, else move the border that helps most; or split by a chunker.

    Returns
    -------
    list of Change, list of int
        The changes; and cuts of each place, for `drawn`: as many are made at random.
    """
    if chunker is None:
        decided = [place in task.decided for place in task.places]
        found = at_weakest(task.texts, task.theirs, task.trial, decided, anyhow=task.keep_worse)
        cuts = _kept(task, found)
        uncut = {place: _near_ends(task.borders[place]) for place, places in cuts.items() if not places}
        changes = [*_splits(task, cuts), *_moves(task, uncut)]
    else:
        said = by_chunker(task.texts, chunker, jobs=task.trial.jobs, cache=task.trial.cache)
        cuts = _kept(task, [sorted(parts.keys() - {0}) for parts in said])
        changes = _splits(task, cuts, dict(zip(task.places, said, strict=True)))
    return sorted(changes, key=lambda change: change.rows), [len(cuts[place]) for place in task.places]


def drawn(task: Task, counts: Sequence[int], draw: int, *, move: bool) -> list[Change]:
    """Do the same with cuts at random sentence borders."""
    borders = [task.borders[place] for place in task.places]
    cuts = _kept(task, at_random(task.texts, borders, counts, draw, task.seed))
    changes = _splits(task, cuts)
    if move:
        left = [0 if count else 1 for count in counts]
        single = at_random(task.texts, borders, left, draw, task.seed)
        changes += _moves(task, {place: cut for place, cut in zip(task.places, single, strict=True) if cut})
    return sorted(changes, key=lambda change: change.rows)


def _near_ends(borders: Sequence[int]) -> list[int]:
    """Borders after which a part is short enough for a neighbour to take."""
    return sorted({*borders[:NEAR], *borders[-NEAR:]})


def _kept(task: Task, cuts: Sequence[Sequence[int]]) -> dict[int, Sequence[int]]:
    """Cuts by place; none where they make things worse."""
    good = [True] * len(cuts) if task.keep_worse else accepted(task.texts, task.theirs, cuts, task.trial)
    return {place: places if ok else [] for place, places, ok in zip(task.places, cuts, good, strict=True)}


def _splits(
    task: Task,
    cuts: Mapping[int, Sequence[int]],
    said: Mapping[int, Mapping[int, Mapping[str, str | None]]] | None = None,
) -> list[Change]:
    """Make changes of cuts; ``said`` is what a chunker says of the part that begins at a code point of a place."""
    found = []
    for place, places in cuts.items():
        if places:
            parts = task.pieces[place].cut(places)
            if said is not None:
                starts = accumulate((len(part.text) for part in parts[:-1]), initial=0)
                parts = [replace(part, said=said[place].get(at)) for part, at in zip(parts, starts, strict=True)]
            found.append(Change("split", (task.order[place],), tuple(parts)))
    return found


def _moves(task: Task, cuts: Mapping[int, Sequence[int]]) -> list[Change]:
    return [
        Change("split" if len(move.places) == 1 else "move", tuple(task.order[p] for p in move.places), move.pieces)
        for move in moves(task.pieces, cuts, task.free, task.homes, task.trial, task.max_size)
    ]
