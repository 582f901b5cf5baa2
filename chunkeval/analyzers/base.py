"""What an analyzer is given and what it must offer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import numpy as np

from chunkeval.progress import Progress, Silent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.config import ScoreConfig
    from chunkeval.results import Arrays, Ints, Measure, Recombined

Need = Literal["tokens", "sentences", "vectors", "words", "edges", "likeness"]


@dataclass(frozen=True)
class Groups:
    """Sentences grouped into chunks: chunk i holds the sentences ``members[offsets[i]:offsets[i + 1]]``."""

    offsets: Ints
    members: Ints

    def __len__(self) -> int:
        return len(self.offsets) - 1


def regrouped(offsets: Ints, order: Ints) -> tuple[Ints, Ints]:
    """Lay some groups one after the other.

    Parameters
    ----------
    offsets
        (n + 1,) group i has the members ``offsets[i]`` to ``offsets[i + 1]``.
    order
        (k,) groups.

    Returns
    -------
    (k + 1,), (m,)
        Their offsets, and which members stand where.

    Examples
    --------
    >>> regrouped(np.array([0, 2, 2, 5]), np.array([2, 0]))
    (array([0, 3, 5]), array([2, 3, 4, 0, 1]))
    """
    sizes = np.diff(offsets)[order]
    laid = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return laid, np.arange(laid[-1]) + np.repeat(offsets[:-1][order] - laid[:-1], sizes)


@dataclass(frozen=True)
class Features:
    """Row by row features of some chunks, in compressed rows.

    Only what the analyzers of a run ``need`` is filled in.
    """

    token_count: Ints
    """(n,) tokens a chunk."""
    sentences: Groups
    """Chunks to sentence indices; here simply in order."""
    sentence_keys: NDArray[np.uint64]
    """(m,) equal for equal sentences."""
    word_offsets: Ints
    """(m + 1,) words a sentence."""
    word_ids: Ints
    """(w,) into ``vocabulary``."""
    vocabulary: Sequence[str]
    vectors: Callable[[Ints], NDArray[np.float32]]
    """Sentence indices to their vectors (k, d), length 1 or 0."""
    edges: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """(n,) how a chunk begins and ends, seen together with the chunks before and behind it: bits of `text.edges`."""
    heading: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """(n,) code points from which another section begins, -1 where none does."""
    likeness: Arrays = field(default_factory=dict)
    """What duplicates are found by, as `chunkeval.text.likeness` gives it; nothing in a sample."""
    documents: Sequence[str] = ()
    """(n,) document of each chunk, or the family of documents that are versions of one another; never unknown."""

    def __len__(self) -> int:
        return len(self.sentences)


@dataclass(frozen=True)
class Sample:
    """What ``fit`` sees: the features of the sampled chunks in a fixed order, and chunks recombined from their sentences."""

    features: Features
    chunks: int
    """Chunks in the whole corpus."""
    mixes: Groups
    """Chunks made of sentences of 3 to 6 documents."""
    splices: Groups
    """Chunks made of the end of one document's chunk and the beginning of another's."""
    config: ScoreConfig
    positions: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """(k,) place of each sampled chunk in its document."""
    families: Mapping[str, str] = field(default_factory=dict)
    """Documents that are versions of one another, to the one that stands for all of them in ``features.documents``."""
    progress: Progress = field(default_factory=Silent)
    """Where a long fit reports to."""


@dataclass(frozen=True)
class Fitted:
    """What ``fit`` returns."""

    arrays: Arrays
    recombined: Mapping[str, Recombined] = field(default_factory=dict)
    """Judged column to the scores of recombined chunks."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Facts worth stating (JSON), such as ``num_topics``."""


@dataclass(frozen=True)
class Corpus:
    """All n rows of a table, for analyzers that join them."""

    chunk_ids: Sequence[str]
    order: Ints
    """(n,) rows by document, position and id, those of unknown documents last: what comes first, whatever the table's order."""
    shards: Callable[[], Iterator[Features]]
    """Their features, in the table's order, from the start at each call."""
    texts: Callable[[], Iterator[tuple[Sequence[str], Ints]]]
    """Their texts and the code points at each one's start to leave out, likewise."""
    folder: Path
    """Where a temporary file may be."""
    progress: Progress = field(default_factory=Silent)

    def __len__(self) -> int:
        return len(self.chunk_ids)


@dataclass(frozen=True)
class Joined:
    """What ``join`` returns."""

    columns: Arrays
    notes: tuple[str, ...] = ()
    """What a reader should know, one sentence each."""


class Analyzer(Protocol):
    """One file, one analyzer.

    ``score`` is a pure function of features and state: the same chunk gets the same numbers whatever its neighbours.
    An analyzer of scope ``corpus`` also has ``join``; its ``score`` says what there is to say of a chunk by itself.
    """

    name: str
    scope: Literal["row", "corpus"]
    needs: frozenset[Need]
    columns: tuple[str, ...]
    measure: Measure

    def fit(self, sample: Sample) -> Fitted:
        """Learn what is global."""
        ...

    def score(self, features: Features, state: Arrays) -> Arrays:
        """Give one value a chunk for each of ``columns``; NaN where not measured."""
        ...


@runtime_checkable
class Configurable(Protocol):
    """An analyzer that another one stands in for under some settings, with the same name, columns and measure."""

    def configured(self, config: ScoreConfig) -> Analyzer:
        """Give the one that the settings ask for."""
        ...


class CorpusAnalyzer(Analyzer, Protocol):
    """An analyzer whose numbers need all rows at once."""

    def join(self, corpus: Corpus, state: Arrays) -> Joined:
        """Give one value a chunk for each of ``columns``, the same whatever the shards and the rows' order."""
        ...
