"""Duplicates: chunks that say what another one says already, word for word, nearly so, or to an embedder; and boilerplate.

The only analyzer so far that joins all rows. What it joins is small and kept of every row (`text.likeness`); the join takes time and
memory in proportion to the number of chunks.
"""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Literal

import numpy as np

from chunkeval.analyzers.base import Corpus, Features, Fitted, Joined, Need, Sample
from chunkeval.analyzers.boilerplate import shared_ends
from chunkeval.analyzers.competitors import EXACT, NEAR, competitors
from chunkeval.analyzers.copies import Copies, copies
from chunkeval.analyzers.near import LIMIT, Alike, alike
from chunkeval.results import Mark, Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Arrays

MOSTLY = 0.5
"""Share of a chunk from which it is boilerplate."""


class DuplicatesAnalyzer:
    """What an earlier chunk says already. Earlier: by document, position and id, whatever the table's order."""

    name = "duplicates"
    scope: Literal["row", "corpus"] = "corpus"
    needs: frozenset[Need] = frozenset({"sentences", "vectors", "likeness"})
    columns = (
        "near_duplicate_similarity",
        "earlier_copies",
        "duplicate_of",
        "duplicate_group",
        "competitors",
        "boilerplate",
        "boilerplate_chunks",
    )
    measure = Measure(
        analyzer="duplicates",
        column="near_duplicate_similarity",
        side="high",
        reasons={"high": "near_duplicate"},
        calibrated=False,
        fixed=LIMIT,
        marks=(
            Mark("duplicate", "earlier_copies", above=0),
            Mark("boilerplate", "boilerplate", above=MOSTLY),
            Mark("competitors", "competitors"),
        ),
    )

    def fit(self, sample: Sample) -> Fitted:
        """Learn nothing."""
        return Fitted({})

    def score(self, features: Features, state: Arrays) -> Arrays:
        """Say nothing of a chunk by itself: a corpus of one has no duplicates."""
        rows = len(features)
        names = [name for name in self.columns if name not in ("duplicate_of", "duplicate_group")]
        none = np.full(rows, None, dtype=object)
        return {**{name: np.full(rows, np.nan) for name in names}, "duplicate_of": none, "duplicate_group": none}

    def join(self, corpus: Corpus, state: Arrays) -> Joined:
        """Give all seven columns.

        ``earlier_copies``: chunks before it with the same text. ``near_duplicate_similarity``: share of runs of four
        characters in common with the earlier text most like it, 0 under `near.FLOOR`; null for a copy and for a chunk
        of fewer than four characters. ``duplicate_of``: the first chunk of this text, else the one most like it.
        ``duplicate_group``: the first chunk of all that are joined by such pairs at the default limit; null where
        there is no other.
        """
        names = ("exact", "rims", "rim_shares")
        parts = [[features.likeness[name] for name in names] for features in corpus.shards()]
        if not parts:
            return Joined({name: np.zeros(0) for name in self.columns})
        exact, rims, shares = (np.concatenate(some) for some in zip(*parts, strict=True))
        del parts
        same = copies(exact, corpus.order)
        with corpus.progress.step("duplicates", len(corpus)) as step:
            near = alike(corpus, same)
            with tempfile.TemporaryFile(dir=corpus.folder) as file:
                rivals = competitors(corpus, same, file)
            share, texts = shared_ends(rims[same.first], shares[same.first])
            step.advance(len(corpus))
        columns = _columns(corpus, same, near)
        columns |= {
            "competitors": rivals,
            "boilerplate": _of_rows(same, share),
            "boilerplate_chunks": _of_rows(same, texts.astype(np.float64)),
        }
        return Joined(columns, _notes(len(same.first)))


def _columns(corpus: Corpus, same: Copies, near: Alike) -> dict[str, NDArray[np.generic]]:
    ids = np.array([*corpus.chunk_ids, None], dtype=object)
    known, copied = same.text >= 0, same.earlier > 0
    similarity = np.where(copied, np.nan, _of_rows(same, near.similarity))
    earlier = np.full(len(corpus), -1, np.int64)
    nearest = near.nearest[same.text[known]]
    earlier[known] = np.where(nearest >= 0, same.first[nearest], -1) if len(same.first) else -1
    earlier[copied] = same.first[same.text[copied]]
    in_group = np.bincount(near.group, same.count, minlength=len(same.first)) > 1
    group = np.where(in_group[near.group], same.first[near.group], -1)
    of_rows = np.full(len(corpus), -1, np.int64)
    of_rows[known] = group[same.text[known]]
    return {
        "near_duplicate_similarity": similarity,
        "earlier_copies": same.earlier.astype(np.float64),
        "duplicate_of": ids[earlier],
        "duplicate_group": ids[of_rows],
    }


def _of_rows(same: Copies, values: NDArray[np.float64]) -> NDArray[np.float64]:
    found = np.full(len(same.text), np.nan)
    known = same.text >= 0
    found[known] = values[same.text[known]]
    return found


def _notes(texts: int) -> tuple[str, ...]:
    if texts <= EXACT:
        return ()
    return (
        f"competitors (chunks nearer than {NEAR:g}) of {texts:,} different texts were counted among those in the nearest cells, "
        f"not among all: counts may be a little too low.",
    )
