"""Lucene's word tokenizers, as OpenSearch's ``text_chunking`` processor uses them: which tokens, where in the text.

Offsets are Lucene 9.9.1's, over code-point tables frozen at its Unicode version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Literal

import numpy as np
import numpy.typing as npt

from chunkeval.errors import unknown_name
from chunkeval.text.lucene import classes, classic, email, runs, standard, thai

Spans = npt.NDArray[np.int64]

_BATCH = 1 << 16


def _batches(spans: Callable[[str], Iterator[tuple[int, int]]]) -> Callable[[str], Iterator[Spans]]:
    def blocks(text: str) -> Iterator[Spans]:
        found = spans(text)
        while batch := list(islice(found, _BATCH)):
            yield np.array(batch, np.int64)

    return blocks


_BLOCKS: dict[str, Callable[[str], Iterator[Spans]]] = {
    "standard": standard.blocks,
    "letter": runs.letter_blocks,
    "lowercase": runs.letter_blocks,
    "whitespace": runs.word_blocks,
    "uax_url_email": _batches(email.spans),
    "classic": _batches(classic.spans),
    "thai": _batches(thai.spans),
}

TOKENIZERS = tuple(_BLOCKS)
"""Names of the tokenizers, as OpenSearch spells them."""


def check_tokenizer(tokenizer: object) -> None:
    """Refuse a tokenizer that is not known or, on this machine, not to be had.

    Raises
    ------
    ConfigError, MissingExtraError
        As `token_blocks` does.
    """
    if not isinstance(tokenizer, str) or tokenizer not in _BLOCKS:
        raise unknown_name("tokenizer", str(tokenizer), TOKENIZERS)
    if tokenizer == "thai":
        thai.start_java()


def token_blocks(text: str, tokenizer: str = "standard") -> Iterator[Spans]:
    """Find the tokens of a text, some at a time, so that a long text needs little memory.

    Yields
    ------
    numpy.ndarray
        int64, shape (tokens, 2): code points ``[start, end)`` of each token, ascending.

    Raises
    ------
    ConfigError
        The tokenizer is not known; the message gives the nearest that is.
    MissingExtraError
        ``thai`` without a Java that knows Thai.
    """
    check_tokenizer(tokenizer)
    return _BLOCKS[tokenizer](text)


def token_spans(text: str, tokenizer: str = "standard", unit: Literal["code_points", "utf16"] = "code_points") -> Spans:
    """Find the tokens of a text.

    Parameters
    ----------
    text
        Any text, also with lone surrogates.
    tokenizer
        One of `TOKENIZERS`.
    unit
        What offsets count: code points, as Python does, or UTF-16 code units, as Java does.

    Returns
    -------
    numpy.ndarray
        int64, shape (tokens, 2): ``[start, end)`` of each token, ascending.

    Raises
    ------
    ConfigError, MissingExtraError
        As `token_blocks` does.

    Examples
    --------
    >>> token_spans("👍🏽 3.14는", "standard").tolist()
    [[0, 2], [3, 8]]
    >>> token_spans("👍🏽 3.14는", "standard", unit="utf16").tolist()
    [[0, 4], [5, 10]]
    """
    spans = np.concatenate((np.empty((0, 2), np.int64), *token_blocks(text, tokenizer)))
    if unit == "utf16" and not text.isascii():
        before = np.concatenate(([0], np.cumsum(classes.codes(text) > 0xFFFF)))
        spans = spans + before[spans]
    return spans
