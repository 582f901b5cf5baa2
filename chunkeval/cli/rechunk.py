"""``chunkeval rechunk``: a run's flagged chunks cut again, judged by the same limits."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chunkeval.chunkers.asked import asked_lines
from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import as_json, say, visible
from chunkeval.errors import ConfigError
from chunkeval.plurals import many


@takes(
    "rechunk",
    also=("chunker", "fallback", "out", "overwrite", "jobs", "batch", "cache", "lang", "embed", "redact"),
    chunker="Chunker that splits, with its settings; each chunk's own weakest place where not given.",
    out="Folder of the new run; beside the old one, with -rechunked in its name, where not given.",
)
def rechunk_command(run: str, /, *, given: Given) -> None:
    """Cut flagged chunks again, then audit the new table under the same state and limits.

    Where boundaries were audited, borders inside a sentence, a table or code are first shifted to the nearest end of it. What is
    suggested to split is cut at its weakest place while that pays, what is suggested to merge goes to the neighbour that it fits best; a
    change that makes things worse is taken back. changes.jsonl lists what a store has to delete and insert.

    Parameters
    ----------
    run
        Folder of the run.
    """
    from chunkeval import decisions
    from chunkeval.rechunk.into import rechunk_into
    from chunkeval.runs import open_run

    opened = open_run(Path(run))
    config = given.config
    listed = config.rechunk.decisions
    decided = decisions.current(opened, Path(listed) if listed is not None else None)
    path = opened.path.resolve()
    out = Path(config.run.out) if config.run.out is not None else path.with_name(f"{path.name}-rechunked")
    if out.resolve() == path:
        raise ConfigError(
            f"--out {out} is the run itself: name another folder, the old run is what the new one is compared with"
        )
    done = rechunk_into(opened.flags, None if config.rechunk.dry_run else out, config, decided, given.progress())
    if given.console.json:
        sys.stdout.write(as_json(done.facts))
        return
    for line in [*asked_lines(done.facts.get("asked")), *_told(done.facts)]:
        say(visible(line), given)
    if not config.rechunk.dry_run and not given.console.quiet:
        print(f"report: {out / 'report.html'}")


def _told(facts: Mapping[str, Any]) -> list[str]:
    """Say what was done and what it brought, the gain over random cuts first."""
    chunks, flagged, changes, splits = (facts[name] for name in ("chunks", "flagged", "changes", "splits"))
    said = [
        f"flagged: {flagged['before']:,} of {many(chunks['before'], 'chunk')} before, {flagged['after']:,} of {chunks['after']:,} after",
        f"changed: {changes['split']:,} split, {changes['move']:,} borders moved, {changes['merge']:,} merged, "
        f"{changes['drop']:,} dropped; "
        f"{facts['taken_back']:,} left as they were, since nothing tried made them better",
    ]
    if "shifted" in facts:
        alone = facts["shifted"]
        said.insert(
            0,
            f"borders inside a sentence, table or code, shifted first to the nearest end of it: {alone['move']:,}; "
            f"flagged by then: {alone['flagged']['after']:,} of {many(alone['chunks']['after'], 'chunk')}",
        )
    if splits["chunks"]:
        severity = splits["severity"]
        when = " (first round)" if len(facts["rounds"]) > 1 else ""
        said.insert(
            0,
            f"severity of the {many(splits['chunks'], 'chunk')} to split{when}: {severity['before']:.3f} before, "
            f"{severity['after']:.3f} after; "
            f"as many cuts at random sentence borders: {severity['random']['mean']:.3f} (gain {splits['gain']:+.3f})",
        )
    if facts["weighed_by"] != "tokens":
        said.append(
            f"the run counted no tokens: severity is averaged by {facts['weighed_by']}, and --max-size counts them"
        )
    if "boundaries" in splits:
        said.append(_nearer(splits["boundaries"]))
    return said


def _nearer(found: Mapping[str, Any]) -> str:
    if not found["documents"]:
        return "known boundaries: none of their documents has offsets and a chunk to split"
    hits, f1 = found["found"], found["f1"]
    line = (
        f"known boundaries inside the chunks to split: {found['inside']:,}, found {hits['after']:,}; "
        f"F1 in {many(found['documents'], 'document')}: {f1['before']:.3f} before, {f1['after']:.3f} after"
    )
    if "gain" not in found:
        return line
    gain = found["gain"]
    return (
        f"{line}; random cuts find {hits['random']['mean']:.1f}, F1 {f1['random']['mean']:.3f} "
        f"(gain {gain['mean']:+.3f}, 95 % {gain['low']:+.3f} to {gain['high']:+.3f})"
    )
