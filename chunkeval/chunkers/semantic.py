"""The semantic chunker: cuts where the meaning changes, under a hard maximum and a soft minimum size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.cache import Cache
from chunkeval.chunkers import borders
from chunkeval.chunkers.base import Chunk, Span, check_size, check_unit
from chunkeval.chunkers.pieces import pieces
from chunkeval.chunkers.segment import Prices, Segmentation, centred, segment
from chunkeval.chunkers.units import Ruler, Units
from chunkeval.errors import ConfigError
from chunkeval.progress import Silent
from chunkeval.text import embeddings
from chunkeval.text.offsets import encodable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Floats
    from chunkeval.text.embeddings import Embedder, VectorStore

NAME = "semantic"
EMBEDDER = "use-multilingual"
BELOW_MINIMUM = "below_min_size"
"""Metadata of a chunk that missed the soft minimum: True."""
FEW = 10
"""Pieces under which a document says too little about itself: it is cut where it must be, and before headings."""
_SIZES = {"chars": (100, 3_000), "words": (20, 600), "tokens": (25, 800)}
"""Soft minimum and hard maximum by default."""
_HALVINGS = 24
_BATCH = 64


class SemanticChunker:
    """Segments a document's sentence vectors optimally.

    Sentences are embedded, and the best of all segmentations is found by dynamic programming: see `segment` for what
    it maximises and `borders` for what layout adds. No threshold on neighbouring distances is involved, and the
    penalty comes from the document itself. Documents of under 10 sentences say too little about themselves: they
    are cut before headings, and else only where the maximum forces it, at the place where the meaning changes most.

    Parameters
    ----------
    min_size
        Soft: chunks below it are made only where the maximum leaves no choice; they carry the metadata
        ``below_min_size``. By default 100 characters, 20 words or 25 tokens, but at most a quarter of the maximum.
    max_size
        Hard, but for a single grapheme that is larger. A sentence that is larger is cut first.
        By default 3,000 characters, 600 words or 800 tokens: few sections of real
        documents are longer, and one that is has to be cut somewhere that its author did not.
    unit
        What sizes are counted in.
    embedder
        Name of an embedder, or a loaded one; one that has to be fitted and is not is fitted on each document.
    tokenizer
        Counts tokens, where ``unit`` is ``tokens``; the embedder's own by default.
    target_size
        Mean size that is aimed at: the penalty is then the one whose number of chunks comes nearest.
    penalty
        Nats of evidence that a cut at a paragraph's end has to bring (at a sentence's, where there are no paragraphs),
        instead of what the document says.

    Raises
    ------
    ConfigError
        A size, unit or penalty is not valid, or sizes contradict each other.
    """

    name = NAME

    def __init__(
        self,
        min_size: int | None = None,
        max_size: int | None = None,
        unit: str = "chars",
        embedder: str | Embedder = EMBEDDER,
        tokenizer: str | None = None,
        target_size: int | None = None,
        penalty: float | None = None,
    ) -> None:
        check_unit(NAME, unit)
        least, most = _SIZES[unit]
        self.max_size = most if max_size is None else max_size
        self.min_size = min(least, self.max_size // 4) if min_size is None else min_size
        self.unit, self.target_size, self.penalty = unit, target_size, penalty
        self._check()
        own = embedder if isinstance(embedder, str) else embedder.name
        self._units = Units(unit, tokenizer or own, NAME)
        self._named = embedder
        self._embedder: Embedder | None = None

    @property
    def embedders(self) -> tuple[str, ...]:
        """The embedder whose vectors are looked at."""
        return (self._named if isinstance(self._named, str) else self._named.name,)

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; see `base.Chunker`.

        Examples
        --------
        >>> text = "고양이는 잠을 잔다. 고양이는 쥐를 잡는다. 은행은 금리를 올렸다. 은행은 대출을 줄였다."
        >>> chunks = SemanticChunker(min_size=10, max_size=30).split(text)
        >>> [chunk.text(text) for chunk in chunks]
        ['고양이는 잠을 잔다. 고양이는 쥐를 잡는다. ', '은행은 금리를 올렸다. 은행은 대출을 줄였다.']
        """
        return self.split_many([text])[0]

    def split_many(self, texts: Sequence[str], *, jobs: int = 1, cache: Cache | None = None) -> list[list[Chunk]]:
        """Cut documents: the sentences of all are split and embedded together, each distinct one once.

        Parameters
        ----------
        texts
            Documents; all of them are in memory, with the vectors of one at a time.
        jobs
            Threads.
        cache
            Where vectors are kept; the default folder where None.
        """
        from threadpoolctl import threadpool_limits

        from chunkeval.text.analysis import analyse

        found = analyse(texts, splitter="auto", morphemes="kiwi", skip=None, words=False, jobs=jobs)
        bounds = list(zip(found.sentence_start.tolist(), found.sentence_end.tolist(), strict=True))
        offsets = found.sentence_offsets.tolist()
        rulers = [self._units.ruler(text) for text in texts]
        cut = [
            pieces(text, bounds[offsets[i] : offsets[i + 1]], rulers[i], self.max_size) for i, text in enumerate(texts)
        ]
        spoken = [[encodable(text[a:b].strip()) for a, b in spans] for text, (spans, _) in zip(texts, cut, strict=True)]
        store = self._embed(spoken, jobs, cache or Cache())
        with threadpool_limits(1):  # small matrices: more threads only wait for each other
            return [
                self._chunks(text, ruler, spans, goes_on, self._vectors(sentences, store))
                for text, ruler, (spans, goes_on), sentences in zip(texts, rulers, cut, spoken, strict=True)
            ]

    def _chunks(
        self, text: str, ruler: Ruler, spans: list[Span], goes_on: list[bool], raw: NDArray[np.float32]
    ) -> list[Chunk]:
        if not spans:
            return []
        vectors = centred(raw)
        sizes = np.array([ruler.size(a, b) for a, b in spans], dtype=np.int64)
        relative = borders.odds(text, spans, goes_on)
        prices = Prices(vectors, sizes, max_size=self.max_size, min_size=self.min_size)
        best = self._best(prices, relative, int(sizes.sum()))
        starts = [0, *best.cuts]
        made = []
        for first, past in zip(starts, [*best.cuts, len(spans)], strict=True):
            small = int(sizes[first:past].sum()) < self.min_size
            metadata = {BELOW_MINIMUM: True} if small else {}
            made.append(Chunk(((spans[first][0], spans[past - 1][1]),), metadata))
        return made

    def _best(self, prices: Prices, relative: Floats, total: int) -> Segmentation:
        n = len(relative) + 1
        if self.target_size is not None:
            return _nearest(prices, relative, total / self.target_size)
        costs_of_cuts = borders.penalties(relative, prices.document.length)
        if self.penalty is not None:
            costs_of_cuts = borders.given(relative, self.penalty)
        elif n < FEW:
            costs_of_cuts = borders.forced(relative)
        return segment(prices, costs_of_cuts)

    def _loaded(self) -> Embedder:
        if self._embedder is None:
            self._embedder = embeddings.load(self._named) if isinstance(self._named, str) else self._named
        return self._embedder

    def _embed(self, documents: list[list[str]], jobs: int, cache: Cache) -> VectorStore | None:
        """Bring the vectors of all distinct sentences to the cache; None where each document fits an embedder anew."""
        embedder = self._loaded()
        if _unfitted(embedder):
            return None
        distinct = list(dict.fromkeys(sentence for document in documents for sentence in document if sentence))
        keys = embeddings.keys_of(distinct)
        store = embeddings.opened(cache, embedder)
        wanted = {int(keys[i]): distinct[i] for i in np.flatnonzero(store.missing(keys)).tolist()}
        with Silent().step(NAME, len(wanted)) as step:
            store.fill(wanted, embedder, jobs=jobs, batch=_BATCH, step=step)
        return store

    def _vectors(self, sentences: list[str], store: VectorStore | None) -> NDArray[np.float32]:
        """(n, d); zero for what is blank."""
        embedder = self._loaded()
        rows = [row for row, sentence in enumerate(sentences) if sentence]
        spoken = [sentences[row] for row in rows]
        if store is not None:
            dimension = embedder.dimension
            found = store.gather(embeddings.keys_of(spoken), dimension)
        else:
            assert isinstance(embedder, embeddings.Fittable)
            fitted = embedder.fit(spoken, 0)
            found, dimension = fitted.encode(spoken, _BATCH), fitted.dimension
        vectors = np.zeros((len(sentences), dimension), np.float32)
        vectors[rows] = found
        return vectors

    def _check(self) -> None:
        check_size(f"{NAME} max_size", self.max_size)
        if type(self.min_size) is not int or not 0 <= self.min_size <= self.max_size:
            raise ConfigError(
                f"{NAME}: min_size must be a whole number from 0 to max_size {self.max_size}, not {self.min_size!r}"
            )
        target, penalty = self.target_size, self.penalty
        if target is not None and (type(target) is not int or not max(1, self.min_size) <= target <= self.max_size):
            raise ConfigError(
                f"{NAME}: target_size must be a whole number from min_size {self.min_size} to max_size {self.max_size}, "
                f"not {target!r}"
            )
        if penalty is not None and (type(penalty) not in (int, float) or not 0 <= penalty < float("inf")):
            raise ConfigError(f"{NAME}: penalty must be a number from 0, not {penalty!r}")
        if target is not None and penalty is not None:
            raise ConfigError(f"{NAME}: give target_size or penalty, not both")


def _nearest(prices: Prices, relative: Floats, wanted: float) -> Segmentation:
    """Find the penalty whose number of segments comes nearest to a wanted one, by halving."""
    n = len(relative) + 1
    base = borders.penalties(relative, max(n / max(wanted, 1.0), 1.0))
    low, high = -60.0, 60.0
    best: tuple[float, Segmentation] | None = None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        found = segment(prices, base + middle)
        segments = len(found.cuts) + 1
        if best is None or abs(segments - wanted) < best[0]:
            best = abs(segments - wanted), found
        if segments > wanted:
            low = middle
        else:
            high = middle
    return best[1] if best else segment(prices, base)


def _unfitted(embedder: Embedder) -> bool:
    return isinstance(embedder, embeddings.Fittable) and not embedder.arrays
