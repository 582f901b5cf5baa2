"""Cutting again and again while it helps; what a store has to do in the end."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval.rechunk.proof import counted
from chunkeval.rechunk.road import Rechunked, rechunk_flags
from chunkeval.report.files import json_line
from chunkeval.results import ChunkFile, Flags

if TYPE_CHECKING:
    from chunkeval.cache import Cache
    from chunkeval.config import RechunkConfig, RunConfig
    from chunkeval.progress import Progress


def rechunk_rounds(
    flags: Flags,
    config: RechunkConfig,
    chunker: str | None,
    decisions: Mapping[str, str],
    folder: Path,
    *,
    gold: Mapping[str, Sequence[int]] | None,
    run: RunConfig,
    cache: Cache,
    progress: Progress,
) -> Rechunked:
    """Cut flagged chunks again, ``config.rounds`` times at most, while fewer chunks are flagged each time.

    Parameters
    ----------
    flags
        Judged chunks.
    config, chunker, decisions, gold
        See `rechunk_flags`; decisions hold in the first round.
    folder
        Where the new ``chunks.parquet`` goes; ``parent_ids`` name chunks of the table that ``flags`` judge.

    Returns
    -------
    Rechunked
        Of the last round that helped; ``facts["rounds"]`` has the figures of each.
    """
    path = folder / "chunks.parquet"
    first = frozenset(flags.frame["chunk_id"])
    origin: dict[str, list[str]] = {name: [name] for name in first}
    current, done, rounds = flags, None, []
    for number in range(config.rounds):
        with_decisions = decisions if number == 0 else {}
        held = folder / f".round{number}"
        held.mkdir()
        tried = rechunk_flags(
            current,
            config,
            chunker,
            with_decisions,
            held,
            first=first,
            gold=gold,
            run=run,
            cache=cache,
            progress=progress,
        )
        helped = tried.facts["flagged"]["after"] < tried.facts["flagged"]["before"]
        if done is not None and not (tried.changes and helped):
            break
        rounds.append(tried.facts)
        origin = _origins(tried.flags.scores.chunks.path, origin)
        current, done = tried.flags, tried
    assert done is not None
    _settle(done.flags.scores.chunks.path, first, origin, path)
    for number in range(config.rounds):
        held = folder / f".round{number}"
        for left in held.glob("*") if held.exists() else ():
            left.unlink()
        if held.exists():
            held.rmdir()
    chunks = ChunkFile(path, done.flags.scores.chunks.info)
    judged = replace(done.flags, scores=replace(done.flags.scores, chunks=chunks))
    start = rounds[0]
    facts: dict[str, Any] = {
        **start,
        "chunks": {"before": start["chunks"]["before"], "after": len(judged.frame)},
        "flagged": {"before": start["flagged"]["before"], "after": rounds[-1]["flagged"]["after"]},
        "counts": counted(flags, judged),
        "limits": {judgement.measure.analyzer: asdict(judgement.limit) for judgement in flags.judgements},
        "rounds": rounds,
    }
    return Rechunked(judged, done.changes, facts)


def write_changes(before: Flags, after: Rechunked, path: Path) -> None:
    """Write what a store has to do.

    A line ``{"op": "delete", "chunk_id"}`` for each chunk that is gone, then ``{"op": "insert", …}`` with text, offsets
    and ``parent_ids`` for each new one.
    """
    import pyarrow.parquet as pq

    old, new = set(before.frame["chunk_id"]), set(after.frame["chunk_id"])
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for name in before.frame["chunk_id"]:
            if name not in new:
                file.write(json_line({"op": "delete", "chunk_id": name}))
        columns = ["chunk_id", "doc_id", "position", "text", "start", "end", "spans", "derived", "parent_ids"]
        with pq.ParquetFile(after.flags.scores.chunks.path) as stored:
            for batch in stored.iter_batches(columns=columns):
                for row in batch.to_pylist():
                    if row["chunk_id"] not in old:
                        file.write(json_line({"op": "insert", **row}))


def _origins(path: Path, known: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """For each chunk of a table the chunks of the first table that it is from."""
    found: dict[str, list[str]] = {}
    for name, parents in _parents(path):
        # A chunk that was there already still carries the parents that it had then.
        found[name] = (
            known[name] if name in known else list(dict.fromkeys(one for p in parents or () for one in known[p]))
        )
    return found


def _parents(path: Path) -> Iterator[tuple[str, list[str] | None]]:
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["chunk_id", "parent_ids"])
    yield from zip(table["chunk_id"].to_pylist(), table["parent_ids"].to_pylist(), strict=True)


def _settle(source: Path, first: Collection[str], origin: Mapping[str, list[str]], target: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from chunkeval.config import SHARD

    table = pq.read_table(source)
    parents = [
        held if held is None or name in first else origin[name]
        for name, held in zip(table["chunk_id"].to_pylist(), table["parent_ids"].to_pylist(), strict=True)
    ]
    at = table.schema.get_field_index("parent_ids")
    table = table.set_column(at, table.schema.field(at), pa.array(parents, table.schema.field(at).type))
    pq.write_table(table, target, row_group_size=SHARD, compression="zstd")
