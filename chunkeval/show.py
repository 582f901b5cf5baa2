"""One chunk of a run: its text by sentences, its scores against the limits, its neighbours."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval import decisions, outputs, rows
from chunkeval.errors import RunError
from chunkeval.report.passages import neighbours
from chunkeval.report.wording import why_incoherent
from chunkeval.summary import plain

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.results import Judgement
    from chunkeval.runs import Run

NOT_SCORES = ("chunk_id", "doc_id", "position", "start", "end")


@dataclass(frozen=True)
class Sentence:
    """A sentence of the chunk: code points ``[start, end)`` in its text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Neighbour:
    """The chunk before or after in the same document."""

    chunk_id: str
    position: int
    flagged: bool
    text: str


@dataclass(frozen=True)
class Against:
    """An analyzer's judged value and its limits."""

    analyzer: str
    column: str
    value: float | None
    low: float | None
    high: float | None
    rule: str
    flagged: bool


@dataclass(frozen=True)
class Shown:
    """All there is to say about one chunk."""

    chunk_id: str
    doc_id: str | None
    position: int
    start: int | None
    end: int | None
    flagged: bool
    reasons: tuple[str, ...]
    severity: float
    suggestion: str
    suggested_cuts: tuple[int, ...]
    decision: str | None
    text: str
    sentences: tuple[Sentence, ...]
    weakest_cut: int | None
    """The first sentence, from 0, right of the weakest place."""
    scores: dict[str, Any]
    limits: tuple[Against, ...]
    before: Neighbour | None
    after: Neighbour | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as the command prints them with ``--json``."""
        found: dict[str, Any] = plain(asdict(self))
        return found


def show(run: Run, identity: str) -> Shown:
    """Gather what a run knows about one chunk.

    Parameters
    ----------
    run
        An opened run.
    identity
        Its chunk_id.

    Raises
    ------
    RunError
        The run has no such chunk; the message names the nearest.

    Examples
    --------
    ``show(open_run(Path("reports/mine")), "c17").text``
    """
    frame = run.flags.frame
    places = np.flatnonzero((frame["chunk_id"] == identity).to_numpy(dtype=bool))
    if not places.size:
        raise RunError(_unknown(identity, frame["chunk_id"].tolist(), run))
    row = int(places[0])
    before, after = (int(place[row]) if place[row] >= 0 else None for place in neighbours(frame))
    wanted = [place for place in (before, row, after) if place is not None]
    texts = dict(zip(wanted, rows.texts(run.flags.scores.chunks.path, wanted), strict=True))
    text = texts[row]
    values = plain({name: scalar(value) for name, value in frame.iloc[row].items()})
    weakest = values.get("weakest_cut")
    known = [name for name in values if name in run.flags.scores.frame and name not in NOT_SCORES]
    return Shown(
        chunk_id=identity,
        doc_id=values["doc_id"],
        position=int(values["position"]),
        start=_whole(values.get("start")),
        end=_whole(values.get("end")),
        flagged=bool(values["flagged"]),
        reasons=tuple(values["reasons"]),
        severity=float(values["severity"]),
        suggestion=str(values["suggestion"]),
        suggested_cuts=tuple(values["suggested_cuts"]),
        decision=decisions.current(run).get(identity),
        text=text,
        sentences=tuple(Sentence(a, b, text[a:b]) for a, b in outputs.spans(run.flags.scores.state, row)),
        weakest_cut=_whole(weakest),
        scores={name: values[name] for name in known},
        limits=tuple(against(judgement, values) for judgement in run.flags.judgements),
        before=_neighbour(frame, before, texts),
        after=_neighbour(frame, after, texts),
    )


def lines(shown: Shown) -> list[str]:
    """Say it for a terminal: control characters are left for the caller to escape."""
    where = f" in {shown.doc_id}" if shown.doc_id is not None else ""
    said = [f"{shown.chunk_id}: chunk {shown.position}{where}"]
    if shown.flagged:
        cuts = f" at {', '.join(str(cut) for cut in shown.suggested_cuts)}" if shown.suggested_cuts else ""
        if shown.suggestion == "split" and not cuts:
            cuts = " (no place is known that leaves more than a scrap on either side)"
        advice = f"; suggestion: {shown.suggestion}{cuts}" if shown.suggestion else ""
        said.append(f"flagged: {', '.join(shown.reasons)}; severity {shown.severity:.2f}{advice}")
    else:
        said.append(f"not flagged{'; noticed: ' + ', '.join(shown.reasons) if shown.reasons else ''}")
    if shown.decision:
        said.append(f"decision: {shown.decision}")
    said.append("")
    said += [_limit_line(item) for item in shown.limits]
    judged = {item.column for item in shown.limits}
    said += [
        f"  {name:<20} {_number(_worded(name, value))}" for name, value in shown.scores.items() if name not in judged
    ]
    said.append("")
    for number, sentence in enumerate(shown.sentences):
        if number == shown.weakest_cut:
            said.append("     ---- weakest place ----")
        said.append(f"{number:>4} {sentence.text}")
    if not shown.sentences:
        said.append(f"     {shown.text}")
    for name, neighbour in (("before", shown.before), ("after", shown.after)):
        if neighbour is not None:
            mark = ", flagged" if neighbour.flagged else ""
            said += [
                "",
                f"{name}: {neighbour.chunk_id} (chunk {neighbour.position}{mark})",
                f"     {_short(neighbour.text)}",
            ]
    return said


def _limit_line(item: Against) -> str:
    bounds = [f"below {item.low:g}"] if item.low is not None else []
    bounds += [f"above {item.high:g}"] if item.high is not None else []
    limit = f"bad {' or '.join(bounds)} ({item.rule})" if bounds else f"no limit ({item.rule})"
    return f"{'!' if item.flagged else ' '} {item.column:<20} {_number(item.value):<12} {limit}"


def _number(value: Any) -> str:
    return "not measured" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _worded(name: str, value: Any) -> Any:
    return why_incoherent(value, "en") if name == "coherence_reason" else value


def _short(text: str, longest: int = 160) -> str:
    return text if len(text) <= longest else text[:longest] + "…"


def against(judgement: Judgement, values: dict[str, Any]) -> Against:
    """Hold a chunk's values against an analyzer's limits; ``values`` are its scores and flags by column."""
    limit, name = judgement.limit, judgement.measure.analyzer
    value = values.get(limit.column)
    return Against(name, limit.column, value, limit.low, limit.high, limit.rule, bool(values[f"flag_{name}"]))


def _neighbour(frame: pd.DataFrame, row: int | None, texts: dict[int, str]) -> Neighbour | None:
    if row is None:
        return None
    values = frame.iloc[row]
    return Neighbour(str(values["chunk_id"]), int(values["position"]), bool(values["flagged"]), texts[row])


def scalar(value: Any) -> Any:
    """Give None for pandas' null, and anything else as it is."""
    import pandas as pd

    return None if value is pd.NA or value is pd.NaT else value


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)


def _unknown(identity: str, known: Sequence[str], run: Run) -> str:
    near = difflib.get_close_matches(identity, known[:20_000], n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}?" if near else "outliers.csv and scores.parquet list the ids"
    return f"the run at {run.path} has no chunk {identity!r}: {hint}"
