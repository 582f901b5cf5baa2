"""SentencePiece's unigram model over many ordinary words at once: the best way through each, all side by side.

Kudo 2018, "Subword Regularization: Improving Neural Network Translation Models with Multiple Subword Candidates": of all ways to
make up a word of pieces, the one whose scores add up to the most; where two are equal, the one whose last piece begins earlier.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.text.trie import Trie, codes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Floats, Ints
    from chunkeval.text.offsets import Ragged

MARK = "\u2581"
"""Stands for the space before a word."""
PLAIN = r"!-~\uac00-\ud7a3"
"""ASCII and Hangul syllables: what the usual normalisers leave as it is."""
_PIECE = re.compile(rf"[{PLAIN}{MARK}]+")
_AT_ONCE = 16_384
_CHARACTERS = "".join(map(chr, [*range(33, 127), *range(0xAC00, 0xD7A4)]))
_NORMALISERS = ("Precompiled", "NFKC", "NFC", "Nmt")
"""Of the package ``tokenizers``: those that change no word because of the words around it."""


class PlainPieces:
    """Plain words under a tokenizer of the package ``tokenizers``, which `reads` has to allow."""

    def __init__(self, fast: Any) -> None:
        model = json.loads(fast.to_str())["model"]
        opening = "".join({re.escape(token.content[0]) for token in fast.get_added_tokens_decoder().values()})
        shown = f"(?![{opening}])" if opening else ""
        self._word = re.compile(f"(?:{shown}[{PLAIN}])+")
        self._vocabulary = [(piece, float(score)) for piece, score in model["vocab"]]

    def fits(self, word: str) -> bool:
        """Whether the word is plain, and holds nothing that may begin an added token."""
        return self._word.fullmatch(word) is not None

    def starts(self, words: Sequence[str]) -> tuple[Ragged, NDArray[np.bool_]]:
        """See `Unigram.starts`."""
        return self._unigram.starts(words)

    @cached_property
    def _unigram(self) -> Unigram:
        least = min(score for _, score in self._vocabulary)
        return Unigram(self._vocabulary, least - 10.0)

    @staticmethod
    def reads(fast: Any) -> bool:
        """Whether a text's tokens are those of its words one by one, each read with `MARK` before it, and plain ones stay as they are."""
        parts = json.loads(fast.to_str())
        splits = [
            _without(part, "trim_offsets", "add_prefix_space")
            for part in _parts(parts["pre_tokenizer"], "pretokenizers")
        ]
        metaspace = {"type": "Metaspace", "replacement": MARK, "prepend_scheme": "always", "split": True}
        normal = _parts(parts["normalizer"], "normalizers")
        local = all(part["type"] in _NORMALISERS or part == _ONE_SPACE for part in normal)
        known = parts["model"]["type"] == "Unigram" and splits == [{"type": "WhitespaceSplit"}, metaspace] and local
        return known and (not normal or fast.normalizer.normalize_str(_CHARACTERS) == _CHARACTERS)


_ONE_SPACE = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}


def _parts(part: dict[str, Any] | None, key: str) -> list[dict[str, Any]]:
    if part is None:
        return []
    return part[key] if part["type"] == "Sequence" else [part]


def _without(part: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in part.items() if key not in keys}


class Unigram:
    """Finds where the pieces of ordinary words begin.

    Parameters
    ----------
    pieces
        Each with its score; those that no plain word holds are left out.
    unknown
        Score of a character that is no piece.
    """

    def __init__(self, pieces: Iterable[tuple[str, float]], unknown: float) -> None:
        kept = [(piece, score) for piece, score in pieces if _PIECE.fullmatch(piece)]
        self._trie = Trie((0, piece, number) for number, (piece, _) in enumerate(kept))
        self._scores = np.array([score for _, score in kept], np.float64)
        self._unknown = unknown

    def starts(self, words: Sequence[str]) -> tuple[Ragged, NDArray[np.bool_]]:
        """Give where in each plain word its tokens begin, and which words are made of pieces throughout: of the others, nothing is told.

        A word is read with `MARK` before it; a token that begins with that begins where the word does.
        """
        blocks = [self._block(words[i : i + _AT_ONCE]) for i in range(0, len(words), _AT_ONCE)]
        counts = np.concatenate([np.zeros(0, np.int64), *(counts for counts, _, _ in blocks)])
        flat = np.concatenate([np.zeros(0, np.int32), *(flat for _, flat, _ in blocks)])
        return (counts, flat), np.concatenate([np.zeros(0, bool), *(known for _, _, known in blocks)])

    def _block(self, words: Sequence[str]) -> tuple[Ints, NDArray[np.int32], NDArray[np.bool_]]:
        codes = codes_of("".join(f"{MARK}{word} " for word in words))
        ends = np.flatnonzero(codes == 32)
        begins = np.concatenate([[0], ends[:-1] + 1])
        before, unknown = self._best(codes, begins, ends)
        found = np.zeros(len(codes), bool)
        known = np.ones(len(words), bool)
        at, which = ends, np.arange(len(words))
        while len(at):
            known[which[unknown[at]]] = False
            at = before[at]
            found[at] = True
            on = at > begins[which]
            at, which = at[on], which[on]
        word_of = np.repeat(np.arange(len(words)), np.diff(ends, prepend=-1))
        places = np.flatnonzero(found & known[word_of])
        counts = np.bincount(word_of[places], minlength=len(words)).astype(np.int64)
        return counts, np.maximum(places - np.repeat(begins, counts) - 1, 0).astype(np.int32), known

    def _best(self, codes: NDArray[np.uint32], begins: Ints, ends: Ints) -> tuple[Ints, NDArray[np.bool_]]:
        """Give for each place at which the best piece that ends there begins, and whether that is none of the vocabulary."""
        depth = np.arange(len(codes)) - np.repeat(begins, ends + 1 - begins)
        starts, lengths, scores = self._arcs(codes, ends)
        # By the place in the word at which they end, among these the longest first: what a place takes is settled before it is left.
        most = int(lengths.max(initial=1))
        order = np.argsort((depth[starts] + lengths) * most + most - lengths, kind="stable")
        starts, lengths, scores = starts[order], lengths[order], scores[order]
        steps = (depth[starts] + lengths) * most - lengths
        edges = np.flatnonzero(np.diff(steps, prepend=-1, append=-1))
        best: Floats = np.full(len(codes), -np.inf)
        best[begins] = 0
        before = np.zeros(len(codes), np.int64)
        unknown = np.zeros(len(codes), bool)
        for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            start, score = starts[first:last], scores[first:last]
            end = start + lengths[first]
            total = best[start] + np.where(np.isnan(score), self._unknown, score)
            better = total > best[end]
            end, start = end[better], start[better]
            best[end], before[end], unknown[end] = total[better], start, np.isnan(score[better])
        return before, unknown

    def _arcs(self, codes: NDArray[np.uint32], ends: Ints) -> tuple[Ints, Ints, Floats]:
        """Give every piece that stands anywhere; where no single character is one, that character without a score."""
        nowhere = np.zeros(len(codes), bool)
        single = np.zeros(len(codes), bool)
        single[ends] = True
        starts, lengths, scores = [], [], []
        for length, places, pieces in self._trie.walk(codes, nowhere, nowhere):
            if length == 1:
                single[places] = True
            starts.append(places)
            lengths.append(np.full(len(places), length))
            scores.append(self._scores[pieces])
        missing = np.flatnonzero(~single)
        return (
            np.concatenate([*starts, missing]),
            np.concatenate([*lengths, np.ones(len(missing), np.int64)]),
            np.concatenate([*scores, np.full(len(missing), np.nan)]),
        )
