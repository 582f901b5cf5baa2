"""Splitting: at a chunk's own weakest place while it pays, by a chunker, or, for comparison, at random sentence borders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise

import numpy as np

from chunkeval.cache import Cache
from chunkeval.chunkers import spec
from chunkeval.chunkers.base import Chunker, columns_of, split_all
from chunkeval.rechunk.trial import Judged, Trial, together, worse

DEEPEST = 12
"""Times a chunk is cut in two, one after the other, at most: 4,096 parts."""


def at_weakest(
    texts: Sequence[str], homes: Sequence[str], trial: Trial, decided: Sequence[bool], *, anyhow: bool = False
) -> list[list[int]]:
    """Cut each text in two at its weakest place, then its parts, as long as that makes them less bad.

    A text without a weakest place (one long sentence) is cut by the recursive chunker, at half its length.

    Parameters
    ----------
    texts
        Chunks to split.
    homes
        Document of each.
    trial
        Judges by the run's limits.
    decided
        Whether a person wants the text split: once, it is cut also where that makes it no less bad.
    anyhow
        Whether a person's cut is made also where it makes things worse.

    Returns
    -------
    list of list of int
        Code points to cut each at; empty where no cut pays.
    """
    cuts: list[list[int]] = [[] for _ in texts]
    # (which text, where the part begins, its words); the parts that are still to be cut.
    active = [(which, 0, text) for which, text in enumerate(texts)]
    for _ in range(DEEPEST):
        judged = trial([part for _, _, part in active], [homes[which] for which, _, _ in active])
        wanted = [
            (which, at, part, before, place)
            for (which, at, part), before in zip(active, judged, strict=True)
            if (before.split or part == texts[which])
            and (place := _place(part, before, at_all=decided[which] and part == texts[which])) is not None
        ]
        halves = trial(
            [half for _, _, part, _, place in wanted for half in (part[:place], part[place:])],
            [homes[which] for which, *_ in wanted for _ in range(2)],
        )
        active = []
        for number, (which, at, part, before, place) in enumerate(wanted):
            after = halves[2 * number : 2 * number + 2]
            asked = decided[which] and part == texts[which]
            if not (asked and anyhow) and (worse([before], after) or not (asked or _pays(before, after))):
                continue
            cuts[which].append(at + place)
            sides = ((at, part[:place]), (at + place, part[place:]))
            active += [(which, start, half) for (start, half), found in zip(sides, after, strict=True) if found.split]
        if not active:
            break
    return [sorted(places) for places in cuts]


def by_chunker(
    texts: Sequence[str], chunker: Chunker, *, jobs: int, cache: Cache
) -> list[dict[int, Mapping[str, str | None]]]:
    """Cut each text by a chunker; where its chunks overlap, the text is cut where each begins.

    Parameters
    ----------
    texts
        Chunks to split.
    chunker
        Cuts them.
    jobs, cache
        See `split_all`.

    Returns
    -------
    list of dict
        Of each text, the code points at which parts begin, the first at 0, to what the chunker says of that part for
        the columns that it brings.
    """
    cut = split_all(chunker, texts, jobs=jobs, cache=cache)
    columns = columns_of(chunker)
    return [
        {
            chunk.spans[0][0]: {name: chunk.metadata.get(name) for name in columns}
            for chunk in reversed(chunks)  # the first of those that begin at the same place
        }
        for chunks in cut
    ]


def at_random(
    texts: Sequence[str], borders: Sequence[Sequence[int]], counts: Sequence[int], draw: int, seed: int
) -> list[list[int]]:
    """Cut each text at as many randomly chosen sentence borders; the same for the same text, draw and seed.

    Parameters
    ----------
    texts
        Chunks.
    borders
        Code points at which sentences of each begin, the first left out.
    counts
        Cuts of each; fewer where it has fewer borders.
    draw, seed
        Tell one placebo from another.
    """
    found = []
    for text, places, count in zip(texts, borders, counts, strict=True):
        digest = sha256(f"{seed}\x1f{draw}\x1f{text}".encode("utf-8", "surrogatepass")).digest()
        rng = np.random.default_rng(int.from_bytes(digest[:8], "big"))
        chosen = rng.permutation(len(places))[:count].tolist()
        found.append(sorted(places[number] for number in chosen))
    return found


def parts_of(text: str, cuts: Sequence[int]) -> list[str]:
    """Give the texts between cuts."""
    return [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]


def accepted(texts: Sequence[str], homes: Sequence[str], cuts: Sequence[Sequence[int]], trial: Trial) -> list[bool]:
    """Whether each text's parts are no worse than the text: less or equal severity by weight, no new reason."""
    parts = [parts_of(text, places) for text, places in zip(texts, cuts, strict=True)]
    before = trial(texts, homes)
    every = [(part, home) for several, home in zip(parts, homes, strict=True) for part in several]
    after = iter(trial([part for part, _ in every], [home for _, home in every]))
    judged: list[list[Judged]] = [[next(after) for _ in several] for several in parts]
    return [not worse([one], several) for one, several in zip(before, judged, strict=True)]


def _pays(before: Judged, after: Sequence[Judged]) -> bool:
    return together(after) < before.severity - 1e-9


def _place(text: str, judged: Judged, *, at_all: bool) -> int | None:
    if judged.cut is not None:
        return judged.cut
    if not at_all and judged.measurable and "too_long" not in judged.reasons:
        return None
    halves = spec.make(f"recursive:size={max(1, len(text) // 2 + 1)}").split(text)
    return halves[0].spans[-1][1] if len(halves) > 1 else None
