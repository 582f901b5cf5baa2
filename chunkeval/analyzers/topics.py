"""Topic entropy: whether a chunk speaks of one topic or of many.

The published measure is the entropy (bits) of a chunk's LDA topics, over 400 topics and without those under 0.01, flagged above 4.2. The
full distribution's entropy, and how it compares with mixes of as many content words (entropy falls with length), stand beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from chunkeval.analyzers import lda
from chunkeval.analyzers.base import Features, Fitted, Groups, Need, Sample
from chunkeval.results import Measure, Recombined

if TYPE_CHECKING:
    from chunkeval.results import Arrays, Floats, Ints

FEWEST_WORDS = 5
"""Content words under which a chunk is not measured."""
NEAREST_MIXES = 200
_SMALLEST_DEVIATION = 0.01


class TopicsAnalyzer:
    """``topic_entropy``, as published and against mixes of the same length."""

    name = "topics"
    scope: Literal["row", "corpus"] = "row"
    needs: frozenset[Need] = frozenset({"sentences", "words"})
    columns = ("topic_entropy", "topic_entropy_card", "topic_entropy_z", "content_words")
    measure = Measure(
        analyzer="topics",
        column="topic_entropy_z",
        side="high",
        reasons={"high": "many_topics"},
        unit="bits",
        card_column="topic_entropy_card",
        card_value=4.2,
    )

    def fit(self, sample: Sample) -> Fitted:
        """Fit the topics on the sampled chunks and measure the recombined ones."""
        num_topics = sample.config.topics or default_num_topics(sample.chunks)
        vocabulary = vocabulary_of(sample.features)
        numbers = {word: i for i, word in enumerate(vocabulary)}
        corpus, mixes, splices = (
            bags(sample.features, groups, numbers)
            for groups in (sample.features.sentences, sample.mixes, sample.splices)
        )
        if vocabulary:
            with sample.progress.step("topics", lda.updates(len(corpus))) as step:
                topics = lda.fit_elsewhere(
                    corpus, len(vocabulary), num_topics=num_topics, seed=sample.config.seed, step=step
                )
        else:
            topics = {"exp_elog_beta": np.zeros((num_topics, 0), np.float32), "alpha": np.ones(num_topics, np.float32)}
        mix_entropy, mix_words = entropies(lda.infer(mixes, topics)), content_words(mixes)
        long_enough = mix_words >= FEWEST_WORDS
        state: Arrays = {
            **topics,
            "vocabulary": np.frombuffer("\n".join(vocabulary).encode(), dtype=np.uint8),
            "mix_entropy": mix_entropy[long_enough],
            "mix_words": mix_words[long_enough],
        }
        recombined = Recombined(
            mixes=_against_mixes(mix_entropy, mix_words, state),
            splices=_against_mixes(entropies(lda.infer(splices, topics)), content_words(splices), state),
        )
        return Fitted(state, {"topic_entropy_z": recombined}, {"num_topics": num_topics, "vocabulary": len(vocabulary)})

    def score(self, features: Features, state: Arrays) -> Arrays:
        """Give all four columns; null under five content words but for ``content_words``."""
        words = state["vocabulary"].tobytes().decode()
        numbers = {word: i for i, word in enumerate(words.split("\n"))} if words else {}
        bows = bags(features, features.sentences, numbers)
        weights = lda.infer(bows, state)
        n = content_words_of(features)
        measured = n >= FEWEST_WORDS
        full = entropies(weights)
        return {
            "topic_entropy": np.where(measured, full, np.nan),
            "topic_entropy_card": np.where(measured, entropies(weights, lda.TRUNCATION), np.nan),
            "topic_entropy_z": _against_mixes(full, n, state),
            "content_words": n,
        }


def default_num_topics(chunks: int) -> int:
    """Topics for a corpus: the square root of half its chunks, from 10 to 400."""
    return int(min(400, max(10, round((chunks / 2) ** 0.5))))


def entropies(weights: Floats, least: float = 0.0) -> Floats:
    """Entropy of each row in bits.

    Parameters
    ----------
    weights : (n, topics) float64
        Rows sum to 1.
    least : float
        Weights under it are dropped, and the rest is not scaled up again: as gensim's ``get_document_topics`` does.

    Examples
    --------
    >>> import numpy as np
    >>> entropies(np.array([[0.5, 0.5], [1.0, 0.0]])).tolist()
    [1.0, 0.0]
    """
    kept = np.where((weights >= least) & (weights > 0), weights, 1.0)
    bits: Floats = -(kept * np.log2(kept)).sum(axis=1)
    return bits + 0.0


def vocabulary_of(features: Features) -> list[str]:
    """Words in the order in which gensim's Dictionary numbers them: by first document, then alphabetically."""
    chunk = _chunk_of_words(features, features.sentences)
    words, first = np.unique(features.word_ids[_words_of(features, features.sentences)], return_index=True)
    if not len(words):
        return []
    first_chunk = chunk[first]
    if len(words) > lda.VOCABULARY:
        pairs = np.unique(np.stack([features.word_ids[_words_of(features, features.sentences)], chunk]), axis=1)
        frequency = np.bincount(pairs[0])[words]
        by_frequency = sorted(range(len(words)), key=lambda i: (-frequency[i], features.vocabulary[int(words[i])]))
        kept = np.array(by_frequency[: lda.VOCABULARY])
        words, first_chunk = words[kept], first_chunk[kept]
    named = sorted((int(c), features.vocabulary[int(w)]) for c, w in zip(first_chunk, words, strict=True))
    return [word for _, word in named]


