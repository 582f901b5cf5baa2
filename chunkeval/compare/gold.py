"""Cuts against known section boundaries, a document at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from chunkeval.retrieval.segmentation import boundaries, boundary_similarity, masses, pk, window_diff

if TYPE_CHECKING:
    from chunkeval.compare.documents import Corpus, Row

TOLERANCE = 20
"""Characters by which a cut may miss a boundary and still count for F1."""

COLUMNS = ("pk", "window_diff", "boundary_similarity", "boundary_precision", "boundary_recall", "boundary_f1")


def against_gold(rows: Sequence[Row], corpus: Corpus, gold: Mapping[str, Sequence[int]]) -> dict[str, dict[str, float]]:
    """Measure where a strategy cut.

    Parameters
    ----------
    rows
        Its chunks in the order of their documents.
    corpus
        The documents.
    gold
        Document to the starts of its sections but the first, in code points.

    Returns
    -------
    dict
        Document to its figures, `COLUMNS`: of documents that have boundaries and whose chunks all have one place each.
    """
    found = {}
    for name, group in groupby(rows, key=lambda row: row.doc_id):
        own = list(group)
        if name is None or name not in corpus.exact or name not in gold:
            continue
        starts = [row.spans[0][0] for row in own if row.spans is not None and len(row.spans) == 1]
        length = len(corpus.texts[name])
        if len(starts) < len(own) or length < 2:
            continue
        cuts = sorted({start for start in starts if 0 < start < length})
        known = [place for place in gold[name] if place < length]
        sizes = masses(cuts, length), masses(known, length)
        hits = boundaries(cuts, known, TOLERANCE)
        values = (pk(*sizes), window_diff(*sizes), boundary_similarity(*sizes, near=TOLERANCE + 1))
        found[name] = dict(zip(COLUMNS, (*values, hits.precision, hits.recall, hits.f1), strict=True))
    return found
