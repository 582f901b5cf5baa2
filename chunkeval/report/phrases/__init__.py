"""The fixed words of the report, eight modules a language; all languages hold the same keys."""

from __future__ import annotations

from chunkeval.report.phrases import (
    en,
    en_coherence,
    en_compare,
    en_controls,
    en_figures,
    en_judge,
    en_optional,
    en_rechunk,
    ko,
    ko_coherence,
    ko_compare,
    ko_controls,
    ko_figures,
    ko_judge,
    ko_optional,
    ko_rechunk,
)
from chunkeval.report.view import Lang

_PARTS = {
    "ko": (ko, ko_coherence, ko_compare, ko_controls, ko_figures, ko_judge, ko_optional, ko_rechunk),
    "en": (en, en_coherence, en_compare, en_controls, en_figures, en_judge, en_optional, en_rechunk),
}

BOOKS: dict[str, dict[str, str]] = {
    lang: {key: words for part in parts for key, words in part.PHRASES.items()} for lang, parts in _PARTS.items()
}


def say(lang: Lang, key: str, **values: object) -> str:
    """Give a phrase with its blanks filled in.

    Raises
    ------
    KeyError
        No such phrase, or a blank was not given.

    Examples
    --------
    >>> say("en", "of_chunks", n="312", total="4,200")
    '312 of 4,200'
    """
    return BOOKS[lang][key].format(**values)


def say_counted(lang: Lang, key: str, number: int, **values: object) -> str:
    """Give a phrase with its number ``n``, in the form for one or none where the language has such a form.

    Examples
    --------
    >>> say_counted("en", "verdict_all", 1), say_counted("en", "verdict_all", 4200)
    ('The only chunk needs another look.', 'All 4,200 chunks need another look.')
    """
    form = key + {0: "_zero", 1: "_one"}.get(number, "")
    return say(lang, form if form in BOOKS[lang] else key, n=f"{number:,}", **values)


def known(lang: Lang, key: str, otherwise: str) -> str:
    """Give a phrase without blanks, or ``otherwise`` where there is none (a code that a third party brought)."""
    return BOOKS[lang].get(key, otherwise)


def counted(lang: Lang, number: int, thing: str) -> str:
    """Write a count with what is counted.

    Examples
    --------
    >>> counted("en", 1, "chunk"), counted("en", 4200, "chunk"), counted("ko", 4200, "chunk")
    ('1 chunk', '4,200 chunks', '청크 4,200개')
    """
    return say_counted(lang, f"count_{thing}", number)


def script_phrases(lang: Lang) -> dict[str, str]:
    """Give the phrases that the page's script says: all of the page's controls, and those that tell about a chunk."""
    return {key: phrase for key, phrase in BOOKS[lang].items() if key.startswith(("ui_", "suggest_")) or key in _SAID}


_SAID = frozenset(
    {
        "severity",
        "position",
        "new",
        "cut_suggested",
        "cut_weak",
        "cut_gap",
        "elided",
        "blank_text",
        "empty_value",
        "document",
    }
    | {"scores", "score", "value", "limit", "limit_value", "verdict_column", "show_line", "show_impossible"}
    | {"is_low", "is_high", "is_fine", "is_unmeasured", "is_unjudged"}
    | {"limit_low", "limit_high", "limit_both", "limit_low_equal", "limit_high_equal", "limit_both_equal"}
)
