"""The agentic chunker: a language model says which mini-chunks belong together; the text stays the document's own."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Unpack

from chunkeval.cache import Cache
from chunkeval.chunkers import grouping
from chunkeval.chunkers.asking import RECURSIVE, Asking, Settings, takes_settings
from chunkeval.chunkers.assembly import assembled
from chunkeval.chunkers.base import Chunk, Span, check_size
from chunkeval.chunkers.groups import Group
from chunkeval.chunkers.minis import in_parts, packed
from chunkeval.errors import ChunkevalError, ConfigError

NAME = "agentic"


@takes_settings
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
    asking
        Whom to ask and how far to go: see `asking.Asking`. Documents longer than ``max_input`` go in windows; the groups
        on both sides of a border between two are asked about again together. ``fallback`` is for a window.

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
        **asking: Unpack[Settings],
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
        self.mini_size, self.max_minis, self.max_size = mini_size, max_minis, max_size
        self.overlap_minis, self.contiguous = overlap_minis, contiguous
        self._asking = Asking(NAME, **asking)
        self._rules = grouping.Rules(max_minis, contiguous, self._asking.max_input)

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
        cut: list[list[Span]] = []

        def documents() -> Iterator[grouping.Marked]:
            for text, spans in in_parts(texts, self.mini_size, self.max_size, jobs=jobs):
                cut.append(spans)
                yield grouping.marked(text, spans, self._rules)

        with self._asking.threads(cache, texts, self.mini_size, self.max_size, self._rules) as pool:
            found = grouping.grouped(documents(), self._ask, self._rules, pool)
            if self._asking.fallback == "none":
                _refuse(texts, cut, found)
        chunks = []
        for text, spans, groups in zip(texts, cut, found, strict=True):
            settled = [part for group in groups for part in self._settled(text, spans, group)]
            self._asking.count(characters=len(text))
            chunks.append(assembled(spans, settled, max_size=self.max_size, overlap_minis=self.overlap_minis))
        return chunks

    def watch(self, told: Callable[[str], None]) -> None:
        """Have what was used so far told after each reply."""
        self._asking.told = told

    def report(self) -> dict[str, Any]:
        """Say what was asked since it was made, what it took, and how much fell back."""
        return self._asking.report()

    def _ask(self, document: grouping.Marked, which: Sequence[int]) -> grouping.Outcome:
        outcome = grouping.ask(self._asking, document, which, self._rules)
        if outcome.error is not None:
            self._asking.without_reply(outcome.error)
            return outcome
        self._asking.count(questions=1, repaired=int(outcome.groups is not None and outcome.why is not None))
        if outcome.groups is None:
            self._asking.of_no_use(str(outcome.why))
        return outcome

    def _settled(self, text: str, spans: Sequence[Span], group: Group) -> list[Group]:
        """Cut a window without a reply of use by the recursive chunker; its chunks are whole mini-chunks too."""
        if group.fallback is None:
            return [group]
        held = [spans[mini] for mini in group.minis]
        self._asking.count(fell_back=held[-1][1] - held[0][0])
        ends = [end for _, end in packed(text, held, min(RECURSIVE, self.max_size))]
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
