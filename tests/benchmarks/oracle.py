"""What grouping by a model is worth: an oracle that knows the gold sections, its replies made worse step by step.

    python tests/benchmarks/oracle.py                              ko, en and, where it is there, vue_ko
    python tests/benchmarks/oracle.py --corpora ko --mini-size 100
    python tests/benchmarks/oracle.py --smoke                      everything once on little (seconds)

The oracle sees what a model would see, and groups mini-chunks by the section that most of their text is in; a section of more than
the mini-chunks allowed goes into even parts. Corrupted by p, it says of each border between two mini-chunks the contrary with
probability p: a cut where there is none, or none where there is one. Headings are taken out of the texts (see `gold`), so that the
borders have to be known, not seen.

Columns are means over documents: F1 of exact boundaries, its difference from semantic's with the 95 % interval by document; chunks;
coherence: the mean over chunks of the mean cosine of a chunk's sentences, less the corpus' mean vector, with the default embedder.
``recursive`` is given a size for each document at which it makes as many chunks as the oracle, or the nearest that it can.
"gold" are the sections themselves; "best" is what mini-chunks of this size allow: every border that lies between two of them.
"""

from __future__ import annotations

import argparse
import functools
import os
import random
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

os.environ.setdefault("HF_HUB_OFFLINE", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import gold
from gold import DATA, Document, corpus, sentences
from grouping_model import reply, shown
from segmentation import matched

from chunkeval.analyzers.similarity import unit
from chunkeval.cache import Cache
from chunkeval.chunkers.agentic import AgenticChunker
from chunkeval.chunkers.minis import minis
from chunkeval.chunkers.recursive import RecursiveChunker
from chunkeval.chunkers.semantic import SemanticChunker
from chunkeval.llm.client import Ask, Reply
from chunkeval.retrieval.segmentation import boundaries, cuts_of, paired_difference
from chunkeval.text import analysis

LEVELS = (0.0, 0.05, 0.1, 0.2)
MOST = 3_000
"""Characters of a chunk, for all of them."""


class Oracle:
    """Answers by the gold sections, and wrong at some borders."""

    def __init__(
        self, documents: Sequence[Document], cut: Sequence[Sequence[tuple[int, int]]], max_minis: int, wrong: float
    ) -> None:
        self.max_minis, self.wrong = max_minis, wrong
        self.texts = [
            [document.text[a:b].strip() for a, b in spans] for document, spans in zip(documents, cut, strict=True)
        ]
        self.sections = [_sections(document, spans) for document, spans in zip(documents, cut, strict=True)]
        self.places: dict[str, list[tuple[int, int]]] = {}
        for number, texts in enumerate(self.texts):
            for at, text in enumerate(texts):
                self.places.setdefault(text, []).append((number, at))

    def ask(self, ask: Ask) -> Reply:
        texts = list(shown(ask.user).values())
        number, first = next(
            (number, at) for number, at in self.places[texts[0]] if self.texts[number][at : at + len(texts)] == texts
        )
        groups = [[1]]
        for one in range(2, len(texts) + 1):
            at = first + one - 1
            apart = self.sections[number][at - 1] != self.sections[number][at]
            if apart != (random.Random(f"{number} {at}").random() < self.wrong):
                groups.append([])
            groups[-1].append(one)
        return Reply(reply([part for group in groups for part in self._parts(group)]), "")

    def _parts(self, group: list[int]) -> list[list[int]]:
        count = -(-len(group) // self.max_minis)
        bounds = [round(len(group) * part / count) for part in range(count + 1)]
        return [group[a:b] for a, b in pairwise(bounds)]


def _sections(document: Document, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Give the section that most of each span is in."""
    bounds = [0, *document.gold, len(document.text)]
    return [int(np.argmax([min(b, d) - max(a, c) for c, d in pairwise(bounds)])) for a, b in spans]


class Coherence:
    """Measures chunks by their sentences' vectors."""

    def __init__(self, documents: Sequence[Document], cache: Cache) -> None:
        chunker = SemanticChunker()
        texts = [document.text for document in documents]
        self.starts, vectors = [], []
        bounds = sentences(texts)
        spoken = [[text[a:b] for a, b in spans] for text, spans in zip(texts, bounds, strict=True)]
        store = chunker._embed(spoken, 2, cache)
        for spans, said in zip(bounds, spoken, strict=True):
            self.starts.append([start for start, _ in spans])
            vectors.append(unit(chunker._vectors(said, store).astype(np.float64)))
        mean = np.concatenate(vectors).mean(axis=0)
        self.vectors = [unit(rows - mean) for rows in vectors]

    def __call__(self, number: int, cuts: Sequence[int]) -> list[float]:
        rows = np.searchsorted(self.starts[number], cuts).tolist()
        parts = [self.vectors[number][a:b] for a, b in pairwise([0, *rows, len(self.starts[number])])]
        return [
            float((np.square(part.sum(axis=0)).sum() - len(part)) / (len(part) * (len(part) - 1)))
            for part in parts
            if len(part) > 1
        ]


def compare(name: str, documents: list[Document], mini_size: int, max_minis: int, cache: Cache) -> None:
    texts = [document.text for document in documents]
    coherence = Coherence(documents, cache)
    cut = minis(texts, mini_size, MOST, jobs=2)
    table: dict[str, list[list[int]]] = {
        "gold": [document.gold for document in documents],
        "best": [sorted({a for a, _ in spans} & set(d.gold)) for spans, d in zip(cut, documents, strict=True)],
    }
    for level in LEVELS:
        oracle = Oracle(documents, cut, max_minis, level)
        chunker = AgenticChunker(mini_size, max_minis, max_size=MOST, model=oracle)
        found = chunker.split_many(texts, jobs=2)
        assert not chunker.report()["failed"]["questions"]
        table[f"oracle, {level:.0%} wrong"] = [cuts_of([chunk.spans[0] for chunk in chunks]) for chunks in found]
    wanted = [len(cuts) for cuts in table[f"oracle, {0:.0%} wrong"]]
    table["semantic"] = [
        cuts_of([c.spans[0] for c in chunks])
        for chunks in SemanticChunker(max_size=MOST).split_many(texts, jobs=2, cache=cache)
    ]
    table["recursive"] = [
        matched(
            lambda size, text=text: cuts_of([c.spans[0] for c in RecursiveChunker(size=size).split(text)]),
            count,
            len(text),
        )
        for text, count in zip(texts, wanted, strict=True)
    ]
    f1 = {
        what: [boundaries(c, d.gold).f1 for c, d in zip(cuts, documents, strict=True)] for what, cuts in table.items()
    }
    sections = sum(len(document.gold) + 1 for document in documents)
    print(
        f"\n{name}: {len(documents)} documents, {sections} sections; mini-chunks of {mini_size} characters, {max_minis} at most"
    )
    print(f"{'':20}{'F1':>7}{'less semantic':>28}{'chunks':>9}{'coherence':>11}")
    for what, cuts in table.items():
        gap = paired_difference(f1[what], f1["semantic"])
        within = [value for number, one in enumerate(cuts) for value in coherence(number, one)]
        count = sum(len(one) + 1 for one in cuts)
        print(
            f"{what:20}{np.mean(f1[what]):7.3f}{gap.mean:+12.3f} [{gap.low:+.3f}, {gap.high:+.3f}]{count:9}{np.mean(within):11.3f}",
            flush=True,
        )


@functools.cache
def _once(texts: tuple[str, ...], analyse: Callable[..., analysis.Analysis] = analysis.analyse) -> analysis.Analysis:
    return analyse(texts, splitter="auto", morphemes="kiwi", skip=None, words=False, jobs=2)


def main() -> None:
    # Every chunker here reads the same sentences, and finding them takes most of the time.
    analysis.analyse = gold.analyse = lambda texts, **how: _once(tuple(texts))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", nargs="+", default=["ko", "en", *(["vue_ko"] if DATA.exists() else [])])
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--mini-size", type=int, default=300)
    parser.add_argument("--max-minis", type=int, default=8)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--smoke", action="store_true", help="everything once on little; the figures say nothing")
    options = parser.parse_args()
    if options.smoke:
        compare("en", corpus("en", 2), 300, 8, Cache(options.cache))
    else:
        for name in options.corpora:
            compare(name, corpus(name, options.documents), options.mini_size, options.max_minis, Cache(options.cache))


if __name__ == "__main__":
    main()
