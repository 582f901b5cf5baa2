"""How well coherence tells bad chunks from a corpus' own, beside the article's similarity on the same chunks.

    python tests/benchmarks/validity.py                             every corpus: AUROC, contamination, calibration
    python tests/benchmarks/validity.py --corpora korquad --count 100 --plantings 1
    python tests/benchmarks/validity.py --corpora mine.json         a corpus of your own: {"document": ["chunk", ...], ...}
    python tests/benchmarks/validity.py --whole --only auroc        bad chunks of whole sentences, which are told by what they say only
    python tests/benchmarks/validity.py --speed 100000              time and memory on made vectors

Bad chunks are made by `spoiled`, by other means than those that calibrate. Good chunks are the corpus' own units. In the first
table the corpus is clean; a bad chunk's sources are all of one fold, and heads judge it that saw none of that fold, so that the
split is by document. Intervals are of a bootstrap by document. What has one sentence cannot be measured and is left out.

The third figure of the first table is what labels could do: a logistic regression over the same signals and the article's similarity,
taught by which chunks are bad, of this very kind, and held out by the same folds.

In the second table bad chunks are planted among the good ones, their documents and sources drawn at will, of whatever fold:
the estimated share, how many of the bad are found, and how many of the others are flagged. In the third, of the same plantings,
the probability is compared with what is so: expected calibration error over ten bins of equal mass, Brier score, and slope of a
logistic fit on its logit.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from spoiled import KINDS, Chunk, corpora, good, spoiled

from chunkeval import loaders
from chunkeval.analyzers import folds as dealing
from chunkeval.analyzers.base import Features, Groups, Sample, regrouped
from chunkeval.analyzers.coherence import CoherenceAnalyzer
from chunkeval.analyzers.signals import SIGNALS, TOLD
from chunkeval.analyzers.similarity import SimilarityAnalyzer
from chunkeval.analyzers.spaces import Measuring
from chunkeval.cache import Cache
from chunkeval.config import LoadConfig, ScoreConfig
from chunkeval.features import FeatureStore, embed, vectors_by_key
from chunkeval.progress import Silent
from chunkeval.sampling import draw, hashes_of
from chunkeval.separation import auroc
from chunkeval.text import embeddings

NONE = Groups(np.zeros(1, np.int64), np.zeros(0, np.int64))
SHARES = (0.0, 0.1, 0.2, 0.4)
RESAMPLES = 500


def featured(chunks: Sequence[Chunk], embedder: str, cache: Cache) -> Features:
    """Features of chunks, each read by itself: no text is anyone's neighbour."""
    frame = pd.DataFrame(chunks)
    frame = pd.DataFrame(
        {
            "chunk_id": [str(i) for i in range(len(frame))],
            "doc_id": frame["document"],
            "position": np.arange(len(frame)),
            "text": frame["text"],
        }
    )
    config = ScoreConfig(embedder=embedder)
    encoder = embeddings.load(embedder)
    with tempfile.TemporaryDirectory() as folder:
        file = loaders.write_frame(frame, Path(folder) / "chunks.parquet", LoadConfig())
        store = FeatureStore(file, config, frozenset({"sentences", "vectors", "words"}), encoder, cache)
        store.skip[:] = 0
        store.compute(2, Silent())
        if isinstance(encoder, embeddings.Fittable):
            raise SystemExit("an embedder that is fitted on the corpus would see the bad chunks")
        vectors = embeddings.VectorStore(cache.folder / "vectors" / embedder)
        embed(store, vectors, encoder, jobs=2, batch=32, progress=Silent())

        def lookup(keys):
            return vectors_by_key(keys, vectors, encoder.dimension)

        rows, documents = np.arange(len(frame)), [chunk.document for chunk in chunks]
        return draw(store, rows, documents, rows, config, lookup, Silent()).features


