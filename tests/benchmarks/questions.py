"""How often the paragraph that answers a question is among the first found: KorQuAD's paragraphs as chunks, its questions.

    python tests/benchmarks/questions.py                  500 questions, five results each
    python tests/benchmarks/questions.py --questions 100 --k 10
    python tests/benchmarks/questions.py --smoke          everything once on little; the figures say nothing

The corpus is read from the public folder (CHUNKEVAL_DATA); it is not changed or written anywhere. Keyword search gets the nouns,
Latin words and numbers of the question (`retrieval.queries.keywords_of`), no model chooses them. Intervals: 95 %, over questions.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np
import pandas as pd
from gold import DATA

import chunkeval as ce
from chunkeval.retrieval import fusion, keyword, semantic
from chunkeval.retrieval.queries import keywords_of
from chunkeval.retrieval.ranking import Ranking
from chunkeval.retrieval.segmentation import paired_difference


def corpus() -> tuple[pd.DataFrame, list[tuple[str, int]]]:
    """Give the paragraphs as chunks, and every question with its paragraph's row."""
    articles = json.loads((DATA / "korquad" / "KorQuAD_v1.0_dev.json").read_text("utf-8"))["data"]
    rows = [(a["title"], i, p["context"]) for a in articles for i, p in enumerate(a["paragraphs"])]
    asked = [q["question"] for a in articles for p in a["paragraphs"] for q in p["qas"]]
    row = np.repeat(np.arange(len(rows)), [len(p["qas"]) for a in articles for p in a["paragraphs"]])
    return pd.DataFrame(rows, columns=["doc_id", "position", "text"]), list(zip(asked, row.tolist(), strict=True))


def found(ranking: Ranking, gold: np.ndarray, k: int) -> np.ndarray:
    """Say of each question whether its paragraph is among the first k."""
    return (ranking.rows[:, :k] == gold[:, None]).any(axis=1).astype(float)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--smoke", action="store_true", help="everything once on little; the figures say nothing")
    given = parser.parse_args()
    chunks, questions = corpus()
    if given.smoke:
        chunks, questions = chunks.head(20), [pair for pair in questions if pair[1] < 20]
    drawn = random.Random(0).sample(questions, min(given.questions, len(questions)))
    asked, gold = [question for question, _ in drawn], np.array([row for _, row in drawn])
    index = ce.index(chunks, cache=given.cache).index
    words = keywords_of(asked)
    depth = max(given.k, fusion.DEPTH)
    rankings = {
        f"keyword, {weight}": keyword.search(index.texts.folded.encoded(), words, depth, weight)
        for weight in ("chars", "bytes", "idf")
    }
    held = index.sentences
    rankings["semantic"] = semantic.search(held.vectors, held.offsets, held.embed(asked), depth)
    for weight in ("chars", "idf"):
        rankings[f"hybrid, {weight}"] = fusion.fuse([rankings[f"keyword, {weight}"], rankings["semantic"]], depth)
    print(f"{len(chunks):,} chunks, {len(held.start):,} sentences, {len(asked)} questions: recall@{given.k}")
    semantic_hits = found(rankings["semantic"], gold, given.k)
    for name, ranking in rankings.items():
        hits = found(ranking, gold, given.k)
        own, gap = paired_difference(hits, np.zeros(len(hits))), paired_difference(hits, semantic_hits)
        line = f"{name:16} {own.mean:.3f} [{own.low:.3f}, {own.high:.3f}]"
        print(
            line
            if name == "semantic"
            else f"{line}   against semantic {gap.mean:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]"
        )


if __name__ == "__main__":
    main()
