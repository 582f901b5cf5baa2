"""Sentences of chunks from those of their documents: a passage has the same ones however it is cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.text.sentences import VISIBLE, WORD, Span

if TYPE_CHECKING:
    from chunkeval.results import Ints


class DocumentSentences:
    """The sentences of documents, which are split once: a chunk's are those that it holds, cut where it cuts them.

    Parameters
    ----------
    documents
        Id to text.
    splitter
        As `sentences.split` takes it.
    jobs
        Threads.

    Examples
    --------
    >>> known = DocumentSentences({"글": "One cat sat. Two dogs ran. All slept."}, splitter="auto", jobs=1)
    >>> known.of("글", [(4, 17)])
    [(0, 8), (9, 12)]
    """

    def __init__(self, documents: Mapping[str, str], *, splitter: str, jobs: int) -> None:
        from chunkeval.text.analysis import analyse

        self.documents = documents
        found = analyse(
            list(documents.values()), splitter=splitter, morphemes="kiwi", skip=None, words=False, jobs=jobs
        )
        self._at: Mapping[str, int] = {name: number for number, name in enumerate(documents)}
        self._offsets: Ints = found.sentence_offsets
        self._starts: Ints = found.sentence_start.astype(np.int64)
        self._ends: Ints = found.sentence_end.astype(np.int64)

    def whole(self) -> Iterator[str]:
        """Give the sentences of the documents, in their order."""
        for name, text in self.documents.items():
            starts, ends = self._bounds(name)
            yield from (text[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True))

    def of(self, name: str, spans: Iterable[Span], skip: int = 0) -> list[Span]:
        """Give the sentences of a chunk, in code points of its text.

        A cut may leave marks alone, as the full stop of the sentence before: what has no letter or digit goes with its
        neighbour.

        Parameters
        ----------
        name
            Its document.
        spans
            Where it stands there; its text is theirs, joined.
        skip
            Code points at its start that belong to no sentence.
        """
        kept: list[Span] = []
        hanging = False
        for start, end, spoken in self._pieces(name, spans, skip):
            if kept and (hanging or not spoken):
                kept[-1] = kept[-1][0], end
                hanging = hanging and not spoken
            else:
                kept.append((start, end))
                hanging = not spoken
        return kept

    def _pieces(self, name: str, spans: Iterable[Span], skip: int) -> Iterator[tuple[int, int, bool]]:
        """Stretches of the chunk's text that lie in one sentence, and whether they have a letter or digit."""
        text = self.documents[name]
        starts, ends = self._bounds(name)
        before = 0
        for first, after in spans:
            begin = min(after, first + max(0, skip - before))
            held = slice(int(np.searchsorted(ends, begin, "right")), int(np.searchsorted(starts, after, "left")))
            for a, b in zip(starts[held].tolist(), ends[held].tolist(), strict=True):
                a, b = max(begin, a), min(after, b)
                piece = text[a:b]
                a, b = b - len(piece.lstrip()), a + len(piece.rstrip())
                if a < b and VISIBLE.search(text, a, b):
                    yield a - first + before, b - first + before, WORD.search(text, a, b) is not None
            before += after - first

    def _bounds(self, name: str) -> tuple[Ints, Ints]:
        here = slice(*self._offsets[self._at[name] : self._at[name] + 2].tolist())
        return self._starts[here], self._ends[here]
