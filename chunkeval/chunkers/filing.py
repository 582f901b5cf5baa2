"""Propositions to passages: a model sees what there is of each so far, and says where the next ones belong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chunkeval.chunkers.stating import Proposition
from chunkeval.errors import BudgetSpent, ChunkevalError, ServerLost
from chunkeval.llm.fields import items, line, number
from chunkeval.llm.prompts import propositions as prompt
from chunkeval.text.offsets import encodable

if TYPE_CHECKING:
    from chunkeval.llm.client import Asker

MOST_PROPOSITIONS = 20
"""Propositions that are filed at once."""
MOST_PASSAGES = 40
"""Passages that are shown, the last ones that something was filed into."""
TRIES = 2
"""Times a question is put."""
TITLE, SUMMARY = 200, 600
"""Characters that are kept of a title and a summary."""
_SHOWN_SUMMARY = 200
_FULL = 0.9
"""Share of the size from which on a passage is not shown any more."""


@dataclass
class Passage:
    """Propositions that make a chunk."""

    members: list[int] = field(default_factory=list)
    size: int = 0
    title: str | None = None
    summary: str | None = None
    unfiled: bool = False
    """No reply said where its proposition belongs."""


@dataclass(frozen=True)
class Filed:
    """What became of a document's propositions."""

    passages: Sequence[Passage]
    past: int
    """Propositions that were filed, the first so many; all, but where the server was lost or the budget spent."""
    asked: int = 0
    """Questions that were replied to."""
    repaired: int = 0
    """Those of them whose second reply was of use."""
    troubles: tuple[str, ...] = ()
    """What was wrong with replies of no use."""
    error: ChunkevalError | None = None
    """Why the rest was not filed."""


