"""Words that may begin with a hyphen (``-`` for standard input, ``-5도``, a list item) told from options that were mistyped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Annotated

from cyclopts import Parameter

from chunkeval.errors import ConfigError
from chunkeval.settings import names

_OPTION = re.compile(r"--?[A-Za-z][A-Za-z0-9-]*(=\S*)?")

Word = Annotated[str, Parameter(allow_leading_hyphen=True)]


def check_words(command: str, words: Iterable[str], instead: str) -> None:
    """Refuse a word that looks like an option.

    Parameters
    ----------
    command
        Whose help lists the options.
    words
        What was given.
    instead
        How such a word can be given all the same.

    Raises
    ------
    ConfigError
        The message gives the nearest option.

    Examples
    --------
    >>> check_words("search keyword", ["-5도", "-"], "")
    >>> check_words("search", ["--top-kk"], "Leave it out.")
    Traceback (most recent call last):
    chunkeval.errors.ConfigError: unknown option '--top-kk': did you mean --top-k? Leave it out.
    """
    for word in filter(_OPTION.fullmatch, words):
        near = get_close_matches(word.partition("=")[0], [f"--{name.replace('_', '-')}" for name in names()], n=1)
        hint = f"did you mean {near[0]}?" if near else f"chunkeval {command} --help lists them;"
        raise ConfigError(f"unknown option {word!r}: {hint} {instead}")
