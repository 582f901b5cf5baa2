"""``chunkeval mcp``: the retrieval tools for agents, over standard input and output."""

from __future__ import annotations

import signal

from chunkeval import __version__
from chunkeval.cli.options import Given, takes
from chunkeval.cli.words import Word, check_words
from chunkeval.errors import ConfigError


@takes("load", also=("weight", "chunker", "embedder", "sentences", "jobs", "batch", "cache"))
def mcp_command(table: Word, /, *, given: Given) -> None:
    """Serve keyword_search, semantic_search, hybrid_search and chunk_read to an agent, until it closes the connection.

    For an agent's settings: command chunkeval, arguments mcp and the table.

    Parameters
    ----------
    table
        A chunk table, documents (txt, md, html; cut first), the folder of a run or of an index.
    """
    from chunkeval.retrieval.serving import check_installed, serve

    check_installed()
    check_words("mcp", [table], "Name the table first")
    if table == "-":
        raise ConfigError("an agent speaks on standard input, so that no table can come there: name a file")
    from chunkeval.retrieval.tools import Tools
    from chunkeval.searching import open_index

    index = open_index(table, given.config, given.progress())
    # Made before the first question: a client does not wait for minutes.
    index.sentences.embed(["."])
    # Nothing is kept any more that an end could lose, and a thread that waits for the client's next line would hold it up.
    for end in (signal.SIGINT, signal.SIGTERM):
        signal.signal(end, signal.SIG_DFL)
    serve(Tools(index, given.config.search.weight), __version__)
