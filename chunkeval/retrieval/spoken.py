"""The sentences of many chunk tables over the same documents, and their vectors: each distinct one is embedded once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.cache import Cache
from chunkeval.retrieval.semantic import unit
from chunkeval.text import embeddings
from chunkeval.text.offsets import encodable
from chunkeval.text.sentences import VISIBLE

if TYPE_CHECKING:
    from chunkeval.progress import Progress
    from chunkeval.results import Ints
    from chunkeval.retrieval.line import Line, Placed
    from chunkeval.retrieval.semantic import Vectors
    from chunkeval.text.embeddings import Embedder

_BATCH = 64


class Sentences:
    """The documents' sentences: a chunk's are those that it holds, cut where it cuts them.

    Documents are split once, however many tables there are, and what two tables have in common is the same string.

    Parameters
    ----------
    line
        The documents.
    jobs
        Threads.
    """

    def __init__(self, line: Line, jobs: int) -> None:
        from chunkeval.text.analysis import analyse

        self._jobs = jobs
        texts = list(line.documents.values())
        self._joined = "\n".join(texts)
        found = analyse(texts, splitter="auto", morphemes="kiwi", skip=None, words=False, jobs=jobs)
        begins = np.repeat(np.array(list(line.starts.values()), np.int64), np.diff(found.sentence_offsets))
        self._starts: list[int] = (begins + found.sentence_start).tolist()
        self._ends: list[int] = (begins + found.sentence_end).tolist()

    def whole(self) -> list[str]:
        """Give the distinct sentences of the documents, in their order."""
        return list(dict.fromkeys(encodable(self._joined[a:b]) for a, b in zip(self._starts, self._ends, strict=True)))

    def of(self, table: Placed) -> tuple[list[str], Ints]:
        """Give a table's sentences, chunk by chunk, and (n + 1,) where each chunk's begin."""
        unknown = [text for text, spans in zip(table.texts, table.spans, strict=True) if self._beyond(spans)]
        elsewhere = iter(self._split(unknown))
        sentences: list[str] = []
        offsets = [0]
        for spans in table.spans:
            sentences += next(elsewhere) if self._beyond(spans) else self._within(spans)
            offsets.append(len(sentences))
        return sentences, np.array(offsets, np.int64)

    def _beyond(self, spans: Sequence[tuple[int, int]]) -> bool:
        return spans[0][0] > len(self._joined)

    def _within(self, spans: Iterable[tuple[int, int]]) -> Iterator[str]:
        for start, end in spans:
            for at in range(bisect_right(self._ends, start), bisect_left(self._starts, end)):
                piece = self._joined[max(start, self._starts[at]) : min(end, self._ends[at])].strip()
                if VISIBLE.search(piece):
                    yield encodable(piece)

    def _split(self, texts: Sequence[str]) -> Iterator[list[str]]:
        from chunkeval.text.analysis import analyse

        found = analyse(texts, splitter="auto", morphemes="kiwi", skip=None, words=False, jobs=self._jobs)
        bounds = list(zip(found.sentence_start.tolist(), found.sentence_end.tolist(), strict=True))
        for number, text in enumerate(texts):
            here = slice(*found.sentence_offsets[number : number + 2].tolist())
            yield [encodable(text[a:b]) for a, b in bounds[here]]


def embedder_for(named: str | Embedder, sentences: Sequence[str]) -> Embedder:
    """Load an embedder; one that learns from a corpus and has not yet learns from these sentences."""
    embedder = embeddings.load(named) if isinstance(named, str) else named
    if isinstance(embedder, embeddings.Fittable) and not embedder.arrays:
        return embedder.fit(sentences, 0)
    return embedder


class Spoken:
    """Vectors of strings, looked up in the cache once they are there.

    Parameters
    ----------
    embedder
        Ready to encode.
    cache
        Where vectors are kept.
    """

    def __init__(self, embedder: Embedder, cache: Cache) -> None:
        self._embedder = embedder
        self._store = embeddings.opened(cache, embedder)

    def embed(self, strings: Iterable[str], jobs: int, progress: Progress) -> None:
        """Bring the vectors of strings to the cache: those that are not there, each once."""
        distinct = list(dict.fromkeys(strings))
        keys = embeddings.keys_of(distinct)
        wanted: Mapping[int, str] = {
            int(keys[i]): distinct[i] for i in np.flatnonzero(self._store.missing(keys)).tolist()
        }
        with progress.step("sentence vectors", len(wanted)) as step:
            self._store.fill(dict(wanted), self._embedder, jobs=jobs, batch=_BATCH, step=step)

    def vectors(self, strings: Sequence[str]) -> Vectors:
        """Give vectors of length 1, (n, d)."""
        return unit(self._store.gather(embeddings.keys_of(strings), self._embedder.dimension))