class Pool(NamedTuple):
    """Chunks with their features; audits take some of them."""

    chunks: list[Chunk]
    features: Features

    def some(self, rows: np.ndarray) -> Features:
        whole = self.features
        offsets, members = regrouped(whole.sentences.offsets, rows)
        return Features(
            token_count=np.zeros(len(rows), np.int64),
            sentences=Groups(offsets, whole.sentences.members[members]),
            sentence_keys=whole.sentence_keys,
            word_offsets=whole.word_offsets,
            word_ids=whole.word_ids,
            vocabulary=whole.vocabulary,
            vectors=whole.vectors,
            documents=[self.chunks[row].document for row in rows],
        )

    def fit(self, rows: np.ndarray, seed: int = 42):
        """Learn from some chunks, in the order of their ids' hashes as the road does."""
        ids = [f"{self.chunks[r].kind}{r}" for r in rows]
        rows = rows[np.argsort(hashes_of(ids), kind="stable")]
        positions = np.array([self.chunks[r].position for r in rows])
        config = ScoreConfig(seed=seed)
        return CoherenceAnalyzer().fit(Sample(self.some(rows), len(rows), NONE, NONE, config, positions))

    def coherence(self, rows: np.ndarray, fitted) -> np.ndarray:
        return np.round(CoherenceAnalyzer().score(self.some(rows), fitted.arrays)["coherence"], 6)

    def similarity(self, rows: np.ndarray) -> np.ndarray:
        features = self.some(rows)
        dimension = features.vectors(np.zeros(1, np.int64)).shape[1]
        return SimilarityAnalyzer().score(features, {"mean": np.zeros(dimension)})["similarity"]

    def of(self, *kinds: str) -> np.ndarray:
        return np.flatnonzero([chunk.kind in kinds for chunk in self.chunks])


def pooled(
    name: str, count: int, embedder: str, cache: Cache, seed: int = 1, *, anywhere: bool = False, whole: bool = False
) -> Pool:
    """Good and bad chunks of a corpus.

    The sources of a bad one are of one of the folds that an audit of the good ones has, its own document among them; or
    of ``anywhere``, its document too, as in a corpus that was spoiled.
    """
    documents = json.loads(Path(name).read_text("utf-8")) if name.endswith(".json") else corpora()[name]()
    own = good(documents)
    ends = dealing.edges([chunk.document for chunk in own])
    folds = dict(zip(documents, dealing.folds(list(documents), ends).tolist(), strict=True))
    made = spoiled(documents, dict.fromkeys(documents, 0) if anywhere else folds, count, seed, whole=whole)
    bad = [chunk for some in made.values() for chunk in some]
    if anywhere:
        drawn, names = random.Random(seed), list(documents)
        within = ("inside", "straddling")
        bad = [c if c.kind in within else c._replace(document=drawn.choice(names)) for c in bad]
    return Pool(own + bad, featured(own + bad, embedder, cache))


def interval(pool: Pool, ours: np.ndarray, theirs: np.ndarray, bad: np.ndarray, values: np.ndarray):
    """AUROC and its 95 % interval, documents drawn again."""
    rows = np.concatenate([ours, bad])
    measured = np.isfinite(values[rows])
    ours, bad = ours[measured[: len(ours)]], bad[measured[len(ours) :]]
    names, codes = np.unique([pool.chunks[r].document for r in np.concatenate([ours, bad])], return_inverse=True)
    of_good, of_bad = codes[: len(ours)], codes[len(ours) :]
    rng, found = np.random.default_rng(0), []
    for _ in range(RESAMPLES):
        times = np.bincount(rng.integers(len(names), size=len(names)), minlength=len(names))
        a, b = np.repeat(values[ours], times[of_good]), np.repeat(values[bad], times[of_bad])
        if len(a) and len(b):
            found.append(auroc(a, b))
    low, high = np.quantile(found, [0.025, 0.975])
    return auroc(values[ours], values[bad]), low, high, len(bad)


