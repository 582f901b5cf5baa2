"""How well retrieved chunks cover what answers a question, in code points.

All documents lie on one line, one behind the other with a gap between, so that a span says where it is by itself; a
chunk is a sequence of spans. Smith and Troynikov 2024, "Evaluating Chunking Strategies for Retrieval" (Chroma).

``mode="strict"``: spans are half-open, references count once where they overlap. ``mode="chroma"`` keeps what the
authors' code does: recall divides by the summed lengths of the references, what references still lack is summed over
them, and a chunk that only touches a reference counts as overlapping it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from math import log2
from typing import Literal

Span = tuple[int, int]
Spans = Sequence[Span]
Mode = Literal["strict", "chroma"]
MODES = ("strict", "chroma")


def recall(references: Spans, chunks: Sequence[Spans], mode: Mode = "strict") -> float:
    """Share of the references that the retrieved chunks hold.

    Examples
    --------
    >>> recall([(0, 10), (5, 15)], [[(0, 12)]])
    0.8
    >>> recall([(0, 10), (5, 15)], [[(0, 12)]], mode="chroma")
    0.6
    """
    wanted = length(references) if mode == "chroma" else length(union(references))
    return length(overlap(references, chain.from_iterable(chunks))) / wanted


def precision(references: Spans, chunks: Sequence[Spans]) -> float:
    """Share of what was read that is reference; text read twice, and chunks of other documents, count below.

    Examples
    --------
    >>> precision([(0, 10)], [[(0, 10)], [(5, 15)], [(100, 120)]])
    0.25
    """
    read = sum(map(length, chunks))
    return length(overlap(references, chain.from_iterable(chunks))) / read if read else 0.0


def iou(references: Spans, chunks: Sequence[Spans], mode: Mode = "strict") -> float:
    """Found of all that was read or should have been: Jaccard's index with text read twice counted twice.

    Examples
    --------
    >>> iou([(0, 20)], [[(0, 10)], [(100, 110)]])
    0.3333333333333333
    """
    found = length(overlap(references, chain.from_iterable(chunks)))
    if mode == "chroma":
        lacking = sum(
            end - start - length(overlap([(start, end)], chain.from_iterable(chunks))) for start, end in references
        )
    else:
        lacking = length(union(references)) - found
    return found / (sum(map(length, chunks)) + lacking)


def precision_omega(references: Spans, chunks: Sequence[Spans], mode: Mode = "strict") -> float:
    """Precision where exactly the chunks that touch a reference are read: no retriever is needed.

    It rises as chunks get smaller, whatever is cut apart: never judge by it alone.

    Parameters
    ----------
    references
        What answers the question.
    chunks
        All chunks there are, or those near the references.

    Examples
    --------
    >>> precision_omega([(2, 8)], [[(0, 5)], [(5, 10)], [(10, 15)]])
    0.6
    """
    touching = [spans for spans in chunks if touches(spans, references, mode)]
    read = list(chain.from_iterable(touching))
    return length(overlap(references, read)) / length(union([*read, *references]))


def reciprocal_rank(gains: Sequence[float]) -> float:
    """One by the rank of the first chunk that holds any of the references; 0 where none does.

    Examples
    --------
    >>> reciprocal_rank([0.0, 0.25, 0.75])
    0.5
    """
    return next((1 / rank for rank, gain in enumerate(gains, 1) if gain > 0), 0.0)


def ndcg(gains: Sequence[float], possible: Sequence[float]) -> float:
    """Discounted gain of a ranking by the best there could be. Järvelin and Kekäläinen 2002.

    Parameters
    ----------
    gains
        Of the chunks read, in their order: each one's share of the references.
    possible
        Of all chunks that have any, in any order; as many of them as were read count.

    Examples
    --------
    >>> ndcg([0.0, 1.0], [1.0])
    0.6309297535714575
    """
    ideal = _discounted(sorted(possible, reverse=True)[: len(gains)])
    return _discounted(gains) / ideal if ideal else 0.0


def touches(spans: Spans, references: Spans, mode: Mode = "strict") -> bool:
    """Whether a chunk overlaps a reference; with ``chroma``, also where one ends at the code point the other begins at.

    Examples
    --------
    >>> touches([(0, 5)], [(5, 9)]), touches([(0, 5)], [(5, 9)], "chroma")
    (False, True)
    """
    if mode == "chroma":
        return any(max(a, c) <= min(b, d) for a, b in spans for c, d in references)
    return any(max(a, c) < min(b, d) for a, b in spans for c, d in references)


def union(spans: Iterable[Span]) -> list[Span]:
    """Join spans that overlap or meet.

    Examples
    --------
    >>> union([(5, 9), (0, 2), (8, 12)])
    [(0, 2), (5, 12)]
    """
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined


def overlap(some: Iterable[Span], others: Iterable[Span]) -> list[Span]:
    """Give what two sets of spans have in common, each code point once.

    Examples
    --------
    >>> overlap([(0, 10), (5, 20)], [(8, 12), (9, 30)])
    [(8, 20)]
    """
    theirs = union(others)
    return union((max(a, c), min(b, d)) for a, b in union(some) for c, d in theirs if max(a, c) < min(b, d))


def length(spans: Iterable[Span]) -> int:
    """Add up the spans' code points; those in two spans count twice."""
    return sum(end - start for start, end in spans)


def _discounted(gains: Iterable[float]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))
