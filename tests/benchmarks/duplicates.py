"""How well and how fast duplicates are found: ``python tests/benchmarks/duplicates.py [planted|speed]``.

*planted*: a fifth of a corpus' chunks are planted once more, changed in one way; what share of them is found, and how many flagged
chunks are neither planted nor alike by an exact comparison of all pairs. *speed*: chunks made of KorQuAD's sentences, 3 to 8 each, a
tenth of them with a few characters changed; seconds, memory, and of `competitors` the share that cells find.
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from corpora import corpus_of

from chunkeval import api
from chunkeval.analyzers import competitors, near
from chunkeval.analyzers.copies import Copies, copies
from chunkeval.analyzers.duplicates import DuplicatesAnalyzer
from chunkeval.text import embeddings, sentences
from chunkeval.text.likeness import runs_of

DATA = Path(os.environ.get("CHUNKEVAL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))

Change = Callable[[str, random.Random, str], str]


def korquad() -> list[str]:
    """Paragraphs as they are written."""
    found = json.loads((DATA / "korquad/KorQuAD_v1.0_dev.json").read_text("utf-8"))["data"]
    return [paragraph["context"] for article in found for paragraph in article["paragraphs"]]


def edited(text: str, share: float, rng: random.Random, letters: str) -> str:
    """Change, drop or add characters: each with the same chance."""
    made = []
    for letter in text:
        way = rng.randrange(3) if rng.random() < share else -1
        made.append({0: rng.choice(letters), 1: "", 2: letter + rng.choice(letters)}.get(way, letter))
    return "".join(made)


def parts(text: str) -> list[str]:
    """Sentences with what stands between them."""
    starts = [a for a, _ in sentences.split(text, "auto")]
    return [text[a:b] for a, b in zip([0, *starts[1:]], [*starts[1:], len(text)], strict=True)]


def shuffled(text: str, rng: random.Random) -> str:
    some = parts(text)
    rng.shuffle(some)
    return " ".join(some)


CHANGES: dict[str, Change] = {
    "exact": lambda text, rng, letters: text,
    "white space, case": lambda text, rng, letters: f" {text.upper()}\n".replace(" ", "\n "),
    "5 % of characters": lambda text, rng, letters: edited(text, 0.05, rng, letters),
    "20 % of characters": lambda text, rng, letters: edited(text, 0.2, rng, letters),
    "a sentence added": lambda text, rng, letters: f"{text} {parts(letters)[rng.randrange(40)]}",
    "a sentence removed": lambda text, rng, letters: "".join(parts(text)[1:]) or text,
    "sentences reordered": lambda text, rng, letters: shuffled(text, rng),
}


def planted() -> None:
    """Print recall by change and corpus, and what is flagged besides."""
    corpora = {
        "datasets/ko": api.load("datasets/ko/chunks.csv")["text"].tolist(),
        "datasets/en": api.load("datasets/en/chunks.csv")["text"].tolist(),
        "KorQuAD": korquad(),
    }
    for name, texts in corpora.items():
        letters = " ".join(texts)[:20_000]
        alike = _pairs(texts)
        print(f"\n{name}: {len(texts)} chunks; pairs alike as written, all compared: {len(alike)}")
        for kind, change in CHANGES.items():
            rng = random.Random(7)
            chosen = rng.sample(range(len(texts)), len(texts) // 5)
            made = [change(texts[i], rng, letters) for i in chosen]
            flagged = _flagged([*texts, *made])
            found = sum(flagged[len(texts) :])
            besides = {row for row in range(len(texts)) if flagged[row]} - {b for _, b in alike}
            print(f"  {kind:22} found {found / len(made):6.1%} of {len(made)}; flagged besides: {len(besides)}")


def _flagged(texts: Sequence[str]) -> list[bool]:
    corpus = corpus_of(texts, shard=1024)
    same = copies(np.concatenate([part.likeness["exact"] for part in corpus.shards()]), corpus.order)
    value = near.alike(corpus, same).similarity[same.text] > near.LIMIT
    return (value | (same.earlier > 0)).tolist()


def _pairs(texts: Sequence[str]) -> set[tuple[int, int]]:
    from scipy.sparse import csr_array

    sets = runs_of(texts, [0] * len(texts))
    _, ids = np.unique(np.concatenate(sets), return_inverse=True)
    sizes = np.array([len(one) for one in sets])
    table = csr_array((np.ones(len(ids), np.float32), ids, np.r_[0, np.cumsum(sizes)]))
    both = (table @ table.T).tocoo()
    first, second = both.coords
    share = both.data / (sizes[first] + sizes[second] - both.data)
    good = (first < second) & (share > near.LIMIT)
    return set(zip(first[good].tolist(), second[good].tolist(), strict=True))


def speed(count: int) -> None:
    """Print seconds and memory for so many chunks."""
    rng = random.Random(1)
    pool = [text for paragraph in korquad() for text in parts(paragraph)]
    letters = "".join(pool)[:20_000]
    embedder = embeddings.load("use-multilingual")
    known = np.asarray(embedder.encode(pool, 32), np.float32)
    members = [rng.sample(range(len(pool)), rng.randint(3, 8)) for _ in range(count * 9 // 10)]
    texts = ["".join(pool[i] for i in some) for some in members]
    for _ in range(count - len(members)):
        i = rng.randrange(len(texts))
        texts.append(edited(texts[i], 0.03, rng, letters))
        members.append(members[i])
    vectors = np.stack([known[some].mean(axis=0) for some in members])
    del members
    corpus = corpus_of(texts, vectors=vectors, shard=1024)
    began = time.perf_counter()
    held = [part for part in corpus.shards()]
    features = time.perf_counter() - began
    corpus = type(corpus)(**{**vars(corpus), "shards": lambda: iter(held)})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    found = DuplicatesAnalyzer().join(corpus, {}).columns
    join = time.perf_counter() - began
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    flagged = found["near_duplicate_similarity"][count * 9 // 10 :] > near.LIMIT
    print(
        f"{count:,} chunks: signatures {features:.1f} s, join {join:.1f} s, memory +{grown:.0f} MB; "
        f"planted found {flagged.mean():.1%}, others flagged "
        f"{int((found['near_duplicate_similarity'][: count * 9 // 10] > near.LIMIT).sum())}"
    )
    began = time.perf_counter()
    same = copies(np.concatenate([part.likeness["exact"] for part in held]), corpus.order)
    near.alike(corpus, same)
    print(f"  near duplicates alone {time.perf_counter() - began:.1f} s")
    if count <= 20_000:
        _cells(vectors[same.first], same)


def _cells(vectors: np.ndarray, same: Copies) -> None:
    from chunkeval.analyzers.similarity import unit

    some = unit(vectors.astype(np.float64)).astype(np.float32)
    every, weight = np.arange(len(some)), np.ones(len(some), np.int64)
    began = time.perf_counter()
    exact = competitors.all_pairs(some, every, weight) - 1
    middle = time.perf_counter()
    found = competitors.within_cells(some, every, weight) - 1
    print(
        f"  competitors: all pairs {middle - began:.1f} s, cells {time.perf_counter() - middle:.1f} s; "
        f"{exact.sum():.0f} pairs, cells find {found.sum() / max(exact.sum(), 1):.1%}; "
        f"chunks with the same count {np.mean(exact == found):.1%}"
    )


if __name__ == "__main__":
    tempfile.tempdir = os.environ.get("TMPDIR", tempfile.gettempdir())
    if "speed" not in sys.argv[1:]:
        planted()
    if "planted" not in sys.argv[1:]:
        for count in (20_000, 100_000):
            speed(count)
