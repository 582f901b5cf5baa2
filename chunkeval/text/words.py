"""Words of languages without a tagger: lower-cased, minus a stop list; pairs of characters where none are spaced."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

import regex

from chunkeval.text.language import LITTLE_WORDS

_PLAIN = re.compile(r"[a-z0-9]{2,}")
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\u30FC\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(rf"(?V1)(?P<run>[{_UNSPACED}]{{2,}})|(?:[[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]){{2,}}")
_CONTRACTIONS = "don didn doesn isn aren wasn weren hasn hadn haven won wouldn shouldn couldn ain ll ve re"
"""What is left of contractions where a word ends at the apostrophe."""


@lru_cache(maxsize=16)
def stop_words(locale: str) -> frozenset[str]:
    """Words of a language that say nothing about a subject; English ones where the language has no list.

    Examples
    --------
    >>> "the" in stop_words("en"), "der" in stop_words("de"), "의자" in stop_words("ko")
    (True, True, False)
    """
    if locale in LITTLE_WORDS and locale != "en":
        return LITTLE_WORDS[locale]
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS) | frozenset(_CONTRACTIONS.split())


def content_words(text: str, start: int, end: int, locale: str) -> tuple[list[int], list[str]]:
    """Find the content words of a piece of a text.

    A word is a run of letters, marks and digits, at least two and not all digits, case-folded, in composed form,
    outside the stop list. Han, Kana and the unspaced scripts of South-East Asia give every pair of neighbouring
    characters.

    Parameters
    ----------
    text
        The text, in composed form.
    start, end
        The piece, in code points.
    locale
        Two-letter code of the stop list.

    Returns
    -------
    positions : list of int
        Where each word starts in ``text``, ascending.
    words : list of str

    Examples
    --------
    >>> content_words("The GPT-4 models of 2024. 機械学習", 0, 30, "en")
    ([4, 10, 26, 27, 28], ['gpt', 'models', '機械', '械学', '学習'])
    """
    stop = stop_words(locale)
    piece = text[start:end]
    positions: list[int] = []
    words: list[str] = []
    if piece.isascii():
        for match in _PLAIN.finditer(piece.lower()):
            word = match[0]
            if word not in stop and not word.isdigit():
                positions.append(start + match.start())
                words.append(word)
        return positions, words
    for found in _WORD.finditer(piece):
        first, word = start + found.start(), found[0]
        if found["run"]:
            positions.extend(range(first, first + len(word) - 1))
            words.extend(map("".join, pairwise(word)))
            continue
        word = folded(word)
        if word not in stop and not word.isnumeric():
            positions.append(first)
            words.append(word)
    return positions, words


def folded(word: str) -> str:
    """Case-fold a word, composed.

    Examples
    --------
    >>> folded("STRASSE") == folded("Straße")
    True
    """
    return word.lower() if word.isascii() else unicodedata.normalize("NFC", word.casefold())
