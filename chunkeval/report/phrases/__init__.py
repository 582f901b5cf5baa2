"""The fixed words of the report, two modules a language: the page's and the figures'; all languages hold the same keys."""

from __future__ import annotations

from chunkeval.report.phrases import en, en_figures, ko, ko_figures
from chunkeval.report.view import Lang

BOOKS = {
    "ko": {**ko.PHRASES, **ko_figures.PHRASES},
    "en": {**en.PHRASES, **en_figures.PHRASES},
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
