"""A run's folder: written beside its place and renamed into it, opened again with all that later commands need."""

from __future__ import annotations

import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval.errors import InputError, RunError
from chunkeval.stored import UNREADABLE, link, load_lanes, load_state, save_lanes, save_state

if TYPE_CHECKING:
    from chunkeval.report.lanes import Changed
    from chunkeval.results import Flags

CHUNKS, SCORES, SUMMARY, STATE = "chunks.parquet", "scores.parquet", "summary.json", "state"
CHANGES = "changes.jsonl"
COMPARISON = "comparison.json"

WRITTEN = frozenset(
    {
        CHUNKS,
        SCORES,
        SUMMARY,
        STATE,
        CHANGES,
        COMPARISON,
        "comparison.csv",
        "answers.jsonl",
        "report.html",
        "report.png",
        "plots",
    }
) | {"outliers.csv", "outliers.jsonl", "documents.csv"}
"""What a run writes at the top of its folder; anything else there is the user's and stays."""


@dataclass(frozen=True)
class Run:
    """An earlier run, opened."""

    path: Path
    flags: Flags
    """As they were judged last; ``flags.scores`` hold what judging again needs."""
    summary: Mapping[str, Any]
    decisions: Mapping[str, str]
    """chunk_id to what a person decided before the last judging, also of chunks that are not flagged now."""
    lanes: Changed | None = None
    """What was changed in each document, where the table came of cutting another one again."""


@contextmanager
def writing(out: Path, *, overwrite: bool = False, resume: bool | None = None) -> Iterator[Path]:
    """Give a folder to write a run into; when all is written, it takes its place.

    The folder lies beside ``out`` and is renamed in the end, so that a killed run leaves nothing half under its name. Bad input takes it
    away again; after any other error it stays for ``resume``, if that is known.

    Parameters
    ----------
    out
        Where the run is to be.
    overwrite
        Replace a run that is there; files in its folder that no run writes are kept.
    resume
        Go on in what a stopped run left; a run that is there is replaced. None: what is written cannot be gone on with.

    Yields
    ------
    Path
        The unfinished folder.

    Raises
    ------
    RunError
        There is a run already, or something that is no run; or nothing can be written there. Said before any work is done.
    """
    out = _place(out, overwrite or bool(resume), "" if resume is None else ", --resume continues it")
    partial = out.with_name(f".{out.name}.unfinished")
    made = _make(partial, out)
    with _alone(partial):
        if not resume:
            _empty(partial)
        try:
            yield partial
            _take_place(partial, out)
        except BaseException as error:
            if resume is not None and not isinstance(error, InputError):
                raise
            shutil.rmtree(partial, ignore_errors=True)
            _forget(made)
            raise


def is_run(path: Path) -> bool:
    """Whether a folder is a finished run."""
    return (path / SUMMARY).is_file() and (path / STATE / "state.json").is_file()


def save(
    folder: Path,
    flags: Flags,
    summary: Mapping[str, Any],
    decisions: Mapping[str, str] | None = None,
    lanes: Changed | None = None,
) -> None:
    """Write what opening the run again needs, beside ``chunks.parquet``, which is there.

    Parameters
    ----------
    folder
        As `writing` gives it.
    flags
        Judged chunks.
    summary
        Goes to ``summary.json``, last: a folder that has it is whole.
    decisions
        What a person decided, by chunk_id; kept also where the chunk is not flagged now.
    lanes
        What cutting again changed.
    """
    from chunkeval.report.files import write_scores

    write_scores(flags.frame, folder / SCORES)
    save_state(folder / STATE, flags, decisions or {})
    save_lanes(folder / STATE, lanes)
    (folder / SUMMARY).write_text(json.dumps(summary, ensure_ascii=False, indent=2, allow_nan=False) + "\n", "utf-8")


def open_run(path: Path) -> Run:
    """Open a run.

    Raises
    ------
    RunError
        There is no run, or its files do not fit together.

    Examples
    --------
    ``open_run(Path("reports/mine")).flags.frame``
    """
    _recover(path)
    if not is_run(path):
        fix = "give the folder that `chunkeval audit` wrote"
        if not path.exists():
            raise RunError(f"there is no run at {path}: {fix}")
        raise RunError(f"{path} is no run of chunkeval ({SUMMARY} or {STATE} is missing): {fix}")
    try:
        flags, decisions = load_state(path / STATE, path / SCORES, path / CHUNKS)
        summary = json.loads((path / SUMMARY).read_text("utf-8"))
        lanes = load_lanes(path / STATE)
    except (OSError, ValueError, KeyError, TypeError, *UNREADABLE) as error:
        raise RunError(
            f"the run at {path} is damaged ({type(error).__name__}: {error}): audit once more with --overwrite"
        ) from error
    return Run(path, flags, summary, decisions, lanes)


