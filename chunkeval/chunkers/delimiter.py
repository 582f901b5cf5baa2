"""``delimiter``: a chunk up to, and with, each occurrence of a string."""

from __future__ import annotations

from collections.abc import Iterator

from chunkeval.chunkers.base import Chunk, Span, chunks
from chunkeval.chunkers.windows import NO_LIMIT, most_of
from chunkeval.errors import ConfigError


class Delimiter:
    r"""Cuts after every occurrence of a string, which stays at the end of its chunk.

    OpenSearch's algorithm of that name; its documentation is the source of names and defaults.

    Parameters
    ----------
    delimiter
        What to cut after, taken literally; not empty.
    max_chunk_limit
        Chunks a document at most, from 1: the last one takes the rest. -1 for no limit.

    Raises
    ------
    ConfigError
        The delimiter is empty or no string, or the limit out of its range; the message names the fix.

    Examples
    --------
    >>> text = "갔다. 왔다.먹었다"
    >>> [chunk.text(text) for chunk in Delimiter(delimiter="다.").split(text)]
    ['갔다.', ' 왔다.', '먹었다']
    """

    def __init__(self, delimiter: str = "\n\n", max_chunk_limit: int = NO_LIMIT) -> None:
        if type(delimiter) is not str or not delimiter:
            raise ConfigError(f"delimiter: delimiter must be a string that is not empty, not {delimiter!r}")
        self._delimiter = delimiter
        self._most = most_of("delimiter", max_chunk_limit)

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; see `chunkeval.chunkers.base.Chunker`."""
        return chunks(list(delimited(text, self._delimiter, self._most)))


def delimited(text: str, delimiter: str, most: int | None) -> Iterator[Span]:
    """Cut after each occurrence of a string, from the left and not overlapping; at most so often less one.

    Examples
    --------
    >>> list(delimited("aaaab", "aa", None)), list(delimited("aaaab", "aa", 2)), list(delimited(".", ".", 1))
    ([(0, 2), (2, 4), (4, 5)], [(0, 2), (2, 5)], [(0, 1)])
    """
    start, found = 0, 0
    while (most is None or found < most - 1) and (place := text.find(delimiter, start)) >= 0:
        yield start, place + len(delimiter)
        start = place + len(delimiter)
        found += 1
    if start < len(text):
        yield start, len(text)
