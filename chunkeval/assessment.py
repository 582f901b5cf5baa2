"""What is said of one text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from chunkeval import outputs
from chunkeval.analyzers.entropy import FEWEST_WORDS
from chunkeval.config import ScoreConfig
from chunkeval.head import LABELS
from chunkeval.scoring import analyzer_of
from chunkeval.shipped import ANALYZERS
from chunkeval.show import NOT_SCORES, Against, against, scalar
from chunkeval.summary import plain
from chunkeval.text.language import language

if TYPE_CHECKING:
    from chunkeval.loaders.texts import Text
    from chunkeval.results import Flags

SHOWN = 80
"""Code points shown on either side of the weakest place."""

Why = Literal["blank", "one_sentence", "few_words", "no_corpus", "no_mean", "other"]


@dataclass(frozen=True)
class Weakest:
    """Where a text falls apart most easily."""

    cut: int
    """Code point of the text at which the right side begins."""
    before: str
    """The last words of the left side, `SHOWN` code points at most."""
    after: str
    """The first words of the right side."""
    gap: float | None
    """How far the sides lie apart: ``cut_gap``."""


@dataclass(frozen=True)
class Unmeasured:
    """A measure that says nothing about a text."""

    analyzer: str
    why: Why


@dataclass(frozen=True)
class Assessment:
    """What is said of one text."""

    source: str
    """``argument 1``, a file, or ``standard input``."""
    chunk_id: str | None
    """Its id in the table that it came from."""
    verdict: Literal["fit", "not_fit", "unmeasured"]
    """``unmeasured``: not flagged, and no measure with a limit could look at it."""
    flagged: bool
    reasons: tuple[str, ...]
    severity: float
    """0 to 1."""
    suggestion: str
    """``drop``, ``split``, ``merge``, ``review``, or empty where there is nothing to do."""
    suggested_cuts: tuple[int, ...]
    """Code points of the text."""
    measures: tuple[Against, ...]
    unmeasured: tuple[Unmeasured, ...]
    weakest: Weakest | None
    scores: dict[str, Any]
    """Every score column; None where not measured."""
    language: str
    run: str | None
    """The run that judged; None: what chunkeval ships."""
    inclusive: bool
    """Whether a value on the limit is bad too."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as the command prints them with ``--json``."""
        found: dict[str, Any] = plain(asdict(self))
        return found


def assessments(flags: Flags, texts: Sequence[Text], run: str | None) -> Iterator[Assessment]:
    """Say of each text what judging it found.

    Parameters
    ----------
    flags
        A row a text, as `rejudge.rejudge` gives it.
    texts
        In the same order.
    run
        Path of the run that judged; None: what chunkeval ships.
    """
    state, frame = flags.scores.state, flags.frame
    columns = flags.scores.frame.columns
    absent = () if run is not None else tuple(n for n in ScoreConfig().analyzers if n not in ANALYZERS)
    for row, text in enumerate(texts):
        values = plain({name: scalar(value) for name, value in frame.iloc[row].items()})
        if not state.meta.get("centred", True):
            values["similarity_centred"] = None
        measures = tuple(against(judgement, values) for judgement in flags.judgements)
        looked = any(one.value is not None and one.rule != "none" for one in measures)
        flagged = bool(values["flagged"])
        spans = outputs.spans(state, row)
        yield Assessment(
            source=text.source,
            chunk_id=text.chunk_id,
            verdict="not_fit" if flagged else "fit" if looked else "unmeasured",
            flagged=flagged,
            reasons=tuple(values["reasons"]),
            severity=float(values["severity"]),
            suggestion=str(values["suggestion"]),
            suggested_cuts=tuple(values["suggested_cuts"]),
            measures=measures,
            unmeasured=(*_unmeasured(measures, values), *(Unmeasured(name, "no_corpus") for name in absent)),
            weakest=_weakest(text.text, spans, values),
            scores={str(name): values[str(name)] for name in columns if name not in NOT_SCORES},
            language=language(text.text),
            run=run,
            inclusive=bool(flags.settings.get("inclusive")),
        )


def _unmeasured(measures: Sequence[Against], values: Mapping[str, Any]) -> Iterator[Unmeasured]:
    for one in measures:
        if one.value is None:
            yield Unmeasured(one.analyzer, _why(one, values))


def _why(measure: Against, values: Mapping[str, Any]) -> Why:
    needs = frozenset[str]() if measure.analyzer == LABELS.analyzer else analyzer_of(measure.analyzer).needs
    sentences, words = values.get("sentences"), values.get("content_words")
    if "blank" in values["reasons"]:
        return "blank"
    if "vectors" in needs and sentences is not None and sentences < 2:
        return "one_sentence"
    if "words" in needs and words is not None and words < FEWEST_WORDS:
        return "few_words"
    return "no_mean" if measure.column == "similarity_centred" and measure.rule == "none" else "other"


def _weakest(text: str, spans: Sequence[tuple[int, int]], values: Mapping[str, Any]) -> Weakest | None:
    cut = values.get("weakest_cut")
    if cut is None or not 0 < int(cut) < len(spans):
        return None
    (first, end), (start, last) = spans[int(cut) - 1], spans[int(cut)]
    return Weakest(
        start,
        text[max(first, end - SHOWN) : end],
        text[start : min(last, start + SHOWN)],
        values.get("cut_gap"),
    )
