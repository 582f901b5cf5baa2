"""The tools that an agent searches a chunk table with; each answers with plain values, and every id is a string."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.errors import ToolError
from chunkeval.retrieval import fusion, keyword, semantic
from chunkeval.retrieval.queries import keywords_of
from chunkeval.retrieval.ranking import DECIMALS, NONE, Ranking
from chunkeval.retrieval.snippets import holding, snippet
from chunkeval.text.sentences import split

if TYPE_CHECKING:
    from chunkeval.retrieval.building import Index
    from chunkeval.retrieval.snippets import Span

MOST = 20
"""Results of a search at most."""

_SHOWN = 3
"""Sentences that a semantic search shows of a chunk at most."""

_COMPARED = 10_000
"""Ids among which the nearest to an unknown one is looked for: it takes a second beyond."""

READ_BEFORE = "This chunk has been read before; its text is above. Ask with again = true if it is out of sight."


class ContextTracker:
    """What has been read: a text that an agent has seen already is not sent again.

    Examples
    --------
    >>> tracker = ContextTracker()
    >>> tracker.note("c_3"), tracker.note("c_3"), tracker.read
    (True, False, ['c_3'])
    """

    def __init__(self) -> None:
        self.read: list[str] = []
        """Ids in the order in which they were first read."""
        self._known: set[str] = set()

    def note(self, chunk_id: str) -> bool:
        """Take a chunk as read; say whether this is the first time."""
        if chunk_id in self._known:
            return False
        self._known.add(chunk_id)
        self.read.append(chunk_id)
        return True

    def forget(self, chunk_id: str) -> None:
        """Take a chunk as not read: its text was not sent after all."""
        if chunk_id in self._known:
            self._known.remove(chunk_id)
            self.read.remove(chunk_id)


class Tools:
    """Search and read over one index, for one conversation: `tracker` knows what it has read.

    Parameters
    ----------
    index : Index
        As `searching.open_index` gives it.
    weight
        What an occurrence of a keyword counts: ``chars``, ``bytes`` or ``idf``; see `keyword.search`.
    """

    def __init__(self, index: Index, weight: keyword.Weight = "chars") -> None:
        self.index, self.weight = index, weight
        self.tracker = ContextTracker()

    @property
    def functions(self) -> Mapping[str, Callable[..., list[dict[str, Any]]]]:
        """The tools by name."""
        tools = (self.keyword_search, self.semantic_search, self.hybrid_search, self.chunk_read)
        return {tool.__name__: tool for tool in tools}

    def keyword_search(self, keywords: list[str], top_k: int = 5) -> list[dict[str, Any]]:
        """Find chunks in which keywords stand to the letter (case aside): names, numbers, technical terms.

        A chunk's score is the sum, over the keywords, of how often each stands in it times its length. Gives the best
        chunks' ids and the sentences that hold a keyword; read a chunk for its whole text.

        Parameters
        ----------
        keywords
            Words or short phrases as they would stand in the text, each at least a character; for Korean without particles.
        top_k
            Chunks to give, 1 to 20.

        Returns
        -------
        list of dict
            chunk_id, score, snippet; best first. Chunks without a keyword are left out.

        Raises
        ------
        ToolError
            There is no keyword, an empty one, or ``top_k`` is out of range.
        """
        wanted = _terms(keywords)
        found = self._keyword([wanted], _count("top_k", top_k, 1, MOST))
        return [self._hit(row, score, self._holding(row, wanted)) for row, score in _pairs(found)]

    def semantic_search(self, query: str, top_k: int = 5) -> list[dict[str, Any]]:
        """Find chunks that say something like a question or a sentence, also in other words.

        A chunk's score is the cosine of its sentence that is nearest to the query. Gives the best chunks' ids and the
        matched sentences; read a chunk for its whole text.

        Parameters
        ----------
        query
            A question or a sentence.
        top_k
            Chunks to give, 1 to 20.

        Returns
        -------
        list of dict
            chunk_id, score, snippet; best first; ``top_k`` whenever there are as many chunks.

        Raises
        ------
        ToolError
            The query is empty, or ``top_k`` is out of range.
        """
        text, k = _query(query), _count("top_k", top_k, 1, MOST)
        vector = self.index.sentences.embed([text])
        found = _pairs(self._semantic(vector, k))
        return [self._hit(row, score, self._near(row, vector[0], found[-1][1])) for row, score in found]

    def hybrid_search(self, query: str, top_k: int = 5) -> list[dict[str, Any]]:
        """Find chunks by the words of a question and by its meaning at once; the first search to try.

        Joins both rankings by their ranks. Gives the best chunks' ids and the sentences that either search has matched.

        Parameters
        ----------
        query
            A question or a sentence.
        top_k
            Chunks to give, 1 to 20.

        Returns
        -------
        list of dict
            chunk_id, score, snippet; best first; ``top_k`` whenever there are as many chunks.

        Raises
        ------
        ToolError
            The query is empty, or ``top_k`` is out of range.
        """
        text, k = _query(query), _count("top_k", top_k, 1, MOST)
        (wanted,) = keywords_of([text])
        vector = self.index.sentences.embed([text])
        near = self._semantic(vector, fusion.DEPTH)
        found = _pairs(fusion.fuse([self._keyword([wanted], fusion.DEPTH), near], k))
        # The nearest sentence of a chunk is always shown, others where one of them would have found it by itself.
        least = near.scores[0, min(k, near.scores.shape[1]) - 1]
        return [
            self._hit(row, score, {*self._near(row, vector[0], least), *self._holding(row, wanted)})
            for row, score in found
        ]

    def chunk_read(self, chunk_ids: list[str], neighbours: int = 0, again: bool = False) -> list[dict[str, Any]]:
        """Read whole chunks by their ids; a chunk that was read before is not sent again.

        Parameters
        ----------
        chunk_ids
            Ids as a search gave them.
        neighbours
            Read also so many chunks before and after each, of the same document, 0 to 5.
        again
            Send texts also where they were sent before: true only if they are no longer in the conversation.

        Returns
        -------
        list of dict
            chunk_id and text, or chunk_id and notice where the text was sent before.

        Raises
        ------
        ToolError
            There is no id, an unknown one, or ``neighbours`` is out of range; nothing counts as read then.
        """
        reach = _count("neighbours", neighbours, 0, 5)
        if not isinstance(again, bool):
            raise ToolError(f"again must be true or false, not {again!r}")
        texts = self.index.texts
        rows = [self._row(name) for name in _strings("chunk_ids", chunk_ids)]
        around = dict.fromkeys(other for row in rows for other in texts.neighbours(row, reach)) if reach else rows
        return [self._read(row, again) for row in around]

    def _read(self, row: int, again: bool) -> dict[str, Any]:
        name = self.index.texts.ids[row]
        if self.tracker.note(name) or again:
            return {"chunk_id": name, "text": self.index.texts.texts[row]}
        return {"chunk_id": name, "notice": READ_BEFORE}

    def _row(self, name: str) -> int:
        row = self.index.texts.rows.get(name)
        if row is None:
            known = self.index.texts.rows
            near = get_close_matches(name, known, n=1) if len(known) <= _COMPARED else []
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ToolError(f"there is no chunk {name!r}: give ids as a search gave them.{hint}")
        return row

    def _keyword(self, queries: Sequence[Sequence[str]], k: int) -> Ranking:
        return keyword.search(self.index.texts.folded.encoded(), queries, k, self.weight)

    def _semantic(self, vectors: semantic.Vectors, k: int) -> Ranking:
        sentences = self.index.sentences
        return semantic.search(sentences.vectors, sentences.offsets, vectors, k)

    def _holding(self, row: int, wanted: Sequence[str]) -> list[int]:
        return holding(self.index.texts.texts[row], self._spans(row), wanted)

    def _near(self, row: int, vector: semantic.Vectors, least: float) -> list[int]:
        """Sentences of a chunk as near as a chunk must be to be a result, `_SHOWN` at most; its nearest in any case."""
        first, last = self.index.sentences.offsets[row : row + 2]
        cosines = np.round((self.index.sentences.vectors[first:last] @ vector).astype(np.float64), DECIMALS)
        nearest = np.argsort(-cosines, kind="stable")[:_SHOWN]
        return [int(i) for i in nearest if cosines[i] >= min(least, cosines[nearest[0]])]

    def _spans(self, row: int) -> list[Span]:
        return self.index.sentences.spans(row) if self.index.has_sentences else split(self.index.texts.texts[row])

    def _hit(self, row: int, score: float, which: Any) -> dict[str, Any]:
        texts = self.index.texts
        return {
            "chunk_id": texts.ids[row],
            "score": score,
            "snippet": snippet(texts.texts[row], self._spans(row), set(which)),
        }


def _pairs(found: Ranking) -> list[tuple[int, float]]:
    """Rows and scores of a ranking's one query."""
    both = zip(found.rows[0].tolist(), found.scores[0].tolist(), strict=True)
    return [(row, score) for row, score in both if row != NONE]


def _terms(keywords: Any) -> list[str]:
    given = _strings("keywords", keywords)
    if any(not word.strip() for word in given):
        raise ToolError("a keyword is empty: give words as they would stand in the text")
    return keyword.terms(given)


def _strings(name: str, value: Any) -> list[str]:
    """Take a list of strings; a single one and numbers as their digits, since models write them so."""
    given = [value] if isinstance(value, str | int) else value
    if not isinstance(given, list | tuple) or any(isinstance(v, bool) or not isinstance(v, str | int) for v in given):
        raise ToolError(f"{name} must be a list of strings, not {value!r}")
    if not given:
        raise ToolError(f"{name} is empty: give at least one")
    return [str(v) for v in given]


def _query(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ToolError(f"query must be a question or a sentence, not {value!r}")
    return value


def _count(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ToolError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return value
