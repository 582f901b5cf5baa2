"""Is this text fit to be a chunk? Any text, judged by a run's state and limits, or by what chunkeval ships."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval import rows, settings
from chunkeval.assessment import Assessment, assessments
from chunkeval.cache import Cache
from chunkeval.config import SAMPLE, ScoreConfig
from chunkeval.errors import ConfigError, TableError
from chunkeval.given import given_limits
from chunkeval.loaders.texts import Text, bounded, of_table, read_texts
from chunkeval.progress import Progress, Silent
from chunkeval.rejudge import homes_of, rejudge
from chunkeval.runs import open_run
from chunkeval.shipped import shipped
from chunkeval.table.cells import scrub
from chunkeval.text import embeddings
from chunkeval.text.context import Context, contextual
from chunkeval.text.known_openings import KnownOpenings, beside
from chunkeval.text.language import language
from chunkeval.text.traits import BIT

if TYPE_CHECKING:
    import pandas as pd

    from chunkeval.config import AuditConfig
    from chunkeval.results import ChunkFile, Flags
    from chunkeval.runs import Run

READY = {
    "ko": "하나는 이것이다. 다른 하나는 저것이다.",
    "en": "One thing is this. Another thing is that.",
}
"""Judged once while loading, so that models and dictionaries are there when the texts come."""


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
    _check(config.judging.run, stated)
    texts, single = read_texts(words, config.load)
    began = time.perf_counter()
    judge = Judge(_opened(config.judging.run), config, {language(one.text) for one in texts})
    loaded = time.perf_counter()
    told = tuple(judge(texts, progress))
    seconds = {"load": round(loaded - began, 3), "score": round(time.perf_counter() - loaded, 3)}
    return Told(told, single, judge.lang, seconds)


def judge(texts: str | Iterable[str] | pd.DataFrame, run: str | Path | None = None, **options: Any) -> list[Assessment]:
    """Say whether texts are fit to be chunks.

    Parameters
    ----------
    texts
        A text, several, or a chunk table as `chunkeval.load` gives it, whose rows are judged as neighbours in their
        documents. A string is always the text itself, never a path.
    run
        Folder of the run whose limits judge; the limits shipped for the embedder and each text's language where not
        given.
    options
        Without a run: embedder, tokenizer, context. With and without: limit, jobs, batch.

    Returns
    -------
    list of Assessment
        In the texts' order. To judge again and again, make a `Judge` once: this loads its models at each call.

    Raises
    ------
    InputError
        A setting is not known or changes nothing here, a text is no string, a position no whole number, or the run is
        missing, damaged or of another embedder.

    Examples
    --------
    >>> [one] = judge("One cat sat on the mat. It slept there all day.")
    >>> one.flagged, one.weakest.after
    (False, 'It slept there all day.')
    """
    path = None if run is None else str(run)
    _check(path, options)
    config = settings.of_call("judge", options)
    given = _given(texts)
    return Judge(_opened(path), config, {language(one.text) for one in given})(given)


def _check(run: str | None, stated: Collection[str]) -> None:
    twice = sorted({"embedder", "tokenizer", "context"} & {*stated})
    if run is not None and twice:
        raise ConfigError(
            f"{twice[0]} and run are both given: the run has its own {twice[0]}, leave one of the two out"
        )


def _opened(run: str | None) -> Run | None:
    return None if run is None else open_run(Path(run))


def _given(texts: str | Iterable[str] | pd.DataFrame) -> list[Text]:
    import pandas as pd

    if isinstance(texts, pd.DataFrame):
        return of_table(texts, "<DataFrame>")
    if isinstance(texts, Mapping | bytes) or not isinstance(texts, Iterable):
        raise TableError(f"texts must be a string, several, or a DataFrame, not {type(texts).__name__}")
    several = [texts] if isinstance(texts, str) else list(texts)
    for number, text in enumerate(several, 1):
        if not isinstance(text, str):
            raise TableError(f"text {number} must be a string, not {type(text).__name__}")
    return bounded([Text(scrub(text), f"argument {number}") for number, text in enumerate(several, 1)])


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
        self._openings = KnownOpenings((), most=False) if run is None else _openings(run.flags)
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
        groups: dict[tuple[str, str | None], list[int]] = {}
        for place, (one, tongue) in enumerate(zip(texts, tongues, strict=True)):
            table = one.source if one.doc_id is not None else None
            groups.setdefault((tongue if self._of_run is None and table is None else "", table), []).append(place)
        found: dict[int, Assessment] = {}
        for places in groups.values():
            some = [texts[place] for place in places]
            with _scratch() as cache:
                # Neighbours of another language are judged by other limits, and are neighbours all the same.
                for limits_in in dict.fromkeys(tongues[place] if self._of_run is None else "" for place in places):
                    judged = self._judged(some, limits_in, cache, progress or Silent())
                    told = zip(places, assessments(judged, some, self._path), strict=True)
                    found |= {place: one for place, one in told if limits_in in ("", tongues[place])}
        return [found[place] for place in range(len(texts))]

    def _judged(self, texts: Sequence[Text], tongue: str, cache: Cache, progress: Progress) -> Flags:
        if self._of_run is not None:
            by = self._of_run
        else:
            if tongue not in self._by_language:
                self._by_language[tongue] = shipped(self._config.score, self._config.flag, self._embedder, tongue)
            by = self._by_language[tongue]
        known = self._openings.context([one.text for one in texts])

        def context(file: ChunkFile) -> Context:
            return known if texts[0].doc_id is None else beside(contextual(file), known)

        return rejudge(
            _table(texts),
            by,
            self._config.run,
            cache,
            progress,
            embedder=self._embedder,
            context=context,
            documents=self._documents(texts),
        )

    def _documents(self, texts: Sequence[Text]) -> list[str]:
        """Those that the texts name; a text that names none is of the document of the run's chunk with the same text, if any."""
        homes = homes_of([one.text for one in texts], self._of_run)
        return [home if one.doc_id is None else one.doc_id for one, home in zip(texts, homes, strict=True)]


