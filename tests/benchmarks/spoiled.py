"""Chunks that are bad on purpose, for `validity`: cut from running text at any character, not put together of sentences.

Or cut where the nearest sentences begin and end (``whole``): a chunk that is cut inside a sentence is told by that too.
"""

from __future__ import annotations

import json
import random
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import gold

from chunkeval.text.sentences import split

KINDS = ("mixed", "spliced", "three sources", "inside", "straddling")
"""Windows of running text of four or five documents; of two; of three; of two distant places of one document; real cuts of a
fixed size that run across a section's border. All as long as the corpus' own chunks are."""


class Chunk(NamedTuple):
    """A text, the document that it is (mostly) of, its place there, and what is wrong with it."""

    text: str
    document: str
    position: int
    kind: str


def corpora() -> dict[str, Callable[[], dict[str, list[str]]]]:
    """Documents as lists of their authors' units, by corpus."""
    return {"korquad": korquad, "vue_ko": vue_ko, "wiki": wiki, "ko": lambda: own("ko"), "en": lambda: own("en")}


def korquad() -> dict[str, list[str]]:
    titles = json.loads((gold.DATA / "korquad/KorQuAD_v1.0_dev.json").read_text("utf-8"))["data"]
    return {title["title"]: [paragraph["context"] for paragraph in title["paragraphs"]] for title in titles}


def vue_ko() -> dict[str, list[str]]:
    lines = map(json.loads, (gold.DATA / "vue_ko/vue_ko.jsonl").read_text("utf-8").splitlines())
    return {one["id"]: [part["text"] for part in one["sections"] if part["text"].strip()] for one in lines}


def wiki() -> dict[str, list[str]]:
    """Sections of the articles as documents, since there are only ten articles."""
    sections = [section for article in gold.articles() for section in article]
    return {str(number): short("\n\n".join(section)) for number, section in enumerate(sections) if section}


def own(language: str) -> dict[str, list[str]]:
    """The project's own documents."""
    folder = gold.ROOT / "datasets" / language
    found: dict[str, list[str]] = {}
    for slug, sections in json.loads((folder / "boundaries.json").read_text("utf-8")).items():
        text = (folder / "docs" / f"{slug}.md").read_text("utf-8")
        units = [gold.without_headings(text[s["start"] : s["end"]]) for s in sections]
        found[slug] = [piece for unit in units for piece in short(unit)]
    return found


def short(section: str) -> list[str]:
    """Two to seven sentences at a time: by sections, small corpora have too few chunks to learn from."""
    sentences, drawn, found = split(section), random.Random(section), []
    while sentences:
        some, sentences = sentences[: (size := drawn.randint(2, 7))], sentences[size:]
        found.append(section[some[0][0] : some[-1][1]])
    return found


def good(documents: Mapping[str, Sequence[str]]) -> list[Chunk]:
    return [Chunk(text, name, i, "good") for name, units in documents.items() for i, text in enumerate(units)]


def cutter(texts: Mapping[str, str], *, whole: bool) -> Callable[[str, int, int], str]:
    """Give what cuts a document from one character to another, or where the nearest sentences begin and end."""
    if not whole:
        return lambda name, first, last: texts[name][first:last]
    sentences = {name: split(text) for name, text in texts.items()}

    def nearest(places: list[int], at: int) -> int:
        i = bisect_left(places, at)
        return i if i < len(places) and (i == 0 or places[i] - at < at - places[i - 1]) else i - 1

    def cut(name: str, first: int, last: int) -> str:
        begin = nearest([a for a, _ in sentences[name]], first)
        end = max(nearest([b for _, b in sentences[name]], last), begin)
        return texts[name][sentences[name][begin][0] : sentences[name][end][1]]

    return cut


def spoiled(
    documents: Mapping[str, Sequence[str]], folds: Mapping[str, int], count: int, seed: int, *, whole: bool = False
) -> dict[str, list[Chunk]]:
    """Make ``count`` chunks of each kind, fewer where there is too little text; sources of one are of one fold."""
    drawn = random.Random(seed)
    texts = {name: "\n\n".join(units) for name, units in documents.items() if "".join(units).strip()}
    documents = {name: documents[name] for name in texts}
    cut = cutter(texts, whole=whole)
    lengths = [len(unit) for units in documents.values() for unit in units if len(unit) >= 80]
    by_fold: dict[int, list[str]] = {}
    for name in documents:
        by_fold.setdefault(folds[name], []).append(name)
    weights = {fold: [len(texts[name]) for name in names] for fold, names in by_fold.items()}
    numbers = sorted(by_fold)

    def fold_of() -> int:
        return drawn.choices(numbers, [sum(weights[fold]) for fold in numbers])[0]

    def sources(wanted: int) -> list[str]:
        fold = fold_of()
        found: dict[str, None] = {}
        for _ in range(200):
            found.setdefault(drawn.choices(by_fold[fold], weights[fold])[0])
            if len(found) == wanted:
                break
        return list(found)

    def window(name: str, size: int) -> str:
        first = drawn.randint(0, max(len(texts[name]) - size, 0))
        return cut(name, first, first + size)

    def joined(kind: str) -> Chunk | None:
        size = drawn.choice(lengths)
        wanted = {"mixed": drawn.choice((4, 5)), "spliced": 2, "three sources": 3}[kind]
        names = sources(wanted)
        first = drawn.uniform(0.3, 0.7)
        parts = [first, 1 - first] if wanted == 2 else [drawn.uniform(0.6, 1.4) for _ in names]
        made = [window(name, max(20, int(size * part / sum(parts)))) for name, part in zip(names, parts, strict=False)]
        return Chunk(" ".join(made), names[0], drawn.randrange(100), kind) if len(names) == wanted else None

    def inside() -> Chunk | None:
        size, name = drawn.choice(lengths), sources(1)[0]
        first, second = (drawn.randint(0, max(len(texts[name]) - size, 0)) for _ in range(2))
        if abs(first - second) < 2 * size:
            return None
        part = max(20, int(size * drawn.uniform(0.25, 0.75)))
        text = cut(name, first, first + part) + " " + cut(name, second, second + size - part)
        return Chunk(text, name, drawn.randrange(100), "inside")

    makers = {kind: lambda kind=kind: joined(kind) for kind in KINDS[:3]} | {"inside": inside}
    found = {kind: [made for _ in range(count) if (made := make()) is not None] for kind, make in makers.items()}
    cuts = [chunk for _ in range(3) for chunk in straddling(documents, lengths, drawn, cut)]
    found["straddling"] = drawn.sample(cuts, min(count, len(cuts)))
    return found


def straddling(
    documents: Mapping[str, Sequence[str]],
    lengths: Sequence[int],
    drawn: random.Random,
    cut: Callable[[str, int, int], str],
) -> list[Chunk]:
    """Cut documents at a fixed size; what runs across a border in its middle half."""
    found = []
    for name, units in documents.items():
        text, size = "\n\n".join(units), drawn.choice(lengths)
        borders, at = [], 0
        for unit in units[:-1]:
            at += len(unit) + 2
            borders.append(at)
        for number, first in enumerate(range(0, len(text) - size, size)):
            if any(first + size / 4 < border < first + 3 * size / 4 for border in borders):
                found.append(Chunk(cut(name, first, first + size), name, number, "straddling"))
    return found
