"""All files of a run from its flags: what ``audit``, ``flag`` and ``chunkeval.report`` leave behind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval import rows, runs, summary
from chunkeval.report import files
from chunkeval.summary import Extras

if TYPE_CHECKING:
    from chunkeval.results import Flags, State

Lang = Literal["ko", "en"]


def write(
    flags: Flags,
    folder: Path,
    *,
    lang: Lang | None = None,
    extras: Extras | None = None,
    decisions: Mapping[str, str] | None = None,
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
    _draw(flags, said, table, folder, lang, extras.known if extras.baseline is not None else None)
    runs.save(folder, flags, said, decisions)
    return said


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


def _draw(
    flags: Flags, said: Mapping[str, Any], table: Any, folder: Path, lang: Lang, earlier: frozenset[str] | None
) -> None:
    from chunkeval.report import page, plots, poster
    from chunkeval.report.view import View

    chunks, state = folder / runs.CHUNKS, flags.scores.state
    view = View(
        summary=said,
        frame=flags.frame,
        recombined=state.recombined,
        documents=table,
        texts=lambda wanted: rows.texts(chunks, wanted),
        sentences=lambda row: spans(state, row),
        lang=lang,
        earlier=earlier,
    )
    (folder / "plots").mkdir(exist_ok=True)
    plots.draw(view, folder / "plots")
    poster.draw(view, folder / "report.png")
    (folder / "report.html").write_text(page.render(view), "utf-8", errors="replace")
