"""Questions to keywords: what of a question is looked for to the letter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import regex

from chunkeval.text.folding import caseless

_NUMBER = regex.compile(r"\p{N}+(?:[.,]\p{N}+)*")
_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]+")


def keywords_of(queries: Sequence[str]) -> list[list[str]]:
    """Give the keywords of each question: nouns as they stand, Latin words, numbers; folded, each once.

    Verbs and adjectives in their dictionary form stand in no text. Where nothing is left, all words of the question are
    its keywords.

    Parameters
    ----------
    queries
        Questions, or words.

    Examples
    --------
    >>> keywords_of(["1905년 아인슈타인이 발표한 이론은?", "When was the moon landing?"])
    [['1905', '아인슈타인', '발표', '이론'], ['moon', 'landing']]
    """
    from chunkeval.text.analysis import analyse

    texts = [caseless(query) for query in queries]
    read = analyse(texts, splitter="rules", morphemes="kiwi", skip=None, words=True, jobs=None)
    bounds = read.word_offsets[read.sentence_offsets].tolist()
    return [
        _standing(text, read.words[first:last]) for text, (first, last) in zip(texts, pairwise(bounds), strict=True)
    ]


def _standing(text: str, words: Sequence[str]) -> list[str]:
    """Keep what stands in the text, in the order in which it does."""
    found = {word: text.find(word) for word in map(caseless, (*words, *_NUMBER.findall(text)))}
    placed = sorted((place, word) for word, place in found.items() if place >= 0)
    return [word for _, word in placed] or list(dict.fromkeys(_WORD.findall(text)))
