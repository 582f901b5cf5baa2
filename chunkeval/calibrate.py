"""Labelled chunks to limits: for every measure the limit where good and bad part best, and how far it can be trusted.

What learns limits without labels is `chunkeval.calibration`.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval import decisions, labelled, labels, loaders, runs, settings
from chunkeval.arguments import check_table
from chunkeval.cache import Cache
from chunkeval.config import LoadConfig, ScoreConfig
from chunkeval.errors import ConfigError, RunError
from chunkeval.head import LABELS
from chunkeval.labelled_figures import figures
from chunkeval.progress import Silent
from chunkeval.results import Scores
from chunkeval.score import check, rescore, score_chunks

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.config import AuditConfig
    from chunkeval.progress import Progress


@dataclass(frozen=True)
class Calibrated:
    """Limits read off labelled chunks."""

    facts: Mapping[str, Any]
    """Plain values, as the ``.json`` holds them."""

    @property
    def frame(self) -> pd.DataFrame:
        """One row a score column, then all together: limit, AUROC with interval, rates on held-out chunks; null where none."""
        import pandas as pd

        rows = []
        for name, found in {**self.facts["columns"], LABELS.column: self.facts["head"]}.items():
            rates, bounds = found["held_out"] or {}, found["limit"] or {}
            interval = found["auroc_ci"] or (None, None)
            rows.append(
                {
                    "column": name,
                    **{key: found[key] for key in ("analyzer", "judges", "good", "bad")},
                    **{key: bounds.get(key) for key in ("low", "high")},
                    **dict(zip(("auroc", "auroc_low", "auroc_high"), (found["auroc"], *interval), strict=True)),
                    **{key: rates.get(key) for key in ("recall", "false_flags", "precision", "balanced_accuracy")},
                }
            )
        return pd.DataFrame(rows).astype(dict.fromkeys(("low", "high", "auroc", "recall", "precision"), float))

    def _repr_html_(self) -> str:
        shown: str = self.frame.to_html(index=False, na_rep="")
        return shown

    def to_json(self) -> str:
        """Give the facts as JSON text."""
        return json.dumps(self.facts, ensure_ascii=False, indent=2, allow_nan=False) + "\n"

    def save(self, out: str | Path, *, overwrite: bool = False) -> tuple[Path, Path]:
        """Write the limits, and all the figures beside them.

        Parameters
        ----------
        out
            File to write, ``….toml``; the figures go to the ``.json`` of the same name.
        overwrite
            Replace files that are there.

        Returns
        -------
        tuple of Path
            Both files.

        Raises
        ------
        ConfigError
            The name does not end in ``.toml``.
        RunError
            A file is there already, or cannot be written.
        """
        paths = check_out(Path(out), overwrite=overwrite)
        unfinished = [path.with_name(f".{path.name}.unfinished") for path in paths]
        try:
            for path, text in zip(unfinished, (labelled.text_of(self.facts), self.to_json()), strict=True):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8", errors="backslashreplace")
            for path, final in zip(unfinished, paths, strict=True):
                os.replace(path, final)
        except OSError as error:
            raise RunError(f"cannot write {out}: {error.strerror or error}; name another with --out") from None
        finally:
            for path in unfinished:
                path.unlink(missing_ok=True)
        return paths


def check_out(out: Path, *, overwrite: bool) -> tuple[Path, Path]:
    """Give the two files that a calibration goes to, or refuse; see `Calibrated.save`."""
    if out.suffix.lower() != ".toml":
        raise ConfigError(f"--out {out}: a calibration is a .toml file, as in --out calibration.toml")
    paths = out, out.with_suffix(".json")
    for path in paths:
        if path.exists() and not overwrite:
            raise RunError(f"{path} is there already: --overwrite replaces it, --out names another")
    return paths


def calibrate(
    labelled: pd.DataFrame | str | Path,
    *,
    label: str | None = None,
    run: str | Path | None = None,
    **options: Any,
) -> Calibrated:
    """Read limits off chunks that a person called good or bad.

    Parameters
    ----------
    labelled
        A chunk table with a label column, or a source to read one from; or the outlier list of a run with decisions, or
        the run's folder.
    label
        The label's column; guessed where not given.
    run
        Folder of the run that decisions belong to; with a table, the run whose fit its chunks are scored by.
    options
        Settings of `config.LoadConfig`, `config.ScoreConfig` and `config.RunConfig`: text, analyzers, embedder, seed, jobs, …

    Returns
    -------
    Calibrated
        ``.facts`` holds every figure; ``.save("calibration.toml")`` writes what ``flag(scores, calibration=…)`` reads.

    Raises
    ------
    InputError
        Labels, source or settings are at fault, or there are under 20 good or 20 bad chunks.

    Examples
    --------
    >>> import chunkeval as ce
    >>> chunks = ce.load("datasets/ko/chunks.csv").head(80)
    >>> chunks["label"] = ["good" if i % 2 else "bad" for i in range(80)]
    >>> ce.calibrate(chunks, analyzers="tokens").facts["labelled"]["good"]
    40
    """
    check_table("labelled", labelled)
    options |= {"label": label, "run": None if run is None else str(run)}
    stated = {name: value for name, value in options.items() if value is not None}
    config = settings.of_call("calibrate", stated)
    return read_off(str(labelled) if isinstance(labelled, Path) else labelled, config, Silent(), stated)


def read_off(
    source: str | pd.DataFrame, config: AuditConfig, progress: Progress, stated: Collection[str] = ()
) -> Calibrated:
    """Read limits off labelled chunks.

    Parameters
    ----------
    source
        A chunk table with a label column, which is scored as an audit would; or the outlier list of a run, or the
        run's folder, with decisions, whose scores are there.
    config
        ``calibrate.label`` names the column; ``calibrate.run`` the run whose scores, or whose fit for a table, are
        used; ``score`` says how a table is scored; ``score.seed`` seeds folds and resamples.
    stated
        Names of the settings that the caller stated: those that a run decides are refused.

    Returns
    -------
    Calibrated
        For every score column its figures; for each measure that tells good from bad a limit.

    Raises
    ------
    InputError
        Source, labels or settings are at fault, or there are under 20 chunks of a kind.

    Examples
    --------
    ``read_off("labelled.csv", AuditConfig(), Silent()).facts["columns"]["similarity_centred"]["limit"]``
    """
    wanted = config.calibrate
    run = None if wanted.run is None else runs.open_run(Path(wanted.run))
    if isinstance(source, str):
        path = Path(source)
        if path.is_dir() and runs.is_run(path):
            if run is not None and run.path.resolve() != path.resolve():
                raise ConfigError(
                    f"{source} is a run, with decisions of its own, and --run names another: leave one out"
                )
            return _of_decisions(runs.open_run(path), None, config, stated)
        if wanted.label is None and labels.holds_decisions(path):
            if run is None and not runs.is_run(path.parent):
                raise RunError(
                    f"{path} holds decisions about the chunks of a run, and there is none in its folder: name it with --run "
                    f"(or the column of a labelled table with --label)"
                )
            return _of_decisions(run or runs.open_run(path.parent), path, config, stated)
    if run is None:
        check(config.score)
    else:
        _no_settings_of_its_own(config.score, stated)
    folder = Path(tempfile.mkdtemp(prefix="chunkeval-"))
    try:
        table = folder / runs.CHUNKS
        if isinstance(source, str):
            chunks = loaders.write_chunks(source, config.load, table, progress)
        else:
            chunks = loaders.write_frame(source, table, config.load)
        marks = labels.of_table(chunks, wanted.label)
        marks.check()
        cache = Cache(config.run.cache)
        if run is None:
            scores = score_chunks(chunks, config.score, config.run, cache, progress)
        else:
            scores = rescore(chunks, run.flags.scores, config.run, cache, progress)
        notes = list(chunks.info.notes)
        if run is None:
            notes += _fitted_here(scores)
        return Calibrated(figures(scores, marks, config.score.seed, notes))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _of_decisions(run: runs.Run, path: Path | None, config: AuditConfig, stated: Collection[str]) -> Calibrated:
    _no_settings_of_its_own(config.score, stated)
    for name in sorted({"label", *(field.name for field in fields(LoadConfig))} & {*stated}):
        raise ConfigError(
            f"--{name.replace('_', '-')}: these are decisions about a run's chunks, no table with a label column; leave it out"
        )
    frame = run.flags.frame
    marks = labels.of_decisions(str(path or run.path), frame["chunk_id"].tolist(), decisions.current(run, path))
    marks.check()
    flagged = frame["flagged"].to_numpy(dtype=bool)
    seen = marks.good | marks.bad
    notes = []
    if flagged[seen].mean() > flagged.mean():
        notes.append(
            f"{int(flagged[seen].sum()):,} of the {int(seen.sum()):,} labelled chunks were flagged, of the run "
            f"{int(flagged.sum()):,} of {len(frame):,}: a selected sample. How many bad chunks are among those not "
            f"flagged is unknown, and so is the recall in the whole run; label some of those too"
        )
    return Calibrated(figures(run.flags.scores, marks, config.score.seed, notes))


def _no_settings_of_its_own(score: ScoreConfig, stated: Collection[str]) -> None:
    for field in fields(ScoreConfig):
        if field.name != "seed" and (field.name in stated or getattr(score, field.name) != field.default):
            name = field.name.replace("_", "-")
            raise ConfigError(f"--{name}: the labels are read by a run's own scores and settings; leave --{name} out")


def _fitted_here(scores: Scores) -> list[str]:
    state = scores.state
    fitted = [name for name in state.meta["analyzers"] if state.arrays.get(name)]
    if not fitted:
        return []
    return [
        f"{', '.join(fitted)}: what they learn from a corpus, they learned from the labelled table; the limits carry over "
        f"to corpora like it. --run RUN reads the labels by what a run has learned"
    ]
