"""A run's flagged chunks cut again, into a run of its own."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path

from chunkeval import outputs, runs
from chunkeval.cache import Cache
from chunkeval.chunkers import spec
from chunkeval.config import AuditConfig
from chunkeval.loaders.boundaries import read_boundaries
from chunkeval.progress import Progress
from chunkeval.rechunk.lanes import lanes
from chunkeval.rechunk.rounds import Rechunked, check, rechunk_rounds, write_changes
from chunkeval.results import Flags
from chunkeval.summary import Extras


def rechunk_into(
    flags: Flags, out: Path | None, config: AuditConfig, decisions: Mapping[str, str], progress: Progress
) -> Rechunked:
    """Cut flagged chunks again and write the new run, or, without ``out``, keep the new table in a temporary folder.

    Parameters
    ----------
    flags
        Judged chunks.
    out
        Folder of the new run.
    config
        Its ``rechunk``, ``chunk``, ``report`` and ``run`` settings are used.
    decisions
        Filled decisions by chunk_id; those of chunks that are still there go to the new run.
    progress
        Where stages report to.

    Raises
    ------
    InputError
        The flags are of a sample, a setting names nothing, or there is a run at ``out`` already.
    """
    chunker = spec.chosen(config.chunk)
    check(flags, config.rechunk, chunker)
    known = config.rechunk.boundaries
    gold = None if known is None else read_boundaries(Path(known))
    cache = Cache(config.run.cache)

    def work(folder: Path) -> Rechunked:
        return rechunk_rounds(
            flags,
            config.rechunk,
            chunker,
            decisions,
            folder,
            gold=gold,
            run=config.run,
            cache=cache,
            progress=progress,
        )

    if out is None:
        held = Path(tempfile.mkdtemp(prefix="chunkeval-"))
        try:
            done = work(held)
        except BaseException:
            shutil.rmtree(held, ignore_errors=True)
            raise
        weakref.finalize(done.flags.scores.chunks, shutil.rmtree, held, ignore_errors=True)
        return done
    with runs.writing(out, overwrite=config.run.overwrite) as folder:
        done = work(folder)
        write_changes(flags, done, folder / runs.CHANGES)
        there = set(done.frame["chunk_id"])
        outputs.write(
            done.flags,
            folder,
            lang=config.report.lang,
            extras=Extras(run={"out": str(out)}, rechunk=done.facts, lanes=lanes(flags, done.flags)),
            decisions={name: decision for name, decision in decisions.items() if name in there},
            embed=config.report.embed,
            redact=config.report.redact,
        )
    return done
