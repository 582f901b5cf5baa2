"""The whole road: a source to a run's folder."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chunkeval import decisions, loaders, outputs, runs, sampling
from chunkeval import flags as judging
from chunkeval.breakdown import check_by
from chunkeval.cache import Cache
from chunkeval.config import AuditConfig
from chunkeval.errors import RunError
from chunkeval.given import given_limits
from chunkeval.labelled import before_scoring
from chunkeval.progress import Progress, Silent
from chunkeval.results import ChunkFile, Flags
from chunkeval.score import check, score_chunks
from chunkeval.summary import Extras


@dataclass(frozen=True)
class Audit:
    """A finished run."""

    flags: Flags
    summary: Mapping[str, Any]
    """What ``summary.json`` holds."""
    out: Path

    def _repr_html_(self) -> str:
        return self.flags._repr_html_()


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
    labels, ran = config.flag.calibration, config.score.analyzers
    given_limits(config.flag.limit, ran if labels is None else before_scoring(labels, config.score))
    # What a person decided outlives the run that is replaced, if it is of the same chunks.
    earlier = runs.open_run(out) if config.run.resume and runs.is_run(out) else None
    decided = {} if earlier is None else decisions.current(earlier)
    seconds: dict[str, float] = {}
    with runs.writing(out, overwrite=config.run.overwrite, resume=config.run.resume) as folder:
        cache = Cache(config.run.cache)
        began = time.monotonic()
        chunks = loaders.write_chunks(source, config.load, folder / runs.CHUNKS, progress)
        if earlier is not None and decided and earlier.summary["input"]["sha256"] != chunks.info.sha256:
            raise RunError(
                f"the run at {out} is of another input and holds decisions ({len(decided):,}): "
                f"give another --out, or --overwrite to replace both"
            )
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
            decisions=decided,
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
