"""WordPiece over many ordinary words at once: all their characters go through the vocabulary side by side.

BERT's normaliser and the splitting before WordPiece keep for every character where it came from, which costs more than the tokens
themselves. For ordinary Korean and English words that is plain arithmetic.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval.text.trie import Trie, codes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Ints
    from chunkeval.text.offsets import Ragged

_MARKS = "\u00b7\u2013-\u2026\u3001\u3002\u300a-\u300f"
"""Of Korean and English text; each is punctuation, and no normaliser changes it."""
_AT_ONCE = 16_384
"""Words looked up side by side: few enough to stay in the processor's cache."""


class PlainWords:
    """Words of ASCII, Hangul syllables and common marks, which BERT's normaliser changes in no other way than Python does at once.

    Parameters
    ----------
    fast
        A tokenizer of the package ``tokenizers`` with BERT's normaliser and pre-tokeniser, and WordPiece.
    """

    def __init__(self, fast: Any) -> None:
        rules, model = fast.normalizer, json.loads(fast.to_str())["model"]
        self._lower = bool(rules.lowercase)
        strips = self._lower if rules.strip_accents is None else bool(rules.strip_accents)
        self._form: Literal["NFC", "NFD"] = "NFD" if strips else "NFC"
        # What may begin an added token is found before normalising.
        opening = "".join({re.escape(token.content[0]) for token in fast.get_added_tokens_decoder().values()})
        shown = rf"(?![{opening}])" if opening else ""
        self._word = re.compile(rf"(?:{shown}[!-~\uac00-\ud7a3{_MARKS}])+")
        self._most = int(model["max_input_chars_per_word"])
        self._trie = Trie(_rooted(model["vocab"], model["continuing_subword_prefix"]))
        self._parts = _punctuation()

    def fits(self, word: str) -> bool:
        """Whether the word is of that kind."""
        return self._word.fullmatch(word) is not None

    def starts(self, words: Sequence[str]) -> tuple[Ragged, NDArray[np.bool_]]:
        """Give where in each word, all of which fit, its tokens begin, and that all are told."""
        blocks = [self._block(words[i : i + _AT_ONCE]) for i in range(0, len(words), _AT_ONCE)]
        counts = np.concatenate([np.zeros(0, np.int64), *(counts for counts, _ in blocks)])
        flat = np.concatenate([np.zeros(0, np.int32), *(flat for _, flat in blocks)])
        return (counts, flat), np.ones(len(words), bool)

    def _block(self, words: Sequence[str]) -> Ragged:
        # One after the other or all at once is the same to a normaliser, since none holds a space.
        joined = f"{' '.join(words)} "
        codes = codes_of(unicodedata.normalize(self._form, joined.lower() if self._lower else joined))
        raw = codes_of(joined)
        jamo = np.ones(len(raw), np.int64)
        if self._form == "NFD":
            hangul = raw >= 0xAC00
            jamo[hangul] = 2 + ((raw[hangul] - 0xAC00) % 28 > 0)
        space = raw == 32
        origin = np.repeat(np.arange(len(raw)), jamo)
        places = origin[self._tokens(codes)]
        ends = np.flatnonzero(space)
        counts = np.diff(np.searchsorted(places, ends), prepend=0)
        begins = np.concatenate([[0], ends[:-1] + 1])
        return counts, (places - np.repeat(begins, counts)).astype(np.int32)

    def _tokens(self, codes: NDArray[np.uint32]) -> Ints:
        """Give where tokens begin in normalised words, each with a space behind it."""
        space, apart = codes == 32, self._parts[codes]
        begins = apart.copy()
        begins[0] = True
        begins[1:] |= apart[:-1] | space[:-1]
        begins &= ~space
        longest = np.zeros(len(codes), np.int64)
        for length, places, _ in self._trie.walk(codes, ~begins, begins):
            longest[places] = length
        begins[space] = True
        heads = np.flatnonzero(begins & ~space)
        ends = np.flatnonzero(begins)
        unknown = ends[np.searchsorted(ends, heads) + 1] - heads > self._most
        found = np.zeros(len(codes), bool)
        at, which = heads[~unknown], np.flatnonzero(~unknown)
        while len(at):
            reach = longest[at]
            if not reach.all():
                unknown[which[reach == 0]] = True
                at, which, reach = at[reach > 0], which[reach > 0], reach[reach > 0]
            found[at] = True
            at = at + reach
            on = ~begins[at]
            at, which = at[on], which[on]
        if unknown.any():  # A part of a word that no pieces make up is one token.
            part = np.cumsum(begins & ~space) - 1
            found &= ~unknown[part]
            found[heads[unknown]] = True
        return np.flatnonzero(found)


def _rooted(pieces: Iterable[str], prefix: str) -> Iterator[tuple[int, str, int]]:
    """Give each piece its root: 0 for those that begin a word, 1 for those that go on with one."""
    for number, piece in enumerate(pieces):
        if piece.startswith(prefix):
            yield 1, piece[len(prefix) :], number
        # One that looks as if it went on also begins a word that is written so.
        yield 0, piece, number


def _punctuation() -> NDArray[np.bool_]:
    """Which code points stand apart, of those that normalised plain words hold."""
    apart = np.zeros(0xD7A4, bool)
    for code in (*range(33, 127), 0xB7, *range(0x2013, 0x2027), *range(0x3001, 0x3010)):
        char = chr(code)
        apart[code] = (code < 127 and not char.isalnum()) or unicodedata.category(char).startswith("P")
    return apart
