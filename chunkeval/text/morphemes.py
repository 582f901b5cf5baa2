"""Content words of Korean texts: Kiwi, or a tagger of KoNLPy for those who need its output."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import Protocol

import regex

from chunkeval.errors import MissingExtraError, unknown_name
from chunkeval.text import java, korean

Tagger = Callable[[Sequence[str]], list[list[str]]]
"""Texts to the content words of each."""

CONTENT: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "okt": frozenset(("Noun", "Adjective", "Verb")),
        "komoran": frozenset(("NNG", "NNP", "VV", "VA")),
        "hannanum": frozenset(("NC", "NQ", "PV", "PA")),
        "kkma": frozenset(("NNG", "NNP", "VV", "VA")),
    }
)
"""Tags of nouns, verbs and adjectives in each of KoNLPy's tag sets (Hannanum's has 22 tags)."""

TAGGERS = ("kiwi", *CONTENT)

_LONG = regex.compile(r"[가-힣]{200}(?=[가-힣])")
_CONTROL = regex.compile(r"[\p{Cc}\p{Cs}]")
_ODD = regex.compile(r"[^\p{Hangul}\p{Latin}\p{Nd}\s.,!?'\"()~%:;-]")


class _KonlpyTagger(Protocol):
    def pos(self, phrase: str, /, **options: int) -> list[tuple[str, str]]: ...


def tagger(name: str) -> Tagger:
    """Give what finds the content words of Korean texts.

    Parameters
    ----------
    name
        ``kiwi``, ``okt``, ``komoran``, ``hannanum`` or ``kkma``.

    Returns
    -------
    Tagger
        Takes n texts, gives n lists of words: nouns, verbs, adjectives.

    Raises
    ------
    ConfigError
        No tagger has this name.
    MissingExtraError
        KoNLPy or a Java runtime is not installed.

    Examples
    --------
    >>> tagger("kiwi")(["하늘이 매우 푸르다."])
    [['하늘', '푸르다']]
    """
    check_tagger(name)
    return _kiwi_words if name == "kiwi" else _konlpy(name)


def check_tagger(name: str) -> None:
    """Refuse the name of a tagger that there is not.

    Raises
    ------
    ConfigError
        The message names the nearest one.
    """
    if name not in TAGGERS:
        raise unknown_name("morpheme tagger", name, TAGGERS)


def whole_text_positions(text: str, words: Sequence[str]) -> list[int]:
    """Find where each word stands, walking on from the one before; a word that is not there stands where the walk is.

    Examples
    --------
    >>> whole_text_positions("가다 나다 가다", ["가다", "가다"])
    [0, 6]
    """
    positions: list[int] = []
    here = 0
    for word in words:
        found = text.find(word, here, here + 2_000 + len(word))
        positions.append(found if found >= 0 else here)
        here = found + len(word) if found >= 0 else here
    return positions


def _kiwi_words(texts: Sequence[str]) -> list[list[str]]:
    pieces = [[text[a:b] for a, b, _ in korean.pieces(text, 0, len(text))] for text in texts]
    found = korean.analysed([piece for parts in pieces for piece in parts], jobs=None, words=True)
    return [[word for _ in parts for word in next(found).words] for parts in pieces]


def _konlpy(name: str) -> Tagger:
    engine, content = _engine(name), CONTENT[name]
    options = {"ntags": 22} if name == "hannanum" else {}

    def words_of(text: str) -> list[str]:
        clean = _CONTROL.sub(" ", text) if name == "okt" else _ODD.sub(" ", text)
        # Unspaced runs take Okt minutes: over 100 s for 4,000 syllables.
        phrase = _LONG.sub(r"\g<0> ", clean)
        return [word for word, tag in engine.pos(phrase, **options) if tag in content] if phrase.strip() else []

    return lambda texts: [words_of(text) for text in texts]


@lru_cache(maxsize=4)
def _engine(name: str) -> _KonlpyTagger:
    if find_spec("konlpy") is None or find_spec("jpype") is None:
        raise MissingExtraError(
            f"morpheme tagger {name!r} needs KoNLPy: pip install 'chunkeval[konlpy]', or use --morphemes kiwi"
        )
    java.start(f"morpheme tagger {name!r}", "use --morphemes kiwi")
    import konlpy.tag

    made: _KonlpyTagger = {
        "okt": konlpy.tag.Okt,
        "komoran": konlpy.tag.Komoran,
        "hannanum": konlpy.tag.Hannanum,
        "kkma": konlpy.tag.Kkma,
    }[name]()
    return made
