"""The road as functions: load, score, flag, report; and `audit`, which walks all of it."""

from __future__ import annotations

import shutil
import tempfile
import time
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chunkeval import flags as judging
from chunkeval import loaders, outputs, runs, sampling, settings
from chunkeval.cache import Cache
from chunkeval.config import AuditConfig, FlagConfig, LoadConfig, ReportConfig, RunConfig
from chunkeval.errors import TableError
from chunkeval.given import given_limits
from chunkeval.progress import Progress, Silent
from chunkeval.results import ChunkFile, Flags, Scores
from chunkeval.score import check, score_chunks
from chunkeval.summary import Extras, check_by

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.rechunk import Rechunked


@dataclass(frozen=True)
class Audit:
    """A finished run."""

    flags: Flags
    summary: Mapping[str, Any]
    """What ``summary.json`` holds."""
    out: Path

    def _repr_html_(self) -> str:
        return self.flags._repr_html_()


def load(
    source: str | Path,
    *,
    text: str | None = None,
    doc: str | None = None,
    id: str | None = None,
    on_null: Literal["error", "skip"] = "error",
) -> pd.DataFrame:
    """Read a source into a chunk table in memory.

    Parameters
    ----------
    source
        A file, a folder, or ``-`` for standard input.
    text, doc, id
        Columns that hold the text, the document's name, the chunk's id; guessed where not given.
    on_null
        What to do with a null text.

    Returns
    -------
    DataFrame
        One row a chunk: chunk_id, doc_id, position, text, start, end, spans, then the source's other columns.

    Raises
    ------
    SourceError, TableError
        The source cannot be read, or breaks a rule of the chunk table; the message names the place and the fix.

    Examples
    --------
    >>> chunks = load("datasets/ko/chunks.csv")
    >>> chunks.columns[:4].tolist()
    ['chunk_id', 'doc_id', 'position', 'text']
    """
    return loaders.load(str(source), LoadConfig(text, doc, id, on_null))


def scan(
    source: str | Path,
    *,
    text: str | None = None,
    doc: str | None = None,
    id: str | None = None,
    on_null: Literal["error", "skip"] = "error",
) -> Iterator[pd.DataFrame]:
    """Read a source in batches, for tables larger than memory; see `load`.

    Examples
    --------
    >>> sum(len(batch) for batch in scan("datasets/en/chunks.csv")) == len(load("datasets/en/chunks.csv"))
    True
    """
    return loaders.scan(str(source), LoadConfig(text, doc, id, on_null))


def score(
    chunks: pd.DataFrame | str | Path, *, jobs: int | None = None, cache: str | Path | None = None, **options: Any
) -> Scores:
    """Compute the numbers.

    Parameters
    ----------
    chunks
        A chunk table, as `load` gives it, or a source to read.
    jobs
        Worker threads; one a core where not given.
    cache
        Folder of cached parts.
    options
        Settings of `config.ScoreConfig`: analyzers, embedder, tokenizer, context, sentences, morphemes, topics, seed, …

    Returns
    -------
    Scores
        ``.frame`` has a row a chunk, in the table's order; null where not measured.

    Raises
    ------
    InputError
        A setting is not known, or the table breaks a rule.

    Examples
    --------
    >>> scores = score(load("datasets/ko/chunks.csv").head(40), analyzers="tokens")
    >>> scores.frame["token_count"].min() > 0
    np.True_
    """
    import pandas as pd

    if not isinstance(chunks, str | Path | pd.DataFrame):
        raise TableError(f"chunks must be a DataFrame or a path, not {type(chunks).__name__}")
    config = settings.build({**options, "jobs": jobs, "cache": None if cache is None else str(cache)})[0]
    folder = Path(tempfile.mkdtemp(prefix="chunkeval-"))
    try:
        table = folder / runs.CHUNKS
        if isinstance(chunks, str | Path):
            file = loaders.write_chunks(str(chunks), config.load, table, Silent())
        else:
            file = loaders.write_frame(chunks, table, config.load)
        scores = score_chunks(file, config.score, config.run, _cache(config.run), Silent())
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(scores.chunks, shutil.rmtree, folder, ignore_errors=True)
    return scores


def flag(
    scores: Scores,
    *,
    limits: Literal["auto", "card", "calibrated"] = "auto",
    limit: Mapping[str, str | float] | None = None,
    inclusive: bool = False,
) -> Flags:
    """Judge scores by limits; cheap, nothing is scored again.

    Parameters
    ----------
    limits
        ``calibrated``: learned from this corpus. ``card``: the published rules. ``auto``: calibrated where it can tell, else the profile
        shipped for the embedder and language, else the card.
    limit
        Limits given by hand: score column to a number or ``"LOW:HIGH"``.
    inclusive
        Whether a value on the limit is bad too.

    Examples
    --------
    >>> scores = score(load("datasets/ko/chunks.csv").head(40), analyzers="tokens")
    >>> int(flag(scores, limit={"tokens": "1:2"}).frame["flag_tokens"].sum())
    40
    """
    given = settings.check("limit", limit or {}, "limit")
    return judging.flag(scores, FlagConfig(limits, given, inclusive))


