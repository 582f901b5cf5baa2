"""How long an index of 200,000 chunks takes to open and to search, how much memory it holds, and whether it finds what a loop finds.

    python tests/benchmarks/index.py                   200,000 chunks, 1.5 million sentences (3.7 GB of disk, some minutes to write)
    python tests/benchmarks/index.py --chunks 5000     less
    python tests/benchmarks/index.py --smoke           everything once on little (seconds)

Texts are made of random Korean words, as frequent as Zipf has it; vectors are random, 512 dimensions. Times are the best and the
median of several searches, after one that warms up, and the median of what the processor's cores worked for one, added up: that
is also told right where other programs are at work. Memory: what the process holds of its own, and what it has mapped of
the index' files, which the system may take back.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from chunkeval.config import SHARD
from chunkeval.progress import Silent
from chunkeval.results import ChunkFile, SourceInfo
from chunkeval.retrieval import building
from chunkeval.retrieval.building import Index
from chunkeval.retrieval.index import SENTENCES
from chunkeval.retrieval.tools import Tools
from chunkeval.text import embeddings

DIMENSION = 512
TIMES = 7


def sentences(count: int, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    syllables = [chr(0xAC00 + rng.randrange(11_172)) for _ in range(900)]
    words = ["".join(rng.choices(syllables, k=rng.choice([1, 2, 2, 3, 3, 4]))) for _ in range(30_000)]
    weights = [1 / (rank + 10) for rank in range(len(words))]
    drawn = rng.choices(words, weights, k=count * 13)
    for i in range(count):
        yield " ".join(drawn[13 * i : 13 * i + 13]) + "다."


def write(folder: Path, chunks: int) -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(5, 11, chunks)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    start, end = np.zeros(offsets[-1], np.int32), np.zeros(offsets[-1], np.int32)
    spoken = sentences(int(offsets[-1]), 0)
    path = folder / "chunks.parquet"
    schema = pa.schema(
        {
            "chunk_id": pa.string(),
            "doc_id": pa.string(),
            "position": pa.int64(),
            "text": pa.string(),
            "start": pa.int64(),
            "end": pa.int64(),
        }
    )
    with pq.ParquetWriter(path, schema) as writer:
        for first in range(0, chunks, SHARD):
            rows = range(first, min(first + SHARD, chunks))
            texts = []
            for row in rows:
                text = ""
                for j in range(offsets[row], offsets[row + 1]):
                    start[j] = len(text) + (1 if text else 0)
                    text += (" " if text else "") + next(spoken)
                    end[j] = len(text)
                texts.append(text)
            columns = {
                "chunk_id": [f"c{row}" for row in rows],
                "doc_id": [f"d{row // 20}" for row in rows],
                "text": texts,
                "position": [row % 20 for row in rows],
                "start": [None] * len(rows),
                "end": [None] * len(rows),
            }
            writer.write_table(pa.table(columns, schema))
    building.write_texts(ChunkFile(path, SourceInfo("made", "made", "", chunks)), folder, Silent())
    embedder = embeddings.load("use-multilingual")
    about = {"embedder": embedder.name, "fingerprint": embedder.fingerprint}
    with building._part(folder, SENTENCES, about) as into:
        for name, array in (("offsets", offsets), ("start", start), ("end", end)):
            np.save(into / f"{name}.npy", array)
        shape = (int(offsets[-1]), DIMENSION)
        out = np.lib.format.open_memmap(into / "vectors.npy", mode="w+", dtype=np.float32, shape=shape)
        for first in range(0, shape[0], 100_000):
            some = rng.standard_normal((min(100_000, shape[0] - first), DIMENSION), dtype=np.float32)
            out[first : first + len(some)] = some / np.linalg.norm(some, axis=1, keepdims=True)


def memory() -> str:
    if not Path("/proc/self/status").exists():
        return "memory: not told here"
    held = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    own, mapped = (int(held[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile"))
    return f"memory: {own:,.0f} MiB of its own, {mapped:,.0f} MiB mapped"


def timed(name: str, search: Callable[[int], Any]) -> None:
    search(0)
    seconds, worked = [], []
    for number in range(TIMES):
        begun, processor = time.perf_counter(), time.process_time()
        search(number)
        seconds.append(time.perf_counter() - begun)
        worked.append(time.process_time() - processor)
    print(
        f"{name:34} {min(seconds):.3f} s, median {statistics.median(seconds):.3f} s; "
        f"of the processor {statistics.median(worked):.3f} s   {memory()}",
        flush=True,
    )


def plain(tools: Tools, query: str, k: int) -> list[str]:
    """Give the best chunks by a loop over all of them."""
    held = tools.index.sentences
    (vector,) = held.embed([query])
    scores = []
    for row in range(len(tools.index.texts)):
        a, b = held.offsets[row : row + 2]
        scores.append((-round(float((held.vectors[a:b] @ vector).max()), 6), row))
    return [f"c{row}" for _, row in sorted(scores)[:k]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=200_000)
    parser.add_argument("--folder", type=Path, help="keeps the index here, and takes the one that is here")
    parser.add_argument("--loops", type=int, default=1, help="queries answered by a plain loop too, which is slow")
    parser.add_argument("--smoke", action="store_true", help="everything once on little; the figures say nothing")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        if not (folder / SENTENCES).exists():
            folder.mkdir(parents=True, exist_ok=True)
            write(folder, 2_000 if given.smoke else given.chunks)
        begun = time.perf_counter()
        tools = Tools(Index(folder, lambda: None))
        held = tools.index.sentences
        print(
            f"opened in {time.perf_counter() - begun:.3f} s: {len(tools.index.texts):,} chunks, {len(held.start):,} sentences"
        )
        print(f"load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores   {memory()}")
        words = tools.index.texts.texts[7].split()
        timed("keyword, one rare word", lambda i: tools.keyword_search([f"{words[i]}{words[i + 1]}"]))
        timed("keyword, one word of the texts", lambda i: tools.keyword_search([words[i]]))
        timed("keyword, one frequent syllable", lambda i: tools.keyword_search(["다"]))
        timed("keyword, five words", lambda i: tools.keyword_search(words[i : i + 5]))
        timed("semantic", lambda i: tools.semantic_search(f"{words[i]} 이야기", 10))
        timed("hybrid", lambda i: tools.hybrid_search(f"{words[i]} {words[i + 1]} 이야기", 10))
        tools.chunk_read(["c7"], 1)
        timed("read", lambda i: tools.chunk_read([f"c{i}"], 1, again=True))
        shared = [
            len({hit["chunk_id"] for hit in tools.semantic_search(query, 10)} & set(plain(tools, query, 10)))
            for query in words[: given.loops]
        ]
        counted = [text.count(words[0]) * len(words[0]) for text in tools.index.texts.texts]
        found = [hit["score"] for hit in tools.keyword_search([words[0]], 20)]
        print(
            f"of a plain loop's 10 best, semantic search finds {shared}; keyword scores equal: {found == sorted(counted)[::-1][:20]}"
        )


if __name__ == "__main__":
    main()
