"""WordPiece over many ordinary words at once: all their characters go through the vocabulary side by side.

BERT's normaliser and the splitting before WordPiece keep for every character where it came from, which costs more than the tokens
themselves. For ordinary Korean and English words that is plain arithmetic.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

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
        self._trie = _Trie(model["vocab"], model["continuing_subword_prefix"])
        self._parts = _punctuation()

    def fits(self, word: str) -> bool:
        """Whether the word is of that kind."""
        return self._word.fullmatch(word) is not None

    def starts(self, words: Sequence[str]) -> Ragged:
        """Give where in each word, all of which fit, its tokens begin."""
        blocks = [self._block(words[i : i + _AT_ONCE]) for i in range(0, len(words), _AT_ONCE)]
        return (
            np.concatenate([np.zeros(0, np.int64), *(counts for counts, _ in blocks)]),
            np.concatenate([np.zeros(0, np.int32), *(flat for _, flat in blocks)]),
        )

    def _block(self, words: Sequence[str]) -> Ragged:
        # One after the other or all at once is the same to a normaliser, since none holds a space.
        joined = f"{' '.join(words)} "
        codes = _codes(unicodedata.normalize(self._form, joined.lower() if self._lower else joined))
        raw = _codes(joined)
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
        longest = self._trie.longest(codes, begins, space)
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


class _Trie:
    """A vocabulary as a tree of characters: two roots, for pieces that begin a word and those that go on with one."""

    def __init__(self, pieces: Iterable[str], prefix: str) -> None:
        classes: dict[str, int] = {}
        nodes: dict[tuple[int, int], int] = {}
        ends: set[int] = set()
        for piece in pieces:
            node, rest = (1, piece[len(prefix) :]) if prefix and piece.startswith(prefix) else (0, piece)
            # A piece that looks like one going on also begins a word that is written so.
            for root, letters in ((node, rest), (0, piece)):
                at = root
                for letter in letters:
                    kind = classes.setdefault(letter, len(classes) + 1)
                    at = nodes.setdefault((at, kind), len(nodes) + 2)
                ends.add(at)
        ends -= {0, 1}
        self._classes = np.zeros(0x110000, np.int64)
        self._classes[[ord(letter) for letter in classes]] = list(classes.values())
        self._width = len(classes) + 1
        self._is_end = np.zeros(len(nodes) + 2, bool)
        self._is_end[list(ends)] = True
        self._fill(nodes)

    def _fill(self, nodes: dict[tuple[int, int], int]) -> None:
        """Lay the branches out in a table by a hash of theirs, what collides in the next free place."""
        bits = max(int(len(nodes) * 4).bit_length(), 4)
        self._shift = np.uint64(64 - bits)
        self._keys = np.full((1 << bits) + len(nodes) + 1, -1, np.int64)
        self._next = np.zeros(len(self._keys), np.int64)
        keys = np.array([at * self._width + kind for at, kind in nodes], np.int64)
        values = np.fromiter(nodes.values(), np.int64, len(nodes))
        slots = self._slots(keys)
        while len(keys):
            free = self._keys[slots] == -1
            taken, first = np.unique(slots[free], return_index=True)
            chosen = np.flatnonzero(free)[first]
            self._keys[taken], self._next[taken] = keys[chosen], values[chosen]
            rest = np.ones(len(keys), bool)
            rest[chosen] = False
            keys, values, slots = keys[rest], values[rest], slots[rest] + 1

    def _slots(self, keys: Ints) -> Ints:
        return ((keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> self._shift).astype(np.int64)

    def _step(self, keys: Ints) -> Ints:
        """Give the nodes that branches lead to, 0 where there is none."""
        slots = self._slots(keys)
        held = self._keys[slots]
        found = np.where(held == keys, self._next[slots], 0)
        behind = np.flatnonzero((held != keys) & (held != -1))
        while len(behind):
            slots[behind] += 1
            held = self._keys[slots[behind]]
            hit = held == keys[behind]
            found[behind[hit]] = self._next[slots[behind[hit]]]
            behind = behind[~hit & (held != -1)]
        return found

    def longest(self, codes: NDArray[np.uint32], begins: NDArray[np.bool_], space: NDArray[np.bool_]) -> Ints:
        """Give for each place the length of the longest piece from there within its part of a word; 0 where there is none."""
        kinds = self._classes[codes]
        kinds[space] = 0
        found = np.zeros(len(codes), np.int64)
        places = np.flatnonzero(kinds)
        nodes = np.where(begins[places], 0, 1)
        length = 0
        while len(places):
            nodes = self._step(nodes * self._width + kinds[places + length])
            on = nodes > 0
            places, nodes = places[on], nodes[on]
            length += 1
            found[places[self._is_end[nodes]]] = length
            on = (kinds[places + length] > 0) & ~begins[places + length]
            places, nodes = places[on], nodes[on]
        return found


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


def _punctuation() -> NDArray[np.bool_]:
    """Which code points stand apart, of those that normalised plain words hold."""
    apart = np.zeros(0xD7A4, bool)
    for code in (*range(33, 127), 0xB7, *range(0x2013, 0x2027), *range(0x3001, 0x3010)):
        char = chr(code)
        apart[code] = (code < 127 and not char.isalnum()) or unicodedata.category(char).startswith("P")
    return apart
