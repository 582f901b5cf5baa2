"""Where in a text each token begins, for texts of any length: in windows, or word by word where words stand alone."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from chunkeval import registry
from chunkeval.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Ints

    Starts = NDArray[np.int32]
    Ragged = tuple[Ints, Starts]
    """Rows of unlike length: how long each is, and all of them one behind the other."""

_WINDOW = 32_768
"""Code points that a tokenizer reads at once: what it needs for a text does not grow with the text."""
_CONTEXT = 512
"""Code points read on both sides of a window besides, so that its first and last tokens are those of the whole text."""
_AT_ONCE = 16
"""Windows that a tokenizer reads side by side."""
_WORD = re.compile(r"[^ \t\n\r]+")
_GAP = re.compile(r"[ \t\n\r]")
_BLOCK = 500_000
"""Code points whose words are looked up at once."""
_REMEMBERED = 1_000_000
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_TIKTOKEN = re.compile(r"(?:cl100k|o200k|p50k|r50k)_\w+")


class TokenOffsets(Protocol):
    """Says where tokens begin."""

    name: str

    def starts(self, text: str) -> Starts:
        """Give the code point at which each token of a text begins, ascending; special tokens left out.

        A token made of bytes within a character begins where the character does.
        """
        ...


class WordStarts:
    """Token starts word by word, remembered: for tokenizers whose tokens never reach across white space.

    Parameters
    ----------
    read : callable
        Gives for each of some words where its tokens begin, in code points of the word.
    """

    def __init__(self, read: Callable[[Sequence[str]], Ragged]) -> None:
        self._read = read
        self._known: dict[str, int] = {}
        self._rows: Ragged = ragged([])
        self._turn = Lock()

    def __call__(self, text: str) -> Starts:
        """Give where the tokens of a text begin."""
        found = array("i")
        start = 0
        while start < len(text):
            gap = _GAP.search(text, start + _BLOCK)
            end = gap.end() if gap else len(text)
            block = text[start:end]
            words = _WORD.findall(block)
            if words:
                found.frombytes((start + self._batch(words, _begins(block))).astype(np.int32).tobytes())
            start = end
        return np.frombuffer(found, np.int32)

    def _batch(self, words: list[str], at: Starts) -> Starts:
        # A word's number and its row are of one time: threads take turns.
        with self._turn:
            if len(self._known) > _REMEMBERED or len(self._rows[1]) > 16 * _REMEMBERED:
                self._known, self._rows = {}, ragged([])
            which = [self._known.get(word, -1) for word in words]
            if min(which) < 0:
                self._learn([word for word, number in zip(words, which, strict=True) if number < 0])
                which = list(map(self._known.__getitem__, words))
            counts, flat = _picked(self._rows, np.array(which))
        return np.repeat(at, counts) + flat

    def _learn(self, words: list[str]) -> None:
        new = list(dict.fromkeys(words))
        counts, flat = self._read(new)
        self._known.update(zip(new, count(len(self._known)), strict=False))
        self._rows = np.concatenate([self._rows[0], counts]), np.concatenate([self._rows[1], flat])


def _begins(text: str) -> Starts:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    apart = (codes == 32) | (codes == 9) | (codes == 10) | (codes == 13)
    begins = ~apart
    begins[1:] &= apart[:-1]
    return np.flatnonzero(begins).astype(np.int32)


def ragged(rows: Sequence[Sequence[int]]) -> Ragged:
    """Put rows one behind the other.

    Examples
    --------
    >>> counts, flat = ragged([(0, 2), (), (1,)])
    >>> counts.tolist(), flat.tolist()
    ([2, 0, 1], [0, 2, 1])
    """
    counts = np.fromiter(map(len, rows), np.int64, len(rows))
    return counts, np.fromiter((value for row in rows for value in row), np.int32, int(counts.sum()))


def merged(first: Ragged, second: Ragged, is_first: NDArray[np.bool_]) -> Ragged:
    """Mix the rows of two, by a mark for each row whose it is.

    Examples
    --------
    >>> counts, flat = merged(ragged([(0, 2), (1,)]), ragged([(7,)]), np.array([True, False, True]))
    >>> counts.tolist(), flat.tolist()
    ([2, 1, 1], [0, 2, 7, 1])
    """
    order = np.where(is_first, np.cumsum(is_first) - 1, len(first[0]) + np.cumsum(~is_first) - 1)
    return _picked((np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])), order)


def _picked(rows: Ragged, which: Ints) -> Ragged:
    lengths, flat = rows
    counts = lengths[which]
    before = np.cumsum(counts) - counts
    firsts = (np.cumsum(lengths) - lengths)[which]
    return counts, flat[np.arange(int(counts.sum())) + np.repeat(firsts - before, counts)]


def in_windows(text: str, read: Callable[[Sequence[str]], list[Starts]]) -> Starts:
    """Give where the tokens of a text begin, read in windows with what is around them.

    Tokens depend on what stands a few words away at most, so those of a window with its surroundings are those of the
    text; only in runs without white space longer than the surroundings may a token begin elsewhere.

    Parameters
    ----------
    text
        Any string.
    read : callable
        Gives for each of some texts where its tokens begin.
    """
    kept = array("i")
    windows = _windows(len(text), text)
    while group := list(islice(windows, _AT_ONCE)):
        found = read([text[first:last] for first, _, _, last in group])
        for (first, start, end, _), starts in zip(group, found, strict=True):
            # Normalisers may turn characters around; a span's size is a difference of two places in a sorted list.
            placed = np.maximum.accumulate(starts + first) if len(starts) else starts
            inside = placed[np.searchsorted(placed, start) : np.searchsorted(placed, end)]
            kept.frombytes(inside.astype(np.int32).tobytes())
    return np.frombuffer(kept, np.int32)


def _windows(length: int, text: str) -> Iterator[tuple[int, int, int, int]]:
    for start in range(0, length, _WINDOW):
        first = max(start - _CONTEXT, 0)
        if first:
            space = max(text.rfind(" ", first, start - _CONTEXT // 2), text.rfind("\n", first, start - _CONTEXT // 2))
            first = space if space > 0 else first
        end = min(start + _WINDOW, length)
        yield first, start, end, min(end + _CONTEXT, length)


def encodable(text: str) -> str:
    """Put U+FFFD for lone surrogates, which no tokenizer reads; offsets stay."""
    return _SURROGATE.sub("\ufffd", text) if _SURROGATE.search(text) else text


class TiktokenOffsets:
    """A tokenizer of tiktoken, by the name of its encoding.

    Raises
    ------
    MissingExtraError
        tiktoken is not installed.
    ConfigError
        There is no such encoding, or its file is neither in tiktoken's cache nor to be had.
    """

    def __init__(self, name: str) -> None:
        try:
            import tiktoken
        except ImportError:
            raise MissingExtraError(
                f"tokenizer {name!r} needs tiktoken: install it with pip install 'chunkeval[compare]'"
            ) from None
        self.name = name
        try:
            self._encoding = tiktoken.get_encoding(name)
        except (ValueError, OSError) as error:
            raise ConfigError(
                f"cannot load tokenizer {name!r}: {str(error).splitlines()[0][:160]}; with no network, set "
                f"TIKTOKEN_CACHE_DIR to a folder that has its file"
            ) from error

    def starts(self, text: str) -> Starts:
        """Give where the tokens of a text begin."""
        return in_windows(encodable(text), self._read)

    def count(self, text: str) -> int:
        """Give the number of tokens of a text by itself."""
        return len(self._encoding.encode_ordinary(text))

    def _read(self, texts: Sequence[str]) -> list[Starts]:
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> Starts:
        lengths = [len(token) for token in self._encoding.decode_tokens_bytes(self._encoding.encode_ordinary(text))]
        begins = np.cumsum([0, *lengths])[:-1]
        heads = (np.frombuffer(text.encode(), np.uint8) & 0xC0) != 0x80
        starts: Starts = (np.cumsum(heads)[begins] - 1).astype(np.int32)
        return starts


def load(name: str) -> TokenOffsets:
    """Give a tokenizer with offsets: a registered embedder's, a tiktoken encoding, a tokenizer's folder or hub name.

    Raises
    ------
    ConfigError
        There is none of this name, or it cannot say where its tokens begin.
    MissingExtraError
        The package it needs is not installed.
    """
    from chunkeval.text.tokens import load_hugging_face

    found: Any
    if name in registry.entries("embedders"):
        found = registry.find("embedders", name)()
    elif _TIKTOKEN.fullmatch(name):
        found = TiktokenOffsets(name)
    else:
        found = load_hugging_face(name)
    if not hasattr(found, "starts"):
        raise ConfigError(
            f"tokenizer {name!r} does not say where its tokens begin: choose use-multilingual or a fast one"
        )
    offsets: TokenOffsets = found
    return offsets
