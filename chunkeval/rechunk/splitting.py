"""Splitting: at a chunk's own weakest place while it pays, by a chunker, or, for comparison, at random sentence borders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise

import numpy as np

from chunkeval.cache import Cache
from chunkeval.chunkers import spec
from chunkeval.chunkers.base import Chunker, columns_of, split_all
from chunkeval.rechunk.parts import Part, Parts, best
from chunkeval.rechunk.trial import Judged, Trial, together, worse

DEEPEST = 16
"""Times a chunk is cut in two, one after the other, at most: a weakest place is seldom in the middle."""


def at_weakest(
    texts: Sequence[str], homes: Sequence[str], trial: Trial, decided: Sequence[bool], *, anyhow: bool = False
) -> list[list[int]]:
    """Cut each text in two at its weakest place, then its parts, and make those of the cuts that are best together.

    The halves of a very long text are as bad as it is, and bad in more ways: what is left in the end counts. A text
    without a weakest place (one long sentence) is cut by the recursive chunker, at half its length.

    Parameters
    ----------
    texts
        Chunks to split.
    homes
        Document of each.
    trial
        Judges by the run's limits.
    decided
        Whether a person wants the text split: it is cut also where that makes it no less bad.
    anyhow
        Whether a person's cut is made also where it makes things worse.

    Returns
    -------
    list of list of int
        Code points to cut each at; empty where no cut pays.
    """
    parts = Parts(texts, homes, trial)
    level = [(which, 0, len(text)) for which, text in enumerate(texts)]
    whole = parts.judge(level)
    allowed = [set(one.reasons) for one in whole]
    for depth in range(DEEPEST):
        halves: list[Part] = []
        for which, start, end in level:
            judged = parts.judged[which][start, end]
            place = _place(texts[which][start:end], judged, at_all=depth == 0 and decided[which])
            if place is not None and (depth == 0 or judged.split):
                halves += [(which, start, start + place), (which, start + place, end)]
        found = parts.judge(halves)
        if depth == 0 and anyhow:
            for (which, *_), one in zip(halves, found, strict=True):
                allowed[which] |= one.reasons if decided[which] else set()
        level = halves
    parts.join(allowed)
    cuts = []
    for text, before, asked, held, reasons in zip(texts, whole, decided, parts.judged, allowed, strict=True):
        spans = best({span: one for span, one in held.items() if not asked or span != (0, len(text))}, reasons)
        after = [held[span] for span in spans]
        made = (asked and anyhow) or (spans and not worse([before], after) and (asked or _pays(before, after)))
        cuts.append([start for start, _ in spans[1:]] if made else [])
    return cuts


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
