"""Size of the report page and how soon it is of use, in Chromium.

    python tests/benchmarks/page.py                 100,000 chunks
    python tests/benchmarks/page.py --chunks 500    smoke

Each line: what, the measured value, what is wanted at 100,000 chunks. The audit is made up, but shaped like a real one: ids as
chunkeval makes them, scores with six decimals, Korean texts of about 280 tokens drawn from the project's own documents.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from chromium import started
from made_views import suggest, summarise
from playwright.sync_api import Browser, Page
from views import JUDGED, SIDES

from chunkeval.report import files
from chunkeval.report.page import render
from chunkeval.report.view import View
from chunkeval.results import Recombined
from chunkeval.text import sentences

ROOT = Path(__file__).parents[2]
REASONS = ("too_long", "too_short", "incoherent", "many_topics")
LOW, HIGH, SIMILAR, TOPICS = 100.0, 460.0, 0.15, -0.6


def made(chunks: int, seed: int = 7) -> View:
    """Make an audit of so many chunks, about a tenth of them flagged."""
    rng = np.random.default_rng(seed)
    frame = scored(chunks, rng)
    pool = said()
    picks = rng.integers(0, len(pool), (chunks, 12))

    def text(row: int) -> list[str]:
        return [pool[pick] for pick in picks[row]]

    def spans(row: int) -> list[tuple[int, int]]:
        ends = np.cumsum([len(sentence) + 1 for sentence in text(row)])
        return [(int(end) - len(part) - 1, int(end) - 1) for end, part in zip(ends, text(row), strict=True)]

    def cells(rows: Sequence[int]) -> list[dict[str, Any]]:
        return [{"출처": "위키", "쪽": int(row) % 40, "url": f"https://example.org/{row}"} for row in rows]

    return View(
        summary=summarise(frame, "ko"),
        frame=frame,
        recombined={
            "similarity_centred": Recombined(rng.normal(0.03, 0.05, 3_000), rng.normal(0.13, 0.06, 3_000)),
            "topic_entropy_z": Recombined(rng.normal(0, 1, 3_000), rng.normal(-0.8, 0.9, 3_000)),
        },
        documents=files.documents(frame),
        texts=lambda rows: [" ".join(text(row)) for row in rows],
        sentences=spans,
        lang="ko",
        metadata=cells,
        reasons=SIDES,
        percentiles={name: np.nanpercentile(frame[name], [1, 99]).tolist() for name in JUDGED.values()},
    )


def said() -> list[str]:
    """Sentences of the project's Korean documents."""
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "datasets/ko/docs").glob("*.md"))]
    return [
        text[start:end] for text in texts for start, end in sentences.split(text, "rules") if 10 < end - start < 120
    ]


def scored(chunks: int, rng: np.random.Generator) -> pd.DataFrame:
    """Scores and flags, drawn as wholes."""
    bad = rng.random(chunks) < 0.08
    tokens = rng.normal(280, 60, chunks).clip(20).round()
    centred = np.where(bad, rng.normal(0.06, 0.05, chunks), rng.normal(0.36, 0.06, chunks)).round(6)
    centred[rng.random(chunks) < 0.03] = np.nan
    entropy = np.where(bad, rng.normal(-0.2, 0.6, chunks), rng.normal(-2.6, 0.7, chunks)).round(6)
    masks = (tokens > HIGH, tokens < LOW, centred < SIMILAR, entropy > TOPICS)
    code = sum((mask.astype(int) << bit for bit, mask in enumerate(masks)), np.zeros(chunks, dtype=int))
    known = [[name for bit, name in enumerate(REASONS) if which >> bit & 1] for which in range(16)]
    flagged = code > 0
    numbers = rng.integers(0, 2**63, chunks)
    frame = pd.DataFrame(
        {
            "chunk_id": [f"{number:016x}" for number in numbers],
            "doc_id": [f"문서/{row // 20:05d}.md" for row in range(chunks)],
            "position": np.arange(chunks) % 20,
            "start": pd.array(np.arange(chunks) % 20 * 500, dtype="Int64"),
            "end": pd.array(np.arange(chunks) % 20 * 500 + 500, dtype="Int64"),
            "token_count": tokens,
            "similarity": (centred * 0.7 + 0.28).round(6),
            "similarity_centred": centred,
            "sentences": rng.integers(2, 14, chunks),
            "repetition": np.where(rng.random(chunks) < 0.02, 0.25, 0.0),
            "weakest_cut": pd.array(rng.integers(1, 11, chunks), dtype="Int64"),
            "cut_gap": np.abs(rng.normal(0.2, 0.1, chunks)).round(6),
            "topic_entropy": (entropy * 0.4 + 5 + rng.normal(0, 0.2, chunks)).round(6),
            "topic_entropy_card": (entropy * 0.4 + 3 + rng.normal(0, 0.2, chunks)).round(6),
            "topic_entropy_z": entropy,
            "content_words": (tokens * 0.4).round(),
            "flag_tokens": masks[0] | masks[1],
            "flag_similarity": masks[2],
            "flag_topics": masks[3],
            "flag_similarity_card": centred < 0.17,
            "flag_topics_card": False,
            "flagged": flagged,
            "severity": np.where(flagged, rng.random(chunks).round(6), 0.0),
        }
    )
    frame["reasons"] = [known[which] for which in code]
    frame["suggestion"] = pd.Series([suggest(reasons) for reasons in known], dtype=object).iloc[code].to_numpy()
    frame["suggested_cuts"] = [[260] if which & 0b1101 else [] for which in code]
    return frame


