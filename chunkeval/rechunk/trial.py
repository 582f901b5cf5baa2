"""Judging texts that are no chunks yet: by the run's state and limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from chunkeval import flags as judging
from chunkeval import rows
from chunkeval.cache import Cache
from chunkeval.config import RunConfig
from chunkeval.rejudge import alone, rejudge
from chunkeval.results import Flags, Judgement, State


@dataclass(frozen=True)
class Judged:
    """What the run's limits say about one text."""

    weight: int
    """Tokens; characters where the run counted no tokens."""
    severity: float
    reasons: frozenset[str]
    """Those that flag; a short last chunk is too short like any other."""
    similarity: float
    """Centred similarity, NaN where it cannot be measured."""
    measurable: bool
    """Whether it has sentences enough for similarity, or similarity is none of the run's measures."""
    split: bool
    """Whether it is suggested to split it."""
    cut: int | None
    """Code point of its weakest place; None where it has none that leaves two parts worth having."""


class Trial:
    """Judges texts by themselves, each once."""

    def __init__(self, flags: Flags, run: RunConfig, cache: Cache) -> None:
        self._flags, self._run, self.cache = flags, run, cache
        self._known: dict[tuple[str, str], Judged] = {}
        self._flagging = flagging(flags.judgements)

    @property
    def jobs(self) -> int:
        """Threads at most."""
        return self._run.workers

    def __call__(self, texts: Sequence[str], homes: Sequence[str]) -> list[Judged]:
        """Judge texts; those of a call are scored together.

        Parameters
        ----------
        texts
            Texts cut from chunks, or joined of some.
        homes
            The document that each is from: it is judged by what was learned without that one, as its chunk was.
        """
        asked = list(zip(texts, homes, strict=True))
        new = [each for each in dict.fromkeys(asked) if each not in self._known]
        if new:
            self._known.update(zip(new, self._judge(*map(list, zip(*new, strict=True))), strict=True))
        return [self._known[each] for each in asked]

    def _judge(self, texts: list[str], homes: list[str]) -> list[Judged]:
        found = rejudge(alone(texts), self._flags, self._run, self.cache, documents=homes)
        return self.read(found, texts)

    def read(self, flags: Flags, texts: Sequence[str] | None = None) -> list[Judged]:
        """Give what judged chunks were found to be; their texts, where their file is gone."""
        frame = flags.frame
        count = len(frame)
        none = np.full(count, np.nan)
        centred = frame["similarity_centred"].to_numpy(np.float64) if "similarity_centred" in frame else none
        measurable = np.isfinite(centred) if "similarity_centred" in frame else np.ones(count, bool)
        columns = (
            _weights(flags, texts),
            frame["severity"].tolist(),
            frame["reasons"].tolist(),
            centred.tolist(),
            measurable.tolist(),
            (frame["suggestion"] == "split").tolist(),
            judging.cuts_of(frame, flags.scores.state, np.ones(count, bool)).tolist(),
        )
        return [
            Judged(
                weight=max(n, 1),
                severity=severity,
                reasons=self._flagging.intersection(map(plain, reasons)),
                similarity=similarity,
                measurable=can,
                split=split,
                cut=cuts[0] if cuts else None,
            )
            for n, severity, reasons, similarity, can, split, cuts in zip(*columns, strict=True)
        ]


def weighed_by(flags: Flags) -> Literal["tokens", "characters"]:
    """Say what a chunk's weight is: its tokens, where the run counted them."""
    return "tokens" if "token_count" in flags.frame else "characters"


def _weights(flags: Flags, texts: Sequence[str] | None) -> list[int]:
    if weighed_by(flags) == "tokens":
        return [int(n) for n in flags.frame["token_count"]]
    if texts is None:
        texts = rows.texts(flags.scores.chunks.path, range(len(flags.frame)))
    return [len(text) for text in texts]


def flagging(judgements: Sequence[Judgement]) -> frozenset[str]:
    """Reasons that flag; the others are only noticed."""
    measures = [one.measure for one in judgements]
    judged = {code for one in measures for code in one.reasons.values()}
    return frozenset(judged | {mark.reason for one in measures for mark in one.marks} - set(judging.INERT) | {"blank"})


def plain(reason: str) -> str:
    """Give the reason without what says nothing about the text: whether a short chunk is its document's last."""
    return "too_short" if reason == "tail" else reason


def borders(state: State, row: int) -> list[tuple[int, int]]:
    """Sentence spans of a chunk, in code points of its text."""
    text = state.arrays["text"]
    first, after = text["sentence_offsets"][row : row + 2].tolist()
    starts, ends = text["sentence_start"][first:after].tolist(), text["sentence_end"][first:after].tolist()
    return list(zip(starts, ends, strict=True))


def mass(parts: Sequence[Judged]) -> float:
    """Severity of several chunks times their weights."""
    return sum(part.weight * part.severity for part in parts)


def together(parts: Sequence[Judged]) -> float:
    """Severity of several chunks, by their weights."""
    return mass(parts) / sum(part.weight for part in parts)


def worse(before: Sequence[Judged], after: Sequence[Judged]) -> bool:
    """Whether a change makes things worse: more severity by weight, or a reason that was not there."""
    known = frozenset[str]().union(*(part.reasons for part in before))
    fresh = frozenset[str]().union(*(part.reasons for part in after)) - known
    return bool(fresh) or together(after) > together(before) + 1e-9
