"""Flags and their state as files: plain arrays without pickle, the rest as JSON."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval.errors import RunError
from chunkeval.head import Head
from chunkeval.results import (
    Calibration,
    ChunkFile,
    FalseFlags,
    Flags,
    Judgement,
    Limit,
    Mark,
    Measure,
    Recombined,
    Scores,
    SourceInfo,
    State,
)
from chunkeval.summary import plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.report.lanes import Changed
    from chunkeval.results import Arrays

LANES = "lanes.json"

FORMAT = 4
"""Of ``state/``; another is refused."""

UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError)
"""What a damaged ``.npz`` raises, besides errors of its values."""


class StoredArrays(Mapping[str, "NDArray[Any]"]):
    """Arrays of an ``.npz``, each read when it is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read: dict[str, NDArray[Any]] = {}
        with np.load(path, allow_pickle=False) as stored:
            self._names = tuple(stored.files)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Read one array, once."""
        if name not in self._names:
            raise KeyError(name)
        if name not in self._read:
            try:
                with np.load(self.path, allow_pickle=False) as stored:
                    self._read[name] = stored[name]
            except (OSError, ValueError, *UNREADABLE) as error:
                raise RunError(f"{self.path} is damaged ({error}): audit once more with --overwrite") from error
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        """Names of the arrays."""
        return iter(self._names)

    def __len__(self) -> int:
        """Count the arrays."""
        return len(self._names)


def save_state(folder: Path, flags: Flags, decisions: Mapping[str, str]) -> None:
    """Write all of ``flags`` but its frame and its chunks.

    Parameters
    ----------
    folder
        ``state`` of a run that is being written.
    flags
        Judged chunks; arrays of objects are refused, they would need pickle.
    decisions
        What a person decided, by chunk_id.
    """
    folder.mkdir(exist_ok=True)
    state = flags.scores.state
    for name, arrays in state.arrays.items():
        _save(folder / f"{name}.npz", arrays)
    for column, scores in state.recombined.items():
        _save(folder / f"recombined.{column}.npz", {"mixes": scores.mixes, "splices": scores.splices})
    facts = {
        "format": FORMAT,
        "rows": len(flags.frame),
        "meta": dict(state.meta),
        "arrays": sorted(state.arrays),
        "recombined": sorted(state.recombined),
        "score_columns": list(flags.scores.frame.columns),
        "settings": dict(flags.scores.settings),
        "flag_settings": dict(flags.settings),
        "seconds": dict(flags.scores.seconds),
        "info": asdict(flags.scores.chunks.info),
        "judgements": [asdict(judgement) for judgement in flags.judgements],
        "false_flags": None if flags.false_flags is None else asdict(flags.false_flags),
        "decisions": dict(decisions),
        "chunks": _digest(flags.scores.chunks.path),
    }
    (folder / "state.json").write_text(
        json.dumps(plain(facts), ensure_ascii=False, indent=1, allow_nan=False) + "\n", "utf-8"
    )


def load_state(folder: Path, scores: Path, chunks: Path) -> tuple[Flags, dict[str, str]]:
    """Read a run's flags and decisions back.

    Raises
    ------
    ValueError, KeyError, OSError
        A file is missing, or does not fit the others.
    RunError
        It is of another format.
    """
    import pyarrow.parquet as pq

    from chunkeval.report.files import read_scores

    facts = json.loads((folder / "state.json").read_text("utf-8"))
    if facts["format"] != FORMAT:
        raise RunError(
            f"the run at {folder.parent} was made by another version (state of format {facts['format']}, this one reads "
            f"{FORMAT}): audit once more with --overwrite"
        )
    frame = read_scores(scores)
    counts = {len(frame), pq.read_metadata(chunks).num_rows, facts["rows"]}
    if len(counts) != 1:
        raise ValueError(f"{chunks.name} and {scores.name} have different numbers of rows: {sorted(counts)}")
    if _digest(chunks) != facts["chunks"]:
        raise ValueError(f"{chunks.name} is not the file whose chunks were scored")
    arrays: dict[str, Arrays] = {name: StoredArrays(folder / f"{name}.npz") for name in facts["arrays"]}
    recombined = {name: Recombined(**StoredArrays(folder / f"recombined.{name}.npz")) for name in facts["recombined"]}
    info = SourceInfo(**{**facts["info"], "notes": tuple(facts["info"]["notes"])})
    kept = Scores(
        frame[facts["score_columns"]],
        State(facts["meta"], arrays, recombined),
        ChunkFile(chunks, info),
        facts["settings"],
        facts["seconds"],
    )
    judgements = tuple(_judgement(item) for item in facts["judgements"])
    false_flags = None if facts["false_flags"] is None else FalseFlags(**facts["false_flags"])
    return Flags(frame, judgements, kept, facts["flag_settings"], false_flags), facts["decisions"]


def save_lanes(folder: Path, lanes: Changed | None) -> None:
    """Write what cutting another table again changed, if it did, so that its report can be drawn once more."""
    if lanes is not None:
        (folder / LANES).write_text(json.dumps(asdict(lanes), ensure_ascii=False) + "\n", "utf-8")


def load_lanes(folder: Path) -> Changed | None:
    """Read it back; nothing where the table did not come of cutting another one again.

    Raises
    ------
    ValueError, KeyError, TypeError, OSError
        The file is damaged.
    """
    from chunkeval.report.lanes import read

    path = folder / LANES
    return read(json.loads(path.read_text("utf-8"))) if path.exists() else None


def _judgement(facts: Mapping[str, Any]) -> Judgement:
    calibration, head = facts["calibration"], facts.get("head")
    return Judgement(
        Measure(**{**facts["measure"], "marks": tuple(Mark(**mark) for mark in facts["measure"].get("marks", ()))}),
        Limit(**facts["limit"]),
        None if facts["card"] is None else Limit(**facts["card"]),
        None if calibration is None else Calibration(**{name: _pair(value) for name, value in calibration.items()}),
        _pair(facts["quartiles"]),
        tuple(facts["notes"]),
        None if head is None else Head(**{name: _pair(value) for name, value in head.items()}),
    )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _pair(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _save(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    if isinstance(arrays, StoredArrays):
        link(arrays.path, path)
        return
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def link(source: Path, target: Path) -> None:
    """Bring a file to another place without copying its bytes where the disk allows it."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
