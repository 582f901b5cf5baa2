"""Cutting again and again while it helps; what was done in all, and what a store has to do in the end."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval.chunkers import spec
from chunkeval.chunkers.base import AsksModel, columns_of
from chunkeval.errors import ConfigError
from chunkeval.rechunk.borders import shift_borders
from chunkeval.rechunk.conservation import Characters
from chunkeval.rechunk.proof import counted, fates
from chunkeval.rechunk.road import Round, cut_again
from chunkeval.rechunk.trial import Judged, Trial, weighed_by
from chunkeval.report.files import json_line
from chunkeval.results import ChunkFile, Flags
from chunkeval.sampling import documents_of
from chunkeval.table import CORE
from chunkeval.text import embeddings

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.cache import Cache
    from chunkeval.config import RechunkConfig, RunConfig
    from chunkeval.progress import Progress


@dataclass(frozen=True)
class Rechunked:
    """The new table, judged by the earlier limits, and what was done."""

    flags: Flags
    facts: Mapping[str, Any]
    """Counts, characters, fates by reason, before and after, placebo, second judge."""
    columns: tuple[str, ...] = ()
    """Those of the new table that the chunker brought."""

    @property
    def chunks(self) -> pd.DataFrame:
        """The new chunk table."""
        import pyarrow.parquet as pq

        from chunkeval.table import frame_of

        return frame_of(pq.read_table(self.flags.scores.chunks.path))

    @property
    def frame(self) -> pd.DataFrame:
        """Scores and flags of the new table."""
        return self.flags.frame

    def to_json(self) -> str:
        """Give what was done, as JSON text."""
        return json.dumps(self.facts, ensure_ascii=False, allow_nan=False)

    def _repr_html_(self) -> str:
        return self.flags._repr_html_()


def check(flags: Flags, config: RechunkConfig, chunker: str | None) -> None:
    """Refuse what cannot be cut again, and names that nothing has, before any work is done.

    Raises
    ------
    ConfigError
        The flags are of a sample, in which neighbours are missing; there is no such chunker or embedder, or the chunker
        rewrites what it is to cut.
    """
    scores = flags.scores
    if scores.settings.get("sample") is not None and len(scores.frame) < scores.chunks.info.rows:
        raise ConfigError(
            f"the run is of a sample, {len(scores.frame):,} of {scores.chunks.info.rows:,} chunks, in which neighbours are missing: "
            "audit the whole table, without --sample, and cut that again"
        )
    if chunker is not None:
        named, made = spec.parse(chunker)[0], spec.make(chunker)
        if "derived" in columns_of(made):
            raise ConfigError(
                f"chunker {named!r} rewrites texts, and rechunk cuts them: name one that cuts, as agentic does"
            )
        if not getattr(made, "contiguous", True):
            raise ConfigError(
                f"chunker {named!r} is to make chunks of several places, and rechunk makes neighbours of a chunk: "
                "leave out contiguous=false"
            )
    embeddings.load(config.judge)


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
    """Shift borders, then cut flagged chunks again, ``config.rounds`` times at most, while fewer chunks are flagged each time.

    Parameters
    ----------
    flags
        Judged chunks.
    config, gold
        See `cut_again`.
    chunker
        Spec of the chunker that splits.
    decisions
        Filled decisions by chunk_id; they hold in every round, for the chunks that are still there.
    folder
        Where the new ``chunks.parquet`` goes; ``parent_ids`` name chunks of the table that ``flags`` judge.

    Returns
    -------
    Rechunked
        After the last round that helped. ``facts["rounds"]`` has the figures of each; ``facts["splits"]`` are the first
        round's, all others are of the first table against the last. Where borders were shifted, ``facts["shifted"]`` says
        what that alone brought.
    """
    path = folder / "chunks.parquet"
    first = frozenset(flags.frame["chunk_id"])
    origin: dict[str, list[str]] = {name: [name] for name in first}
    current, rounds = flags, list[Round]()
    made = None if chunker is None else spec.make(chunker)
    documents: Sequence[str] = documents_of(flags.frame["doc_id"].tolist())
    held = folder / ".shifted"
    held.mkdir()
    shifted = shift_borders(
        flags, config, decisions, held, documents=documents, first=first, run=run, cache=cache, progress=progress
    )
    if shifted is not None:
        origin = _origins(shifted.flags.scores.chunks.path, origin)
        current, documents = shifted.flags, shifted.documents
    for number in range(config.rounds):
        held = folder / f".round{number}"
        held.mkdir()
        there = set(current.frame["chunk_id"])
        tried = cut_again(
            current,
            config,
            made,
            {name: decision for name, decision in decisions.items() if name in there},
            held,
            documents=documents,
            first=first,
            gold=gold,
            run=run,
            cache=cache,
            progress=progress,
        )
        if rounds and not _fewer(current, tried.flags):
            shutil.rmtree(held)
            break
        rounds.append(tried)
        origin = _origins(tried.flags.scores.chunks.path, origin)
        current, documents = tried.flags, tried.documents
    _settle(current.scores.chunks.path, first, origin, path)
    for held in (folder / ".shifted", *(folder / f".round{number}" for number in range(len(rounds)))):
        shutil.rmtree(held)
    chunks = ChunkFile(path, current.scores.chunks.info)
    judged = replace(current, scores=replace(current.scores, chunks=chunks))
    facts = _facts(flags, judged, shifted, rounds, origin, Trial(flags, run, cache))
    if made is not None and isinstance(made, AsksModel):
        facts["asked"] = made.report()
    return Rechunked(judged, facts, columns_of(made) if made is not None else ())


def _fewer(before: Flags, after: Flags) -> bool:
    return int(after.frame["flagged"].sum()) < int(before.frame["flagged"].sum())


def _facts(
    before: Flags,
    after: Flags,
    shifted: Round | None,
    rounds: Sequence[Round],
    origin: Mapping[str, Sequence[str]],
    trial: Trial,
) -> dict[str, Any]:
    every = [one for one in (shifted, *rounds) if one is not None]
    start = before if shifted is None else shifted.flags
    old = _named(before, trial)
    flagged = {name: old[name] for name in before.frame.loc[before.frame["flagged"].to_numpy(bool), "chunk_id"]}
    wanted = {name for one in every for name in one.wanted if name in old}
    return {
        **_sides(before, after),
        "changes": _kinds(every),
        "taken_back": len(wanted.intersection(after.frame["chunk_id"])),
        "characters": asdict(_characters([one.characters for one in every])),
        "reasons": fates(flagged, _named(after, trial), origin, wanted),
        "splits": rounds[0].splits,
        "weighed_by": weighed_by(before),
        "counts": counted(before, after),
        **({} if shifted is None else {"shifted": {**_sides(before, shifted.flags), **_kinds([shifted])}}),
        "limits": {judgement.measure.analyzer: asdict(judgement.limit) for judgement in before.judgements},
        "rounds": [
            {
                **_sides(earlier, one.flags),
                "changes": _kinds([one]),
                "characters": asdict(one.characters),
                "splits": one.splits,
            }
            for earlier, one in zip([start, *(one.flags for one in rounds)], rounds, strict=False)
        ],
    }


def _named(flags: Flags, trial: Trial) -> dict[str, Judged]:
    judged = trial.read(flags)
    return dict(zip(flags.frame["chunk_id"], judged, strict=True))


def _sides(before: Flags, after: Flags) -> dict[str, dict[str, int]]:
    frames = {"before": before.frame, "after": after.frame}
    return {
        "chunks": {side: len(frame) for side, frame in frames.items()},
        "flagged": {side: int(frame["flagged"].sum()) for side, frame in frames.items()},
    }


def _kinds(rounds: Sequence[Round]) -> dict[str, int]:
    return {kind: sum(one.kinds.get(kind, 0) for one in rounds) for kind in ("split", "move", "merge", "drop")}


def _characters(rounds: Sequence[Characters]) -> Characters:
    return Characters(
        before=rounds[0].before,
        after=rounds[-1].after,
        **{name: sum(getattr(one, name) for one in rounds) for name in ("dropped", "overlapped", "joints")},
    )


def write_changes(before: Flags, after: Rechunked, path: Path) -> None:
    """Write what a store has to do.

    A line ``{"op": "delete", "chunk_id"}`` for each chunk that is gone, then ``{"op": "insert", …}`` with text, offsets,
    parents and the chunker's words for each new one, then ``{"op": "update", "chunk_id", "position"}`` for each renumbered.
    """
    import pyarrow.parquet as pq

    new = set(after.frame["chunk_id"])
    old = dict(zip(before.frame["chunk_id"], before.frame["position"].tolist(), strict=True))
    moved: list[dict[str, Any]] = []
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for name in old:
            if name not in new:
                file.write(json_line({"op": "delete", "chunk_id": name}))
        with pq.ParquetFile(after.flags.scores.chunks.path) as stored:
            for batch in stored.iter_batches(columns=[*CORE, "derived", "parent_ids", *after.columns]):
                for row in batch.to_pylist():
                    name, position = row["chunk_id"], row["position"]
                    if name not in old:
                        file.write(json_line({"op": "insert", **row}))
                    elif position != old[name]:
                        moved.append({"op": "update", "chunk_id": name, "position": position})
        file.writelines(json_line(line) for line in moved)


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
