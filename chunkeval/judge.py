"""Is this text fit to be a chunk? Any text, judged by a run's state and limits, or by what chunkeval ships."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval import outputs
from chunkeval.analyzers.topics import FEWEST_WORDS
from chunkeval.cache import Cache
from chunkeval.config import ScoreConfig
from chunkeval.errors import ConfigError
from chunkeval.given import given_limits
from chunkeval.loaders.texts import Text, read_texts
from chunkeval.progress import Progress, Silent
from chunkeval.rejudge import rejudge
from chunkeval.runs import open_run
from chunkeval.scoring import analyzer_of
from chunkeval.shipped import ANALYZERS, shipped
from chunkeval.show import NOT_SCORES, Against, against, scalar
from chunkeval.summary import plain
from chunkeval.text import embeddings
from chunkeval.text.language import language

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.config import AuditConfig
    from chunkeval.results import Flags
    from chunkeval.runs import Run

SHOWN = 80
"""Code points shown on either side of the weakest place."""

READY = {
    "ko": "하나는 이것이다. 다른 하나는 저것이다.",
    "en": "One thing is this. Another thing is that.",
}
"""Judged once while loading, so that models and dictionaries are there when the texts come."""


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


@dataclass(frozen=True)
class Told:
    """What is said of the texts of one call."""

    told: tuple[Assessment, ...]
    single: bool
    """Whether the caller gave a single text rather than a list that happens to have one."""
    lang: Literal["ko", "en"] | None
    """The corpus' language, where a run judged."""
    seconds: Mapping[str, float]
    """``load``: models, dictionaries and the run; ``score``: the texts, all together."""


def judge_given(
    words: Sequence[str], config: AuditConfig, stated: Collection[str] = (), progress: Progress | None = None
) -> Told:
    """Judge what a caller names or gives.

    Parameters
    ----------
    words
        As `loaders.texts.read_texts` takes them.
    config
        ``judging.run`` names the run; the rest is as for `Judge`.
    stated
        Settings that the caller stated.

    Raises
    ------
    InputError
        A source, a setting or the run is at fault; the message names the place and the fix.
    """
    run = config.judging.run
    of_run = sorted({"embedder", "tokenizer", "context"} & {*stated})
    if run is not None and of_run:
        raise ConfigError(f"--{of_run[0]} and --run: the run has its own, leave one of the two out")
    texts, single = read_texts(words, config.load)
    began = time.perf_counter()
    opened = None if run is None else open_run(Path(run))
    judge = Judge(opened, config, {language(one.text) for one in texts})
    loaded = time.perf_counter()
    told = tuple(judge(texts, progress))
    seconds = {"load": round(loaded - began, 3), "score": round(time.perf_counter() - loaded, 3)}
    return Told(told, single, judge.lang, seconds)


