"""Snippets: the sentences of a chunk that a search has found, in the chunk's order, one a line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from chunkeval.text.folding import caseless

Span = tuple[int, int]


def snippet(text: str, spans: Sequence[Span], which: Collection[int]) -> str:
    r"""Join some sentences of a chunk.

    Examples
    --------
    >>> snippet("A. B. C.", [(0, 2), (3, 5), (6, 8)], {2, 0})
    'A.\nC.'
    """
    return "\n".join(text[spans[i][0] : spans[i][1]] for i in sorted(which))


def holding(text: str, spans: Sequence[Span], terms: Sequence[str]) -> list[int]:
    r"""Give the sentences of a chunk that hold at least one of the terms.

    Where a term stands across sentences only, those that it touches.

    Parameters
    ----------
    text
        Of the chunk.
    spans
        Of its sentences.
    terms
        Folded keywords, as `keyword.terms` gives them.

    Examples
    --------
    >>> holding("One CAT. A dog. Two\ncats.", [(0, 8), (9, 15), (16, 25)], ["cat"])
    [0, 2]
    """
    found = [i for i, (a, b) in enumerate(spans) if any(term in caseless(text[a:b]) for term in terms)]
    return found or (sorted(set(_touched(text, spans, terms))) if spans else [])


def _touched(text: str, spans: Sequence[Span], terms: Sequence[str]) -> Iterator[int]:
    # A sentence with what is between it and the next: folded piece by piece, since folding moves code points.
    pieces = [caseless(text[a:b]) for (a, _), (b, _) in zip(spans, [*spans[1:], (len(text), 0)], strict=True)]
    folded = "".join(pieces)
    for term in terms:
        at = folded.find(term)
        while at >= 0:
            start = 0
            for i, piece in enumerate(pieces):
                if start < at + len(term) and at < start + len(piece):
                    yield i
                start += len(piece)
            at = folded.find(term, at + len(term))
