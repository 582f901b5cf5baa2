"""Asking a model which mini-chunks belong together: in windows, whose borders are asked about again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chunkeval.chunkers.asking import in_turn, reason
from chunkeval.chunkers.base import Span
from chunkeval.chunkers.groups import Asked, Fault, Group, read
from chunkeval.errors import BudgetSpent, ChunkevalError, ServerLost
from chunkeval.llm.prompts import grouping as prompt
from chunkeval.text.language import language
from chunkeval.text.offsets import encodable

if TYPE_CHECKING:
    from chunkeval.llm.client import Ask, Asker

MOST_MINIS = 60
"""Mini-chunks that are asked about at once: replies stay short, and models keep count."""
TRIES = 2
"""Times a question is put: the second time it says what was wrong with the first reply."""
REPAIR = 800
"""Characters set aside for saying what is wrong with a reply."""
NUMBERS = 12
"""Numbers that a fault names."""
PER_REPLY, PER_MINI = 200, 100
"""Tokens of a reply: its frame, and a group with title and summary for each mini-chunk."""

_WORST = 8
"""Characters of JSON that a character may take, and some to spare."""

WHY: Mapping[str, str] = {
    "no_groups": "reply of another form",
    "unknown": "numbers that are not there",
    "repeated": "numbers more than once",
    "missing": "numbers left out",
    "too_large": "groups too large",
    "apart": "groups with gaps",
    "copied": "the example copied",
}
"""Faults, as results name them."""


@dataclass(frozen=True)
class Rules:
    """What is asked for."""

    max_minis: int
    contiguous: bool
    max_input: int
    """Characters of a request at most."""


@dataclass(frozen=True)
class Marked:
    """A document's mini-chunks as a model is shown them."""

    texts: Sequence[str]
    """Of each mini-chunk, as JSON."""
    wording: prompt.Wording
    system: str
    windows: Sequence[range]
    """Mini-chunks that are asked about together, one behind the other."""
    room: int
    """Characters that marked lines may take."""

    def fits(self, minis: Sequence[int]) -> bool:
        """Say whether these can be asked about at once."""
        return len(minis) <= MOST_MINIS and sum(_width(self.texts[mini]) for mini in minis) <= self.room


@dataclass(frozen=True)
class Outcome:
    """What became of a question."""

    groups: Sequence[Group] | None
    """None where no reply was of use."""
    why: str | None = None
    """What was wrong with the last reply of no use."""
    error: ChunkevalError | None = None
    """Why there was no reply."""


def marked(text: str, minis: Sequence[Span], rules: Rules) -> Marked:
    """Prepare a document: its language's words, and windows of what fits a request.

    Parameters
    ----------
    text
        The document.
    minis
        Its mini-chunks.
    rules
        What is asked for.
    """
    wording = prompt.wording(language(text))
    system = wording.system(max_minis=rules.max_minis, contiguous=rules.contiguous)
    room = rules.max_input - len(system) - len(wording.user([])) - REPAIR
    texts = [_shown(text[start:end], room) for start, end in minis]
    return Marked(texts, wording, system, list(_windows([_width(one) for one in texts], room)), room)


def ask(asker: Asker, document: Marked, minis: Sequence[int], rules: Rules) -> Outcome:
    """Ask which of some mini-chunks belong together; once more where the reply is of no use, saying why it is not.

    Parameters
    ----------
    asker
        Answers.
    document
        The document.
    minis
        Those that are asked about, ascending.
    rules
        What is asked for.

    Raises
    ------
    ConfigError
        The asker cannot ask at all.
    """
    asked = Asked(len(minis), rules.max_minis, rules.contiguous, document.wording.titles)
    lines = [_line(number, document.texts[mini]) for number, mini in enumerate(minis, 1)]
    question = document.wording.user(lines)
    why, repair = None, ""
    for _ in range(TRIES):
        try:
            reply = asker.ask(_ask(document.system, question + repair, len(minis)))
        except (BudgetSpent, ServerLost) as error:
            return Outcome(None, reason(error), error)
        groups, faults = read(reply.value, asked)
        if not faults:
            return Outcome([_numbered(group, minis) for group in groups], why)
        why = reply.trouble or WHY[faults[0].wrong]
        repair = document.wording.repair([_worded(fault, document.wording, asked) for fault in faults])
    return Outcome(None, why)


