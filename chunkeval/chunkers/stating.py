"""Sentences to propositions: a model restates them, and what it says of a sentence that the text does not is not taken."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkeval.chunkers.base import Span
from chunkeval.llm.account import estimated
from chunkeval.llm.fields import items, line, number
from chunkeval.llm.prompts import propositions as prompt
from chunkeval.text.language import language
from chunkeval.text.offsets import encodable

if TYPE_CHECKING:
    from chunkeval.llm.client import Asker

MOST_SENTENCES = 25
"""Sentences that are asked about at once."""
CONTEXT = 400
"""Characters before them that are shown besides, for what pronouns mean."""
MOST_OF_A_SENTENCE = 20
"""Propositions of a sentence that are taken; more of them are no restatement."""
GROWTH, SLACK = 4, 200
"""How much longer than a sentence its propositions may be together: a factor, and characters besides."""
LEAST_SHARED = 0.34
"""Share of a proposition's words that the text has to have."""
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+")
_EAST = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]")


@dataclass(frozen=True)
class Proposition:
    """What is filed."""

    text: str
    piece: int
    """Number of the sentence that it comes from."""
    kept: bool = False
    """It is the sentence itself, with the white space behind it."""

    @property
    def size(self) -> int:
        """Characters."""
        return len(self.text)


@dataclass(frozen=True)
class Document:
    """A document's sentences, as a model is shown them."""

    text: str
    pieces: Sequence[Span]
    """Sentences with the white space behind them; joined they are the document."""
    wording: prompt.Wording
    batches: Sequence[range]
    """Sentences that are asked about together."""
    longest: int
    """Characters of a proposition at most."""

    def shown(self, piece: int) -> str:
        """Give a sentence without the white space around it."""
        start, end = self.pieces[piece]
        return encodable(self.text[start:end].strip())

    def before(self, piece: int) -> str:
        """Give the end of what comes before a sentence."""
        start = self.pieces[piece][0]
        return encodable(self.text[max(start - CONTEXT, 0) : start].strip())

    def kept(self, piece: int) -> Proposition:
        """Give a sentence as it is."""
        start, end = self.pieces[piece]
        return Proposition(self.text[start:end], piece, kept=True)


def prepared(text: str, pieces: Sequence[Span], max_input: int, longest: int) -> Document:
    """Prepare a document: its language's words, and batches of what fits a request.

    Parameters
    ----------
    text
        The document.
    pieces
        Its sentences.
    max_input
        Characters of a request at most.
    longest
        Characters of a proposition at most.
    """
    wording = prompt.wording(language(text))
    room = max_input - len(wording.state_system()) - len(wording.state_user("x" * CONTEXT, [])) - CONTEXT
    widths = [len(_line(MOST_SENTENCES, encodable(text[start:end].strip()))) + 1 for start, end in pieces]
    return Document(text, pieces, wording, list(_batches(widths, room)), longest)


def state(asker: Asker, document: Document, batch: range) -> tuple[list[Proposition], str | None]:
    """Have sentences restated.

    Parameters
    ----------
    asker
        Answers.
    document
        The document.
    batch
        The sentences.

    Returns
    -------
    list of Proposition, str or None
        In order, at least one a sentence: itself, where there is nothing of use; and what is wrong with the reply.

    Raises
    ------
    ServerLost, BudgetSpent, ConfigError
        See `llm.client.Asker`.
    """
    from chunkeval.llm.client import Ask

    shown = [document.shown(piece) for piece in batch]
    context = document.before(batch.start)
    question = document.wording.state_user(
        json.dumps(context, ensure_ascii=False) if context else "",
        [_line(at, sentence) for at, sentence in enumerate(shown, 1)],
    )
    room = 200 + sum(3 * estimated(sentence) + 40 for sentence in shown)
    reply = asker.ask(
        Ask(document.wording.state_system(), question, prompt.STATED, prompt.STATED_SCHEMA, prompt.VERSION, room)
    )
    stated = read(reply.value, shown, context, document.wording, document.longest)
    found = [
        proposition
        for at, piece in enumerate(batch)
        for proposition in (
            [Proposition(text, piece) for text in stated[at]] if stated.get(at) else [document.kept(piece)]
        )
    ]
    return found, reply.trouble or (None if stated else "nothing of use in the reply")


def read(
    value: object, sentences: Sequence[str], context: str, wording: prompt.Wording, longest: int
) -> dict[int, list[str]]:
    """Read propositions from a reply's JSON, whatever it is.

    Parameters
    ----------
    value
        JSON.
    sentences
        What was shown, numbered from 1 there.
    context
        What was shown before them.
    wording
        The words of the question: its example is not taken.
    longest
        Characters of a proposition at most.

    Returns
    -------
    dict
        Sentence, numbered from 0, to its propositions; only those of which all can be taken: their words are the
        text's, they name no number that it does not, and they are not too many or too long.

    Examples
    --------
    >>> said = ["김 대표는 2010년에 회사를 세우고 이듬해 상장했다."]
    >>> fine = {"sentences": [{"id": 1, "propositions": ["김 대표는 2010년에 회사를 세웠다.", "회사는 이듬해 상장했다."]}]}
    >>> read(fine, said, "", prompt.KOREAN, 100)
    {0: ['김 대표는 2010년에 회사를 세웠다.', '회사는 이듬해 상장했다.']}
    >>> read([{"id": 1, "propositions": ["김 대표는 1910년에 회사를 세웠다."]}], said, "", prompt.KOREAN, 100)
    {}
    """
    source = " ".join((context, *sentences))
    words, numbers = _words(source), _numbers(source)
    found: dict[int, list[str]] = {}
    for item in items(value, "sentences") or ():
        at = number(item.get("id")) if isinstance(item, dict) else None
        given = items(item.get("propositions"), "propositions") if isinstance(item, dict) else None
        if at is None or given is None or not 1 <= at <= len(sentences) or at - 1 in found:
            continue
        most = GROWTH * len(sentences[at - 1]) + SLACK
        texts = [line(text, most + 1) for text in given[: MOST_OF_A_SENTENCE + 1]]
        taken = [text for text in texts if text is not None]
        if (
            taken
            and len(taken) == len(texts) <= MOST_OF_A_SENTENCE
            and sum(map(len, taken)) <= most
            and max(map(len, taken)) <= longest
            and all(_borne_out(text, words, numbers) for text in taken)
            and not (set(taken) & set(wording.example) - set(sentences))
        ):
            found[at - 1] = list(dict.fromkeys(taken))
    return found


def _borne_out(text: str, words: set[str], numbers: set[str]) -> bool:
    own = _words(text)
    return _numbers(text) <= numbers and len(own & words) >= LEAST_SHARED * max(len(own), 1)


def _words(text: str) -> set[str]:
    """Words; of scripts whose words change their endings or are not parted, pairs of characters."""
    found: set[str] = set()
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).lower()):
        if _EAST.search(word) and len(word) > 1:
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        else:
            found.add(word)
    return found


def _numbers(text: str) -> set[str]:
    plain = unicodedata.normalize("NFKC", text)
    return set(_NUMBER.findall(re.sub(r"(?<=\d),(?=\d)", "", plain)))


def _batches(widths: Sequence[int], room: int) -> Iterator[range]:
    first = width = 0
    for piece, one in enumerate(widths):
        if piece > first and (width + one > room or piece - first == MOST_SENTENCES):
            yield range(first, piece)
            first, width = piece, 0
        width += one
    if widths:
        yield range(first, len(widths))


def _line(at: int, text: str) -> str:
    return f'{{"id": {at}, "text": {json.dumps(text, ensure_ascii=False)}}}'
