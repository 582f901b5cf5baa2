"""``cascade``: each chunker cuts the chunks of the one before."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from chunkeval.chunkers.base import Chunk, Chunker, Span, embedders_of, split_all
from chunkeval.chunkers.spec import make
from chunkeval.errors import ConfigError


class Cascade:
    r"""Cuts in steps, say into paragraphs and then to a size.

    OpenSearch's documentation of ``text_chunking`` calls processors one after the other a cascade.

    Parameters
    ----------
    steps
        Chunkers as `chunkeval.chunkers.spec.make` reads them, one or more.

    Raises
    ------
    ConfigError
        There is no step, a step is no string, or its chunker is not known or refuses a value.

    Examples
    --------
    >>> text = "가나다라마\n\n바사"
    >>> [chunk.text(text) for chunk in Cascade(["delimiter", "fixed_char_length:char_limit=4"]).split(text)]
    ['가나다라', '마\n\n', '바사']
    """

    def __init__(self, steps: Sequence[str]) -> None:
        if type(steps) not in (list, tuple) or not steps:
            raise ConfigError(
                f"cascade: steps must be a list of chunkers such as ['delimiter', 'sentence'], not {steps!r}"
            )
        for step in steps:
            if not isinstance(step, str):
                raise ConfigError(f"cascade: every step must be a string such as 'sentence:size=300', not {step!r}")
        self._steps: list[Chunker] = [make(step) for step in steps]

    @property
    def embedders(self) -> tuple[str, ...]:
        """Names of the embedders that decide where a step cuts."""
        return tuple(dict.fromkeys(name for step in self._steps for name in embedders_of(step)))

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; see `chunkeval.chunkers.base.Chunker`."""
        found = self._steps[0].split(text)
        for step in self._steps[1:]:
            cut = split_all(step, [outer.text(text) for outer in found])
            found = [within(outer, inner) for outer, several in zip(found, cut, strict=True) for inner in several]
        # where outer chunks overlap, the last cut of one begins behind the first of the next
        return sorted(found, key=lambda chunk: chunk.spans[0][0])


def within(outer: Chunk, inner: Chunk) -> Chunk:
    """Place a chunk of a chunk's text in the document; what the inner one says about itself wins.

    Examples
    --------
    >>> within(Chunk(((2, 4), (10, 13))), Chunk(((1, 4),))).spans
    ((3, 4), (10, 12))
    """
    spans: list[Span] = []
    if len(outer.spans) == 1:
        shift = outer.spans[0][0]
        spans = [(start + shift, end + shift) for start, end in inner.spans]
    else:
        ends = list(accumulate(end - start for start, end in outer.spans))
        for start, end in inner.spans:
            for (left, right), last in zip(outer.spans, ends, strict=True):
                shift = right - last
                piece = max(start + shift, left), min(end + shift, right)
                if piece[0] < piece[1]:
                    spans.append(piece)
    metadata = {**outer.metadata, **inner.metadata} if outer.metadata else inner.metadata
    return Chunk(tuple(spans), metadata)
