"""How often a comparison names a winner where there is none, and where there is one.

    python tests/benchmarks/nulls.py                    2,000 comparisons of each kind, 10,000 resamples each
    python tests/benchmarks/nulls.py --simulations 100

Two strategies on the same questions about 20 documents, one to nine questions each. ``binary``: found or not, eight in ten;
``graded``: recall with a mass at 0 and 1; ``skewed``: differences of whole documents, now and then large. Half of the
difference's variance is the documents'. Without a difference the two are drawn alike; a true one is four standard errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from chunkeval.statistics.bootstrap import intervals
from chunkeval.statistics.verdict import LEVEL

Draw = Callable[[np.random.Generator, np.ndarray], np.ndarray]
DOCUMENTS = 20


def binary(rng: np.random.Generator, documents: np.ndarray) -> np.ndarray:
    level = 0.8 + 0.15 * rng.uniform(-1, 1, (DOCUMENTS, 2))
    return (rng.uniform(size=(len(documents), 2)) < level[documents]).astype(float)


def graded(rng: np.random.Generator, documents: np.ndarray) -> np.ndarray:
    level = 0.7 + 0.2 * rng.normal(size=(DOCUMENTS, 2))
    shared = rng.normal(size=(len(documents), 1))
    return np.clip(level[documents] + 0.4 * shared + 0.2 * rng.normal(size=(len(documents), 2)), 0, 1)


def skewed(rng: np.random.Generator, documents: np.ndarray) -> np.ndarray:
    level = rng.exponential(0.2, (DOCUMENTS, 2)) ** 1.5
    return level[documents] + 0.1 * rng.normal(size=(len(documents), 2))


KINDS: dict[str, Draw] = {"binary": binary, "graded": graded, "skewed": skewed}


def drawn(kind: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    documents = np.repeat(np.arange(DOCUMENTS), rng.integers(1, 10, DOCUMENTS))
    return KINDS[kind](rng, documents), documents


def standard_error(kind: str, simulations: int = 2000) -> float:
    """Of the mean difference, over whole comparisons."""
    values = (drawn(kind, 10_000_000 + seed)[0] for seed in range(simulations))
    return float(np.std([(v[:, 0] - v[:, 1]).mean() for v in values]))


def winner(values: np.ndarray, documents: np.ndarray, resamples: int, seed: int) -> int | None:
    """Give the column that `compare_paired` would name, without the table around it, which takes ten times as long."""
    counts = np.bincount(documents).astype(float)
    sums = np.stack([np.bincount(documents, column) for column in values.T], axis=1)
    found = intervals(sums, counts, [(0, 1)], level=LEVEL, resamples=resamples, seed=seed)
    return 0 if found.low[0] > 0 else 1 if found.high[0] < 0 else None


def named(kind: str, shift: float, simulations: int, resamples: int, first: int = 0) -> float:
    """Share of comparisons that name a winner (with a shift: the right one)."""
    found = 0
    for seed in range(first, first + simulations):
        values, documents = drawn(kind, seed)
        values[:, 0] += shift
        best = winner(values, documents, resamples, seed)
        found += best is not None if not shift else best == 0
    return found / simulations


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    given = parser.parse_args()
    for kind in given.kinds:
        error = standard_error(kind)
        none = named(kind, 0.0, given.simulations, given.resamples)
        true = named(kind, 4 * error, given.simulations, given.resamples)
        print(f"{kind:8} without a difference {none:.3f} name a winner, of four standard errors {true:.3f}", flush=True)


if __name__ == "__main__":
    main()
