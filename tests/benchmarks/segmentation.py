"""How well chunkers find gold boundaries: Pk, WindowDiff and boundary F1, with intervals by document.

    python tests/benchmarks/segmentation.py                          every corpus, both embedders
    python tests/benchmarks/segmentation.py --corpora ko --documents 4 --embedders lsa
    python tests/benchmarks/segmentation.py --splices 500            where a chunk made of two documents falls apart
    python tests/benchmarks/segmentation.py --smoke                  both once, on two documents (seconds)

Corpora: the project's own (``ko``, ``en``), headings taken out; from the public folder (CHUNKEVAL_DATA), where it is there:
``vue_ko`` (authors' sections), ``wiki`` (sections of articles), and documents in the manner of Choi 2000, "Advances in domain
independent linear text segmentation": ten segments of 3 to 11 sentences, each of another document, from KorQuAD (``choi_ko``),
articles (``choi_en``) and meetings (``choi_talk``); ``_lines`` has every sentence on a line of its own. ``choi/3-5`` and the like
are Choi's own files, by the folders that they lie in (``*.ref``: a sentence a line, segments between lines of ``=``), where
CHUNKEVAL_CHOI names a folder of them; some of their segments are longer than 2,000 characters, none than ``--max-size 4000``.

``semantic`` is told nothing about the number of segments. Its rivals get its number of cuts in each document, or the nearest
that they can: ``recursive`` and sentences packed up to a size, even and random cuts. "none" does not cut. The columns are
means over documents: Pk by sentences, Pk by code points, WindowDiff, F1 of exact boundaries, segments found a gold segment.
A line below each rival gives the paired difference of Pk, semantic's less its own, with its 95 % interval.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

os.environ.setdefault("HF_HUB_OFFLINE", "1")

from gold import CHOI, DATA, Document, corpus, his, sentences

from chunkeval.analyzers.similarity import unit, weakest_cuts
from chunkeval.cache import Cache
from chunkeval.chunkers.recursive import RecursiveChunker
from chunkeval.chunkers.semantic import SemanticChunker
from chunkeval.retrieval.segmentation import boundaries, cuts_of, masses, paired_difference, pk, window_diff

DRAWS = 20


class Figures(NamedTuple):
    """One chunker on one document."""

    pk: float
    pk_chars: float
    window_diff: float
    f1: float
    ratio: float


def measured(document: Document, starts: list[int], cuts: list[int]) -> Figures:
    """Measure cuts in code points; for Pk by sentences, a cut counts before the first sentence at or behind it."""

    def rows(offsets: Sequence[int]) -> list[int]:
        return masses(sorted({int(i) for i in np.searchsorted(starts, offsets)} - {0, len(starts)}), len(starts))

    found, gold = rows(cuts), rows(document.gold)
    chars = pk(masses(cuts, len(document.text)), masses(document.gold, len(document.text)))
    exact = boundaries(cuts, document.gold).f1
    ratio = (len(cuts) + 1) / (len(document.gold) + 1)
    return Figures(pk(found, gold), chars, window_diff(found, gold), exact, ratio)


def packed(starts: Sequence[int], length: int, size: int) -> list[int]:
    """Join pieces that begin at ``starts`` from the first on while they fit a size."""
    cuts, first = [], 0
    for start, end in pairwise([*starts, length]):
        if end - first > size and start > first:
            cuts.append(start)
            first = start
    return cuts


def matched(pack: Callable[[int], list[int]], wanted: int, length: int) -> list[int]:
    """Give the packing whose number of cuts comes nearest to the wanted one."""
    low, high, best = 1, length, pack(length)
    while low <= high:
        size = (low + high) // 2
        cuts = pack(size)
        if abs(len(cuts) - wanted) < abs(len(best) - wanted):
            best = cuts
        low, high = (size + 1, high) if len(cuts) > wanted else (low, size - 1)
    return best


def rivals(document: Document, starts: list[int], wanted: int, seed: int) -> dict[str, list[list[int]]]:
    """Cuts of each rival, as many as wanted; several drawings of the random one."""
    length, n = len(document.text), len(starts)

    def recursive(size: int) -> list[int]:
        return cuts_of([chunk.spans[0] for chunk in RecursiveChunker(size=size).split(document.text)])

    drawn = random.Random(seed)
    return {
        "none": [[]],
        "even": [[starts[round(n * i / (wanted + 1))] for i in range(1, wanted + 1)]],
        "random": [sorted(drawn.sample(starts[1:], wanted)) for _ in range(DRAWS)],
        "sentences": [matched(lambda size: packed(starts, length, size), wanted, length)],
        "recursive": [matched(recursive, wanted, length)],
    }


def compare(
    name: str, documents: list[Document], embedders: Sequence[str], cache: Cache, max_size: int | None = None
) -> None:
    bounds = [[start for start, _ in spans] for spans in sentences([document.text for document in documents])]
    for embedder in embedders:
        chunker = SemanticChunker(max_size=max_size, embedder=embedder)
        found = chunker.split_many([document.text for document in documents], jobs=2, cache=cache)
        table: dict[str, list[Figures]] = {"semantic": []}
        for number, (document, starts, chunks) in enumerate(zip(documents, bounds, found, strict=True)):
            cuts = cuts_of([chunk.spans[0] for chunk in chunks])
            table["semantic"].append(measured(document, starts, cuts))
            for rival, tries in rivals(document, starts, min(len(cuts), len(starts) - 1), number).items():
                figures = np.mean([measured(document, starts, sorted(set(c))) for c in tries], axis=0)
                table.setdefault(rival, []).append(Figures(*figures))
        label = Path(embedder).name if os.sep in embedder else embedder
        print(f"\n{name}, {label}: {len(documents)} documents")
        print(f"{'':12}{'Pk':>8}{'Pk chars':>10}{'WD':>8}{'F1':>8}{'segments':>10}")
        for rival, figures in table.items():
            means = np.mean(figures, axis=0)
            line = f"{rival:12}{means[0]:8.3f}{means[1]:10.3f}{means[2]:8.3f}{means[3]:8.3f}{means[4]:10.2f}"
            if rival != "semantic":
                by_document = [[row.pk for row in table[which]] for which in ("semantic", rival)]
                gap = paired_difference(*by_document)
                line += f"   {gap.mean:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}]"
            else:
                own_pk = [row.pk for row in figures]
                spread = paired_difference(own_pk, np.zeros(len(own_pk)))
                line += f"   [{spread.low:.3f}, {spread.high:.3f}]"
            print(line, flush=True)


def splices(name: str, documents: list[Document], cache: Cache, wanted: int) -> None:
    """Join the end of one document's section to the beginning of another's, 8 to 14 sentences; find the joint."""
    chunker = SemanticChunker()
    runs: list[tuple[int, np.ndarray]] = []
    texts = [document.text for document in documents]
    bounds = sentences(texts)
    spoken = [[text[a:b] for a, b in spans] for text, spans in zip(texts, bounds, strict=True)]
    store = chunker._embed(spoken, 2, cache)
    for number, (document, spans) in enumerate(zip(documents, bounds, strict=True)):
        vectors = unit(chunker._vectors(spoken[number], store).astype(np.float64))
        starts = [start for start, _ in spans]
        parts = [0, *np.searchsorted(starts, document.gold).tolist(), len(starts)]
        runs.extend((number, vectors[a:b]) for a, b in pairwise(parts) if b > a)
    mean = np.concatenate([vectors for _, vectors in runs]).mean(axis=0)
    drawn, exact, near = random.Random(0), [], []
    while len(exact) < wanted:
        (left, before), (right, after) = drawn.choice(runs), drawn.choice(runs)
        n = drawn.randint(8, 14)
        joint = drawn.randint(1, n - 1)
        if left == right or len(before) < joint or len(after) < n - joint:
            continue
        centred = unit(np.concatenate([before[-joint:], after[: n - joint]]) - mean)
        cut, _ = weakest_cuts(centred, np.array([0, n]))
        exact.append(cut[0] == joint)
        near.append(abs(cut[0] - joint) <= 1)
    nothing = np.zeros(wanted)
    first, second = paired_difference(exact, nothing), paired_difference(near, nothing)
    print(
        f"{name:16} {wanted} splices: the true joint in {first.mean:.3f} [{first.low:.3f}, {first.high:.3f}], "
        f"within one sentence {second.mean:.3f} [{second.low:.3f}, {second.high:.3f}]",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    public = ["vue_ko", "wiki", *CHOI] if DATA.exists() else []
    parser.add_argument("--corpora", nargs="+", default=["ko", "en", *public, *his()])
    parser.add_argument("--embedders", nargs="+", default=["use-multilingual", "lsa"])
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--max-size", type=int, help="characters; the chunker's own where not given")
    parser.add_argument("--splices", type=int, default=0, help="splices a corpus, instead of segmentations")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--smoke", action="store_true", help="everything once on little; the figures say nothing")
    given = parser.parse_args()
    if given.smoke:
        compare("ko", corpus("ko", 2), ["lsa"], Cache(None))
        splices("ko", corpus("ko", 2), Cache(None), 5)
        return
    for name in given.corpora:
        documents = corpus(name, given.documents)
        if given.splices:
            splices(name, documents, Cache(given.cache), given.splices)
        else:
            compare(name, documents, given.embedders, Cache(given.cache), given.max_size)


if __name__ == "__main__":
    main()