class Judge:
    """Judges texts; what is slow to load is loaded once.

    Parameters
    ----------
    run
        An opened run; without one, texts are judged by the limits shipped for the embedder and each text's language.
    config
        Without a run: embedder, tokenizer and context, and limits given by hand. With one, its own hold.
    languages
        Of the texts to come, as far as known: what they need is loaded at once, not with the first of them.

    Raises
    ------
    ConfigError
        An embedder, a tokenizer or a limit is not known, or the embedder learns from a corpus and there is no run.
    RunError
        The run was scored with another embedder, tokenizer or library than is here now.

    Examples
    --------
    >>> from chunkeval.config import AuditConfig
    >>> judge = Judge(None, AuditConfig(), {"en"})
    >>> [one] = judge([Text("Just one sentence.", "here")])
    >>> one.verdict, one.unmeasured[0].why
    ('unmeasured', 'one_sentence')
    """

    def __init__(self, run: Run | None, config: AuditConfig, languages: Collection[str] = ()) -> None:
        self._config, self._path = config, None if run is None else str(run.path)
        self._of_run = None if run is None else _with_given(run.flags, config.flag.limit)
        score = config.score if run is None else ScoreConfig(**run.flags.scores.settings)
        self._embedder = embeddings.load(score.embedder)
        self.lang: Literal["ko", "en"] | None = None
        """Language of the run's corpus, as far as answers are given in it."""
        if run is not None:
            self.lang = "ko" if run.flags.scores.state.meta.get("language") == "ko" else "en"
        self._by_language: dict[str, Flags] = {}
        with _scratch() as cache:
            for tongue in sorted({*languages} & READY.keys()) or ["en"]:
                self._judged([Text(READY[tongue], "")], tongue, cache, Silent())

    def __call__(self, texts: Sequence[Text], progress: Progress | None = None) -> list[Assessment]:
        """Judge texts, all in one go; what is said of one does not depend on the others, neighbours in a table apart.

        Parameters
        ----------
        texts
            Any number.
        progress
            Where a long call reports to.

        Returns
        -------
        list of Assessment
            In the texts' order.
        """
        tongues = [language(one.text) for one in texts]
        groups: dict[tuple[str, bool], list[int]] = {}
        for place, (one, tongue) in enumerate(zip(texts, tongues, strict=True)):
            groups.setdefault((tongue if self._of_run is None else "", one.doc_id is not None), []).append(place)
        found: dict[int, Assessment] = {}
        for places in groups.values():
            some = [texts[place] for place in places]
            with _scratch() as cache:
                judged = self._judged(some, tongues[places[0]], cache, progress or Silent())
            found |= zip(places, self._assessed(judged, some), strict=True)
        return [found[place] for place in range(len(texts))]

    def _judged(self, texts: Sequence[Text], tongue: str, cache: Cache, progress: Progress) -> Flags:
        if self._of_run is not None:
            by = self._of_run
        else:
            if tongue not in self._by_language:
                self._by_language[tongue] = shipped(self._config.score, self._config.flag, self._embedder, tongue)
            by = self._by_language[tongue]
        return rejudge(_table(texts), by, self._config.run, cache, progress, embedder=self._embedder)

    def _assessed(self, flags: Flags, texts: Sequence[Text]) -> Iterator[Assessment]:
        state, frame = flags.scores.state, flags.frame
        columns = flags.scores.frame.columns
        absent = () if self._of_run is not None else tuple(n for n in ScoreConfig().analyzers if n not in ANALYZERS)
        for row, text in enumerate(texts):
            values = {str(name): scalar(value) for name, value in frame.iloc[row].items()}
            if not state.meta.get("centred", True):
                values["similarity_centred"] = None
            measures = tuple(against(judgement, values) for judgement in flags.judgements)
            looked = any(_is_number(one.value) and one.rule != "none" for one in measures)
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
                run=self._path,
                inclusive=bool(flags.settings.get("inclusive")),
            )


def _with_given(flags: Flags, limit: Mapping[str, str]) -> Flags:
    """Put limits given by hand in the place of a run's own."""
    given = given_limits(limit, tuple(flags.scores.state.meta["analyzers"]))
    judgements = (replace(one, limit=given.get(one.measure.analyzer, one.limit)) for one in flags.judgements)
    return replace(flags, judgements=tuple(judgements))


def _table(texts: Sequence[Text]) -> pd.DataFrame:
    """Lay texts out as a chunk table; those that say nothing of their document are each one of their own."""
    import pandas as pd

    return pd.DataFrame(
        {
            "chunk_id": [str(number) for number in range(len(texts))],
            "doc_id": [
                # No document of a run or a table is called so.
                f"\x1f{number}" if one.doc_id is None else f"{one.source}\x1f{one.doc_id}"
                for number, one in enumerate(texts)
            ],
            "position": [one.position for one in texts],
            "text": [one.text for one in texts],
        }
    )


@contextmanager
def _scratch() -> Iterator[Cache]:
    """Give a cache for one call: texts that someone only asks about are not kept, nor a corpus' vectors looked through."""
    with tempfile.TemporaryDirectory(prefix="chunkeval-") as folder:
        yield Cache(Path(folder))


def _unmeasured(measures: Sequence[Against], values: Mapping[str, Any]) -> Iterator[Unmeasured]:
    for one in measures:
        if not _is_number(one.value):
            yield Unmeasured(one.analyzer, _why(one, values))


def _why(measure: Against, values: Mapping[str, Any]) -> Why:
    needs = analyzer_of(measure.analyzer).needs
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
    gap = values.get("cut_gap")
    (first, end), (start, last) = spans[int(cut) - 1], spans[int(cut)]
    return Weakest(
        start,
        text[max(first, end - SHOWN) : end],
        text[start : min(last, start + SHOWN)],
        gap if _is_number(gap) else None,
    )


def _is_number(value: Any) -> bool:
    return value is not None and bool(np.isfinite(value))
