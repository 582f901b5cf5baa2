"""How well retrieved chunks cover what answers a question, in code points.

All documents lie on one line, one behind the other with a gap between, so that a span says where it is by itself; a
chunk is a sequence of spans. Smith and Troynikov 2024, "Evaluating Chunking Strategies for Retrieval" (Chroma).

``mode="strict"``: spans are half-open, references count once where they overlap. ``mode="chroma"`` keeps what the
authors' code does: recall divides by the summed lengths of the references, what references still lack is summed over
them, and a chunk that only touches a reference counts as overlapping it.
"""

from __future__ import annotations

from collections.abc import Sequence
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


def precision(references: Spans, chunks: Sequence[Spans]) -> float:
    """Share of what was read that is reference; text read twice, and chunks of other documents, count below.

    Examples
    --------
    >>> precision([(0, 10)], [[(0, 10)], [(5, 15)], [(100, 120)]])
    0.25
    """


def iou(references: Spans, chunks: Sequence[Spans], mode: Mode = "strict") -> float:
    """Found of all that was read or should have been: Jaccard's index with text read twice counted twice.

    Examples
    --------
    >>> iou([(0, 20)], [[(0, 10)], [(100, 110)]])
    0.3333333333333333
    """


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


def reciprocal_rank(gains: Sequence[float]) -> float:
    """One by the rank of the first chunk that holds any of the references; 0 where none does.

    Examples
    --------
    >>> reciprocal_rank([0.0, 0.25, 0.75])
    0.5
    """


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
