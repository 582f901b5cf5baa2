"""``chunkeval compare``: strategies or chunk tables side by side."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from chunkeval.cli.options import Given, takes
from chunkeval.cli.speak import as_json, say, visible
from chunkeval.errors import ConfigError

Source = Annotated[str | None, Parameter(allow_leading_hyphen=True)]


@takes(
    "load",
    "score",
    "flag",
    "compare",
    "ask",
    "agent",
    also=("judge", "boundaries", "out", "overwrite", "jobs", "batch", "cache", "lang", "redact"),
    without=("sample", "topics_order", "calibration", "trace"),
    analyzers="Analyzers to run; tokens, similarity, boundaries and duplicates where not given.",
    judge="Embedder that judges in place of one that a strategy cuts by.",
    boundaries="Known section boundaries; JSON: document to a list of {start, end} or of starts.",
    out="Folder of the comparison; reports/comparison where not given.",
)
def compare_command(source: Source = None, /, *, given: Given) -> None:
    """Compare ways to cut: on the same documents, by one judge, beside fixed and random cuts of the same size.

    Without questions the chunks themselves are compared; with --questions, what a retriever finds in them. One metric,
    declared beforehand, decides, and only where its interval says so.

    Parameters
    ----------
    source
        Documents that --chunkers cut: a file, a folder, or - for standard input.
    """
    from chunkeval.compare.into import compare_into

    config = given.config
    told = config.compare
    if source is not None and told.docs is not None:
        raise ConfigError(f"the documents are named twice, {source!r} and --docs {told.docs!r}: name them once")
    out = Path(config.run.out) if config.run.out is not None else Path("reports", "comparison")
    done = compare_into(out, config, given.progress(), docs=source or told.docs, analyzers="analyzers" in given.stated)
    for note in done.facts["notes"]:
        say(visible(f"note: {note}"), given)
    for line in _asked(done.facts):
        say(visible(line), given)
    if given.console.json:
        sys.stdout.write(as_json(done.facts))
        return
    if given.console.quiet:
        return
    print(visible(str(done.facts["verdict"])))
    for line in _lines(done.facts):
        print(visible(line))
    print(f"report: {out / 'report.html'}")


def _asked(facts: Mapping[str, Any]) -> list[str]:
    """What the agent took, where one asked."""
    used = (facts["questions"] or {}).get("usage")
    if not used:
        return []
    from chunkeval.llm.account import Usage

    count = facts["questions"]["used"] * len(facts["strategies"])
    return [f"asked {facts['settings']['model']} for {count:,} answers: {Usage(**used)}"]


def _lines(facts: Mapping[str, Any]) -> list[str]:
    """A line a strategy, the best first, and what is sure."""
    from chunkeval.report.compare_wording import certainty, metric_of, ranked, value_of

    name, lang = facts["metric"]["name"], facts["lang"]
    said = []
    for one in ranked(facts):
        beats = f" > {', '.join(map(str, sorted(one['beats'])))}" if one["beats"] else ""
        number = f"{one['number']}. " if one["number"] is not None else "   "
        said.append(f"{number}{one['name']}: {metric_of(name, lang)} {value_of(one['mean'], name)}{beats}")
    return [*said, *certainty(facts, lang)]
