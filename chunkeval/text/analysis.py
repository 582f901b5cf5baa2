"""Sentences, content words and traits of many texts at once: one Kiwi pass gives all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import regex

from chunkeval.text import korean
from chunkeval.text.language import locale
from chunkeval.text.markup import layout
from chunkeval.text.morphemes import check_tagger, tagger, whole_text_positions
from chunkeval.text.normal import composed
from chunkeval.text.rules import sentence_starts
from chunkeval.text.sentences import Span, check_splitter, naive_spans, settled, spans_between
from chunkeval.text.traits import BIT, traits_of
from chunkeval.text.words import content_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HANGUL = regex.compile(r"[가-힣]")


@dataclass(frozen=True)
class Analysis:
    """What is known of n texts with m sentences, in the texts' order."""

    sentence_offsets: NDArray[np.int64]
    """(n + 1,): sentences of text i are ``sentence_offsets[i]`` to ``sentence_offsets[i + 1]``."""
    sentence_start: NDArray[np.int32]
    """(m,): code points in the text."""
    sentence_end: NDArray[np.int32]
    word_offsets: NDArray[np.int64]
    """(m + 1,): words of sentence j are ``word_offsets[j]`` to ``word_offsets[j + 1]``."""
    words: list[str]
    """Content words of all sentences; none unless asked for."""
    traits: NDArray[np.uint16]
    """(n,): bits of `results.TRAITS`."""


@dataclass
class _Draft:
    """One text under way; offsets are those of its composed form."""

    text: str
    form: str
    origin: NDArray[np.int64] | None
    skip: int
    traits: int
    tagged: bool
    """Whether a tagger gives its words."""
    known: Sequence[Span] | None
    """Its sentences, where they are given."""
    starts: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)


@dataclass(frozen=True)
class _Request:
    """A piece that Kiwi is to read, and what for."""

    draft: _Draft
    piece: korean.Piece
    sentences: bool
    words: bool


def analyse(
    texts: Sequence[str],
    *,
    splitter: str,
    morphemes: str,
    skip: NDArray[np.int32] | NDArray[np.int64] | None,
    words: bool,
    jobs: int | None,
    sentences: Sequence[Sequence[Span] | None] | None = None,
) -> Analysis:
    """Find sentences, content words and traits.

    The result for a text does not depend on its neighbours, on the batch or on ``jobs``.

    Parameters
    ----------
    texts
        n texts.
    splitter
        ``auto``, ``kiwi``, ``rules`` or ``naive``, as `sentences.split` takes it.
    morphemes
        Tagger of Korean texts, as `morphemes.tagger` takes it.
    skip
        (n,): code points at each text's start that belong to no sentence; None for none.
    words
        Whether content words are wanted.
    jobs
        Kiwi's threads; None takes the Kiwi that is there.
    sentences
        (n,): sentences of each text where they are known, as those of the document that it is cut from; None where
        they are to be found.

    Returns
    -------
    Analysis

    Raises
    ------
    ConfigError
        No splitter or tagger has this name.
    MissingExtraError
        The tagger's package is not installed.

    Examples
    --------
    >>> found = analyse(["One cat. Two dogs."], splitter="auto", morphemes="kiwi", skip=None, words=True, jobs=1)
    >>> found.sentence_start.tolist(), found.words, found.word_offsets.tolist()
    ([0, 9], ['cat', 'dogs'], [0, 1, 2])
    """
    check_splitter(splitter)
    check_tagger(morphemes)
    skips = [0] * len(texts) if skip is None else skip.tolist()
    requests: list[_Request] = []
    drafts: list[_Draft] = []
    for text, skipped, known in zip(texts, skips, sentences or [None] * len(texts), strict=True):
        drafts.append(_drafted(text, skipped, known, splitter, morphemes, words, requests))
    _read(requests, words=words and morphemes == "kiwi", jobs=jobs)
    for draft in drafts:
        _settle(draft, splitter)
    if words and morphemes != "kiwi":
        _tag([draft for draft in drafts if draft.tagged], morphemes, whole=splitter == "naive")
    return _joined(drafts)


