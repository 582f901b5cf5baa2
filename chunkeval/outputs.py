"""All files of a run from its flags: what ``audit``, ``flag`` and ``chunkeval.report`` leave behind."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval import rows, runs, summary
from chunkeval.config import ReportConfig
from chunkeval.head import ENDS, LABELS
from chunkeval.report import files
from chunkeval.summary import Extras

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.report.view import View
    from chunkeval.results import Flags, State

Lang = Literal["ko", "en"]
Embed = Literal["none", "worst", "all"]


def write(
    flags: Flags,
    folder: Path,
    *,
    lang: Lang | None = None,
    extras: Extras | None = None,
    decisions: Mapping[str, str] | None = None,
    embed: Embed = "worst",
    redact: bool = False,
) -> dict[str, Any]:
    """Write a run's files beside its ``chunks.parquet``.

    Parameters
    ----------
    flags
        Judged chunks.
    folder
        As `runs.writing` gives it; ``chunks.parquet`` is there.
    lang
        Of report and verdict; the corpus' own where not given.
    extras
        Breakdown, baseline, and how the run went. With a baseline, the outlier lists hold only what is new.
    decisions
        What a person decided, by chunk_id.
    embed
        Texts that the page holds: of the worst flagged chunks, of all flagged ones, or none but three on the first screen.
    redact
        Whether the page holds no text at all.

    Returns
    -------
    dict
        The summary, as written.
    """
    extras = extras or Extras()
    lang = lang or language(flags)
    said = summary.build(flags, lang, extras)
    table = files.documents(flags.frame)
    only = None
    if extras.baseline is not None:
        only = np.flatnonzero(~flags.frame["chunk_id"].isin(extras.known).to_numpy(dtype=bool)).tolist()
    chunks = folder / runs.CHUNKS
    files.write_outliers(flags.frame, chunks, folder, only=only, decisions=decisions)
    files.write_documents(table, folder / "documents.csv")
    earlier = extras.known if extras.baseline is not None else None
    drawn = view(
        flags, said, table, chunks, lang, earlier=earlier, decisions=decisions or {}, embed=embed, redact=redact
    )
    _draw(replace(drawn, lanes=extras.lanes), folder)
    runs.save(folder, flags, said, decisions, extras.lanes)
    return said


def write_run(flags: Flags, out: Path, shown: ReportConfig, *, overwrite: bool) -> Path:
    """Write judged chunks as a run of their own, and give its page.

    Raises
    ------
    RunError
        There is a run already, or nothing can be written there.
    """
    with runs.writing(out, overwrite=overwrite) as folder:
        shutil.copyfile(flags.scores.chunks.path, folder / runs.CHUNKS)
        extras = Extras(run={"out": str(out)})
        write(flags, folder, lang=shown.lang, embed=shown.embed, redact=shown.redact, extras=extras)
    return out / "report.html"


def language(flags: Flags) -> Lang:
    """Language a report speaks to people of this corpus: Korean to Korean, English to the rest."""
    return "ko" if flags.scores.state.meta.get("language") == "ko" else "en"


def spans(state: State, row: int) -> list[tuple[int, int]]:
    """Sentence spans of a chunk: code points ``[start, end)`` in its text."""
    text = state.arrays.get("text")
    if text is None or "sentence_offsets" not in text:
        return []
    first, after = text["sentence_offsets"][row : row + 2].tolist()
    return list(
        zip(text["sentence_start"][first:after].tolist(), text["sentence_end"][first:after].tolist(), strict=True)
    )


def view(
    flags: Flags,
    said: Mapping[str, Any],
    documents: pd.DataFrame,
    chunks: Path,
    lang: Lang,
    *,
    earlier: frozenset[str] | None = None,
    decisions: Mapping[str, str] | None = None,
    embed: Embed = "worst",
    redact: bool = False,
) -> View:
    """Gather what a report is drawn from.

    Parameters
    ----------
    flags
        Judged chunks.
    said
        Their summary.
    documents
        As `files.documents` gives it.
    chunks
        ``chunks.parquet`` of the same rows.
    lang, earlier, decisions, embed, redact
        As `View` has them.
    """
    from chunkeval.report.view import View

    state = flags.scores.state
    return View(
        summary=said,
        frame=flags.frame,
        recombined=state.recombined,
        documents=documents,
        texts=lambda wanted: rows.texts(chunks, wanted),
        sentences=lambda row: spans(state, row),
        lang=lang,
        earlier=earlier,
        metadata=lambda wanted: rows.metadata(chunks, wanted),
        reasons={judgement.measure.analyzer: judgement.measure.reasons for judgement in flags.judgements},
        marks={judgement.measure.analyzer: judgement.measure.marks for judgement in flags.judgements},
        percentiles={**state.meta.get("percentiles", {}), LABELS.column: ENDS},
        decisions=decisions or {},
        embed=embed,
        redact=redact,
    )


def _draw(view: View, folder: Path) -> None:
    from chunkeval.report import page
    from chunkeval.report.figures import plots, poster

    (folder / "plots").mkdir(exist_ok=True)
    plots.draw(view, folder / "plots")
    poster.draw(view, folder / "report.png")
    (folder / "report.html").write_text(page.render(view), "utf-8", errors="replace")


def first_screen(flags: Flags) -> str:
    """Write the report's first screen for a notebook.

    Parameters
    ----------
    flags
        Judged chunks.

    Returns
    -------
    str
        A piece of HTML without scripts.
    """
    from chunkeval.report.page import first_screen

    lang = language(flags)
    said = summary.build(flags, lang, Extras())
    chunks = flags.scores.chunks.path
    # The run may have been moved or deleted since: its numbers can still be shown.
    return first_screen(view(flags, said, files.documents(flags.frame), chunks, lang, redact=not chunks.exists()))
