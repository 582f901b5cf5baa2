"""The proposition chunker: a language model restates sentences as propositions, and files them into passages by subject."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from chunkeval.cache import Cache
from chunkeval.chunkers.asking import Asking
from chunkeval.chunkers.base import Chunk, Span, check_size, chunks
from chunkeval.chunkers.filing import Passage, file
from chunkeval.chunkers.grouping import LOST, SPENT
from chunkeval.chunkers.minis import minis, packed
from chunkeval.chunkers.stating import Document, Proposition, prepared, state
from chunkeval.errors import BudgetSpent, ChunkevalError, ConfigError, ServerLost, unknown_name

if TYPE_CHECKING:
    from chunkeval.llm.client import Asker

NAME = "proposition"
FALLBACKS = ("recursive", "none")
LEAST_INPUT = 4_000
"""Characters of a request that leave room for the rules and some text."""
_RECURSIVE = 1_000
"""Code points of a chunk of the recursive chunker, where it takes over."""
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
    model, base_url, api_key_file, concurrency, timeout, retries, max_calls, max_tokens, price_in, price_out
        See `llm.client.Client`; instead of a model's name, something else that answers.
    max_input
        Characters of a request at most.
    fallback
        What cuts the rest of a document when the server is lost or the budget spent: ``recursive``, or ``none``, which
        makes that an error.

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

    def __init__(
        self,
        max_size: int = 1_500,
        model: str | Asker | None = None,
        base_url: str | None = None,
        api_key_file: str | None = None,
        concurrency: int = 8,
        timeout: float = 60,
        retries: int = 4,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        price_in: float | None = None,
        price_out: float | None = None,
        max_input: int = 10_000,
        fallback: str = "recursive",
    ) -> None:
        check_size(f"{NAME} max_size", max_size)
        if type(max_input) is not int or max_input < LEAST_INPUT:
            raise ConfigError(f"{NAME}: max_input must be a whole number from {LEAST_INPUT}, not {max_input!r}")
        if fallback not in FALLBACKS:
            raise unknown_name(f"{NAME} fallback", str(fallback), FALLBACKS)
        self.max_size, self.max_input, self.fallback = max_size, max_input, fallback
        self._asking = Asking(
            model,
            concurrency,
            base_url=base_url,
            api_key_file=api_key_file,
            timeout=timeout,
            retries=retries,
            max_calls=max_calls,
            max_tokens=max_tokens,
            price_in=price_in,
            price_out=price_out,
        )
        self._lock = Lock()
        self._counted: Counter[str] = Counter()
        self._why: Counter[str] = Counter()
        self._lost: str | None = None

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
        cut = minis(texts, 1, min(_SENTENCE, self.max_size), jobs=jobs)
        documents = [
            prepared(text, spans, self.max_input, self.max_size) for text, spans in zip(texts, cut, strict=True)
        ]
        spoken = [place for place, text in enumerate(texts) if text.strip()]
        tasks = [(place, batch) for place in spoken for batch in documents[place].batches]
        stated: list[list[Stated]] = [[] for _ in documents]
        with self._asking.threads(cache) as pool:
            for (place, _), found in zip(
                tasks, pool.map(lambda task: self._state(documents, *task), tasks), strict=True
            ):
                stated[place].append(found)
            made = list(pool.map(self._filed, documents, stated))
        return made

    def watch(self, told: Callable[[str], None]) -> None:
        """Have what was used so far told after each reply."""
        self._asking.told = told

    def report(self) -> dict[str, Any]:
        """Say what was asked since it was made, what it took, and how much fell back."""
        counted = self._counted
        return {
            "model": self._asking.model,
            "questions": counted["questions"],
            "repaired": counted["repaired"],
            "failed": {"questions": self._why.total(), "why": dict(self._why.most_common()), "lost": self._lost},
            "propositions": counted["propositions"],
            "sentences": {"all": counted["sentences"], "kept": counted["kept"]},
            "unfiled": counted["unfiled"],
            "fell_back": {
                "to": self.fallback,
                "characters": counted["fell_back"],
                "share": round(counted["fell_back"] / max(counted["characters"], 1), 6),
            },
            "usage": self._asking.used(),
        }

    def _state(self, documents: Sequence[Document], place: int, batch: range) -> Stated:
        document = documents[place]
        try:
            found, trouble = state(self._asking, document, batch)
        except (ServerLost, BudgetSpent) as error:
            return Stated([document.kept(piece) for piece in batch], self._failed(error))
        self._count(questions=1, sentences=len(batch), kept=sum(one.kept for one in found))
        self._trouble(trouble)
        return Stated(found)

    def _filed(self, document: Document, stated: Sequence[Stated]) -> list[Chunk]:
        """File what was stated; the whole of a document without a reply, and the rest of one, goes to the recursive chunker."""
        self._count(characters=len(document.text))
        propositions = [one for batch in stated for one in batch.propositions]
        if not propositions:  # of white space, there is nothing to say
            return chunks(packed(document.text, document.pieces, self.max_size)) if document.pieces else []
        lost = [batch.lost for batch in stated if batch.lost is not None]
        if len(lost) == len(stated):
            return self._cut(document, 0, lost[0])
        filed = file(self._asking, propositions, document.wording, max_size=self.max_size, max_input=self.max_input)
        self._count(
            questions=filed.asked, repaired=filed.repaired, unfiled=sum(passage.unfiled for passage in filed.passages)
        )
        for trouble in filed.troubles:
            self._trouble(trouble)
        made = [made_of(document, propositions, passage) for passage in filed.passages]
        if filed.error is not None:
            made += self._cut(document, propositions[filed.past].piece, self._failed(filed.error))
        self._count(propositions=sum(not one.kept for one in propositions[: filed.past]))
        return sorted(made, key=lambda chunk: chunk.spans)

    def _cut(self, document: Document, first: int, why: str) -> list[Chunk]:
        """Cut a document from a sentence on by the recursive chunker; its chunks are whole sentences."""
        rest = document.pieces[first:]
        self._count(fell_back=rest[-1][1] - rest[0][0])
        spans = packed(document.text, rest, min(_RECURSIVE, self.max_size))
        return [Chunk((span,), {"fallback": why}) for span in spans]

    def _count(self, **counts: int) -> None:
        with self._lock:
            self._counted.update(counts)

    def _trouble(self, trouble: str | None) -> None:
        if trouble is not None:
            with self._lock:
                self._why[trouble] += 1

    def _failed(self, error: ChunkevalError) -> str:
        """Count a question without a reply, and give why there was none."""
        if self.fallback == "none":
            raise error
        why = LOST if isinstance(error, ServerLost) else SPENT
        self._count(questions=1)
        self._trouble(why)
        with self._lock:
            self._lost = self._lost or str(error)
        return why


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
