"""Does an embedder read the corpus' language? Its tokenizer tells where it does not, before a vector is made."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunkeval.text import embeddings
from chunkeval.text.use import UseEmbedder

if TYPE_CHECKING:
    from chunkeval.text.embeddings import Embedder

TOKENS_A_SYLLABLE = 1.2
"""Tokens a Hangul syllable above which a vocabulary was not made with Korean: it spells letters or bytes.

Measured on ``datasets/ko``: 0.8 for the default embedder, 1.9 for all-MiniLM-L6-v2, whose BERT vocabulary is English.
Vocabularies of models that were trained on Korean hold syllables, so they need at most one token for each.
"""
UNKNOWN = 0.1
"""Share of tokens that the vocabulary does not have, above which the model does not see what the text says."""

_HANGUL = re.compile("[가-힣]+")
_NAMES = {"ko": "Korean", "en": "English", "zh": "Chinese", "ja": "Japanese"}


def misfit(embedder: Embedder, texts: Sequence[str], language: str) -> str | None:
    """Say that an embedder does not know the corpus' language, where its tokenizer shows it.

    Parameters
    ----------
    embedder
        Counts tokens.
    texts
        Some of the corpus.
    language
        Of the corpus: ``ko``, ``en``, ``zh``, ``ja`` or ``other``.

    Returns
    -------
    str or None
        A sentence for people; of the default embedder, which knows Korean, that the texts are no words. None
        promises nothing: a vocabulary may hold a language that the model never learned.

    Examples
    --------
    >>> from chunkeval.text.use import UseEmbedder
    >>> misfit(UseEmbedder(), ["서울은 대한민국의 수도이다."], "ko") is None
    True
    """
    why = _spells(embedder, texts) if language == "ko" else None
    if why is None and isinstance(embedder, embeddings.SentenceTransformerEmbedder):
        share = embedder.unknown(texts)
        why = f"its vocabulary lacks {share:.0%} of the tokens" if share > UNKNOWN else None
    if why is None:
        return None
    if isinstance(embedder, UseEmbedder):
        return (
            f"WARNING: the embedder {embedder.name} does not find words in these texts: {why}. Similarity says little here; see whether "
            f"they were read from the right column and in their encoding"
        )
    named = _NAMES.get(language, "this corpus' language")
    return (
        f"WARNING: the embedder {embedder.name} was not made for {named}: {why}. Similarity says little here; "
        f"take a multilingual one, as the default is, with --embedder use-multilingual"
    )


def _spells(embedder: Embedder, texts: Sequence[str]) -> str | None:
    words = [word for text in texts for word in _HANGUL.findall(text)]
    syllables = sum(map(len, words))
    rate = float(embedder.count(words).sum()) / syllables if syllables else 0.0
    return f"it needs {rate:.1f} tokens a Hangul syllable, where one is enough" if rate > TOKENS_A_SYLLABLE else None
