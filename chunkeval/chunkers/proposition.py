"""The proposition chunker: a language model restates sentences as propositions, and files them into passages by subject."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from chunkeval.cache import Cache
from chunkeval.chunkers.asking import RECURSIVE, Asking, Settings, in_turn, takes_settings
from chunkeval.chunkers.base import Chunk, Span, check_size, chunks
from chunkeval.chunkers.filing import Passage, file
from chunkeval.chunkers.minis import in_parts, packed
from chunkeval.chunkers.stating import Document, Proposition, prepared, state
from chunkeval.errors import BudgetSpent, ServerLost

NAME = "proposition"
_SENTENCE = 1_000
"""Code points of a sentence at most: a longer one is cut."""
KEPT, UNFILED = "kept_sentences", "unfiled"
"""Metadata: sentences that stand in the chunk as they are, and whether it holds what no reply filed."""


@dataclass(frozen=True)
class Stated:
    """What became of a batch of sentences."""

    propositions: Sequence[Proposition]
    lost: str | None = None
    """Why there was no reply: they are the sentences themselves."""


@takes_settings
class PropositionChunker:
    """Has a language model rewrite a document as propositions and file them into passages.

    Sentences go to the model in batches and come back as propositions: short sentences that each state one fact and name
    whom they are about. These are filed in order: the model sees number, title and summary of the passages so far, and
    says for each proposition which it belongs to, or that it opens another. A chunk's text is its propositions, a line
    each, marked as ``derived``; its spans are the sentences that they come from. Nothing is lost: a sentence without
    propositions of use stands as it is, and a chunk of only such sentences is the document's own text.

    Parameters
    ----------
    max_size
        Code points of a chunk at most; what does not fit a passage opens another.
    asking
        Whom to ask and how far to go: see `asking.Asking`. ``fallback`` is for the rest of a document when the server is
        lost or the budget spent.

    Raises
    ------
    ConfigError
        A size or setting is not valid; it does not say whom to ask.
    MissingExtraError
        The extra ``llm`` is not installed.
    """

    name = NAME
    columns = ("title", "summary", "derived", "fallback")
    """Metadata that its chunks carry, for tables."""

    def __init__(self, max_size: int = 1_500, **asking: Unpack[Settings]) -> None:
        check_size(f"{NAME} max_size", max_size)
        self.max_size = max_size
        self._asking = Asking(NAME, **asking)

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; see `base.Chunker`."""
        return self.split_many([text])[0]

    def split_many(self, texts: Sequence[str], *, jobs: int = 1, cache: Cache | None = None) -> list[list[Chunk]]:
        """Cut documents; the model is asked about all of them at the same time, about each in order.

        Parameters
        ----------
        texts
            Documents.
        jobs
            Threads that find sentences; ``concurrency`` says how many ask.
        cache
            Where replies are kept; the default folder where None.
        """
        documents, stated = list[Document](), list[list[Stated]]()

        def batches() -> Iterator[tuple[int, range]]:
            cut = in_parts(texts, 1, min(_SENTENCE, self.max_size), jobs=jobs)
            for number, (text, spans) in enumerate(cut):
                documents.append(prepared(text, spans, self._asking.max_input, self.max_size))
                stated.append([])
                if text.strip():
                    yield from ((number, batch) for batch in documents[number].batches)

        with self._asking.threads(cache, texts, self.max_size, self._asking.max_input) as pool:
            for (number, _), found in in_turn(pool, lambda task: self._state(documents[task[0]], task[1]), batches()):
                stated[number].append(found)
            return list(pool.map(self._filed, documents, stated))

    def watch(self, told: Callable[[str], None]) -> None:
        """Have what was used so far told after each reply."""
        self._asking.told = told

    def report(self) -> dict[str, Any]:
        """Say what was asked since it was made, what it took, and how much fell back."""
        counted = self._asking.counted
        return self._asking.report(
            propositions=counted("propositions"),
            sentences={"all": counted("sentences"), "kept": counted("kept")},
            unfiled=counted("unfiled"),
        )

    def _state(self, document: Document, batch: range) -> Stated:
        try:
            found, trouble = state(self._asking, document, batch)
        except (ServerLost, BudgetSpent) as error:
            return Stated([document.kept(piece) for piece in batch], self._asking.without_reply(error))
        self._asking.count(questions=1, sentences=len(batch), kept=sum(one.kept for one in found))
        if trouble is not None:
            self._asking.of_no_use(trouble)
        return Stated(found)

    def _filed(self, document: Document, stated: Sequence[Stated]) -> list[Chunk]:
        """File what was stated; the whole of a document without a reply, and the rest of one, goes to the recursive chunker."""
        self._asking.count(characters=len(document.text))
        propositions = [one for batch in stated for one in batch.propositions]
        if not propositions:  # of white space, there is nothing to say
            return chunks(packed(document.text, document.pieces, self.max_size)) if document.pieces else []
        lost = [batch.lost for batch in stated if batch.lost is not None]
        if len(lost) == len(stated):
            return self._cut(document, 0, lost[0])
        filed = file(
            self._asking, propositions, document.wording, max_size=self.max_size, max_input=self._asking.max_input
        )
        self._asking.count(
            questions=filed.asked, repaired=filed.repaired, unfiled=sum(passage.unfiled for passage in filed.passages)
        )
        for trouble in filed.troubles:
            self._asking.of_no_use(trouble)
        made = [made_of(document, propositions, passage) for passage in filed.passages]
        if filed.error is not None:
            made += self._cut(document, propositions[filed.past].piece, self._asking.without_reply(filed.error))
        self._asking.count(propositions=sum(not one.kept for one in propositions[: filed.past]))
        return sorted(made, key=lambda chunk: chunk.spans)

    def _cut(self, document: Document, first: int, why: str) -> list[Chunk]:
        """Cut a document from a sentence on by the recursive chunker; its chunks are whole sentences."""
        rest = document.pieces[first:]
        self._asking.count(fell_back=rest[-1][1] - rest[0][0])
        spans = packed(document.text, rest, min(RECURSIVE, self.max_size))
        return [Chunk((span,), {"fallback": why}) for span in spans]


def made_of(document: Document, propositions: Sequence[Proposition], passage: Passage) -> Chunk:
    """Make a passage a chunk: the document's own text where all of it is, else what was rewritten, a line each.

    Parameters
    ----------
    document
        Where it comes from.
    propositions
        The document's.
    passage
        Which of them.
    """
    members = [propositions[member] for member in passage.members]
    spans: list[Span] = []
    for piece in sorted({member.piece for member in members}):
        start, end = document.pieces[piece]
        if spans and spans[-1][1] == start:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    kept = sum(member.kept for member in members)
    given = {"title": passage.title, "summary": passage.summary, KEPT: kept or None, UNFILED: passage.unfiled or None}
    derived = None if kept == len(members) else "\n".join(member.text.strip() for member in members)
    return Chunk(tuple(spans), {name: value for name, value in given.items() if value is not None}, derived)