def _drafted(
    text: str,
    skipped: int,
    known: Sequence[Span] | None,
    splitter: str,
    morphemes: str,
    words: bool,
    requests: list[_Request],
) -> _Draft:
    """Lay a text out, do what rules do, and ask Kiwi for the rest."""
    form, origin = composed(text[skipped:] if skipped else text)
    traits = traits_of(composed(text)[0] if skipped else form)
    if traits & BIT["blank"]:
        return _Draft(text, form, origin, skipped, traits, tagged=False, known=known)
    tongue = locale(form)
    korean_text = tongue == "ko"
    # The article's recipe tags whatever there is.
    tagged = korean_text or (splitter == "naive" and morphemes != "kiwi")
    draft = _Draft(text, form, origin, skipped, traits, tagged, known)
    rules = "en" if korean_text else tongue
    laid = layout(form)
    draft.traits |= BIT["not_prose"] if laid.not_prose else 0
    for start, end, whole in laid.blocks:
        hangul = korean_text and _HANGUL.search(form, start, end) is not None
        split_by_kiwi = known is None and not whole and (splitter == "kiwi" or (splitter == "auto" and hangul))
        read_by_kiwi = words and morphemes == "kiwi" and hangul
        if whole:
            draft.starts.append(start)
        elif known is None and not split_by_kiwi and splitter != "naive":
            draft.starts.extend(sentence_starts(form, start, end, "ko" if hangul else rules))
        if split_by_kiwi or read_by_kiwi:
            requests.extend(
                _Request(draft, piece, split_by_kiwi, read_by_kiwi) for piece in korean.pieces(form, start, end)
            )
        if words and not read_by_kiwi and (morphemes == "kiwi" or not tagged):
            positions, found = content_words(form, start, end, rules)
            draft.positions.extend(positions)
            draft.words.extend(found)
    return draft


def _read(requests: list[_Request], *, words: bool, jobs: int | None) -> None:
    """Let Kiwi read all pieces at once, and hand out what it says."""
    if not requests:
        return
    texts = [request.draft.form[request.piece.start : request.piece.end] for request in requests]
    for request, found in zip(requests, korean.analysed(texts, jobs=jobs, words=words), strict=True):
        draft, piece = request.draft, request.piece
        if request.sentences:
            first = 1 if piece.goes_on else 0
            draft.starts.extend([piece.start + offset for offset in found.starts[first:]])
        if request.words:
            draft.positions.extend([piece.start + offset for offset in found.positions])
            draft.words.extend(found.words)


def _settle(draft: _Draft, splitter: str) -> None:
    if draft.known is not None:
        spans = list(draft.known)
    elif splitter == "naive":
        spans = naive_spans(draft.text, draft.skip)
    else:
        body = draft.text[draft.skip :] if draft.skip else draft.text
        starts = settled(draft.form, sorted(draft.starts), len(draft.form))
        # All that is visible lies in a sentence, also what stands before the first.
        starts[:1] = [0] if starts else []
        spans = [
            (a + draft.skip, b + draft.skip) for a, b in spans_between(body, starts, len(draft.form), draft.origin)
        ]
    draft.spans = spans
    draft.traits |= BIT["one_sentence"] if len(spans) == 1 else 0


def _tag(drafts: list[_Draft], morphemes: str, *, whole: bool) -> None:
    """Let a tagger of KoNLPy give the words, of whole texts or sentence by sentence."""
    tag = tagger(morphemes)
    if whole:
        for draft, words in zip(drafts, tag([draft.form for draft in drafts]), strict=True):
            draft.words = words
            draft.positions = whole_text_positions(draft.form, words)
        return
    sentences = [composed(draft.text[a:b])[0] for draft in drafts for a, b in draft.spans]
    found = iter(tag(sentences))
    for draft in drafts:
        for a, _ in draft.spans:
            words = next(found)
            draft.words.extend(words)
            draft.positions.extend([a] * len(words))
        draft.origin, draft.skip = None, 0


def _joined(drafts: list[_Draft]) -> Analysis:
    spans = [span for draft in drafts for span in draft.spans]
    bounds = np.array(spans, dtype=np.int32).reshape(-1, 2)
    words: list[str] = []
    counts: list[int] = []
    for draft in drafts:
        placed, each = _placed(draft)
        words.extend(placed)
        counts.extend(each)
    return Analysis(
        sentence_offsets=np.cumsum([0, *(len(draft.spans) for draft in drafts)], dtype=np.int64),
        sentence_start=np.ascontiguousarray(bounds[:, 0]),
        sentence_end=np.ascontiguousarray(bounds[:, 1]),
        word_offsets=np.cumsum([0, *counts], dtype=np.int64),
        words=words,
        traits=np.array([draft.traits for draft in drafts], dtype=np.uint16),
    )


def _placed(draft: _Draft) -> tuple[list[str], list[int]]:
    """Give a text's words in the order of its sentences, and how many each has."""
    if not draft.spans or not draft.words:
        return [], [0] * len(draft.spans)
    positions = np.array(draft.positions, dtype=np.int64)
    places = (positions if draft.origin is None else draft.origin[positions]) + draft.skip
    starts = np.array([start for start, _ in draft.spans], dtype=np.int64)
    sentence = np.maximum(np.searchsorted(starts, places, side="right") - 1, 0)
    counts: list[int] = np.bincount(sentence, minlength=len(starts)).tolist()
    if (np.diff(places) >= 0).all():
        return draft.words, counts
    return [draft.words[i] for i in np.argsort(places, kind="stable")], counts
