"""The agentic chunker: a language model says which mini-chunks belong together; the text stays the document's own."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from chunkeval.cache import Cache
from chunkeval.chunkers import grouping
from chunkeval.chunkers.asking import Asking
from chunkeval.chunkers.assembly import assembled
from chunkeval.chunkers.base import Chunk, Span, check_size
from chunkeval.chunkers.groups import Group
from chunkeval.chunkers.minis import minis, packed
from chunkeval.errors import ChunkevalError, ConfigError, unknown_name

if TYPE_CHECKING:
    from chunkeval.llm.client import Asker

NAME = "agentic"
FALLBACKS = ("recursive", "none")
LEAST_INPUT = 4_000
"""Characters of a request that leave room for the rules and some text."""
_RECURSIVE = 1_000
"""Code points of a chunk of the recursive chunker, where it takes over."""


class AgenticChunker:
    """Has a language model group mini-chunks by meaning.

    Whole sentences are joined to mini-chunks by the recursive chunker and numbered; the model says which numbers belong
    together and gives each group a title and a summary. Only numbers are read back: the text of a chunk is the document's
    own. Each reply is held to what was asked; one that does not hold is asked for once more, and where the second is of
    no use either, that window of the document is cut by the recursive chunker.

    Parameters
    ----------
    mini_size
        Code points that sentences are joined up to; a longer sentence is a mini-chunk by itself.
    max_minis
        Mini-chunks of a chunk at most.
    overlap_minis
        Mini-chunks of context before and after that a chunk repeats at most; fewer where ``max_size`` leaves no room.
    max_size
        Code points of a chunk at most, overlap included; a sentence beyond it is cut.
    contiguous
        Whether a chunk is one place of the document; otherwise it may be made of several.
    model, base_url, api_key_file, concurrency, timeout, retries, max_calls, max_tokens, price_in, price_out
        See `llm.client.Client`; instead of a model's name, something else that answers.
    max_input
        Characters of a request at most. Longer documents go in windows; the groups on both sides of a border between
        two are asked about again together.
    fallback
        What cuts a window for which no reply is of use: ``recursive``, or ``none``, which makes it an error.

    Raises
    ------
    ConfigError
        A size or setting is not valid, or sizes contradict each other; it does not say whom to ask.
    MissingExtraError
        The extra ``llm`` is not installed.
    """

    name = NAME
    columns = ("title", "summary", "fallback")
    """Metadata that its chunks carry, for tables."""

    def __init__(
        self,
        mini_size: int = 300,
        max_minis: int = 8,
        overlap_minis: int = 0,
        max_size: int = 3_000,
        contiguous: bool = True,
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
        check_size(f"{NAME} mini_size", mini_size)
        check_size(f"{NAME} max_size", max_size)
        check_size(f"{NAME} max_minis", max_minis)
        if mini_size > max_size:
            raise ConfigError(f"{NAME}: mini_size {mini_size} must be at most max_size {max_size}")
        if type(overlap_minis) is not int or overlap_minis < 0:
            raise ConfigError(f"{NAME}: overlap_minis must be a whole number from 0, not {overlap_minis!r}")
        if type(contiguous) is not bool:
            raise ConfigError(f"{NAME}: contiguous must be true or false, not {contiguous!r}")
        if type(max_input) is not int or max_input < LEAST_INPUT:
            raise ConfigError(f"{NAME}: max_input must be a whole number from {LEAST_INPUT}, not {max_input!r}")
        if fallback not in FALLBACKS:
            raise unknown_name(f"{NAME} fallback", str(fallback), FALLBACKS)
        self.mini_size, self.max_minis, self.max_size = mini_size, max_minis, max_size
        self.overlap_minis, self.contiguous, self.fallback = overlap_minis, contiguous, fallback
        self._rules = grouping.Rules(max_minis, contiguous, max_input)
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
        """Cut documents; the model is asked about windows of all of them at the same time.

        Parameters
        ----------
        texts
            Documents.
        jobs
            Threads that find sentences; ``concurrency`` says how many ask.
        cache
            Where replies are kept; the default folder where None.
        """
        cut = minis(texts, self.mini_size, self.max_size, jobs=jobs)
        documents = [grouping.marked(text, spans, self._rules) for text, spans in zip(texts, cut, strict=True)]
        with self._asking.threads(cache) as pool:
            found = grouping.grouped(documents, self._ask, self._rules, pool)
            if self.fallback == "none":
                _refuse(texts, cut, found)
        chunks = []
        for text, spans, groups in zip(texts, cut, found, strict=True):
            settled = [part for group in groups for part in self._settled(text, spans, group)]
            self._counted["characters"] += len(text)
            chunks.append(assembled(spans, settled, max_size=self.max_size, overlap_minis=self.overlap_minis))
        return chunks

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
            "fell_back": {
                "to": self.fallback,
                "characters": counted["fell_back"],
                "share": round(counted["fell_back"] / max(counted["characters"], 1), 6),
            },
            "usage": self._asking.used(),
        }

    def _ask(self, document: grouping.Marked, which: Sequence[int]) -> grouping.Outcome:
        outcome = grouping.ask(self._asking, document, which, self._rules)
        with self._lock:
            self._counted["questions"] += 1
            if outcome.groups is None:
                self._why[str(outcome.why)] += 1
                self._lost = self._lost or (str(outcome.error) if outcome.error is not None else None)
            elif outcome.why is not None:
                self._counted["repaired"] += 1
        if outcome.error is not None and self.fallback == "none":
            raise outcome.error
        return outcome

    def _settled(self, text: str, spans: Sequence[Span], group: Group) -> list[Group]:
        """Cut a window without a reply of use by the recursive chunker; its chunks are whole mini-chunks too."""
        if group.fallback is None:
            return [group]
        held = [spans[mini] for mini in group.minis]
        self._counted["fell_back"] += held[-1][1] - held[0][0]
        ends = [end for _, end in packed(text, held, min(_RECURSIVE, self.max_size))]
        parts: list[list[int]] = [[] for _ in ends]
        for mini in group.minis:
            parts[bisect_left(ends, spans[mini][1])].append(mini)
        return [replace(group, minis=tuple(part)) for part in parts]


def _refuse(texts: Sequence[str], cut: Sequence[Sequence[Span]], found: Sequence[Sequence[Group]]) -> None:
    for text, spans, groups in zip(texts, cut, found, strict=True):
        for group in groups:
            if group.fallback is not None:
                start = spans[group.minis[0]][0]
                raise ChunkevalError(
                    f"no reply of use about the part that begins with {text[start : start + 40]!r}, twice: {group.fallback}; "
                    "fallback=recursive cuts such a part without the model"
                )
