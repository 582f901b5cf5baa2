"""Judging texts that no run has seen: by an earlier run's state and limits."""

from __future__ import annotations

import tempfile
import unicodedata
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from chunkeval import flags as judging
from chunkeval import loaders
from chunkeval.config import FlagConfig, LoadConfig
from chunkeval.progress import Progress, Silent
from chunkeval.rows import holding
from chunkeval.sampling import documents_of
from chunkeval.score import rescore

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.cache import Cache
    from chunkeval.config import RunConfig
    from chunkeval.results import ChunkFile, Flags
    from chunkeval.text.context import Context
    from chunkeval.text.embeddings import Embedder


def alone(texts: Sequence[str]) -> pd.DataFrame:
    """Lay texts out as a chunk table, each a document of its own: they are no neighbours of one another.

    Examples
    --------
    >>> alone(["가", "나"])["doc_id"].is_unique
    True
    """
    import pandas as pd

    names = [f"{number}" for number in range(len(texts))]
    return pd.DataFrame({"chunk_id": names, "doc_id": names, "position": 0, "text": list(texts)})


def rejudge(
    table: pd.DataFrame,
    flags: Flags,
    run: RunConfig,
    cache: Cache,
    progress: Progress | None = None,
    *,
    embedder: Embedder | None = None,
    context: Callable[[ChunkFile], Context] | None = None,
    documents: Sequence[str] | None = None,
) -> Flags:
    """Judge a table by what an earlier run learned.

    Parameters
    ----------
    table
        Chunks, as `chunkeval.load` gives them.
    flags
        Of the earlier run: its settings, state and limits hold, and nothing is learned from the table.
    run
        How the work is done; changes no number.
    embedder
        The run's, where it is loaded already.
    context
        Says what to leave out of the texts; found in the table where not given.
    documents
        Document that each text is from, where the table does not say so.

    Returns
    -------
    Flags
        A row a text. Its chunk file is gone by then.

    Raises
    ------
    RunError
        The embedder, the tokenizer or a library is not the one that the earlier run had.
    TableError
        The table breaks a rule.
    """
    with tempfile.TemporaryDirectory(prefix="chunkeval-") as folder:
        file = loaders.write_frame(table, Path(folder) / "texts.parquet", LoadConfig())
        scores = rescore(
            file,
            flags.scores,
            run,
            cache,
            progress or Silent(),
            corpus=False,
            embedder=embedder,
            context=None if context is None else context(file),
            documents=documents,
        )
    return judging.flag(scores, limits_of(flags), judgements=flags.judgements)


def limits_of(flags: Flags) -> FlagConfig:
    """Give the settings that the run's limits came of: they judge as they did, and what is judged by them can say so."""
    return FlagConfig(**flags.settings)


def homes_of(texts: Sequence[str], flags: Flags | None) -> list[str]:
    """Name each text's document, which decides who judges it.

    Parameters
    ----------
    texts
        Without lone surrogates.
    flags
        Of a run; a text that one of its chunks has is of that chunk's document, and is judged as that chunk was.

    Returns
    -------
    list of str
        A text of no run has a document of its own, named after it: the same at every call.
    """
    known = {} if flags is None else holding(flags.scores.chunks.path, texts)
    named = [] if flags is None or not known else documents_of(flags.frame["doc_id"].tolist())
    return [named[known[text]] if text in known else _named_after(text) for text in texts]


def _named_after(text: str) -> str:
    # Composed and decomposed Hangul are one text, judged by the same heads.
    return f"\x1f{sha256(unicodedata.normalize('NFC', text).encode('utf-8')).hexdigest()}"
