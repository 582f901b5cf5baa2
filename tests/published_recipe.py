"""The article's recipe, written out the way it is published: what the benchmarks and the equality tests compare with."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np


def split_sentences(text: str) -> list[str]:
    return [s.strip() for s in re.split(r"[.!?]", text) if s.strip()]


def token_count(tokenizer: Any, text: str) -> int:
    return len(tokenizer.tokenize(text))


def similarity(model: Any, text: str) -> float:
    """Encode one chunk's sentences, then take the cosine of each pair, one pair at a time."""
    from sentence_transformers import util

    sentences = split_sentences(text)
    if len(sentences) < 2:
        return math.nan
    vectors = model.encode(sentences, convert_to_tensor=True, show_progress_bar=False)
    scores = [
        util.pytorch_cos_sim(vectors[i], vectors[j]).item() for i, j in itertools.combinations(range(len(sentences)), 2)
    ]
    return float(np.mean(scores))


def okt_words(okt: Any, text: str) -> list[str]:
    return [word for word, tag in okt.pos(text) if tag in ("Noun", "Adjective", "Verb")]


def fit_topics(documents: Sequence[Sequence[str]], num_topics: int) -> tuple[Any, list[Any]]:
    from gensim.corpora import Dictionary
    from gensim.models import LdaModel

    dictionary = Dictionary(documents)
    corpus = [dictionary.doc2bow(d) for d in documents]
    model = LdaModel(
        corpus=corpus,
        id2word=dictionary,
        num_topics=num_topics,
        random_state=42,
        update_every=1,
        chunksize=100,
        passes=10,
        alpha="auto",
    )
    return model, corpus


def topic_entropy(model: Any, bow: Any) -> float:
    return -sum(p * math.log2(p) for _, p in model.get_document_topics(bow) if p > 0)
