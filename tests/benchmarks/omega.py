"""Chroma's precision omega on the corpora at hand: needs no retriever and no embedder, so it checks the cuts and the formula.

    python tests/benchmarks/omega.py

The published table (Smith and Troynikov 2024) is over five corpora and 472 questions; here are those of the public folder
(CHUNKEVAL_DATA) that ``chroma_eval`` has. Mean ± population standard deviation, in percent, with their text anchoring.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd

from chunkeval.chunkers import spec
from chunkeval.retrieval.line import Line, placed
from chunkeval.retrieval.metrics import precision_omega
from chunkeval.retrieval.questions import read_questions

DATA = Path(os.environ.get("CHUNKEVAL_DATA", Path(__file__).parents[2].parent / "shared" / "data")) / "chroma_eval"
RECURSIVE = (
    'recursive:compat=langchain,separators=["\\n\\n","\\n",".","?","!"," ",""],unit=tokens,tokenizer=cl100k_base'
)
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


def main() -> None:
    use_packaged_cl100k()
    documents = {path.name: path.read_text("utf-8") for path in sorted((DATA / "corpora").iterdir())}
    for (chunker, size, overlap), published in PUBLISHED.items():
        names = ("chunk_size", "chunk_overlap") if chunker is FIXED else ("size", "overlap")
        found = 100 * omegas(f"{chunker},{names[0]}={size},{names[1]}={overlap}", documents)
        label = f"{'token' if chunker is FIXED else 'recursive'} {size}/{overlap}"
        print(f"{label:20} {found.mean():5.1f} ± {found.std():4.1f}   published, five corpora: {published}", flush=True)


if __name__ == "__main__":
    main()