def tell(what: str, value: str, wanted: str = "") -> None:
    """Print one line."""
    print(f"{what:<58} {value:>12}  {wanted}", flush=True)


def first_table(browser: Browser, address: str) -> tuple[float, float, float]:
    """Seconds from navigation to the first table; seconds of work and MiB of the page's process until then."""
    context = browser.new_context(offline=True)
    try:
        page = opened(context.new_page(), address)
        seconds: float = page.evaluate("performance.getEntriesByName('table')[0].startTime / 1000")
        renderers = [p for p in psutil.Process().children(recursive=True) if "--type=renderer" in p.cmdline()]
        largest = max(renderers, key=lambda process: process.memory_info().rss)
        return seconds, sum(largest.cpu_times()[:2]), largest.memory_info().rss / 2**20
    finally:
        context.close()


def opened(page: Page, address: str) -> Page:
    """Open the page and wait for its table."""
    page.set_default_timeout(120_000)
    page.goto(address)
    page.wait_for_selector('html[data-ready="true"]', state="attached")
    return page


ACTS = {
    "sort all chunks by length": """() => document.querySelector('#outliers button[data-sort="token_count"]').click()""",
    "sort all chunks by id": """() => document.querySelector('#outliers button[data-sort="chunk_id"]').click()""",
    "open a chunk": """() => document.querySelector('#outliers button.open').click()""",
    "move a limit": """() => {
        const range = document.querySelector('.trial[data-analyzer="similarity"] input[type=range]');
        range.value = "0.3";
        range.dispatchEvent(new Event("input", { bubbles: true }));
    }""",
}


def answers(browser: Browser, address: str) -> dict[str, float]:
    """Milliseconds that the page is busy with each thing that a reader does."""
    context = browser.new_context(offline=True)
    try:
        page = opened(context.new_page(), address)
        page.locator("select[name=scope]").select_option("all")
        page.wait_for_timeout(1_000)
        timed = "() => {{ const began = performance.now(); ({})(); return performance.now() - began; }}"
        return {what: page.evaluate(timed.format(act)) for what, act in ACTS.items()}
    finally:
        context.close()


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Do it, and take the time."""
    began = time.perf_counter()
    done = work()
    return done, time.perf_counter() - began


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="write the page here, and leave it")
    given = parser.parse_args()
    view, seconds = timed(lambda: made(given.chunks))
    tell(f"{given.chunks:,} chunks, {int(view.frame['flagged'].sum()):,} flagged, made in", f"{seconds:.1f} s")
    text, seconds = timed(lambda: render(view))
    tell("page rendered in", f"{seconds:.1f} s")
    with tempfile.TemporaryDirectory() as folder, started() as browser:
        path = (given.keep or Path(folder) / "report.html").absolute()
        path.write_text(text, "utf-8")
        tell("size of the page", f"{path.stat().st_size / 1e6:.1f} MB", "< 15 MB")
        found = [first_table(browser, path.as_uri()) for _ in range(3)]
        seconds, work, memory = (statistics.median(column) for column in zip(*found, strict=True))
        tell("navigation to the first table, median of 3", f"{seconds:.2f} s", "< 3 s")
        tell("processor time of the page until then", f"{work:.2f} s")
        tell("memory of the page then", f"{memory:.0f} MiB")
        for what, milliseconds in answers(browser, path.as_uri()).items():
            tell(what, f"{milliseconds:.0f} ms")


if __name__ == "__main__":
    main()
