"""A comparison written to a folder: JSON, CSV, figures and one page."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chunkeval import csvs, runs
from chunkeval.compare.regression import check_like, gate, gone, read_baseline, regressions
from chunkeval.compare.road import Comparison, compared, settle

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.config import AuditConfig
    from chunkeval.progress import Progress
    from chunkeval.report.view import Lang

CSV, PAGE, PLOTS, ANSWERS = "comparison.csv", "report.html", "plots", "answers.jsonl"


def compare(
    tables: Mapping[str, pd.DataFrame | str | Path] | None = None,
    *,
    docs: str | Path | None = None,
    chunkers: str | None = None,
    questions: str | Path | None = None,
    out: str | Path | None = None,
    **options: Any,
) -> Comparison:
    """Compare ways to cut: on the same documents, by one judge, beside fixed and random cuts of the same size.

    Parameters
    ----------
    tables
        Chunk tables by name, as `load` gives them, or sources to read.
    docs
        Source of the documents: what ``chunkers`` cut, and what the tables were cut from. Without it documents are pieced
        together from the tables.
    chunkers
        Specs of chunkers, parted by semicolons.
    questions
        File of questions with the places that answer them; without it the chunks themselves are compared.
    out
        Folder for comparison.json, comparison.csv, figures and page; nothing is written where not given.
    options
        Settings of `config.CompareConfig`, `config.ScoreConfig`, `config.FlagConfig` and `config.RunConfig`: metric, retriever,
        k, budget, strict, fail_on_regression, judge, boundaries, embedder, seed, jobs, …; with ``retriever="agent"`` also of
        `config.AskConfig` and `config.AgentConfig`: model, base_url, max_loops, max_calls, …

    Returns
    -------
    Comparison
        ``.facts`` holds every figure and the verdict, ``.frame`` a row a strategy, ``.questions`` a row a strategy and question.

    Raises
    ------
    InputError
        There is nothing to compare, or sources, settings or the place to write are at fault.
    GateError
        A strategy is worse than in the comparison that ``fail_on_regression`` names.

    Examples
    --------
    >>> import pandas as pd
    >>> text = "판다는 대나무를 먹는다. 곰과에 든다. 중국에 산다."
    >>> now = pd.DataFrame({"doc_id": ["판다"], "text": [text], "start": [0], "end": [len(text)]})
    >>> compare({"now": now}, analyzers="tokens").frame["strategy"].tolist()
    ['now', 'fixed 29', 'random 29']
    """
    from chunkeval import settings
    from chunkeval.progress import Silent

    stated = {"chunkers": chunkers, "questions": None if questions is None else str(questions), **options}
    held = {name: str(table) if isinstance(table, Path) else table for name, table in (tables or {}).items()}
    return compare_into(
        None if out is None else Path(out),
        settings.build(stated)[0],
        Silent(),
        docs=None if docs is None else str(docs),
        tables=held,
        analyzers="analyzers" in options,
    )


def compare_into(
    out: Path | None,
    config: AuditConfig,
    progress: Progress,
    *,
    docs: str | None = None,
    tables: Mapping[str, str | pd.DataFrame] | None = None,
    analyzers: bool = False,
) -> Comparison:
    """Compare, and write what was found.

    Parameters
    ----------
    out
        Folder; nothing is written where not given.
    config
        Its ``compare``, ``load``, ``score``, ``flag``, ``rechunk``, ``report`` and ``run`` settings are used.
    progress
        Where stages report to.
    docs
        Source of the documents.
    tables
        Chunk tables by name: sources, or frames.
    analyzers
        Whether the caller named the analyzers.

    Raises
    ------
    InputError
        Sources, settings or the place to write are at fault; nothing was written.
    GateError
        A strategy is worse than in the comparison that ``fail_on_regression`` names; all was written.
    """
    told = config.compare
    job = settle(config, {**told.tables, **(tables or {})}, docs, analyzers=analyzers)
    then = None if told.fail_on_regression is None else read_baseline(Path(told.fail_on_regression))
    if out is None:
        with tempfile.TemporaryDirectory(prefix="chunkeval-") as folder:
            done = _beside(_spoken(compared(job, Path(folder), progress), config), then, told.fail_on_regression)
    else:
        with (
            runs.writing(out, overwrite=config.run.overwrite) as folder,
            tempfile.TemporaryDirectory(prefix="chunkeval-") as work,
        ):
            done = _beside(_spoken(compared(job, Path(work), progress), config), then, told.fail_on_regression)
            write(done, folder, redact=config.report.redact)
    if then is not None:
        gate(regressions(done.facts, then))
    return done


def _beside(done: Comparison, then: Mapping[str, Any] | None, path: str | None) -> Comparison:
    """Check that an earlier comparison measured the same, and note the strategies that only it has."""
    if then is None:
        return done
    check_like(done.facts, then, str(path))
    notes = [
        f"{name!r} was compared in {path}, but is not now: nothing says whether it got worse"
        for name in gone(done.facts, then)
    ]
    return replace(done, facts={**done.facts, "notes": [*done.facts["notes"], *notes]})


def _spoken(done: Comparison, config: AuditConfig) -> Comparison:
    """Say the verdict in the report's language: the one asked for, else Korean of Korean texts and English of others."""
    from chunkeval.report.compare_wording import verdict

    lang: Lang = config.report.lang or ("ko" if done.facts["language"] == "ko" else "en")
    return replace(done, facts={**done.facts, "verdict": verdict(done.facts, lang), "lang": lang})


def write(done: Comparison, folder: Path, *, redact: bool) -> None:
    """Write a comparison's files.

    Parameters
    ----------
    done
        What was found.
    folder
        Where they go; it is there.
    redact
        Leave the questions' texts out of the page.
    """
    from chunkeval.report.comparison import View, draw, render

    facts: dict[str, Any] = dict(done.facts)
    view = View(facts, done.lanes, facts["lang"], redact)
    columns = [str(name) for name in done.frame.columns]
    rows = done.frame.astype(object).where(done.frame.notna(), None).itertuples(index=False, name=None)
    csvs.write(folder / CSV, columns, rows)
    if done.answers:
        said = (json.dumps(one.to_dict(), ensure_ascii=False, allow_nan=False) for one in done.answers)
        (folder / ANSWERS).write_text("".join(f"{line}\n" for line in said), "utf-8", errors="replace")
    draw(view, folder / PLOTS)
    (folder / PAGE).write_text(render(view), "utf-8", errors="replace")
    (folder / runs.COMPARISON).write_text(
        json.dumps(facts, ensure_ascii=False, indent=2, allow_nan=False) + "\n", "utf-8"
    )