def _with_given(flags: Flags, limit: Mapping[str, str]) -> Flags:
    """Put limits given by hand in the place of a run's own."""
    ran = dict.fromkeys((*flags.scores.state.meta["analyzers"], *(one.measure.analyzer for one in flags.judgements)))
    given = given_limits(limit, tuple(ran))
    judgements = (replace(one, limit=given.get(one.measure.analyzer, one.limit)) for one in flags.judgements)
    return replace(flags, judgements=tuple(judgements))


def _openings(flags: Flags) -> KnownOpenings:
    """Gather what a run left out at its chunks' starts as their context."""
    text = flags.scores.state.arrays["text"]
    offsets, begins = text["sentence_offsets"], text["sentence_start"]
    having = (text["traits"] & BIT["prefix"]) > 0
    # Behind an overlap nobody can tell where the prefix ended.
    told = np.flatnonzero(having & ((text["traits"] & BIT["overlap"]) == 0) & (np.diff(offsets) > 0))
    told = told[np.unique(np.linspace(0, len(told) - 1, min(len(told), SAMPLE)).astype(np.int64))]
    texts = rows.pick(flags.scores.chunks.path, told.tolist(), ["text"])
    openings = (str(values["text"])[: begins[offsets[row]]] for row, values in texts)
    return KnownOpenings(openings, most=bool(2 * np.count_nonzero(having) > len(having)))


def _table(texts: Sequence[Text]) -> pd.DataFrame:
    """Lay texts out as a chunk table; those that say nothing of their document are each one of their own."""
    import pandas as pd

    table = pd.DataFrame(
        {
            "chunk_id": [str(number) for number in range(len(texts))],
            "doc_id": [one.doc_id if one.doc_id is not None else f"\x1f{number}" for number, one in enumerate(texts)],
            "position": [one.position for one in texts],
            "text": [one.text for one in texts],
            "start": pd.array([one.start for one in texts], "Int64"),
            "end": pd.array([one.end for one in texts], "Int64"),
        }
    )
    return table.dropna(axis="columns", how="all")


@contextmanager
def _scratch() -> Iterator[Cache]:
    """Give a cache for one call: texts that someone only asks about are not kept, nor a corpus' vectors looked through."""
    with tempfile.TemporaryDirectory(prefix="chunkeval-") as folder:
        yield Cache(Path(folder))
