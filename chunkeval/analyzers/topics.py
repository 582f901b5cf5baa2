"""Topic entropy: whether a chunk speaks of one topic or of many.

The published measure is the entropy (bits) of a chunk's LDA topics, over 400 topics and without those under 0.01, flagged above 4.2. The
full distribution's entropy stands beside it, and how it compares with mixes of as many content words (entropy falls with length). An LDA
fit depends on its seed: with several, that comparison is of the entropies' mean, and how far they lie apart is a column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval.analyzers import held_out, lda
from chunkeval.analyzers.base import Analyzer, Features, Fitted, Groups, Need, Sample
from chunkeval.analyzers.entropy import FEWEST_WORDS, against_mixes, alike, entropies
from chunkeval.results import Measure, Recombined

if TYPE_CHECKING:
    from chunkeval.config import ScoreConfig
    from chunkeval.progress import Step
    from chunkeval.results import Arrays, Floats, Ints

RANKED = 2_000
"""Chunks at most by which seeds are compared and topics described."""
SHOWN, WORDS = 12, 8
"""Topics that are described, and words of each."""


class TopicsAnalyzer:
    """``topic_entropy``, as published and against mixes of the same length."""

    name = "topics"
    scope: Literal["row", "corpus"] = "row"
    needs: frozenset[Need] = frozenset({"sentences", "words"})
    columns: tuple[str, ...] = (
        "topic_entropy",
        "topic_entropy_card",
        "topic_entropy_z",
        "topic_entropy_spread",
        "content_words",
    )
    measure = Measure(
        analyzer="topics",
        column="topic_entropy_z",
        side="high",
        reasons={"high": "many_topics"},
        unit="bits",
        card_column="topic_entropy_card",
        card_value=4.2,
    )

    def configured(self, config: ScoreConfig) -> Analyzer:
        """Give the analyzer that the topic model in the settings asks for."""
        if config.topic_model == "bertopic":
            from chunkeval.analyzers.bert_topics import BertTopicsAnalyzer

            return BertTopicsAnalyzer()
        return self

    def fit(self, sample: Sample) -> Fitted:
        """Fit the topics on the sampled chunks, once a seed, and measure the recombined ones."""
        config = sample.config
        vocabulary = vocabulary_of(sample.features)
        numbers = {word: i for i, word in enumerate(vocabulary)}
        corpus, mixes, splices = (
            bags(sample.features, groups, numbers)
            for groups in (sample.features.sentences, sample.mixes, sample.splices)
        )
        seeds = [config.seed + number for number in range(config.topic_seeds)]
        usual = default_num_topics(sample.chunks)
        tried: dict[int, float] = {}
        if config.topics == "auto" and vocabulary:
            with sample.progress.step("number of topics", held_out.updates(len(corpus), usual)) as step:
                tried = held_out.surprise(corpus, usual, _Fit(len(vocabulary), config.seed, step))
        num_topics = (
            config.topics if isinstance(config.topics, int) else min(tried, key=tried.__getitem__, default=usual)
        )
        with sample.progress.step("topics", len(seeds) * lda.updates(len(corpus))) as step:
            fits = [_Fit(len(vocabulary), seed, step)(corpus, num_topics) for seed in seeds]
        topics: Arrays = {name: np.stack([one[name] for one in fits]) for name in ("exp_elog_beta", "alpha")}
        mix_entropy, mix_words = _mean_entropies(mixes, topics), content_words(mixes)
        long_enough = mix_words >= FEWEST_WORDS
        state: Arrays = {
            **topics,
            "vocabulary": np.frombuffer("\n".join(vocabulary).encode(), dtype=np.uint8),
            "mix_entropy": mix_entropy[long_enough],
            "mix_words": mix_words[long_enough],
        }
        recombined = Recombined(
            mixes=against_mixes(mix_entropy, mix_words, state),
            splices=against_mixes(_mean_entropies(splices, topics), content_words(splices), state),
        )
        meta: dict[str, Any] = {
            "num_topics": num_topics,
            "vocabulary": len(vocabulary),
            "topic_words": topic_words(corpus, fits[0], vocabulary),
        }
        if tried:
            meta["topics_tried"] = {str(number): round(bits, 4) for number, bits in tried.items()}
        if len(seeds) > 1:
            meta["repeats"] = {self.name: agreement(corpus, fits)}
        return Fitted(state, {"topic_entropy_z": recombined}, meta)

    def score(self, features: Features, state: Arrays) -> Arrays:
        """Give all columns; null under five content words but for ``content_words``."""
        words = state["vocabulary"].tobytes().decode()
        numbers = {word: i for i, word in enumerate(words.split("\n"))} if words else {}
        bows = bags(features, features.sentences, numbers)
        n = content_words_of(features)
        measured = n >= FEWEST_WORDS
        weights = [lda.infer(bows, one) for one in _each(state)]
        full = np.stack([entropies(one) for one in weights])
        spread = full.std(axis=0, ddof=1) if len(full) > 1 else np.full(len(n), np.nan)
        return {
            "topic_entropy": np.where(measured, full[0], np.nan),
            "topic_entropy_card": np.where(measured, entropies(weights[0], lda.TRUNCATION), np.nan),
            "topic_entropy_z": against_mixes(full.mean(axis=0), n, state),
            "topic_entropy_spread": np.where(measured, spread, np.nan),
            "content_words": n,
        }


@dataclass(frozen=True)
class _Fit:
    """Fits on bags with one seed."""

    words: int
    seed: int
    step: Step

    def __call__(self, bows: lda.Bows, num_topics: int) -> Arrays:
        if self.words:
            return lda.fit_elsewhere(bows, self.words, num_topics=num_topics, seed=self.seed, step=self.step)
        return {"exp_elog_beta": np.zeros((num_topics, 0), np.float32), "alpha": np.ones(num_topics, np.float32)}


def _each(topics: Arrays) -> list[Arrays]:
    """Topics of each seed."""
    both = zip(topics["exp_elog_beta"], topics["alpha"], strict=True)
    return [{"exp_elog_beta": beta, "alpha": alpha} for beta, alpha in both]


def _mean_entropies(bows: lda.Bows, topics: Arrays) -> Floats:
    found: Floats = np.mean([entropies(lda.infer(bows, one)) for one in _each(topics)], axis=0)
    return found


def agreement(bows: lda.Bows, fits: Sequence[Arrays]) -> float | None:
    """How alike fits that differ in their seed alone rank the chunks.

    Parameters
    ----------
    bows
        Bags of words, in random order; the first `RANKED` of those with five words or more are ranked.
    fits
        Topics of each seed, two or more.

    Returns
    -------
    float
        Spearman's correlation of their entropies, the mean over all pairs of fits, from -1 to 1; None where there is nothing to rank.
    """
    some = bows.take(np.flatnonzero(content_words(bows) >= FEWEST_WORDS)[:RANKED])
    return alike([entropies(lda.infer(some, one)) for one in fits])


def topic_words(bows: lda.Bows, topics: Arrays, vocabulary: Sequence[str]) -> list[dict[str, Any]]:
    """What the largest topics are about.

    Returns
    -------
    list of dict
        ``share`` of the chunks' weight, largest first, and ``words``, the most likely first.
    """
    if not vocabulary:
        return []
    shares = lda.infer(bows.take(np.arange(min(len(bows), RANKED))), topics).mean(axis=0)
    return [
        {
            "share": round(float(shares[topic]), 4),
            "words": [vocabulary[word] for word in np.argsort(-topics["words"][topic], kind="stable")[:WORDS].tolist()],
        }
        for topic in np.argsort(-shares, kind="stable")[:SHOWN].tolist()
    ]


def default_num_topics(chunks: int) -> int:
    """Topics for a corpus: the square root of half its chunks, from 10 to 400."""
    return int(min(400, max(10, round((chunks / 2) ** 0.5))))


def vocabulary_of(features: Features) -> list[str]:
    """Words in the order in which gensim's Dictionary numbers them: by first document, then alphabetically."""
    chunk = _chunk_of_words(features, features.sentences)
    words, first = np.unique(features.word_ids[words_of(features, features.sentences)], return_index=True)
    if not len(words):
        return []
    first_chunk = chunk[first]
    if len(words) > lda.VOCABULARY:
        pairs = np.unique(np.stack([features.word_ids[words_of(features, features.sentences)], chunk]), axis=1)
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
    ids = lookup[features.word_ids[words_of(features, groups)]]
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


def content_words_of(features: Features, groups: Groups | None = None) -> Ints:
    """Content words a chunk or a group of sentences, known to the topics or not."""
    groups = features.sentences if groups is None else groups
    return np.bincount(_chunk_of_words(features, groups), minlength=len(groups)).astype(np.int64)


def words_of(features: Features, groups: Groups) -> Ints:
    """Places of the groups' words among all words, one group after the other."""
    starts = features.word_offsets[groups.members]
    n = features.word_offsets[groups.members + 1] - starts
    within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
    words: Ints = np.repeat(starts, n) + within
    return words


def _chunk_of_words(features: Features, groups: Groups) -> Ints:
    chunk = np.repeat(np.arange(len(groups)), np.diff(groups.offsets))
    return np.repeat(chunk, features.word_offsets[groups.members + 1] - features.word_offsets[groups.members])
