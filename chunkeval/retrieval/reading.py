"""Reading what a retriever gives, chunk by chunk until the budget is spent, and what of it answers the question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.retrieval import metrics

if TYPE_CHECKING:
    from chunkeval.results import Ints
    from chunkeval.retrieval.line import Placed
    from chunkeval.retrieval.metrics import Mode, Spans


@dataclass(frozen=True)
class Limit:
    """How much is read."""

    k: int | None
    """Chunks; None: as many as ``budget`` allows."""
    budget: int
    """Tokens."""

    def chunks(self, tokens: Ints) -> int:
        """Give the most chunks that may be begun, whichever come first: those of the fewest tokens.

        Examples
        --------
        >>> Limit(None, 10).chunks(np.array([6, 3, 9, 4]))
        3
        """
        if self.k is not None:
            return min(self.k, len(tokens))
        before = np.cumsum(np.sort(tokens)) - np.sort(tokens)
        return int((before < self.budget).sum())


@dataclass(frozen=True)
class Read:
    """What was read for a question."""

    chunks: tuple[Spans, ...]
    tokens: int


def read(rows: Iterable[int], spans: Sequence[Spans], tokens: Ints, limit: Limit) -> Read:
    """Read ranked chunks; the budget may end within one, of which then only the beginning is read.

    Parameters
    ----------
    rows
        Best first.
    spans, tokens
        Of all chunks.
    limit
        How much.

    Examples
    --------
    >>> read([1, 0], [((0, 10),), ((20, 40),)], np.array([5, 8]), Limit(None, 10))
    Read(chunks=(((20, 40),), ((0, 4),)), tokens=10)
    """
    taken: list[Spans] = []
    total = 0
    for row in rows:
        size = int(tokens[row])
        if limit.k is not None:
            if len(taken) == limit.k:
                break
            taken.append(spans[row])
            total += size
            continue
        left = limit.budget - total
        if left <= 0:
            break
        taken.append(spans[row] if size <= left else beginning(spans[row], left / size))
        total += min(size, left)
    return Read(tuple(taken), total)


def beginning(spans: Spans, share: float) -> Spans:
    """Cut a chunk's code points down to a share, from its end.

    Examples
    --------
    >>> beginning([(0, 10), (20, 30)], 0.75)
    ((0, 10), (20, 25))
    """
    left = int(metrics.length(spans) * share)
    kept = []
    for start, end in spans:
        end = min(end, start + left)
        if end > start:
            kept.append((start, end))
        left -= end - start
    return tuple(kept)


def scored(references: Spans, found: Read, table: Placed, mode: Mode) -> dict[str, float | int | bool | None]:
    """Score what was read for a question, and say what chunks hold its references.

    Parameters
    ----------
    references
        What answers it.
    found
        What was read.
    table
        All chunks.
    mode
        As `metrics` takes it.
    """
    wanted = metrics.length(metrics.union(references))
    near = [row for row in table.near(references) if metrics.touches(table.spans[row], references, mode)]
    holding = [row for row in near if metrics.touches(table.spans[row], references)]
    gains = [metrics.length(metrics.overlap(references, spans)) / wanted for spans in found.chunks]
    possible = [metrics.length(metrics.overlap(references, table.spans[row])) / wanted for row in holding]
    in_flagged: bool | None = None
    if table.flagged is not None:
        bad = [span for row in holding if table.flagged[row] for span in table.spans[row]]
        in_flagged = 2 * metrics.length(metrics.overlap(references, bad)) >= wanted
    return {
        "recall": metrics.recall(references, found.chunks, mode),
        "precision": metrics.precision(references, found.chunks),
        "iou": metrics.iou(references, found.chunks, mode),
        "precision_omega": metrics.precision_omega(references, [table.spans[row] for row in near], mode),
        "mrr": metrics.reciprocal_rank(gains),
        "ndcg": metrics.ndcg(gains, possible),
        "tokens_read": found.tokens,
        "chunks_read": len(found.chunks),
        "chunk_size": float(np.mean([metrics.length(table.spans[row]) for row in holding]))
        if holding
        else float("nan"),
        "in_flagged": in_flagged,
    }
