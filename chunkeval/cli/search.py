"""``chunkeval search``: chunks by keywords, by meaning, or by both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import hand_over, visible
from chunkeval.cli.words import Word, check_words
from chunkeval.errors import ConfigError, unknown_name

KINDS = ("keyword", "semantic", "hybrid")


@takes(
    "load",
    also=("top_k", "weight", "chunker", "embedder", "sentences", "out", "jobs", "batch", "cache"),
    out="Write the result to this file.",
    chunker="Chunker that cuts, where the table is documents; whole sentences, about 1,000 tokens, where not given.",
)
def search_command(kind: str, table: Word, /, *words: Word, given: Given) -> None:
    """Find chunks, best first, with the sentences that were found.

    keyword: words to the letter, case aside; a chunk's score is Σ occurrences × length. semantic: a question by its meaning; a chunk is
    as near as the nearest of its sentences. hybrid: both rankings joined.

    Parameters
    ----------
    kind
        keyword, semantic or hybrid.
    table
        A chunk table, documents (txt, md, html; cut first), the folder of a run or of an index, or - for standard input.
    words
        Keywords, each as one word or in quotes; or the question.
    """
    check_words("search", (table, *words), "A word that begins so is found without its hyphens")
    if kind not in KINDS:
        raise unknown_name("kind of search", kind, KINDS)
    if not words:
        raise ConfigError(f"say what to look for, as in chunkeval search {kind} {table} …")
    from chunkeval.retrieval.tools import Tools
    from chunkeval.searching import open_index

    config = given.config
    tools = Tools(open_index(table, config, given.progress()), config.search.weight)
    if kind == "keyword":
        found = tools.keyword_search(list(words), config.search.top_k)
    else:
        search = tools.semantic_search if kind == "semantic" else tools.hybrid_search
        found = search(" ".join(words), config.search.top_k)
    hand_over(found, _lines(found), given)


def _lines(found: Sequence[dict[str, Any]]) -> Iterator[str]:
    for hit in found:
        yield visible(f"{hit['score']:g}  {hit['chunk_id']}")
        for line in hit["snippet"].splitlines():
            yield visible(f"    {line}")
