"""How well boundaries are read: cuts at sentence borders against cuts inside, gold sections, windows over a section border.

    CHUNKEVAL_DATA=… python tests/benchmarks/boundaries.py

Truth is `sentences.split` on the whole document, so a border that it misses counts as a false alarm. `datasets/` and the
Vue docs were looked at while the rules were written; KorQuAD and Wikipedia less so.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from gold import DATA, ROOT

from chunkeval.analyzers.boundaries import LIMIT, product
from chunkeval.text.edges import BIT, edges
from chunkeval.text.seams import joined
from chunkeval.text.sentences import split


class Sections(NamedTuple):
    """A document, and where its sections lie."""

    text: str
    spans: list[tuple[int, int]]


def own(language: str) -> list[Sections]:
    folder = ROOT / "datasets" / language
    found = []
    for slug, sections in json.loads((folder / "boundaries.json").read_text("utf-8")).items():
        text = (folder / "docs" / f"{slug}.md").read_text("utf-8")
        found.append(Sections(text, [(one["start"], one["end"]) for one in sections]))
    return found


def vue(marked: bool) -> list[Sections]:
    found = []
    for line in (DATA / "vue_ko/vue_ko.jsonl").read_text("utf-8").splitlines():
        sections = [one for one in json.loads(line)["sections"] if one["text"].strip()]
        heads = ["#" * one["level"] + " " if marked else "" for one in sections]
        found.append(
            laid([f"{head}{one['heading']}\n\n{one['text']}" for head, one in zip(heads, sections, strict=True)])
        )
    return found


def laid(parts: list[str]) -> Sections:
    ends = np.cumsum([len(part) + 2 for part in parts]).tolist()
    return Sections("\n\n".join(parts), [(end - 2 - len(part), end - 2) for part, end in zip(parts, ends, strict=True)])


def korquad() -> list[Sections]:
    titles = json.loads((DATA / "korquad/KorQuAD_v1.0_dev.json").read_text("utf-8"))["data"]
    return [laid([one["context"] for one in title["paragraphs"]]) for title in titles]


def wiki() -> list[Sections]:
    text = (DATA / "chroma_eval/corpora/wikitexts.md").read_text("utf-8")
    found = []
    for article in re.split(r"(?m)(?=^ = [^=]+ = $)", text):
        starts = [0, *(match.start() for match in re.finditer(r"(?m)^ = = [^=].* = = $", article)), len(article)]
        if len(starts) > 3:
            found.append(Sections(article, list(pairwise(starts))))
    return found


def read(texts: list[str]) -> Any:
    return edges(texts, np.zeros(len(texts), np.int64)).bits


def cut_documents(documents: list[Sections], seed: int) -> str:
    """Cut every two to five sentences, half of the time inside one, at any code point."""
    rng = random.Random(seed)
    texts: list[str] = []
    before, gap, starts, ends = [], [], [], []
    for text, _ in documents:
        spans, cuts, at = split(text), [(0, False)], 0
        while (at := at + rng.randrange(2, 6)) < len(spans):
            a, b = spans[at]
            inside = (
                rng.random() < 0.5
                and b - a > 12
                and "|" not in text[a:b]
                and not text[a:b].startswith(("#", "```", " =", "="))
            )
            cuts.append((rng.randrange(a + 2, b - 2) if inside else a, inside))
        for number, ((a, bad), (b, next_bad)) in enumerate(zip(cuts, [*cuts[1:], (len(text), False)], strict=True)):
            before.append(len(texts) - 1 if number else -1)
            gap.append(0.0 if number else np.nan)
            texts.append(text[a:b])
            starts.append(bad)
            ends.append(next_bad)
    alone = read(texts)
    said = []
    for bits in (alone, joined(alone, np.array(before), np.array(gap))):
        for name, truth in (("starts_mid_sentence", np.array(starts)), ("ends_mid_sentence", np.array(ends))):
            found = bits & BIT[name] != 0
            said.append(f"{found[truth].mean():.3f} / {found[~truth].mean():.3f}")
    return f"{len(texts):6d}  " + "  ".join(said)


def gold(documents: list[Sections]) -> str:
    texts = [text[a:b] for text, spans in documents for a, b in spans]
    return f"{(product(read(texts)) < LIMIT).mean():.3f} of {len(texts)}"


def straddles(documents: list[Sections], seed: int) -> str:
    """Windows of 3 to 8 sentences over a section's border, against those within one; running text, no headings inside."""
    rng = random.Random(seed)
    good, bad = [], []
    for text, spans in documents:
        sentences, borders = split(text), {a for a, _ in spans[1:]}
        for _ in range(12 if len(sentences) > 4 else 0):
            first = rng.randrange(max(1, len(sentences) - 3))
            last = min(first + rng.randrange(3, 9), len(sentences)) - 1
            a, b = sentences[first][0], sentences[last][1]
            window = text[a:b]
            if any(a < border < sentences[last][0] for border in borders):
                bad.append(window)
            elif not any(a < border < b for border in borders) and not re.search(r"\n ?(?:#|= )", window):
                good.append(window)
    high, low = product(read(good))[:, None], product(read(bad))[None]
    return f"AUROC {((high > low) + 0.5 * (high == low)).mean():.3f} ({len(good)} within, {len(bad)} across)"


CORPORA: dict[str, Callable[[], list[Sections]]] = {
    "ko": lambda: own("ko"),
    "en": lambda: own("en"),
    "vue": lambda: vue(True),
    "vue, plain headings": lambda: vue(False),
    "korquad": korquad,
    "wiki": wiki,
}

if __name__ == "__main__":
    print(
        "recall / false alarms: starts alone, ends alone, starts joined, ends joined; gold sections flagged; straddles"
    )
    for name, corpus in CORPORA.items():
        documents = corpus()
        print(f"{name:20s}", cut_documents(documents, 1))
        if name != "korquad":
            print(f"{'':20s} sections flagged {gold(documents)}; {straddles(documents, 2)}", flush=True)
