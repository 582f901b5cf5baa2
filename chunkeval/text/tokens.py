"""Token counts, exactly those of ``len(tokenizer.tokenize(text))``, in bulk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, compress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from chunkeval.cache import digest
from chunkeval.errors import ConfigError
from chunkeval.text.hub import on_hub
from chunkeval.text.offsets import WordStarts, encodable, in_windows, merged
from chunkeval.text.unigram import PlainPieces
from chunkeval.text.wordpiece import PlainWords

if TYPE_CHECKING:
    from chunkeval.results import Ints
    from chunkeval.text.offsets import Ragged, Starts

_WORDS_AT_ONCE = 256
_REMEMBERED = 1_000_000
"""Words whose counts are kept before the memory starts afresh."""


class TokenCounter(Protocol):
    """Counts tokens of texts, special tokens left out."""

    name: str
    fingerprint: str
    context: int | None
    """Tokens that the model behind it reads, special tokens left out; None where it reads all."""

    def count(self, texts: Sequence[str]) -> Ints:
        """Give the number of tokens of each text."""
        ...


class WordMemory:
    """Counts word by word and remembers: for tokenizers whose tokens never reach across a space.

    Parameters
    ----------
    count : callable
        Counts tokens of whole texts.
    """

    def __init__(self, count: Callable[[Sequence[str]], Ints]) -> None:
        self._count = count
        self._known: dict[str, int] = {"": 0}

    def __call__(self, texts: Sequence[str]) -> Ints:
        """Give the number of tokens of each text."""
        split = [text.split(" ") for text in texts]
        words = dict.fromkeys(chain.from_iterable(split))
        if len(self._known) > _REMEMBERED:
            self._known = {"": 0}
        new = [word for word in words if word not in self._known]
        self._known.update(zip(new, self._count(new).tolist(), strict=True))
        known = self._known.__getitem__
        return np.array([sum(map(known, words)) for words in split], dtype=np.int64)


class HuggingFaceCounter:
    """Counts with a ``transformers`` tokenizer."""

    def __init__(self, name: str, tokenizer: Any, context: int | None) -> None:
        self.name = name
        self.context = context
        self._tokenizer = tokenizer
        self._fast = _counting_copy(tokenizer)
        by_words = _word_by_word(tokenizer, self._fast)
        self._count = WordMemory(self._count_words) if by_words else self._count_whole
        self._plain: PlainWords | PlainPieces | None = None
        if by_words:
            self._plain = PlainWords(self._fast)
        elif self._fast is not None and PlainPieces.reads(self._fast):
            self._plain = PlainPieces(self._fast)
        self._across = _reaching(self._fast) if self._fast is not None else []
        self._word_starts = WordStarts(self._read_words)
        identity = self._fast.to_str() if self._fast is not None else repr(sorted(tokenizer.get_vocab().items()))
        self.fingerprint = digest(["tokens", type(tokenizer).__name__, identity])
        self.special = int(tokenizer.num_special_tokens_to_add())
        """Tokens that it adds to a text by itself; not counted."""

    def count(self, texts: Sequence[str]) -> Ints:
        """Give the number of tokens of each text."""
        if self._fast is None:
            return np.array([len(self._tokenizer.tokenize(text)) for text in texts], dtype=np.int64)
        return self._count(texts)

    def starts(self, text: str) -> Starts:
        """Give the code point at which each token of a text begins.

        Raises
        ------
        ConfigError
            The tokenizer is a slow one, which keeps no offsets.
        """
        if self._fast is None:
            raise ConfigError(f"tokenizer {self.name!r} keeps no offsets: sizes in tokens need a fast tokenizer")
        text = encodable(text)
        by_words = self._plain is not None and not any(token in text for token in self._across)
        return self._word_starts(text) if by_words else in_windows(text, self._read)

    def _read(self, texts: Sequence[str]) -> list[Starts]:
        encoded = self._fast.encode_batch(list(texts), add_special_tokens=False)
        return [np.array([start for start, _ in e.offsets], dtype=np.int32) for e in encoded]

    def _read_words(self, words: Sequence[str]) -> Ragged:
        assert self._plain is not None
        plain = np.array(list(map(self._plain.fits, words)), dtype=bool)
        (counts, flat), known = self._plain.starts(list(compress(words, plain)))
        plain[np.flatnonzero(plain)[~known]] = False
        return merged((counts[known], flat), self._read_parted(list(compress(words, ~plain))), plain)

    def _read_parted(self, words: Sequence[str]) -> Ragged:
        """Read words many at a time, parted by spaces."""
        groups = [words[i : i + _WORDS_AT_ONCE] for i in range(0, len(words), _WORDS_AT_ONCE)]
        counts, parts = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
        for group, starts in zip(groups, self._read([" ".join(group) for group in groups]), strict=True):
            at = np.cumsum([0, *(len(word) + 1 for word in group)])
            counts.append(np.diff(np.searchsorted(starts, at)))
            parts.append((starts - np.repeat(at[:-1], counts[-1])).astype(np.int32))
        return np.concatenate(counts), np.concatenate(parts)

    def _count_whole(self, texts: Sequence[str]) -> Ints:
        encoded = self._fast.encode_batch_fast(list(texts), add_special_tokens=False)
        return np.array([len(e) for e in encoded], dtype=np.int64)

    def _count_words(self, words: Sequence[str]) -> Ints:
        assert self._plain is not None
        counts = np.zeros(len(words), dtype=np.int64)
        plain = np.array(list(map(self._plain.fits, words)), dtype=bool)
        counts[plain] = self._plain.starts(list(compress(words, plain)))[0][0]
        others = list(compress(words, ~plain))
        apart = np.array([self._tokenizer.sep_token in word for word in others], dtype=bool)
        places = np.flatnonzero(~plain)
        counts[places[apart]] = self._count_whole(list(compress(others, apart)))
        counts[places[~apart]] = self._count_parted(list(compress(others, ~apart)))
        return counts

    def _count_parted(self, words: Sequence[str]) -> Ints:
        """Count words many at a time, parted by the separator token: one encoding a word would cost more."""
        groups = [words[i : i + _WORDS_AT_ONCE] for i in range(0, len(words), _WORDS_AT_ONCE)]
        joined = [self._tokenizer.sep_token.join(group) for group in groups]
        counts = np.zeros(len(words), dtype=np.int64)
        for at, encoding in enumerate(self._fast.encode_batch_fast(joined, add_special_tokens=False)):
            ids = np.array(encoding.ids, dtype=np.int64)
            ends = np.append(np.flatnonzero(ids == self._tokenizer.sep_token_id), len(ids))
            first = at * _WORDS_AT_ONCE
            counts[first : first + len(ends)] = np.diff(ends, prepend=-1) - 1
        return counts


def load_hugging_face(name: str) -> HuggingFaceCounter:
    """Load a tokenizer by hub name or folder.

    Raises
    ------
    ConfigError
        There is no such tokenizer here.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(name, local_files_only=not (Path(name).exists() or on_hub(name)))
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"cannot load tokenizer {name!r}: it is no registered embedder, no folder with a tokenizer, and the model hub does not give it "
            f"({str(error).splitlines()[0][:120]})"
        ) from error
    return HuggingFaceCounter(name, tokenizer, None)


def _counting_copy(tokenizer: Any) -> Any:
    """Copy the Rust tokenizer, since padding and truncation set for a model's batches must not change counts."""
    from tokenizers import Tokenizer

    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return None
    copy = Tokenizer.from_str(backend.to_str())
    copy.no_padding()
    copy.no_truncation()
    return copy


def _word_by_word(tokenizer: Any, fast: Any) -> bool:
    """Whether a text's tokens are those of its space-separated words one by one, as they are with BERT's WordPiece.

    BERT's normaliser works character by character and its pre-tokeniser splits at white space; an added token that holds a space would
    be found across words.
    """
    if fast is None:
        return False
    bert = (
        type(fast.pre_tokenizer).__name__ == "BertPreTokenizer" and type(fast.normalizer).__name__ == "BertNormalizer"
    )
    added = {token.content for token in fast.get_added_tokens_decoder().values()}
    return bert and type(fast.model).__name__ == "WordPiece" and not _reaching(fast) and tokenizer.sep_token in added


def _reaching(fast: Any) -> list[str]:
    """Give the added tokens that are found across words, or take the white space around them."""
    added = fast.get_added_tokens_decoder().values()
    return [t.content for t in added if " " in t.content or t.lstrip or t.rstrip or t.single_word]
