"""Latent semantic analysis as an embedder: TF-IDF over character n-grams, then a truncated SVD, fitted on the corpus itself.

Deerwester et al. 1990. No weights, any language, tens of thousands of sentences a second.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.cache import digest
from chunkeval.errors import ChunkevalError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import Arrays, Ints

NAME = "lsa"
DIMENSION = 128
_NGRAMS = 32_768
_SENTENCES = 20_000
"""Sentences that the SVD sees at most; more change its axes little and its time much."""


class LsaEmbedder:
    """Sentences to vectors by what the corpus' own n-grams share; `fit` first."""

    name = NAME
    context: int | None = None
    parallel = False

    def __init__(self, arrays: Arrays | None = None) -> None:
        self.dimension = DIMENSION
        self.fingerprint = NAME
        self.arrays: Arrays = arrays or {}
        self._tfidf: Any = None
        if arrays:
            self.dimension = len(arrays["components"])
            self.fingerprint = f"{NAME}-{digest(a.tobytes() for a in arrays.values())}"

    def fit(self, texts: Sequence[str], seed: int) -> LsaEmbedder:
        """Learn n-grams, their weights and the axes from sentences; give a fitted embedder.

        Raises
        ------
        ChunkevalError
            Never for text: with nothing to learn from, all vectors are zero.
        """
        from sklearn.decomposition import TruncatedSVD

        chosen = texts
        if len(texts) > _SENTENCES:
            rows = np.sort(np.random.default_rng(seed).choice(len(texts), _SENTENCES, replace=False))
            chosen = [texts[i] for i in rows]
        tfidf = _vectorizer()
        try:
            matrix = tfidf.fit_transform([_plain(t) for t in chosen])
        except ValueError:  # scikit-learn's "empty vocabulary"
            return LsaEmbedder(
                {"ngrams": np.zeros(0, np.uint8), "idf": np.zeros(0), "components": np.zeros((1, 0), np.float32)}
            )
        wanted = max(1, min(DIMENSION, min(matrix.shape) - 1))
        with np.errstate(invalid="ignore"):  # equal sentences have no variance to explain
            svd = TruncatedSVD(n_components=wanted, random_state=seed).fit(matrix)
        ngrams = "\n".join(tfidf.get_feature_names_out()).encode()
        return LsaEmbedder(
            {
                "ngrams": np.frombuffer(ngrams, np.uint8),
                "idf": tfidf.idf_,
                "components": svd.components_.astype(np.float32),
            }
        )

    def fitted(self, arrays: Arrays) -> LsaEmbedder:
        """Give the embedder that learned these arrays."""
        return LsaEmbedder(arrays)

    def encode(self, texts: Sequence[str], batch: int) -> NDArray[np.float32]:
        """Give the texts' vectors, (n, d)."""
        if not self.arrays:
            raise ChunkevalError("the lsa embedder encodes after fit")
        if not len(self.arrays["idf"]):
            return np.zeros((len(texts), self.dimension), np.float32)
        if self._tfidf is None:
            names = self.arrays["ngrams"].tobytes().decode().split("\n")
            self._tfidf = _vectorizer(names)
            self._tfidf.idf_ = self.arrays["idf"]
        weights = self._tfidf.transform([_plain(t) for t in texts])
        vectors: NDArray[np.float32] = np.asarray(weights @ self.arrays["components"].T, dtype=np.float32)
        return vectors

    def count(self, texts: Sequence[str]) -> Ints:
        """Give token counts of the default embedder's tokenizer: LSA has none of its own."""
        from chunkeval.text.use import UseEmbedder

        return UseEmbedder().count(texts)

    def starts(self, text: str) -> NDArray[np.int32]:
        """Give where the tokens begin that `count` counts."""
        from chunkeval.text.use import UseEmbedder

        return UseEmbedder().starts(text)


def _vectorizer(vocabulary: list[str] | None = None) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(
        analyzer="char_wb",
        ngram_range=(2, 3),
        lowercase=True,
        sublinear_tf=True,
        max_features=None if vocabulary else _NGRAMS,
        vocabulary=vocabulary,
        dtype=np.float32,
    )


def _plain(text: str) -> str:
    """Composed, with every white space a plain space: an n-gram must not hold the line break that separates stored n-grams."""
    return " ".join(unicodedata.normalize("NFC", text).split())
