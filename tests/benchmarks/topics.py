"""How well topic entropy tells bad chunks from a corpus' own, and how well it repeats, by LDA and by BERTopic.

    python tests/benchmarks/topics.py                                   every corpus, both models
    python tests/benchmarks/topics.py --corpora korquad --count 200 --models lda

Topics are fitted on the corpus' own chunks; bad chunks are those of `spoiled`, made of the same documents by other means than the
mixes that ``topic_entropy_z`` stands on. Agreement is the rank correlation of the own chunks' entropies between the two seeds of a fit,
the figure that decides whether topics flag.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from spoiled import KINDS
from validity import Pool, pooled

from chunkeval.analyzers import recombine
from chunkeval.analyzers.base import Analyzer, Sample
from chunkeval.analyzers.bert_topics import BertTopicsAnalyzer
from chunkeval.analyzers.topics import TopicsAnalyzer
from chunkeval.cache import Cache
from chunkeval.config import ScoreConfig
from chunkeval.sampling import hashes_of
from chunkeval.separation import auroc

MODELS: dict[str, type[Analyzer]] = {"lda": TopicsAnalyzer, "bertopic": BertTopicsAnalyzer}


def sampled(pool: Pool) -> Sample:
    """The corpus' own chunks, in the order of their ids' hashes, and what is recombined of them."""
    ours = pool.of("good")
    rows = ours[np.argsort(hashes_of([f"good{row}" for row in ours]), kind="stable")]
    features, config = pool.some(rows), ScoreConfig()
    donors = recombine.Donors(features.sentences, features.documents)
    mixes, splices = recombine.mixes(donors, config.seed), recombine.splices(donors, config.seed)
    return Sample(features, len(rows), mixes, splices, config, np.array([pool.chunks[row].position for row in rows]))


def separates(name: str, pool: Pool, model: str) -> None:
    analyzer, began = MODELS[model](), time.monotonic()
    fitted = analyzer.fit(sampled(pool))
    if "untold" in fitted.meta:
        print(f"{name:8} {model:9} {fitted.meta['untold']['topics']}", flush=True)
        return
    took, own = time.monotonic() - began, analyzer.score(pool.some(pool.of("good")), fitted.arrays)
    line = f"{name:8} {model:9} K {fitted.meta['num_topics']:3}  agreement {fitted.meta['repeats']['topics']:.2f}  {took:.0f} s"
    print(f"{line}  spread {np.nanmedian(own['topic_entropy_spread']):.2f} bits", flush=True)
    for kind in KINDS:
        bad = pool.of(kind)
        if len(bad) < 20:
            continue
        theirs = analyzer.score(pool.some(bad), fitted.arrays)
        areas = [
            auroc(-own[column][np.isfinite(own[column])], -theirs[column][np.isfinite(theirs[column])])
            for column in ("topic_entropy", "topic_entropy_z")
        ]
        print(f"    {kind:14} n {len(bad):4}  entropy {areas[0]:.3f}  z {areas[1]:.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", default="korquad,vue_ko,ko,en")
    parser.add_argument("--models", default="lda,bertopic")
    parser.add_argument("--count", type=int, default=400, help="bad chunks of each kind")
    parser.add_argument("--embedder", default="use-multilingual")
    parser.add_argument("--cache", default=None)
    given = parser.parse_args()
    cache = Cache(None if given.cache is None else Path(given.cache))
    for name in given.corpora.split(","):
        pool = pooled(name, given.count, given.embedder, cache)
        for model in given.models.split(","):
            separates(name, pool, model)


if __name__ == "__main__":
    main()
