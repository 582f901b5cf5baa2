"""Make the profiles that chunkeval ships: per language of ``datasets/`` the limit that parts good chunks from bad best.

Beside it goes the mean sentence vector, which similarity is centred by where there is no corpus.

Only of what the embedder measures: topics are fitted on a corpus, and their limits do not carry over to another.

Good chunks are the gold sections and windows of 3 to 12 sentences within one; bad chunks are mixes of their
sentences. Splices are left out: half good as they are, they would raise the limit until it flags one good chunk in
five or six instead of one in ten. The limit is where balanced accuracy is highest. Run from the repository's root::

    python scripts/make_profiles.py --embedder use-multilingual
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from chunkeval import api, registry
from chunkeval.profiles import file_stem
from chunkeval.separation import best_limit
from chunkeval.text.sentences import split

ROOT = Path(__file__).parents[1]
WINDOWS = range(3, 13)
Floats = NDArray[np.float64]


def best_of_side(good: Floats, bad: Floats, side: str) -> dict[str, float]:
    """Best limit of one column as a profile states it; ``side`` is the bad one, low or high."""
    sign = -1.0 if side == "high" else 1.0
    limit, accuracy, auroc = best_limit(sign * good, sign * bad)
    return {
        "limit": sign * limit,
        "balanced_accuracy": accuracy,
        "auroc": auroc,
        "good": int(np.isfinite(good).sum()),
        "bad": int(np.isfinite(bad).sum()),
        "percentiles": [round(float(p), 6) for p in np.nanpercentile(good, [1, 99])],
    }


def make(embedder: str, language: str, scores: Mapping[str, tuple[Floats, Floats]]) -> dict[str, Any]:
    """One profile from the scores of good and bad chunks in each judged column."""
    measures = [registry.find("analyzers", name).measure for name in registry.entries("analyzers")]
    sides = {m.column: m.side for m in measures}
    limits = {column: best_of_side(good, bad, sides[column]) for column, (good, bad) in sorted(scores.items())}
    return {
        "schema": 1,
        "embedder": embedder,
        "language": language,
        "made_from": f"datasets/{language}",
        "limits": limits,
    }


def score(folder: Path, embedder: str) -> tuple[dict[str, tuple[Floats, Floats]], Floats]:
    """Score a corpus' gold sections and windows (good) and mixes of them (bad): judged column to both, and the mean vector."""
    scores = api.score(good_chunks(folder), embedder=embedder, analyzers="similarity")
    judged = {
        column: (
            scores.frame[column].to_numpy(dtype=np.float64, na_value=np.nan),
            kinds.mixes,
        )
        for column, kinds in scores.state.recombined.items()
    }
    return judged, scores.state.arrays["similarity"]["mean"]


def good_chunks(folder: Path) -> pd.DataFrame:
    """Gold sections, and windows of 3 to 12 of their sentences, side by side for each size."""
    boundaries = json.loads((folder / "boundaries.json").read_text("utf-8"))
    rows = []
    for slug, sections in boundaries.items():
        document = (folder / "docs" / f"{slug}.md").read_text("utf-8")
        for section in sections:
            text = document[section["start"] : section["end"]]
            spans = split(text)
            windows = [spans[i : i + n] for n in WINDOWS for i in range(0, len(spans) - n + 1, n)]
            pieces = [text, *(text[w[0][0] : w[-1][1]] for w in windows)]
            rows += [{"doc_id": slug, "text": piece} for piece in pieces]
    return pd.DataFrame(rows)


def main() -> None:
    """Write a profile for every language folder that has gold boundaries."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="use-multilingual")
    embedder = parser.parse_args().embedder
    for folder in sorted(p for p in (ROOT / "datasets").iterdir() if p.is_dir()):
        judged, mean = score(folder, embedder)
        made = make(embedder, folder.name, judged)
        stem = ROOT / "chunkeval" / "profiles" / file_stem(embedder, folder.name)
        text = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
        Path(f"{stem}.json").write_text(text, encoding="utf-8")
        np.save(f"{stem}.mean.npy", mean.astype(np.float32), allow_pickle=False)
        print(stem.name, json.dumps(made["limits"]))


if __name__ == "__main__":
    main()
