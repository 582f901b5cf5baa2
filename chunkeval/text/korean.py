"""Kiwi's sentences and morphemes in one pass, over pieces small enough for it."""

from __future__ import annotations

import os
import unicodedata
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import regex

from chunkeval.text.rules import sentence_starts
from chunkeval.text.words import folded, stop_words

if TYPE_CHECKING:
    from kiwipiepy import Kiwi, Token

_PIECE = 4_000
"""Code points a call at most: Kiwi needs memory with the length of what it gets."""
_LATELY = 8_000_000
"""Code points of the pieces whose sentences are remembered."""
_STOPS = ("\n", ". ", "? ", "! ", "。", "！", "？", "…")
_ENDING = regex.compile(r"[.!?。！？…][\"'”’」』)\]]*\s*\Z|\n\s*\Z")
_GLUE = frozenset("\u200d\ufe0e\ufe0f") | {chr(code) for code in range(0x1F3FB, 0x1F400)}
_MARKS, _CLOSING = ".?!。？！", "\"”'’`"
_OPENED = regex.compile(r"[.?!]\s+(?=[\"“'‘`])")
_TICKED = regex.compile(r"[다요죠까][.?!]\s+(?=`[^`]+`)")
_NOUNS = frozenset(("NNG", "NNP", "XR"))
_PREDICATES = frozenset(("VV", "VA", "VV-R", "VV-I", "VA-R", "VA-I"))
_LATIN_END = regex.compile(r"[A-Za-z0-9)][.?!]+[\"'”’)]*\s+[\"'“‘(]*[A-Z가-힣]")
_LATIN_WORD = regex.compile(r"[A-Za-z]{2}")
_HANGUL = regex.compile(r"[가-힣]")

_kept: dict[int, Kiwi] = {}
_lock = Lock()


class Piece(NamedTuple):
    """What is given to Kiwi at once: code points from ``start`` to ``end`` of a text."""

    start: int
    end: int
    goes_on: bool
    """Cut off within a sentence: the first one goes on with the last of the piece before."""


class Analysed(NamedTuple):
    """What Kiwi says of a piece, in code points of the piece."""

    starts: list[int]
    positions: list[int]
    words: list[str]


def kiwi(jobs: int | None = None) -> Kiwi:
    """Give the process's one Kiwi; another number of threads replaces it.

    Parameters
    ----------
    jobs
        Threads; None takes the one that is there, else one thread a core.
    """
    with _lock:
        if _kept and jobs in (None, *_kept):
            return next(iter(_kept.values()))
        from kiwipiepy import Kiwi

        _kept.clear()
        threads = jobs or os.cpu_count() or 1
        made = _kept[threads] = Kiwi(num_workers=threads)
        return made


def pieces(text: str, start: int, end: int) -> Iterator[Piece]:
    """Cut a block where Kiwi's memory asks for it: behind a mark, at white space, at worst between two graphemes.

    Examples
    --------
    >>> [tuple(piece) for piece in pieces("가" * 5000, 0, 5000)]
    [(0, 4000, False), (4000, 5000, True)]
    """
    goes_on = False
    while end - start > _PIECE:
        cut = _cut(text, start)
        yield Piece(start, cut, goes_on)
        goes_on = not _ENDING.search(text, max(start, cut - 16), cut)
        start = cut
    if start < end:
        yield Piece(start, end, goes_on)


def analysed(texts: Sequence[str], *, jobs: int | None, words: bool) -> Iterator[Analysed]:
    """Find sentences and, if asked, content words of Korean pieces, in order.

    Content words are nouns and roots as they stand, verbs and adjectives in their dictionary form, Latin words
    lower-cased and outside the stop list. Without words, pieces that were read lately are not read again: what cuts,
    audits and compares the same documents reads them once.
    """
    if words:
        yield from _read(texts, jobs=jobs, words=True)
        return
    starts = _lately.known(texts)
    new = [text for text in dict.fromkeys(texts) if text not in starts]
    if new:
        starts |= {text: found.starts for text, found in zip(new, _read(new, jobs=jobs, words=False), strict=True)}
    _lately.note(starts)
    for text in texts:
        yield Analysed(starts[text], [], [])


class _Lately:
    """Where the sentences begin in the pieces read last, the latest at the end."""

    def __init__(self) -> None:
        self._starts: OrderedDict[str, list[int]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def known(self, texts: Sequence[str]) -> dict[str, list[int]]:
        """Give what is remembered of texts."""
        with self._lock:
            return {text: found for text in texts if (found := self._starts.get(text)) is not None}

    def note(self, starts: Mapping[str, list[int]]) -> None:
        """Remember what was read, and forget what was read longest ago."""
        with self._lock:
            for text, found in starts.items():
                self._size -= len(text) if self._starts.pop(text, None) is not None else 0
                self._starts[text] = found
                self._size += len(text)
            while self._size > _LATELY:
                self._size -= len(self._starts.popitem(last=False)[0])


_lately = _Lately()


def _read(texts: Sequence[str], *, jobs: int | None, words: bool) -> Iterator[Analysed]:
    stop = stop_words("en") if words else frozenset()
    for text, sentences in zip(
        texts, kiwi(jobs).split_into_sents(texts, return_tokens=words, return_sub_sents=False), strict=True
    ):
        starts: list[int] = []
        positions: list[int] = []
        found: list[str] = []
        for sentence in sentences:
            start = _unquoted(text, starts[-1], sentence.start) if starts else sentence.start
            starts.extend(_divided(text, start, sentence.end))
            for token in sentence.tokens if words else ():
                _collect(token, positions, found, stop)
        yield Analysed(starts, positions, found)


def _collect(token: Token, positions: list[int], words: list[str], stop: frozenset[str]) -> None:
    tag = token.tag
    if tag in _NOUNS:
        word = token.form
    elif tag in _PREDICATES:
        word = token.lemma
    elif tag == "SL":
        word = folded(token.form)
        if len(word) < 2 or word in stop:
            return
    else:
        return
    positions.append(token.start)
    words.append(word)


def _unquoted(text: str, before: int, start: int) -> int:
    """Mend a start that Kiwi sets behind a quoted word and before its particle (``있다. "값"|을 쓴다``)."""
    if text[start - 1] not in _CLOSING or text[start - 2] in _MARKS:
        return start
    return max((found.end() for found in _OPENED.finditer(text, before, start)), default=start)


def _divided(text: str, start: int, end: int) -> list[int]:
    """Give the starts of the sentences in one of Kiwi's, which leaves English ones and ones led by code together."""
    ticked = {found.end() for found in _TICKED.finditer(text, start, end)}
    kept = [start]
    english = sentence_starts(text, start, end, "en")[1:] if _LATIN_END.search(text, start, end) else []
    for offset in sorted(ticked.union(english)):
        latin = _LATIN_END.search(text, max(kept[-1], offset - 16), min(offset + 4, end))
        foreign = not _HANGUL.search(text, kept[-1], offset) and _LATIN_WORD.search(text, kept[-1], offset)
        if offset in ticked or (latin and (foreign or "A" <= text[offset] <= "Z")):
            kept.append(offset)
    return kept


def _cut(text: str, start: int) -> int:
    half, last = start + _PIECE // 2, start + _PIECE
    behind = max(text.rfind(stop, half, last) + len(stop) for stop in _STOPS)
    if behind > half:
        return behind
    space = text.rfind(" ", half, last) + 1
    if space:
        return space
    cut = last
    while cut > half and (text[cut] in _GLUE or text[cut - 1] == "\u200d" or unicodedata.category(text[cut])[0] == "M"):
        cut -= 1
    return cut if cut > half else last
