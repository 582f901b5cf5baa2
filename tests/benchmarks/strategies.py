"""Strategies on KorQuAD's questions: what each finds within 1,000 tokens, the verdict, and how long it takes.

    python tests/benchmarks/strategies.py                       1,000 questions, six strategies, default embedder
    python tests/benchmarks/strategies.py --retriever hybrid
    python tests/benchmarks/strategies.py --smoke               everything once on little; the figures say nothing

Documents: all paragraphs of the public folder's KorQuAD (CHUNKEVAL_DATA), joined by title. The questions are drawn with a
seed. The cache is a new one each time, so that the seconds are those of a first run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from pathlib import Path

import pandas as pd

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from chunkeval.cache import Cache
from chunkeval.chunkers import spec
from chunkeval.chunkers.base import split_all
from chunkeval.retrieval.evaluate import METRICS, RETRIEVERS, evaluate
from chunkeval.retrieval.questions import read_questions
from chunkeval.statistics.verdict import compare_paired

DATA = Path(os.environ.get("CHUNKEVAL_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
STRATEGIES = (
    "fixed_char_length:char_limit=500",
    "recursive:size=300",
    "recursive:size=1000",
    "recursive:size=500,overlap=100",
    "sentence:size=500,unit=chars",
    "semantic:target_size=500",
)


def table(chunker: str, documents: dict[str, str], jobs: int, cache: Cache) -> pd.DataFrame:
    cut = split_all(spec.make(chunker), list(documents.values()), jobs=jobs, cache=cache)
    rows = [
        (name, chunk.text(text), *chunk.spans[0])
        for (name, text), chunks in zip(documents.items(), cut, strict=True)
        for chunk in chunks
    ]
    return pd.DataFrame(rows, columns=["doc_id", "text", "start", "end"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--retriever", choices=RETRIEVERS, default="semantic")
    parser.add_argument("--embedder", default="use-multilingual")
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--smoke", action="store_true")
    given = parser.parse_args()
    path = DATA / "korquad/KorQuAD_v1.0_dev.json"
    articles = json.loads(path.read_text("utf-8"))["data"][: 3 if given.smoke else None]
    documents = {a["title"]: "\n\n".join(p["context"] for p in a["paragraphs"]) for a in articles}
    found = read_questions(path, documents)
    asked = random.Random(0).sample(
        found.questions, min(given.questions, len(found.questions), 20 if given.smoke else 9999)
    )
    print(
        f"{len(documents)} documents, {len(asked)} of {len(found.questions)} questions; {len(found.skipped)} have no place"
    )
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(folder)
        began = time.perf_counter()
        tables = {chunker: table(chunker, documents, given.jobs, cache) for chunker in STRATEGIES}
        cut = time.perf_counter()
        frame = evaluate(
            tables,
            documents,
            asked,
            retriever=given.retriever,
            budget=given.budget,
            embedder="lsa" if given.smoke else given.embedder,
            cache=cache,
            jobs=given.jobs,
        )
        read = time.perf_counter()
    verdict = compare_paired(frame, "recall")
    done = time.perf_counter()
    print(frame.groupby("strategy", sort=False)[[*METRICS, "tokens_read", "chunks_read"]].mean().round(3).to_string())
    print(f"{verdict.outcome}: {verdict.winner}, {verdict.documents} documents, {verdict.critical:.2f} standard errors")
    for standing in verdict.standings:
        beats = ",".join(map(str, standing.beats))
        print(
            f"  {standing.number} {standing.strategy:36} {standing.mean:.3f} best {standing.probability_best:.2f} beats {beats}"
        )
    for pair in verdict.pairs:
        mark = "*" if pair.decided else f"about {pair.questions_needed} questions"
        print(f"  {pair.first} - {pair.second}: {pair.difference:+.3f} [{pair.low:+.3f}, {pair.high:+.3f}] {mark}")
    print(f"processor seconds in all: {time.process_time():.0f}")
    print(f"seconds: cut {cut - began:.1f}, evaluate {read - cut:.1f}, statistics {done - read:.1f}")


if __name__ == "__main__":
    main()