def report(
    flags: Flags,
    out: str | Path,
    *,
    lang: Literal["ko", "en"] | None = None,
    embed: Literal["none", "worst", "all"] = "worst",
    redact: bool = False,
    overwrite: bool = False,
) -> Path:
    """Write a run's folder: report, plots, scores, outliers, summary.

    Parameters
    ----------
    out
        Folder of the run.
    lang
        Language of the report; the corpus' own where not given.
    embed
        Texts in the page: of the ``worst`` 2,000 flagged chunks, of ``all`` flagged ones, or ``none`` but three on the
        first screen.
    redact
        Leave every text and all metadata out of the page.
    overwrite
        Replace a run that is there.

    Returns
    -------
    Path
        The report's page.

    Raises
    ------
    RunError
        There is a run already, or nothing can be written there.
    """
    wanted = ReportConfig(lang=lang, embed=embed, redact=redact)
    with runs.writing(Path(out), overwrite=overwrite) as folder:
        shutil.copyfile(flags.scores.chunks.path, folder / runs.CHUNKS)
        outputs.write(
            flags,
            folder,
            lang=wanted.lang,
            embed=wanted.embed,
            redact=wanted.redact,
            extras=Extras(run={"out": str(out)}),
        )
    return Path(out) / "report.html"


def audit(source: str | Path, config: AuditConfig | None = None, progress: Progress | None = None) -> Audit:
    """Walk the whole road: a source to a run's folder.

    Parameters
    ----------
    source
        A file, a folder, or ``-`` for standard input.
    config
        Settings of every stage; the defaults where not given.
    progress
        Where stages report to; silent where not given.

    Raises
    ------
    InputError
        Source, settings or place to write are at fault; nothing was written.
    """
    config, progress = config or AuditConfig(), progress or Silent()
    source = str(source)
    out = Path(config.run.out) if config.run.out is not None else runs.default_out(source)
    known = runs.flagged_in(Path(config.report.baseline)) if config.report.baseline is not None else frozenset[str]()
    check(config.score)
    given_limits(config.flag.limit, config.score.analyzers)
    seconds: dict[str, float] = {}
    with runs.writing(out, overwrite=config.run.overwrite, resume=config.run.resume) as folder:
        cache = _cache(config.run)
        began = time.monotonic()
        chunks = loaders.write_chunks(source, config.load, folder / runs.CHUNKS, progress)
        if config.report.by is not None:
            check_by(chunks.path, config.report.by)
        if config.score.sample is not None:
            chunks = sampling.restrict(chunks, config.score.sample, config.score.seed)
        seconds["load"] = time.monotonic() - began
        scores = score_chunks(chunks, config.score, config.run, cache, progress)
        began = time.monotonic()
        flags = judging.flag(scores, config.flag)
        seconds["flag"] = time.monotonic() - began
        began = time.monotonic()
        summary = outputs.write(
            flags,
            folder,
            lang=config.report.lang,
            embed=config.report.embed,
            redact=config.report.redact,
            extras=Extras(
                by=config.report.by,
                baseline=config.report.baseline,
                known=known,
                run={"jobs": config.run.jobs, "batch": config.run.batch, "out": str(out), "resumed": cache.reused},
                seconds=seconds,
            ),
        )
    final = replace(scores, chunks=ChunkFile(out / runs.CHUNKS, chunks.info))
    return Audit(replace(flags, scores=final), summary, out)


def rechunk(
    flags: Flags,
    *,
    chunker: str | None = None,
    decisions: Mapping[str, str] | None = None,
    out: str | Path | None = None,
    **options: Any,
) -> Rechunked:
    """Cut flagged chunks again, and judge the new table by the same state and limits.

    Parameters
    ----------
    flags
        Judged chunks.
    chunker
        Spec of the chunker that splits; each chunk's own weakest place where not given.
    decisions
        chunk_id to keep, drop, split or merge; they override the flags.
    out
        Folder of the new run; written nowhere where not given.
    options
        Settings of `config.RechunkConfig` and `config.RunConfig`: allow_drop, max_size, keep_worse, rounds, judge, boundaries, jobs, …

    Returns
    -------
    Rechunked
        ``.chunks`` is the new table, ``.frame`` its scores and flags, ``.facts`` what was done and what it brought.

    Raises
    ------
    InputError
        A setting is not known, or there is a run at ``out`` already.

    Examples
    --------
    ``rechunk(flags, chunker="sentence:size=200,unit=chars").chunks``
    """
    from chunkeval.rechunk.into import rechunk_into

    config = settings.build({**options, "chunker": chunker})[0]
    return rechunk_into(flags, None if out is None else Path(out), config, decisions or {}, Silent())


def _cache(run: RunConfig) -> Cache:
    return Cache(None if run.cache is None else Path(run.cache))