def file(
    asker: Asker, propositions: Sequence[Proposition], wording: prompt.Wording, *, max_size: int, max_input: int
) -> Filed:
    """File a document's propositions, in order.

    Parameters
    ----------
    asker
        Answers.
    propositions
        At least one.
    wording
        The words of the questions.
    max_size
        Characters of a passage at most.
    max_input
        Characters of a request at most.

    Returns
    -------
    Filed
        The first proposition opens a passage without a question. Those that no reply files have a passage of their own.

    Raises
    ------
    ConfigError
        The asker cannot ask at all.
    """
    cabinet = Cabinet(propositions, max_size)
    cabinet.open(0)
    at, asked, repaired = 1, 0, 0
    troubles: list[str] = []
    room = max_input - len(wording.file_system()) - len(wording.file_user([], [], 0)) - len(wording.again)
    while at < len(propositions):
        batch = _batch(propositions, at, room // 2)
        try:
            value, trouble = _ask(asker, wording, cabinet, [propositions[one].text for one in batch], room // 2)
        except (ServerLost, BudgetSpent) as error:
            return Filed(cabinet.filled(), at, asked, repaired, tuple(troubles), error)
        asked += 1
        if trouble is not None and value is not None:
            repaired += 1
        elif trouble is not None:
            troubles.append(trouble)
        cabinet.put(batch, value)
        at = batch.stop
    return Filed(cabinet.filled(), at, asked, repaired, tuple(troubles))


class Cabinet:
    """The passages so far.

    Parameters
    ----------
    propositions
        The document's.
    max_size
        Characters of a passage at most: what does not fit opens another, to which what follows goes too.

    Examples
    --------
    >>> cabinet = Cabinet([Proposition(text, 0) for text in ("가", "나", "다", "라")], max_size=10)
    >>> cabinet.open(0)
    1
    >>> cabinet.put(range(1, 4), {"filed": [{"id": 1, "passage": 7}, {"id": 2, "passage": 1}, {"id": 3, "passage": "7"}]})
    >>> [passage.members for passage in cabinet.filled()]
    [[0, 2], [1, 3]]
    """

    def __init__(self, propositions: Sequence[Proposition], max_size: int) -> None:
        self._propositions, self._max_size = propositions, max_size
        self._passages: dict[int, Passage] = {}
        self._goes_on: dict[int, int] = {}
        self._recent: dict[int, None] = {}

    @property
    def following(self) -> int:
        """The number that the next passage gets."""
        return len(self._passages) + 1

    def open(self, proposition: int, *, unfiled: bool = False) -> int:
        """Open a passage with a proposition."""
        named = self.following
        self._passages[named] = Passage([proposition], self._propositions[proposition].size, unfiled=unfiled)
        self._recent[named] = None
        return named

    def put(self, batch: range, value: object) -> None:
        """File propositions as a reply says, whatever it is."""
        known = self.following - 1
        filed = _chosen(value)
        opened: dict[int, int] = {}
        for at, proposition in enumerate(batch, 1):
            chosen = filed.get(at)
            if chosen is None:
                self.open(proposition, unfiled=True)
            elif 1 <= chosen <= known:
                self._add(chosen, proposition)
            elif chosen in opened:
                self._add(opened[chosen], proposition)
            else:
                opened[chosen] = self.open(proposition)
        for chosen, (title, summary) in _named(value).items():
            place = chosen if 1 <= chosen <= known else opened.get(chosen)
            if place is not None:
                passage = self._passages[self._last(place)]
                passage.title, passage.summary = title or passage.title, summary or passage.summary

    def outline(self, room: int) -> list[str]:
        """Show passages that are not full, the latest that fit, by number."""
        shown: dict[int, str] = {}
        for named in reversed(self._recent):
            passage = self._passages[named]
            if named in self._goes_on or passage.size > _FULL * self._max_size:
                continue
            summary = passage.summary or self._propositions[passage.members[0]].text
            put = {"id": named, "title": passage.title, "summary": encodable(summary.strip()[:_SHOWN_SUMMARY])}
            text = json.dumps(put, ensure_ascii=False)
            if len(shown) == MOST_PASSAGES or room < len(text):
                break
            room -= len(text) + 1
            shown[named] = text
        return [shown[named] for named in sorted(shown)]

    def filled(self) -> list[Passage]:
        """Give the passages in the order in which they were opened."""
        return list(self._passages.values())

    def _last(self, named: int) -> int:
        while named in self._goes_on:
            named = self._goes_on[named]
        return named

    def _add(self, named: int, proposition: int) -> None:
        named = self._last(named)
        passage = self._passages[named]
        size = passage.size + 1 + self._propositions[proposition].size
        if size > self._max_size:
            another = self.open(proposition)
            self._goes_on[named] = another
            self._passages[another].title, self._passages[another].summary = passage.title, passage.summary
            return
        passage.members.append(proposition)
        passage.size = size
        self._recent.pop(named)
        self._recent[named] = None


def _ask(
    asker: Asker, wording: prompt.Wording, cabinet: Cabinet, texts: Sequence[str], room: int
) -> tuple[object, str | None]:
    """Give the JSON of the first reply of use, and what was wrong with one that was of none."""
    from chunkeval.llm.client import Ask

    lines = [_line(at, text) for at, text in enumerate(texts, 1)]
    question = wording.file_user(cabinet.outline(room), lines, cabinet.following)
    trouble = None
    for attempt in range(TRIES):
        put = question + (f"\n\n{wording.again}" if attempt else "")
        tokens = 300 + 200 * len(lines)
        reply = asker.ask(Ask(wording.file_system(), put, prompt.FILED, prompt.FILED_SCHEMA, prompt.VERSION, tokens))
        if _chosen(reply.value):
            return reply.value, trouble
        trouble = reply.trouble or "nothing of use in the reply"
    return None, trouble


def _chosen(value: object) -> dict[int, int]:
    """Proposition to passage as a reply says it; the first that it says of each."""
    found: dict[int, int] = {}
    for item in items(value, "filed") or ():
        if isinstance(item, dict):
            at, passage = number(item.get("id")), number(item.get("passage"))
            if at is not None and passage is not None:
                found.setdefault(at, passage)
    return found


def _named(value: object) -> dict[int, tuple[str | None, str | None]]:
    found: dict[int, tuple[str | None, str | None]] = {}
    given = value.get("passages") if isinstance(value, Mapping) else None
    for item in given if isinstance(given, list) else ():
        at = number(item.get("id")) if isinstance(item, dict) else None
        if at is not None:
            found.setdefault(at, (line(item.get("title"), TITLE), line(item.get("summary"), SUMMARY)))
    return found


def _batch(propositions: Sequence[Proposition], first: int, room: int) -> range:
    past = first
    while past < len(propositions) and past - first < MOST_PROPOSITIONS:
        room -= len(_line(MOST_PROPOSITIONS, propositions[past].text)) + 1
        if room < 0 and past > first:
            break
        past += 1
    return range(first, past)


def _line(at: int, text: str) -> str:
    return f'{{"id": {at}, "text": {json.dumps(encodable(text.strip()), ensure_ascii=False)}}}'