def grouped(
    documents: Iterable[Marked], ask: Callable[[Marked, Sequence[int]], Outcome], rules: Rules, pool: Executor
) -> list[list[Group]]:
    """Group the mini-chunks of documents.

    All windows are asked about at once, those of the first documents while the next are prepared. Then the groups on
    both sides of each border between windows are asked about together, for a border is no reason to part them: first at
    every other border, then at the rest.

    Parameters
    ----------
    documents
        Documents.
    ask
        See `ask`.
    rules
        What is asked for.
    pool
        Carries questions out.

    Returns
    -------
    list of list of Group
        Of each document, every mini-chunk in one; a window without a reply of use is a group with its ``fallback``.
    """
    shown, found = list[Marked](), list[dict[int, Group]]()

    def windows() -> Iterator[tuple[int, range]]:
        for number, document in enumerate(documents):
            shown.append(document)
            found.append({})
            yield from ((number, window) for window in document.windows)

    for (number, _), groups in in_turn(pool, lambda task: _window(shown[task[0]], task[1], ask), windows()):
        found[number].update((mini, group) for group in groups for mini in group.minis)
    for first in (0, 1):
        seams = [
            (number, sides)
            for number, document in enumerate(shown)
            for window in document.windows[first + 1 :: 2]
            if (sides := _open(document, found[number], window.start, rules))
        ]
        again = pool.map(lambda task: ask(shown[task[0]], task[1]), seams)
        for (number, _), outcome in zip(seams, again, strict=True):
            found[number].update((mini, group) for group in outcome.groups or () for mini in group.minis)
    return [sorted(set(groups.values()), key=lambda group: group.minis) for groups in found]


def _window(document: Marked, window: range, ask: Callable[[Marked, Sequence[int]], Outcome]) -> Sequence[Group]:
    if len(window) == 1:
        return [Group((window.start,))]
    outcome = ask(document, window)
    return [Group(tuple(window), fallback=outcome.why)] if outcome.groups is None else outcome.groups


def _open(document: Marked, groups: Mapping[int, Group], border: int, rules: Rules) -> tuple[int, ...]:
    """Give the mini-chunks of both groups at a border; none where it is not to be asked about."""
    left, right = groups[border - 1], groups[border]
    minis = tuple(sorted((*left.minis, *right.minis)))
    settled = rules.max_minis == 1 or left.fallback or right.fallback or not document.fits(minis)
    return () if settled else minis


def _windows(widths: Sequence[int], room: int) -> Iterator[range]:
    """Part mini-chunks into windows of about the same width."""
    count = max(-(-sum(widths) // room), -(-len(widths) // MOST_MINIS))
    enough = sum(widths) / max(count, 1)
    first = width = 0
    for mini, one in enumerate(widths):
        if mini > first and (width >= enough or width + one > room or mini - first == MOST_MINIS):
            yield range(first, mini)
            first, width = mini, 0
        width += one
    if widths:
        yield range(first, len(widths))


def _line(number: int, text: str) -> str:
    return f'{{"id": {number}, "text": {text}}}'


def _width(text: str) -> int:
    return len(_line(MOST_MINIS, text)) + 1


def _shown(text: str, room: int) -> str:
    """Give a text as JSON; only its ends where the whole does not fit a request."""
    shown = json.dumps(encodable(text.strip()), ensure_ascii=False)
    if _width(shown) <= room:
        return shown
    kept = room // _WORST // 2 - 2
    ends = f"{text[:kept]} … {text[-kept:]}"
    return json.dumps(encodable(ends), ensure_ascii=False)


def _numbered(group: Group, minis: Sequence[int]) -> Group:
    return replace(group, minis=tuple(minis[mini] for mini in group.minis))


def _worded(fault: Fault, wording: prompt.Wording, asked: Asked) -> str:
    ids = ", ".join(map(str, fault.ids[:NUMBERS])) + (", …" if len(fault.ids) > NUMBERS else "")
    return wording.wrong[fault.wrong].format(ids=ids, max_minis=asked.max_minis)


def _ask(system: str, user: str, count: int) -> Ask:
    from chunkeval.llm.client import Ask

    return Ask(system, user, prompt.SCHEMA_NAME, prompt.SCHEMA, prompt.VERSION, PER_REPLY + PER_MINI * count)