def by_labels(pool: Pool, fitted, ours: np.ndarray, bad: np.ndarray, similarity: np.ndarray) -> float:
    """AUROC of heads that labels taught, each chunk judged by one that saw none of its fold."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rows = np.concatenate([ours, bad])
    features = pool.some(rows)
    folds = dealing.folds(features.documents, fitted.arrays["ends"])
    measured, found = Measuring(features, fitted.arrays).measured(features.sentences, folds)
    told, log_sentences = found[:, :TOLD], found[:, SIGNALS.index("sentences")][:, None]
    terms = np.hstack([told, told * log_sentences, similarity[rows[measured]][:, None]])
    truth, folds, odds = measured >= len(ours), folds[measured], np.empty(len(measured))
    for fold in np.unique(folds):
        head = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=3000, class_weight="balanced"))
        odds[folds == fold] = head.fit(terms[folds != fold], truth[folds != fold]).decision_function(
            terms[folds == fold]
        )
    return auroc(-odds[~truth], -odds[truth])


def separates(name: str, pool: Pool) -> None:
    ours = pool.of("good")
    began = time.monotonic()
    fitted = pool.fit(ours)
    told = fitted.meta["calibrations"]["coherence"]
    if told["why"]:
        print(f"{name}: cannot calibrate: {told['why']}")
        return
    every = np.arange(len(pool.chunks))
    coherence, article = pool.coherence(every, fitted), pool.similarity(every)
    flagged = float((coherence[ours] < 0.5).mean())
    print(
        f"{name}: {len(ours)} chunks of {told['documents']} documents, {time.monotonic() - began:.0f} s; held-out AUROC "
        f"{told['auroc']:.3f} and {told['auroc_splice']:.3f}, share {told['share']:.3f} {told['share_ci']}, "
        f"flagged {flagged:.2%}"
    )
    for kind in KINDS:
        bad = pool.of(kind)
        if len(bad) < 20:
            continue
        value, low, high, n = interval(pool, ours, ours, bad, coherence)
        other, lower, upper, _ = interval(pool, ours, ours, bad, article)
        print(
            f"  {kind:14} n {n:4}  coherence {value:.3f} [{low:.3f}, {high:.3f}]   article {other:.3f} "
            f"[{lower:.3f}, {upper:.3f}]   by labels {by_labels(pool, fitted, ours, bad, article):.3f}",
            flush=True,
        )


def planted(pool: Pool, kinds: Sequence[str], share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of a corpus with a share of bad chunks, and which are bad."""
    rng = np.random.default_rng(seed)
    ours = pool.of("good")
    wanted = round(len(ours) * share / (1 - share))
    bad = [rng.permutation(pool.of(kind))[: wanted // len(kinds)] for kind in kinds]
    rows = np.concatenate([ours, *bad])
    return rows, np.arange(len(rows)) >= len(ours)


def error(probability: np.ndarray, truth: np.ndarray) -> tuple[float, float, float]:
    """Expected calibration error over ten bins of equal mass, Brier score, slope of a logistic fit on the logit."""
    from sklearn.linear_model import LogisticRegression

    order = np.argsort(probability, kind="stable")
    ece = sum(abs(truth[b].mean() - probability[b].mean()) * len(b) for b in np.array_split(order, 10)) / len(order)
    logit = np.log(np.clip(probability, 1e-6, 1 - 1e-6) / np.clip(1 - probability, 1e-6, 1))
    slope = LogisticRegression(C=1e6).fit(logit[:, None], truth).coef_[0, 0]
    return float(ece), float(np.mean((probability - truth) ** 2)), float(slope)


def contaminates(name: str, pool: Pool, plantings: int) -> None:
    for kinds in (("mixed",), ("spliced",), ("mixed", "spliced"), ("straddling",)):
        for share in SHARES if kinds == ("mixed",) else SHARES[1:]:
            lines, seen = [], ([], [])
            for seed in range(plantings if share else 1):
                rows, bad = planted(pool, kinds, share, seed)
                fitted = pool.fit(rows, seed=42 + seed)
                told = fitted.meta["calibrations"]["coherence"]
                if told["why"]:
                    print(f"  {name} {share:.0%} {'+'.join(kinds)}: {told['why']}")
                    continue
                values = pool.coherence(rows, fitted)
                flagged = values < 0.5
                known = np.isfinite(values)
                seen[0].append(values[known])
                seen[1].append(~bad[known])
                lines.append(
                    (
                        bad.mean(),
                        told["share"],
                        flagged[bad & known].mean() if bad.any() else np.nan,
                        flagged[~bad].mean(),
                        auroc(values[~bad & known], values[bad & known]) if bad.any() else np.nan,
                    )
                )
            if not lines:
                continue
            true, estimate, found, false, area = np.mean(lines, axis=0)
            probability, truth = np.concatenate(seen[0]), np.concatenate(seen[1])
            fit = error(probability, truth) if share else (np.nan,) * 3
            print(
                f"  {name} {'+'.join(kinds) if share else 'clean':14} {true:.1%}  estimated {estimate:.1%}  "
                f"found {found:.1%}  false {false:.2%}  AUROC {area:.3f}  "
                f"ECE {fit[0]:.3f} Brier {fit[1]:.3f} slope {fit[2]:.2f} (n {len(truth)})",
                flush=True,
            )


def speed(count: int) -> None:
    """Time and memory of learning and scoring on made vectors: seven sentences a chunk, forty words."""
    rng = np.random.default_rng(0)
    shard, d, words = 1024, 512, 20_000
    directions = rng.normal(size=(2000, d)).astype(np.float32)

    def made(first: int, rows: int) -> Features:
        drawn = np.random.default_rng(first)
        sizes = drawn.integers(1, 14, rows)
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        documents = [f"d{(first + i) // 10}" for i in range(rows)]
        subject = np.repeat((first + np.arange(rows)) // 10 % 2000, sizes)
        m = int(offsets[-1])

        def vectors(at: np.ndarray) -> np.ndarray:
            noise = np.random.default_rng(first + 1).normal(size=(m, d)).astype(np.float32)[at]
            raw = directions[subject[at]] + 1.5 * noise
            return raw / np.linalg.norm(raw, axis=1, keepdims=True)

        per = drawn.integers(3, 9, m)
        ids = (drawn.zipf(1.3, int(per.sum())) + np.repeat(subject * 7, per)) % words
        return Features(
            token_count=np.zeros(rows, np.int64),
            sentences=Groups(offsets, np.arange(m)),
            sentence_keys=np.arange(m, dtype=np.uint64) + np.uint64(first * 100),
            word_offsets=np.concatenate([[0], np.cumsum(per)]).astype(np.int64),
            word_ids=ids.astype(np.int64),
            vocabulary=[f"w{i}" for i in range(words)],
            vectors=vectors,
            documents=documents,
        )

    sample = made(0, min(count, 50_000))
    held = sample.vectors(np.arange(int(sample.sentences.offsets[-1])))
    sample = Features(**{**sample.__dict__, "vectors": lambda at: held[at]})
    began, busy = time.monotonic(), time.process_time()
    positions = np.arange(len(sample)) % 10
    fitted = CoherenceAnalyzer().fit(Sample(sample, count, NONE, NONE, ScoreConfig(), positions))
    wall, work = time.monotonic() - began, time.process_time() - busy
    print(f"learned in {wall:.1f} s, {work:.1f} s of work: {fitted.meta['calibrations']['coherence']}", flush=True)
    spent = worked = 0.0
    for first in range(0, count, shard):
        features = made(first, min(shard, count - first))
        vectors = features.vectors(np.arange(int(features.sentences.offsets[-1])))
        features = Features(**{**features.__dict__, "vectors": lambda at, vectors=vectors: vectors[at]})
        began, busy = time.monotonic(), time.process_time()
        CoherenceAnalyzer().score(features, fitted.arrays)
        spent, worked = spent + time.monotonic() - began, worked + time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"scored {count} chunks in {spent:.1f} s, {worked:.1f} s of work")
    print(f"peak memory of the process {peak:.0f} MB, vectors of the sample included")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", default="korquad,vue_ko,wiki,ko,en")
    parser.add_argument("--count", type=int, default=700, help="bad chunks of each kind")
    parser.add_argument("--plantings", type=int, default=3)
    parser.add_argument("--embedder", default="use-multilingual")
    parser.add_argument("--cache", default=None)
    parser.add_argument("--only", choices=("auroc", "contamination"), default=None)
    parser.add_argument("--whole", action="store_true", help="cut bad chunks where sentences begin and end")
    parser.add_argument("--speed", type=int, default=None)
    given = parser.parse_args()
    if given.speed is not None:
        speed(given.speed)
        return
    cache = Cache(None if given.cache is None else Path(given.cache))
    for name in given.corpora.split(","):
        if given.only != "contamination":
            separates(name, pooled(name, given.count, given.embedder, cache, whole=given.whole))
        if given.only != "auroc":
            pool = pooled(name, given.count, given.embedder, cache, anywhere=True, whole=given.whole)
            contaminates(name, pool, given.plantings)


if __name__ == "__main__":
    main()
