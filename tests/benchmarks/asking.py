"""What chunkers that ask a language model cost besides the model: time, processor and memory with a server that takes a while.

    python tests/benchmarks/asking.py                       200 documents, 100 ms a reply, 8 requests at once
    python tests/benchmarks/asking.py --memory              peaks of `chunkeval chunk` with more and more documents
    python tests/benchmarks/asking.py --smoke               everything once on little (seconds)

The server is a process of its own, so that its work is not counted. Columns: "best" is latency x calls / concurrency, below which no
one gets; "sentences" is finding mini-chunks alone; "asking" is the same documents with their sentences known already, so that what
is left is questions, waiting and reading replies; "all" is the whole, where sentences of the next documents are found while the
model answers about the first. Seconds are of the clock, in brackets of this process' processor time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from fake_llm import MODEL, Fake, serve
from made_replies import answers

from chunkeval.cache import Cache
from chunkeval.chunkers import minis, spec
from chunkeval.chunkers.base import split_all

SENTENCES = {
    "en": "Sentence {n} of story {d} is about the lighthouse and the keeper who lives there. ",
    "ko": "{d}번 등대의 김 씨는 {n}번째 밤에도 불을 켰고 배가 돌아오기를 조용히 기다렸다. ",
}
PEAK = """
import resource, sys
from pathlib import Path
from chunkeval.cli.main import main
code = main(sys.argv[1:])
status = Path("/proc/self/status")
peak = int(status.read_text().split("VmHWM:")[1].split()[0]) if status.exists() else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak // 1024, file=sys.stderr)
sys.exit(code)
"""


def documents(language: str, count: int) -> list[str]:
    """Make documents of which no two ask the same: a question asked before would be answered from the cache."""
    return ["".join(SENTENCES[language].format(n=n, d=d) for n in range(41)) for d in range(count)]


Served = tuple[str, Callable[[], tuple[int, int]]]


def _serving(latency: float, there: Connection) -> None:
    with serve(Fake(answers=answers, latency=latency)) as fake:
        there.send(fake.base_url)
        while there.recv() == "count":
            there.send((fake.calls, fake.most_at_once))
            fake.requests.clear()
            fake.most_at_once = 0


@contextmanager
def served(latency: float) -> Iterator[Served]:
    """Run a server elsewhere; gives its address, and what counts requests, and those at the same time, since the last time."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serving, args=(latency, there), daemon=True)
    process.start()

    def count() -> tuple[int, int]:
        here.send("count")
        found: tuple[int, int] = here.recv()
        return found

    try:
        yield here.recv(), count
    finally:
        here.send("stop")
        process.join()


def timed(do: Callable[[], Any]) -> tuple[Any, str, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    found = do()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return found, f"{wall:6.2f} ({cpu:5.2f})", wall


def measured(name: str, language: str, count: int, seconds: float, concurrency: int, served: Served) -> str:
    """Measure one chunker on documents of one language, each part by itself and all together."""
    address, calls = served
    texts = documents(language, count)
    sizes = (300, 3_000) if name == "agentic" else (1, 1_000)
    find = minis.minis
    find(texts[:1], *sizes)  # what is loaded once is not this measure's business
    cut, alone, _ = timed(lambda: list(minis.in_parts(texts, *sizes, jobs=2)))
    known = dict(cut)

    def run(some: Sequence[str]) -> None:
        made = spec.make(f"{name}:model={MODEL},base_url={address},concurrency={concurrency}")
        with tempfile.TemporaryDirectory() as folder:
            split_all(made, some, jobs=2, cache=Cache(folder))

    minis.minis = lambda some, *_, jobs: [known[text] for text in some]
    try:
        run(texts[:1])
        _, asking, _ = timed(lambda: run(texts))
    finally:
        minis.minis = find
    calls()
    _, whole, wall = timed(lambda: run(texts))
    asked, together = calls()
    best = seconds * asked / concurrency
    return f"{name + ', ' + language:16}{asked:6}{together:8}{best:8.2f}{alone:>16}{asking:>16}{whole:>16}{wall / best:12.2f}"


def latency(count: int, seconds: float, concurrency: int, languages: Sequence[str]) -> None:
    print(f"{count} documents of 41 sentences, {1000 * seconds:.0f} ms a reply, {concurrency} requests at once")
    print(f"{'':16}{'calls':>6}{'at once':>8}{'best':>8}{'sentences':>16}{'asking':>16}{'all':>16}{'all / best':>12}")
    with served(seconds) as server:
        for name in ("agentic", "proposition"):
            for language in languages:
                print(measured(name, language, count, seconds, concurrency, server), flush=True)


def memory(counts: Mapping[str, Sequence[int]], seconds: float) -> None:
    with served(seconds) as (address, calls), tempfile.TemporaryDirectory() as held:
        for name in counts:
            for count in counts[name]:
                source, out = Path(held, "documents.jsonl"), Path(held, "chunks.parquet")
                lines = (json.dumps({"doc_id": str(n), "text": text}) for n, text in enumerate(documents("en", count)))
                source.write_text("\n".join(lines), "utf-8")
                command = [
                    "chunk", str(source), "--chunker", f"{name}:model={MODEL},base_url={address}", "--out", str(out),
                    "--overwrite", "--cache", str(Path(held, "cache", name, str(count))), "--no-progress",
                ]  # fmt: skip
                found = subprocess.run(
                    [sys.executable, "-c", PEAK, *command], capture_output=True, text=True, check=True
                )
                peak = int(found.stderr.splitlines()[-1])
                size = source.stat().st_size / 2**20
                print(
                    f"{name:12} {count:6} documents, {size:5.1f} MiB, {calls()[0]:6} calls: peak {peak} MiB", flush=True
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.1, help="seconds a reply")
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--memory", action="store_true", help="peaks of memory, instead")
    parser.add_argument("--smoke", action="store_true", help="everything once on little; the figures say nothing")
    options = parser.parse_args()
    if options.smoke:
        latency(8, 0.01, 4, ["en"])
        memory({"agentic": [8], "proposition": [8]}, 0.01)
    elif options.memory:
        memory({"agentic": [200, 800, 3_200], "proposition": [50, 200, 800]}, 0.005)
    else:
        latency(options.documents, options.latency, options.concurrency, ["en", "ko"])


if __name__ == "__main__":
    main()
