"""The sentences of many chunk tables over the same documents, and their vectors: each distinct one is embedded once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.cache import Cache
from chunkeval.retrieval.semantic import unit
from chunkeval.text import embeddings
from chunkeval.text.clipping import DocumentSentences
from chunkeval.text.offsets import encodable

if TYPE_CHECKING:
    from chunkeval.progress import Progress
    from chunkeval.results import Ints
    from chunkeval.retrieval.line import Line, Placed
    from chunkeval.retrieval.metrics import Spans
    from chunkeval.retrieval.semantic import Vectors
    from chunkeval.text.embeddings import Embedder

_BATCH = 64


class Sentences:
    """Sentences of tables on a line: those of the documents, which are split once, cut where a chunk cuts them.

    Parameters
    ----------
    line
        The documents.
    jobs
        Threads.
    """

    def __init__(self, line: Line, jobs: int) -> None:
        self._line, self._jobs = line, jobs
        self._known = DocumentSentences(line.documents, splitter="auto", jobs=jobs)

    def whole(self) -> list[str]:
        """Give the distinct sentences of the documents, in their order."""
        return list(dict.fromkeys(map(encodable, self._known.whole())))

    def of(self, table: Placed) -> tuple[list[str], Ints]:
        """Give a table's sentences, chunk by chunk, and (n + 1,) where each chunk's begin."""
        homes = [self._home(name, spans) for name, spans in zip(table.documents, table.spans, strict=True)]
        elsewhere = self._split([text for text, home in zip(table.texts, homes, strict=True) if home is None])
        sentences: list[str] = []
        offsets = [0]
        for home, spans in zip(homes, table.spans, strict=True):
            sentences += next(elsewhere) if home is None else self._within(home, spans)
            offsets.append(len(sentences))
        return sentences, np.array(offsets, np.int64)

    def _home(self, name: str | None, spans: Spans) -> str | None:
        """The document that a chunk stands in; None for one that lies behind the line's end."""
        return name if spans[0][0] < self._line.end else None

    def _within(self, name: str, spans: Spans) -> Iterator[str]:
        at, document = self._line.starts[name], self._line.documents[name]
        own = [(start - at, end - at) for start, end in spans]
        text = "".join(document[start:end] for start, end in own)
        yield from (encodable(text[a:b]) for a, b in self._known.of(name, own))

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
