"""Topic entropy by BERTopic's topics: clusters of chunk vectors, whose number need not be given.

BERTopic (Grootendorst 2022, "BERTopic: Neural topic modeling with a class-based TF-IDF procedure") brings vectors to five dimensions
by UMAP, clusters them by HDBSCAN and describes the clusters by c-TF-IDF. Here a chunk's vector is the mean of its sentences' vectors, the
same that similarity uses: of length 1, less the sample's mean, of length 1 again. The words are the project's own content words, by number.

A fitted UMAP and HDBSCAN cannot be stored but by pickle, and UMAP places a later chunk a little differently each time. Hence what is
stored of a fit is each topic's centroid among the chunk vectors and one temperature T. A sentence belongs to the topics by the softmax of
its cosines to the centroids over T; a chunk's distribution is the mean of its sentences'. T is the one under which the softmax of the
clustered chunks' own cosines makes their HDBSCAN topics likeliest (temperature scaling, Guo et al. 2017). It is a pure function of plain
arrays, the same for a chunk of the fit and for any later text, and needs no BERTopic to be there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval.analyzers import lda
from chunkeval.analyzers.base import Features, Fitted, Groups, Need, Sample, regrouped
from chunkeval.analyzers.entropy import FEWEST_WORDS, against_mixes, alike, entropies
from chunkeval.analyzers.similarity import blocks, mean_vector, stretch, unit
from chunkeval.analyzers.topics import RANKED, SHOWN, WORDS, TopicsAnalyzer, content_words_of, words_of
from chunkeval.errors import MissingExtraError
from chunkeval.results import Recombined

if TYPE_CHECKING:
    from chunkeval.results import Arrays, Floats, Ints

FEWEST_CHUNKS = 100
"""Different chunks below which nothing is clustered: ten times the smallest topic."""
PACKAGES = ("bertopic", "umap-learn", "hdbscan", "numba")
"""What a fit stands on."""
MODULES = ("bertopic", "umap", "hdbscan")
_TEMPERATURES = np.geomspace(0.01, 1.0, 81)


def check_installed() -> None:
    """Refuse to begin where BERTopic is not there.

    Raises
    ------
    MissingExtraError
        The message names the extra.
    """
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in MODULES):
        raise MissingExtraError(
            "--topic-model bertopic needs BERTopic: pip install 'chunkeval[bertopic]', or leave --topic-model out"
        )


def versions() -> tuple[str, ...]:
    """Versions of what a fit stands on besides.

    Raises
    ------
    MissingExtraError
        BERTopic is not installed.
    """
    from importlib.metadata import version

    check_installed()
    return tuple(f"{name} {version(name)}" for name in PACKAGES)


class BertTopicsAnalyzer:
    """The columns of `TopicsAnalyzer`, by BERTopic."""

    name = TopicsAnalyzer.name
    scope: Literal["row", "corpus"] = "row"
    needs: frozenset[Need] = frozenset({"sentences", "words", "vectors"})
    columns: tuple[str, ...] = TopicsAnalyzer.columns
    measure = TopicsAnalyzer.measure

    def fit(self, sample: Sample) -> Fitted:
        """Cluster the sampled chunks, once a seed, and measure the recombined ones."""
        features, config = sample.features, sample.config
        mean = mean_vector(features)
        vectors, words = chunk_vectors(features, features.sentences, mean), content_words_of(features)
        rows = np.flatnonzero((words >= FEWEST_WORDS) & vectors.any(axis=1))
        seeds = [config.seed + number for number in range(config.topic_seeds)]
        different = len(np.unique(np.round(vectors[rows], 6), axis=0))
        if different < FEWEST_CHUNKS:
            return _nothing(
                f"BERTopic needs {FEWEST_CHUNKS} different chunks of {FEWEST_WORDS} content words, there are {different}"
            )
        chosen = _some(features.sentences, rows)
        bags = _bags(features, chosen)
        with sample.progress.step("topics", len(seeds)) as step:
            fits = []
            for seed in seeds:
                fits.append(clustered(vectors[rows], bags, seed))
                step.advance(1)
        if min(len(one.centroids) for one in fits) < 2:
            return _nothing("BERTopic found no two topics in these chunks")
        state: Arrays = {
            "mean": mean,
            "centroids": np.concatenate([one.centroids for one in fits]).astype(np.float32),
            "topics": np.array([len(one.centroids) for one in fits]),
            "temperature": np.array([one.temperature for one in fits]),
        }
        made = [
            (
                np.mean([entropies(one) for one in weights(features, groups, state)], axis=0),
                content_words_of(features, groups),
            )
            for groups in (sample.mixes, sample.splices)
        ]
        (mix_entropy, mix_words), _ = made
        long_enough = mix_words >= FEWEST_WORDS
        state = {**state, "mix_entropy": mix_entropy[long_enough], "mix_words": mix_words[long_enough]}
        meta: dict[str, Any] = {
            "topic_model": "bertopic",
            "num_topics": len(fits[0].centroids),
            "topics_unclustered": round(fits[0].outliers, 4),
            "topic_words": [
                {"share": round(share, 4), "words": [features.vocabulary[int(word)] for word in described]}
                for share, described in fits[0].described
            ],
        }
        if len(seeds) > 1:
            own = weights(features, _some(chosen, np.arange(min(len(rows), RANKED))), state)
            meta["repeats"] = {self.name: alike([entropies(each) for each in own])}
        return Fitted(state, {"topic_entropy_z": Recombined(*(against_mixes(*each, state) for each in made))}, meta)

    def score(self, features: Features, state: Arrays) -> Arrays:
        """Give all columns; null under five content words but for ``content_words``, and where there are no topics."""
        n = content_words_of(features)
        out = {name: np.full(len(n), np.nan) for name in self.columns}
        out["content_words"] = n
        if not len(state["topics"]):
            return out
        measured = (n >= FEWEST_WORDS) & (np.diff(features.sentences.offsets) > 0)
        each = weights(features, features.sentences, state)
        full = np.stack([entropies(one) for one in each])
        out["topic_entropy"] = np.where(measured, full[0], np.nan)
        out["topic_entropy_card"] = np.where(measured, entropies(each[0], lda.TRUNCATION), np.nan)
        out["topic_entropy_z"] = np.where(measured, against_mixes(full.mean(axis=0), n, state), np.nan)
        if len(full) > 1:
            out["topic_entropy_spread"] = np.where(measured, full.std(axis=0, ddof=1), np.nan)
        return out


@dataclass(frozen=True)
class Clustered:
    """What is kept of a fit."""

    centroids: Floats
    """(topics, d) of length 1."""
    temperature: float
    outliers: float
    """Share of the chunks that are in no topic."""
    described: Sequence[tuple[float, Sequence[str]]]
    """Share of the chunks and most telling words of the largest topics."""


def clustered(vectors: Floats, bags: Sequence[Sequence[str]], seed: int) -> Clustered:
    """Fit BERTopic with its authors' settings; the same on one machine each time.

    Parameters
    ----------
    vectors : (n, d)
        Of the chunks.
    bags
        Words of each, without white space.
    seed
        Of UMAP, which then works in one thread.
    """
    from bertopic import BERTopic
    from hdbscan import HDBSCAN
    from sklearn.feature_extraction.text import CountVectorizer
    from umap import UMAP

    model = BERTopic(
        language="multilingual",  # English would leave nothing but Latin letters
        umap_model=UMAP(n_neighbors=15, n_components=5, min_dist=0.0, metric="cosine", random_state=seed, n_jobs=1),
        hdbscan_model=HDBSCAN(min_cluster_size=10, core_dist_n_jobs=1),
        vectorizer_model=CountVectorizer(analyzer=str.split),
    )
    found, _ = model.fit_transform([" ".join(bag) for bag in bags], vectors)
    labels = np.array(found)
    shares = np.bincount(labels[labels >= 0]) / len(labels)
    if not len(shares):
        return Clustered(np.zeros((0, vectors.shape[1])), 1.0, 1.0, [])
    placed = unit(vectors)
    centroids = unit(np.stack([placed[labels == topic].sum(axis=0) for topic in range(len(shares))]))
    described = [
        (float(shares[t]), [word for word, _ in model.get_topic(t)[:WORDS] if word]) for t in range(len(shares))
    ]
    inside = labels >= 0
    return Clustered(
        centroids,
        temperature_of(placed[inside] @ centroids.T, labels[inside]),
        float(1 - inside.mean()),
        described[:SHOWN],
    )


def temperature_of(cosines: Floats, labels: Ints) -> float:
    """Give the temperature under which the softmax makes the labels likeliest.

    Examples
    --------
    >>> round(temperature_of(np.array([[0.9, 0.1], [0.5, 0.6], [0.4, 0.5]]), np.array([0, 1, 0])), 2)
    0.22
    """
    rows = np.arange(len(labels))
    costs = [-np.log(softmax(cosines, t)[rows, labels]).mean() for t in _TEMPERATURES.tolist()]
    return float(_TEMPERATURES[int(np.argmin(costs))])


def softmax(cosines: Floats, temperature: float) -> Floats:
    """Shares by row, each at least the smallest number above 0."""
    scaled = cosines / temperature
    raised = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    shares: Floats = np.maximum(raised / raised.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    return shares


def weights(features: Features, groups: Groups, state: Arrays) -> list[Floats]:
    """Topic distribution of each group, for each seed (n, topics); zeros where it has no sentence."""
    ends = np.cumsum(state["topics"]).tolist()
    found = [np.zeros((len(groups), int(k))) for k in state["topics"]]
    for a, b in blocks(groups):
        part = stretch(groups, a, b)
        placed = _placed(features, part.members, state["mean"])
        for number, (k, end) in enumerate(zip(state["topics"].tolist(), ends, strict=True)):
            centroids = state["centroids"][end - k : end].astype(np.float64)
            shares = softmax(placed @ centroids.T, float(state["temperature"][number]))
            found[number][a:b] = _means(shares, part.offsets)
    return found


def chunk_vectors(features: Features, groups: Groups, mean: Floats) -> Floats:
    """(n, d) means of the groups' sentence vectors; zeros where there is none."""
    found = np.zeros((len(groups), len(mean)))
    for a, b in blocks(groups):
        part = stretch(groups, a, b)
        found[a:b] = _means(_placed(features, part.members, mean), part.offsets)
    return found


def _placed(features: Features, members: Ints, mean: Floats) -> Floats:
    return unit(unit(features.vectors(members).astype(np.float64)) - mean)


def _means(values: Floats, offsets: Ints) -> Floats:
    n = np.diff(offsets)
    found = np.zeros((len(n), values.shape[1]))
    filled = np.flatnonzero(n)
    if len(filled):
        found[filled] = np.add.reduceat(values, offsets[filled], axis=0) / n[filled, None]
    return found


def _some(groups: Groups, rows: Ints) -> Groups:
    offsets, places = regrouped(groups.offsets, rows)
    return Groups(offsets, groups.members[places])


def _bags(features: Features, groups: Groups) -> list[list[str]]:
    """Numbers of each group's words, in their order: what they are spelled like is none of BERTopic's business."""
    ends = np.cumsum(content_words_of(features, groups))
    ids = features.word_ids[words_of(features, groups)]
    return [[str(word) for word in bag.tolist()] for bag in np.split(ids, ends[:-1])]


def _nothing(why: str) -> Fitted:
    facts = {"topic_model": "bertopic", "num_topics": 0, "untold": {BertTopicsAnalyzer.name: why}}
    return Fitted({"topics": np.zeros(0, np.int64)}, {}, facts)
