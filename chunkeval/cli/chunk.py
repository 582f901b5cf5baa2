"""``chunkeval chunk``: documents to a chunk table, or through an OpenSearch pipeline."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import as_json, say, visible
from chunkeval.errors import ConfigError


@takes(
    "load",
    "chunk",
    also=("out", "overwrite", "jobs"),
    out="Table to write: .parquet, .jsonl or .csv. With --pipeline, a file of JSON lines; standard output where not given.",
    overwrite="Replace a table that is there.",
)
def chunk_command(docs: str, /, *, given: Given) -> None:
    """Cut documents into a chunk table with exact offsets.

    Every chunk's text is the document's from start to end: nothing is stripped, joined or normalised.

    Parameters
    ----------
    docs
        A file, a folder, or - for standard input: txt, md, html (one document a file), csv, json, jsonl, parquet (one a row).
    """
    if given.config.chunk.pipeline is not None:
        _pipeline(docs, given)
        return
    from chunkeval.chunkers import spec
    from chunkeval.chunking import chunk_documents
    from chunkeval.loaders.documents import read_documents
    from chunkeval.writing import check_out

    settings, run = given.config.chunk, given.config.run
    if run.out is None:
        raise ConfigError("name the table to write, as in --out chunks.parquet")
    chunker = settings.chunker or "recursive"
    spec.make(chunker)
    check_out([Path(run.out)], overwrite=run.overwrite)
    progress = given.progress()
    with tempfile.TemporaryDirectory(prefix="chunkeval-") as folder:
        documents = read_documents(docs, given.config.load, Path(folder), progress)
        for note in documents.info.notes:
            say(visible(note), given)
        done = chunk_documents(
            documents, settings.chunker, Path(run.out), jobs=run.jobs or os.cpu_count() or 1, progress=progress
        )
    if done.without_count:
        names = ", ".join(map(repr, done.without))
        more = f" and {done.without_count - len(done.without):,} more" if done.without_count > len(done.without) else ""
        say(visible(f"documents without a chunk: {names}{more}"), given)
    if given.console.json:
        sys.stdout.write(as_json({**done.to_dict(), "out": run.out}))
        return
    smallest, median, largest = done.sizes
    say(
        f"{done.documents:,} documents to {done.chunks:,} chunks of {smallest:,} to {largest:,} characters (median {median:,}): {run.out}",
        given,
    )


def _pipeline(docs: str, given: Given) -> None:
    from chunkeval.chunkers.opensearch import read_pipeline, run_lines
    from chunkeval.loaders.lines import open_lines

    settings, out = given.config.chunk, given.config.run.out
    assert settings.pipeline is not None
    pipeline = read_pipeline(
        Path(settings.pipeline), max_token_count=settings.max_token_count, depth_limit=settings.depth_limit
    )
    raise NotImplementedError((pipeline, run_lines, open_lines, out, docs))
