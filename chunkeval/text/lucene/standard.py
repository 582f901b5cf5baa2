"""Lucene's ``standard`` tokenizer: the words of UAX #29, ideographs one by one, emoji sequences whole.

Written after UAX #29 (word boundaries, rules WB4 to WB16) and UTS #51 (emoji sequences), with what Lucene 9's
``StandardTokenizer`` makes of them: South East Asian runs are kept together, ideographs and Hiragana stand alone, and
no token is longer than 255 UTF-16 units: the scanner sees no further.

Nearly all tokens follow from pairs of neighbours, found for a whole block at once. Where a run of characters without
white space has combining marks, emoji sequences, Hebrew or more than 255 characters, the grammar decides.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from chunkeval.text.lucene import classes, halves
from chunkeval.text.lucene.grammar import LIMIT, Words, units, word_spans

Spans = npt.NDArray[np.int64]

BLOCK = 1 << 18
"""Code points looked up at once."""


def _pairs(*joined: tuple[bytes, bytes]) -> npt.NDArray[np.bool_]:
    """Make a table over ``left << 8 | right``: whether two letters next to each other are in one of the products."""
    found = np.zeros(1 << 16, np.bool_)
    for lefts, rights in joined:
        for left in lefts:
            for right in rights:
                found[left << 8 | right] = True
    return found


def _members(letters: bytes) -> npt.NDArray[np.bool_]:
    found = np.zeros(256, np.bool_)
    found[list(letters)] = True
    return found


_JOIN = _pairs((b"an_", b"an_"), (b"k_", b"k_"), (b"s", b"s"))
_MID = _members(b".:,'")
_IN_WORD = _pairs((b"a", b".:'"), (b".:'", b"a"))
_IN_NUMBER = _pairs((b"n", b".,'"), (b".,'", b"n"))
_FIRST = _members(b"anksip_")
_HARD = _members(b"bgxyzefmctrR")


def blocks(text: str) -> Iterator[Spans]:
    r"""Find the tokens of a text, some at a time.

    Yields
    ------
    numpy.ndarray
        int64, shape (tokens, 2): code points ``[start, end)`` of each token, ascending.

    Examples
    --------
    >>> text = "3.14는 don't 東京タワー 👨‍👩‍👧"
    >>> [text[a:b] for spans in blocks(text) for a, b in spans.tolist()]
    ['3.14는', "don't", '東', '京', 'タワー', '👨\u200d👩\u200d👧']
    """
    if halves.is_high(text[-1:]):
        found = list(halves.spans(text, Words(text), LIMIT, grows=False))
        yield np.array(found, np.int64).reshape(-1, 2)
        return
    of = classes.table("standard")
    start = 0
    while start < len(text):
        letters = classes.letters(text[start : start + BLOCK], of)
        size = BLOCK
        # What belongs to no token ends a block, so that no token is parted.
        while start + len(letters) < len(text) and b"o" not in letters:
            size *= 2
            letters = classes.letters(text[start : start + size], of)
        if start + len(letters) < len(text):
            letters = letters[: letters.rindex(b"o") + 1]
        yield _block(text[start : start + len(letters)], letters) + start
        start += len(letters)


def _block(text: str, letters: bytes) -> Spans:
    symbols = np.frombuffer(letters, np.uint8)
    pairs = symbols[:-1].astype(np.uint16) << 8 | symbols[1:]
    joined = _JOIN[pairs]
    # A mark joins two letters or two digits, as its kind is.
    mids = np.flatnonzero(_MID[symbols[1:-1]])
    before, after = pairs[mids], pairs[mids + 1]
    mids = mids[_IN_WORD[before] & _IN_WORD[after] | _IN_NUMBER[before] & _IN_NUMBER[after]]
    joined[mids] = True
    joined[mids + 1] = True
    borders = np.concatenate(([0], np.flatnonzero(~joined) + 1, [len(symbols)]))
    kept = _FIRST[symbols[borders[:-1]]]
    spans = np.stack((borders[:-1][kept], borders[1:][kept]), axis=1)
    if b"_" in letters:
        words = np.concatenate(([0], np.cumsum(symbols != ord("_"))))
        spans = spans[words[spans[:, 1]] > words[spans[:, 0]]]
    hard = np.flatnonzero(_HARD[symbols])
    lengths = spans[:, 1] - spans[:, 0]
    if not len(hard) and not len(lengths[lengths > LIMIT // 2]):
        return spans
    wide = units(text, 0, len(text)) > len(text)
    long = spans[lengths > (LIMIT // 2 if wide else LIMIT), 0]
    return _with_hard(text, letters, spans, np.concatenate((hard, long)), wide)


def _with_hard(text: str, letters: bytes, spans: Spans, hard: npt.NDArray[np.int64], wide: bool) -> Spans:
    """Let the grammar decide the runs, parted by what is never in a token, that hard places are in."""
    parting = np.concatenate(([-1], np.flatnonzero(np.frombuffer(letters, np.uint8) == ord("o")), [len(letters)]))
    runs = np.unique(np.searchsorted(parting, hard))
    easy = ~np.isin(np.searchsorted(parting, spans[:, 0]), runs, kind="table")
    found = [
        span
        for run in runs.tolist()
        for span in word_spans(text, letters, int(parting[run - 1]) + 1, int(parting[run]), wide)
    ]
    together = np.concatenate((spans[easy], np.array(found, np.int64).reshape(-1, 2)))
    return together[np.argsort(together[:, 0], kind="stable")]
