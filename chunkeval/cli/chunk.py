"""``chunkeval chunk``: documents to a chunk table, or through an OpenSearch pipeline."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from chunkeval.chunkers.asked import asked_lines
from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import as_json, say, visible
from chunkeval.errors import ConfigError, PipelineError, RunError, SourceError
from chunkeval.plurals import many

TOLD = {
    "altered": "characters by which the chunker's texts differ from the documents; the table has the documents' own",
    "below_min_size": "chunks below the minimum size, where the maximum left no choice",
    "over_max_size": "chunks of groups that were larger than max_size, parted between sentences",
    "kept_sentences": "sentences without propositions of use, which stand as they are",
    "unfiled": "propositions that no reply filed, each in a chunk of its own",
    "lost": "characters of the documents in no chunk, white space apart",
    "lost_space": "characters of white space in no chunk",
    "unplaced": "texts of the chunker that are nowhere in their document, left out",
}
"""What chunkers count."""

Docs = Annotated[str, Parameter(allow_leading_hyphen=True)]


@takes(
    "load",
    "chunk",
    also=("out", "overwrite", "jobs", "cache"),
    out="Table to write: .parquet, .jsonl or .csv. With --pipeline, a file of JSON lines; standard output where not given.",
    overwrite="Replace a table that is there.",
)
def chunk_command(docs: Docs, /, *, given: Given) -> None:
    """Cut documents into a chunk table with exact offsets.

    Every chunk's text is the document's from start to end: nothing is stripped, joined or normalised.

    Parameters
    ----------
    docs
        A file, a folder, or - for standard input: txt, md, html (one document a file), csv, json, jsonl, parquet (one a row).
    """
    if given.config.chunk.pipeline is not None:
        if "chunker" in given.stated:
            raise ConfigError("--pipeline cuts by the pipeline's own algorithm: leave out --chunker, or --pipeline")
        _pipeline(docs, given)
        return
    from chunkeval.cache import Cache
    from chunkeval.chunkers import spec
    from chunkeval.chunking import chunk_documents
    from chunkeval.loaders.documents import read_documents
    from chunkeval.writing import check_out

    settings, run = given.config.chunk, given.config.run
    if run.out is None:
        raise ConfigError("name the table to write, as in --out chunks.parquet")
    chunker = spec.chosen(settings) or "recursive"
    spec.make(chunker)
    check_out([Path(run.out)], overwrite=run.overwrite)
    progress = given.progress()
    with tempfile.TemporaryDirectory(prefix="chunkeval-") as folder:
        documents = read_documents(docs, given.config.load, Path(folder), progress)
        for note in documents.info.notes:
            say(visible(note), given)
        done = chunk_documents(
            documents,
            chunker,
            Path(run.out),
            jobs=run.workers,
            cache=Cache(run.cache),
            progress=progress,
        )
    if done.without_count:
        names = ", ".join(map(repr, done.without))
        more = f" and {done.without_count - len(done.without):,} more" if done.without_count > len(done.without) else ""
        say(visible(f"documents without a chunk: {names}{more}"), given)
    for key, count in sorted(done.told.items()):
        say(f"{TOLD.get(key, key)}: {count:,}", given)
    for line in asked_lines(done.asked):
        say(visible(line), given)
    if given.console.json:
        sys.stdout.write(as_json({**done.to_dict(), "out": run.out}))
        return
    smallest, median, largest = done.sizes
    say(
        f"{many(done.documents, 'document')} to {many(done.chunks, 'chunk')} "
        f"of {smallest:,} to {largest:,} characters (median {median:,}): {run.out}",
        given,
    )


def _pipeline(docs: str, given: Given) -> None:
    from chunkeval.chunkers.opensearch import run_pipeline

    settings, out = given.config.chunk, given.config.run.out
    if out is not None and Path(out).exists() and not given.config.run.overwrite:
        raise RunError(f"{out} is there already: --overwrite replaces it, --out names another")
    with ExitStack() as stack:
        lines = stack.enter_context(_lines(docs))
        done = run_pipeline(
            _json(str(settings.pipeline)),
            lines,
            max_token_count=settings.max_token_count,
            depth_limit=settings.depth_limit,
            warn=lambda sentence: say(visible(sentence), given),
        )
        # All of it first: an error in the last line leaves nothing half.
        spool = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n"))
        spool.writelines(f"{line}\n" for line in done)
        spool.seek(0)
        if out is None:
            shutil.copyfileobj(spool, sys.stdout)
            return
        unfinished = Path(f"{out}.unfinished")
        try:
            with unfinished.open("w", encoding="utf-8", newline="\n") as target:
                shutil.copyfileobj(spool, target)
            os.replace(unfinished, out)
        except OSError as error:
            raise RunError(f"cannot write {out}: {error.strerror or error}; name another with --out FILE") from None


def _json(path: str) -> Any:
    from chunkeval.chunkers.opensearch import read_settings

    try:
        return read_settings(Path(path).read_text("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"cannot read the pipeline {path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 (byte {error.start}): convert it") from None
    except PipelineError as error:
        raise PipelineError(f"{path}: {error}", error.kind, error.code) from None


@contextmanager
def _lines(docs: str) -> Iterator[Iterable[str]]:
    if docs == "-":
        yield _decoded("standard input", sys.stdin.buffer)
        return
    try:
        with Path(docs).open("rb") as file:
            yield _decoded(docs, file)
    except OSError as error:
        raise SourceError(f"{docs}: cannot be read: {error.strerror or error}: give documents as JSON lines") from None


def _decoded(docs: str, lines: Iterable[bytes]) -> Iterator[str]:
    for number, raw in enumerate(lines, 1):
        try:
            yield raw.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise SourceError(f"{docs}: line {number} is not UTF-8 (its byte {error.start}): convert it") from None