def bags(features: Features, groups: Groups, numbers: dict[str, int]) -> lda.Bows:
    """Bags of words of the groups, over the numbered vocabulary."""
    chunk = _chunk_of_words(features, groups)
    lookup = np.array([numbers.get(word, -1) for word in features.vocabulary] or [-1], dtype=np.int64)
    ids = lookup[features.word_ids[_words_of(features, groups)]]
    known = ids >= 0
    size = len(numbers) or 1
    pairs, counts = np.unique(chunk[known] * size + ids[known], return_counts=True)
    offsets = np.searchsorted(pairs // size, np.arange(len(groups) + 1))
    return lda.Bows(offsets.astype(np.int64), pairs % size, counts)


def content_words(bows: lda.Bows) -> Ints:
    """Words a bag, repeats counted."""
    ends = np.concatenate([[0], np.cumsum(bows.counts, dtype=np.float64)])
    totals: Ints = (ends[bows.offsets[1:]] - ends[bows.offsets[:-1]]).astype(np.int64)
    return totals


def content_words_of(features: Features) -> Ints:
    """Content words a chunk, known to the topics or not."""
    return np.bincount(_chunk_of_words(features, features.sentences), minlength=len(features)).astype(np.int64)


def _words_of(features: Features, groups: Groups) -> Ints:
    starts = features.word_offsets[groups.members]
    n = features.word_offsets[groups.members + 1] - starts
    within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
    words: Ints = np.repeat(starts, n) + within
    return words


def _chunk_of_words(features: Features, groups: Groups) -> Ints:
    chunk = np.repeat(np.arange(len(groups)), np.diff(groups.offsets))
    return np.repeat(chunk, features.word_offsets[groups.members + 1] - features.word_offsets[groups.members])


def _against_mixes(entropy: Floats, words: Ints, state: Arrays) -> Floats:
    """Standard score of each entropy among the mixes nearest in content words."""
    z = np.full(len(entropy), np.nan)
    if len(state["mix_words"]) < 2:
        return z
    for n in np.unique(words[words >= FEWEST_WORDS]):
        nearest = np.argsort(np.abs(state["mix_words"] - n), kind="stable")[:NEAREST_MIXES]
        among = state["mix_entropy"][nearest]
        at = words == n
        z[at] = (entropy[at] - among.mean()) / max(float(among.std()), _SMALLEST_DEVIATION)
    return np.round(z, 6)
