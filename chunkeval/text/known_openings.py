"""Openings that a corpus' chunks share, found again in texts that stand alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from chunkeval.text.context import Context, labelled
from chunkeval.text.sentences import VISIBLE
from chunkeval.text.traits import BIT


class KnownOpenings:
    """What `context.contextual` left out at the starts of a corpus' chunks.

    Parameters
    ----------
    openings
        Each as it stood, white space behind it included.
    most
        Whether more than half of the corpus' chunks have one: labelled lines (``Document: …``) are then left out
        whatever they say.

    Examples
    --------
    >>> known = KnownOpenings(["[Cats] "], most=False)
    >>> known.length("[Cats] They sleep."), known.length("[Dogs] They run.")
    (7, 0)
    """

    def __init__(self, openings: Iterable[str], *, most: bool) -> None:
        self._known = {_whole(opening) for opening in openings}
        self._lengths = sorted({len(opening) for opening in self._known}, reverse=True)
        as_labels = sum(labelled(f"{opening}.") > 0 for opening in self._known)
        self._labelled = most and 2 * as_labels > len(self._known)

    def length(self, text: str) -> int:
        """Code points of the known opening that a text starts with, 0 if it has none or nothing else."""
        found = next((n for n in self._lengths if text[:n] in self._known and _ends(text, n)), 0)
        return max(found, labelled(text) if self._labelled else 0)

    def context(self, texts: Sequence[str]) -> Context:
        """Say what to leave out of texts of which none is another's neighbour."""
        skip = np.array([self.length(text) for text in texts], np.int32)
        return Context(skip=skip, prefix=skip, traits=np.where(skip > 0, BIT["prefix"], 0).astype(np.uint16), notes=())


def _whole(opening: str) -> str:
    """Leave out blank lines behind the opening: they are no part of it."""
    body = opening.rstrip()
    line = opening.find("\n", len(body))
    return opening if line < 0 else opening[: line + 1]


def _ends(text: str, end: int) -> bool:
    """Whether an opening of this length is one: a whole line, or all white space before the next word; something follows."""
    return (text[end - 1] == "\n" or not text[end : end + 1].isspace()) and VISIBLE.search(text, end) is not None


def beside(found: Context, known: Context) -> Context:
    """Add what is known to what was found in a table: where nothing was found, the known opening is left out."""
    nothing = found.skip == 0
    return replace(
        found,
        skip=np.where(nothing, known.skip, found.skip),
        prefix=np.where(nothing, known.prefix, found.prefix),
        traits=np.where(nothing, known.traits, found.traits),
    )
