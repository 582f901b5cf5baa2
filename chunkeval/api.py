"""The road as functions."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chunkeval import flags as judging
from chunkeval import loaders, outputs, runs, settings
from chunkeval.arguments import check_flags, check_scores, check_table
from chunkeval.audit import audit as audit
from chunkeval.cache import Cache
from chunkeval.calibrate import calibrate as calibrate
from chunkeval.compare.into import compare as compare
from chunkeval.config import FlagConfig, LoadConfig, ReportConfig
from chunkeval.judge import judge as judge
from chunkeval.progress import Silent
from chunkeval.results import Flags, Scores
from chunkeval.score import score_chunks
from chunkeval.searching import index as index

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.rechunk import Rechunked


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
    check_table("chunks", chunks)
    config = settings.of_call("score", {**options, "jobs": jobs, "cache": None if cache is None else str(cache)})
    folder = Path(tempfile.mkdtemp(prefix="chunkeval-"))
    try:
        table = folder / runs.CHUNKS
        if isinstance(chunks, str | Path):
            file = loaders.write_chunks(str(chunks), config.load, table, Silent())
        else:
            file = loaders.write_frame(chunks, table, config.load)
        scores = score_chunks(file, config.score, config.run, Cache(config.run.cache), Silent())
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
    calibration: str | Path | None = None,
    false_flags: str | float = "5%",
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
    calibration
        File that `Calibrated.save` or ``chunkeval calibrate`` wrote: its limits come before ``limits`` and after ``limit``.
    false_flags
        Share of the chunks that limits learned from this corpus may flag wrongly, all together.

    Raises
    ------
    InputError
        These are no scores, a limit is not valid, or the calibration does not fit them.

    Examples
    --------
    >>> scores = score(load("datasets/ko/chunks.csv").head(40), analyzers="tokens")
    >>> int(flag(scores, limit={"tokens": "1:2"}).frame["flag_tokens"].sum())
    40
    """
    check_scores(scores)
    file = None if calibration is None else str(calibration)
    given = settings.check("limit", limit or {}, "limit")
    allowed = settings.check("false_flags", false_flags, "false_flags")
    return judging.flag(scores, FlagConfig(limits, given, inclusive, file, allowed))


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
    InputError
        These are no flags, there is a run already, or nothing can be written there.
    """
    check_flags(flags)
    shown = ReportConfig(lang=lang, embed=embed, redact=redact)
    return outputs.write_run(flags, Path(out), shown, overwrite=overwrite)


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
        allow_drop, max_size, keep_worse, rounds, judge, boundaries, jobs, batch, cache; with ``out``: overwrite, lang, embed, redact.

    Returns
    -------
    Rechunked
        ``.chunks`` is the new table, ``.frame`` its scores and flags, ``.facts`` what was done and what it brought.

    Raises
    ------
    InputError
        These are no flags, a setting is not known, or there is a run at ``out`` already.

    Examples
    --------
    ``rechunk(flags, chunker="sentence:size=200,unit=chars").chunks``
    """
    from chunkeval.rechunk.into import rechunk_into

    check_flags(flags)
    config = settings.of_call("rechunk without out" if out is None else "rechunk", {**options, "chunker": chunker})
    return rechunk_into(flags, None if out is None else Path(out), config, decisions or {}, Silent())
