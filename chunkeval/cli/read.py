"""``chunkeval read``: chunks of a table by their ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import hand_over, visible
from chunkeval.cli.words import Word, check_words


@takes("load", also=("neighbours", "chunker", "out", "cache"), out="Write the result to this file.")
def read_command(table: Word, /, *ids: Word, given: Given) -> None:
    """Read chunks of a table, a run or an index.

    Parameters
    ----------
    table
        A chunk table, documents (txt, md, html; cut first), the folder of a run or of an index, or - for standard input.
    ids
        Their chunk_ids.
    """
    check_words("read", (table, *ids), "Ids that begin so are read with chunkeval.index in Python")
    from chunkeval.retrieval.tools import Tools
    from chunkeval.searching import open_index

    tools = Tools(open_index(table, given.config, given.progress()))
    read = tools.chunk_read(list(dict.fromkeys(ids)), given.config.search.neighbours)
    hand_over(read, _lines(read), given)


def _lines(read: Sequence[dict[str, Any]]) -> Iterator[str]:
    for number, chunk in enumerate(read):
        yield from ["", visible(f"[{chunk['chunk_id']}]")] if number else [visible(f"[{chunk['chunk_id']}]")]
        yield from map(visible, chunk["text"].splitlines())
