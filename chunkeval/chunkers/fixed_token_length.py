"""``fixed_token_length``: a fixed number of words a chunk, as a tokenizer of Lucene's sees words."""

from __future__ import annotations

import numpy as np

from chunkeval.chunkers.base import Chunk, chunks
from chunkeval.chunkers.windows import NO_LIMIT, check_count, check_overlap_rate, most_of, overlap_of, windows
from chunkeval.text import lucene


class FixedTokenLength:
    """Cuts before every so many tokens; what lies between tokens belongs to the chunk before.

    OpenSearch's algorithm of that name, over code points; its documentation is the source of names and defaults. The
    first chunk starts where the document does, the last one ends where it ends, and a text without tokens is a chunk.

    Parameters
    ----------
    token_limit
        Tokens a chunk, from 1.
    tokenizer
        One of `chunkeval.text.lucene.TOKENIZERS`.
    overlap_rate
        Share of a chunk's tokens that the next one repeats, 0 to 0.5; rounded down to whole tokens.
    max_chunk_limit
        Chunks a document at most, from 1: the last one takes the rest. -1 for no limit.

    Raises
    ------
    ConfigError
        A value is out of its range or the tokenizer not known; the message names it and the fix.
    MissingExtraError
        ``thai`` without Java.

    Examples
    --------
    >>> text = "대한민국은 민주공화국이다. 대한민국의 주권은 국민에게 있고"
    >>> [chunk.text(text) for chunk in FixedTokenLength(token_limit=3).split(text)]
    ['대한민국은 민주공화국이다. 대한민국의 ', '주권은 국민에게 있고']
    """

    def __init__(
        self,
        token_limit: int = 384,
        tokenizer: str = "standard",
        overlap_rate: float = 0.0,
        max_chunk_limit: int = NO_LIMIT,
    ) -> None:
        check_count("fixed_token_length", "token_limit", token_limit)
        lucene.check_tokenizer(tokenizer)
        check_overlap_rate("fixed_token_length", overlap_rate)
        self._size = token_limit
        self._tokenizer = tokenizer
        self._overlap = overlap_of(token_limit, overlap_rate)
        self._most = most_of("fixed_token_length", max_chunk_limit)

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; see `chunkeval.chunkers.base.Chunker`."""
        if not text:
            return []
        step = self._size - self._overlap
        starts, ends, count = [0], [], 0
        # Of each block of tokens only those are kept that a chunk starts or ends at.
        for spans in lucene.token_blocks(text, self._tokenizer):
            numbers = np.arange(count, count + len(spans))
            starts += spans[(numbers % step == 0) & (numbers > 0), 0].tolist()
            ends += spans[((numbers - self._size) % step == 0) & (numbers >= self._size), 0].tolist()
            count += len(spans)
        last = len(windows(max(count, 1), self._size, self._overlap, self._most)) - 1
        return chunks([*zip(starts[:last], ends[:last], strict=True), (starts[last], len(text))])
