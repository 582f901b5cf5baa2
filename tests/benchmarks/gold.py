"""Documents with gold boundaries, for `segmentation`: what each corpus is, its docstring tells."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from chunkeval.text.analysis import analyse

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("CHUNKEVAL_DATA", ROOT.parent / "shared" / "data"))
HIS = Path(os.environ.get("CHUNKEVAL_CHOI", ""))
CHOI = {"choi_ko": " ", "choi_ko_lines": "\n", "choi_en": " ", "choi_en_lines": "\n", "choi_talk_lines": "\n"}


class Document(NamedTuple):
    """A text and the starts of its gold sections but the first."""

    text: str
    gold: list[int]


def joined(sections: Sequence[str], between: str) -> Document:
    kept = [section for section in sections if section.strip()]
    starts = np.cumsum([0, *(len(section) + len(between) for section in kept[:-1])]).tolist()
    return Document(between.join(kept), starts[1:])


def own(language: str) -> list[Document]:
    folder = ROOT / "datasets" / language
    found = []
    for slug, sections in json.loads((folder / "boundaries.json").read_text("utf-8")).items():
        text = (folder / "docs" / f"{slug}.md").read_text("utf-8")
        found.append(joined([without_headings(text[s["start"] : s["end"]]) for s in sections], "\n\n"))
    return found


def without_headings(section: str) -> str:
    kept, fenced = [], False
    for line in section.split("\n"):
        fenced ^= line.startswith("```")
        if fenced or not re.match(r"#{1,6} ", line):
            kept.append(line)
    return "\n".join(kept).strip("\n")


def vue_ko() -> list[Document]:
    lines = (DATA / "vue_ko/vue_ko.jsonl").read_text("utf-8").splitlines()
    return [joined([section["text"] for section in json.loads(line)["sections"]], "\n\n") for line in lines]


def articles() -> list[list[list[str]]]:
    """Sections of each article, as lists of paragraphs."""
    found: list[list[list[str]]] = []
    for line in (DATA / "chroma_eval/corpora/wikitexts.md").read_text("utf-8").splitlines():
        if re.fullmatch(r" = [^=;]{6,} = *", line):
            found.append([[]])
        elif re.fullmatch(r" = = [^=].* = = *", line) and found:
            found[-1].append([])
        elif line.strip() and found and not line.startswith(" = "):
            found[-1][-1].append(line.strip())
    return found


def wiki() -> list[Document]:
    made = [joined(["\n".join(section) for section in article], "\n") for article in articles()]
    return [document for document in made if len(document.gold) > 1]


def sources(name: str) -> list[str]:
    if name.startswith("choi_ko"):
        titles = json.loads((DATA / "korquad/KorQuAD_v1.0_dev.json").read_text("utf-8"))["data"]
        return ["\n".join(p["context"] for p in title["paragraphs"]) for title in titles[::3]]
    if name.startswith("choi_talk"):
        lines = (DATA / "qmsum/val.jsonl").read_text("utf-8").splitlines()
        turns = [[turn.split(": ", 1)[-1] for turn in json.loads(line)["turns"]] for line in lines]
        return ["\n".join([turn for turn in meeting if len(turn) > 80][:120]) for meeting in turns]
    own_texts = [document.text for document in own("en")]
    return ["\n".join(" ".join(section) for section in article) for article in articles()] + own_texts


def choi(name: str, documents: int, seed: int = 0) -> list[Document]:
    """Make documents of ten segments of 3 to 11 sentences; neighbours are never of the same source."""
    texts = sources(name)
    pools = [
        [" ".join(text[a:b].split()) for a, b in spans] for text, spans in zip(texts, sentences(texts), strict=True)
    ]
    pools = [pool for pool in ([s for s in pool if len(s) > 15] for pool in pools) if len(pool) > 11]
    drawn, made = random.Random(seed), []
    for _ in range(documents):
        picked = drawn.sample(range(len(pools)), 10) if len(pools) >= 10 else []
        while len(picked) < 10:
            other = drawn.randrange(len(pools))
            if not picked or picked[-1] != other:
                picked.append(other)
        segments = []
        for source in picked:
            length = drawn.randint(3, 11)
            first = drawn.randint(0, len(pools[source]) - length)
            segments.append(CHOI[name].join(pools[source][first : first + length]))
        made.append(joined(segments, CHOI[name]))
    return made


def his() -> dict[str, list[Path]]:
    """Files of Choi's corpus by subset, the names of the folders that they lie in."""
    found: dict[str, list[Path]] = {}
    for path in sorted(HIS.rglob("*.ref")) if HIS.name else []:
        found.setdefault(f"choi/{path.parent.name}", []).append(path)
    return found


def read(path: Path) -> Document:
    segments = re.split(r"^=+$", path.read_text("utf-8"), flags=re.MULTILINE)
    return joined(["\n".join(line.strip() for line in segment.strip().splitlines()) for segment in segments], "\n")


def corpus(name: str, documents: int) -> list[Document]:
    if name.startswith("choi/"):
        return [read(path) for path in his()[name][:documents]]
    if name in CHOI:
        return choi(name, documents)
    found = {"ko": lambda: own("ko"), "en": lambda: own("en"), "vue_ko": vue_ko, "wiki": wiki}[name]()
    return found[:documents]


def sentences(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    found = analyse(texts, splitter="auto", morphemes="kiwi", skip=None, words=False, jobs=2)
    bounds = list(zip(found.sentence_start.tolist(), found.sentence_end.tolist(), strict=True))
    return [bounds[a:b] for a, b in pairwise(found.sentence_offsets.tolist())]
