"""``fixed_char_length``: a fixed number of code points a chunk."""

from __future__ import annotations

from chunkeval.chunkers.base import Chunk, chunks
from chunkeval.chunkers.windows import NO_LIMIT, check_count, check_overlap_rate, most_of, overlap_of, windows


class FixedCharLength:
    """Cuts every so many code points, wherever that is, also within a grapheme.

    OpenSearch's algorithm of that name, over code points; its documentation is the source of names and defaults.

    Parameters
    ----------
    char_limit
        Code points a chunk, from 1.
    overlap_rate
        Share of a chunk that the next one repeats, 0 to 0.5; rounded down to whole code points.
    max_chunk_limit
        Chunks a document at most, from 1: the last one takes the rest. -1 for no limit.

    Raises
    ------
    ConfigError
        A value is out of its range; the message names it and the fix.

    Examples
    --------
    >>> [chunk.text("한국어 글입니다") for chunk in FixedCharLength(char_limit=4, overlap_rate=0.25).split("한국어 글입니다")]
    ['한국어 ', ' 글입니', '니다']
    """

    def __init__(self, char_limit: int = 2048, overlap_rate: float = 0.0, max_chunk_limit: int = NO_LIMIT) -> None:
        check_count("fixed_char_length", "char_limit", char_limit)
        check_overlap_rate("fixed_char_length", overlap_rate)
        self._size = char_limit
        self._overlap = overlap_of(char_limit, overlap_rate)
        self._most = most_of("fixed_char_length", max_chunk_limit)

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; see `chunkeval.chunkers.base.Chunker`."""
        return chunks(windows(len(text), self._size, self._overlap, self._most))
