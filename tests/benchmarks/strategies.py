"""Six strategies and their baselines on KorQuAD, as ``chunkeval compare`` does it: the verdict, and how long it takes.

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
from typing import Any

import pandas as pd

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import chunkeval as ce
from chunkeval.retrieval.evaluate import METRICS, RETRIEVERS

DATA = Path(os.environ.get("CHUNKEVAL_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
STRATEGIES = (
    "fixed_char_length:char_limit=500",
    "recursive:size=300",
    "recursive:size=1000",
    "recursive:size=500,overlap=100",
    "sentence:size=500,unit=chars",
    "semantic:target_size=500",
)


def drawn(articles: list[dict[str, Any]], count: int) -> dict[str, Any]:
    """Give the file with so many of its questions, each as often as any other."""
    every = [asked["id"] for one in articles for part in one["paragraphs"] for asked in part["qas"]]
    kept = set(random.Random(0).sample(every, min(count, len(every))))
    return {
        "data": [
            {
                "title": one["title"],
                "paragraphs": [
                    {**part, "qas": [asked for asked in part["qas"] if asked["id"] in kept]}
                    for part in one["paragraphs"]
                ],
            }
            for one in articles
        ]
    }


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
    documents = {one["title"]: "\n\n".join(part["context"] for part in one["paragraphs"]) for one in articles}
    with tempfile.TemporaryDirectory() as folder:
        docs, questions = Path(folder, "docs.parquet"), Path(folder, "questions.json")
        pd.DataFrame({"doc_id": list(documents), "text": list(documents.values())}).to_parquet(docs)
        asked = drawn(articles, 20 if given.smoke else given.questions)
        questions.write_text(json.dumps(asked, ensure_ascii=False), "utf-8")
        began = time.perf_counter()
        done = ce.compare(
            docs=docs,
            chunkers="; ".join(STRATEGIES),
            questions=questions,
            out=Path(folder, "out"),
            retriever=given.retriever,
            budget=given.budget,
            embedder="lsa" if given.smoke else given.embedder,
            jobs=given.jobs,
            cache=str(Path(folder, "cache")),
            lang="en",
        )
        took = time.perf_counter() - began
    facts = done.facts
    print(f"{facts['documents']} documents, {facts['questions']['used']} of {facts['questions']['asked']} questions")
    print(facts["verdict"])
    print(done.frame[["strategy", "beats", "probability_best", *METRICS]].round(3).to_string(index=False))
    for pair in facts["statistics"]["pairs"]:
        mark = "*" if pair["decided"] else f"about {pair['questions_needed']} questions"
        print(f"  {pair['first']} - {pair['second']}: {pair['difference']:+.3f} [{pair['low']}, {pair['high']}] {mark}")
    print(f"processor seconds in all: {time.process_time():.0f}; {took:.0f} by the clock; stages: {facts['seconds']}")


if __name__ == "__main__":
    main()