def flagged_in(path: Path) -> frozenset[str]:
    """Ids of the chunks that an earlier run flagged.

    Raises
    ------
    RunError
        There is no run.
    """
    frame = open_run(path).flags.frame
    return frozenset(frame.loc[frame["flagged"].to_numpy(dtype=bool), "chunk_id"])


def default_out(source: str) -> Path:
    """Where a run of this source goes when nobody says: ``reports/<name>``, the name without what a disk might not take.

    Examples
    --------
    >>> default_out("data/chunks.csv").as_posix(), default_out("-").as_posix(), default_out("a/??.csv").as_posix()
    ('reports/chunks', 'reports/stdin', 'reports/chunks')
    """
    if source == "-":
        return Path("reports", "stdin")
    path = Path(source)
    stem = path.stem if path.suffix and not path.is_dir() else path.resolve().name
    name = "".join(c if c.isprintable() and c not in '/\\:*?"<>|' else "_" for c in unicodedata.normalize("NFC", stem))
    return Path("reports", name.strip("._ ")[:60] or "chunks")


def carry(source: Path, folder: Path, names: frozenset[str]) -> None:
    """Bring files and folders of a run into another folder; what is there already stays."""
    for name in sorted(names):
        for file in sorted([source / name] if (source / name).is_file() else (source / name).rglob("*")):
            target = folder / file.relative_to(source)
            if file.is_dir() or target.exists():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            link(file, target)


def _place(out: Path, replace: bool, also: str) -> Path:
    """Check that a run may be put here, and give the place behind links."""
    try:
        out = out.resolve()
        _recover(out)
        if out.is_dir():
            full = next(out.iterdir(), None) is not None
        elif out.exists():
            raise RunError(f"{out} is a file: name a folder with --out")
        else:
            full = False
    except (OSError, ValueError) as error:
        raise RunError(f"cannot write to {str(out)!r}: {_why(error)}; name another folder with --out") from None
    if out.is_dir() and os.path.ismount(out):
        raise RunError(
            f"{out} is a mounted disk, which a finished run cannot replace: name a folder in it, as in --out {out / 'run'}"
        )
    if full and not (is_run(out) or (out / COMPARISON).is_file()):
        raise RunError(f"{out} has files in it and is no run of chunkeval: name another folder with --out")
    if full and not replace:
        raise RunError(f"there is a run at {out} already: --overwrite replaces it{also}, --out names another folder")
    return out


def _make(partial: Path, out: Path) -> list[Path]:
    """Make the unfinished folder; give the folders made on the way, innermost first."""
    missing = [folder for folder in out.parents if not folder.exists()]
    try:
        partial.mkdir(parents=True, exist_ok=True)
        probe = partial / ".probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        _forget([partial, *missing])
        raise RunError(f"cannot write to {out.parent}: {_why(error)}; name another folder with --out") from None
    return missing


@contextmanager
def _alone(partial: Path) -> Iterator[None]:
    """Keep other processes out of the unfinished folder; a process that is killed lets go by itself."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    handle = os.open(partial, os.O_RDONLY)
    try:
        with suppress(OSError):  # not every network disk knows locks
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise RunError(
                    f"another process is writing to {partial}: wait for it, or name another folder with --out"
                ) from None
        yield
    finally:
        os.close(handle)


def _empty(folder: Path) -> None:
    for item in folder.iterdir():
        if item.is_dir() and not item.is_symlink():
            shutil.rmtree(item)
        else:
            item.unlink()


def _forget(folders: list[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _take_place(partial: Path, out: Path) -> None:
    if not out.exists():
        os.replace(partial, out)
        return
    if is_run(out) or (out / COMPARISON).is_file():
        carry(out, partial, frozenset(item.name for item in out.iterdir()) - WRITTEN)
    old = out.with_name(f".{out.name}.replaced")
    shutil.rmtree(old, ignore_errors=True)
    os.replace(out, old)
    os.replace(partial, out)
    shutil.rmtree(old, ignore_errors=True)


def _recover(out: Path) -> None:
    """Put back a run that was on its way out when the one to replace it was stopped between two renames."""
    old = out.with_name(f".{out.name}.replaced") if out.name else out
    if old != out and old.is_dir() and not out.exists():
        os.replace(old, out)


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
