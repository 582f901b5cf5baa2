"""What each step returns: frozen dataclasses over tables and plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Arrays = Mapping[str, NDArray[Any]]

Side = Literal["low", "high", "both"]

TRAITS = (
    "blank",
    "not_prose",
    "nul_bytes",
    "replacement_chars",
    "mojibake",
    "no_spaces",
    "one_sentence",
    "prefix",
    "overlap",
)
"""What the text analysis notices about a chunk; bit i of ``State.arrays["text"]["traits"]`` is ``TRAITS[i]``."""


@dataclass(frozen=True)
class SourceInfo:
    """Where a chunk table came from and how it was read."""

    source: str
    """Path as given, or ``-``."""
    kind: str
    """Loader: csv, jsonl, parquet, …"""
    sha256: str
    """Of the source's bytes (a folder: of its files in order)."""
    rows: int
    """Chunks in the table."""
    encoding: str | None = None
    """Text encoding found, None for binary kinds."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """``text``, ``chunk_id``, ``doc_id``, ``position``, … to the source's column names."""
    skipped_null: int = 0
    """Rows left out because their text is null."""
    surrogates: int = 0
    """Chunks in which lone surrogates became U+FFFD."""
    notes: tuple[str, ...] = ()
    """What a reader of the output should know, one sentence each."""


@dataclass(frozen=True)
class ChunkFile:
    """A checked chunk table on disk (parquet, row groups of ``config.SHARD`` rows): the road reads it in a stream."""

    path: Path
    info: SourceInfo


@dataclass(frozen=True)
class Measure:
    """What limits and flags need to know about an analyzer's judged column."""

    analyzer: str
    column: str
    """Column that calibration judges."""
    side: Side
    """Which side is bad."""
    reasons: Mapping[str, str]
    """``low`` and/or ``high`` to the reason code."""
    unit: str | None = None
    card_column: str | None = None
    """Column of the published rule."""
    card_value: float | None = None
    """Its value: low side's or high side's limit, as ``side`` says."""
    calibrated: bool = True
    """Whether recombinations can set a limit (token counts use the IQR in every mode)."""


@dataclass(frozen=True)
class Recombined:
    """Scores of the two kinds of recombined chunks in one column, unordered; NaN where not measured."""

    mixes: Floats
    splices: Floats


@dataclass(frozen=True)
class State:
    """All that ``fit`` learned: plain arrays a name, and what identifies them."""

    meta: Mapping[str, Any]
    """Fingerprints (embedder, tokenizer, versions), ``num_topics``, language, seed, … (JSON)."""
    arrays: Mapping[str, Arrays]
    """Analyzer name to its arrays. Also ``text``: ``traits`` (n,) uint16, ``sentence_offsets`` (n + 1,) int64, ``sentence_start`` and
    ``sentence_end`` (m,) int32 code points in the chunk's text; and ``sample``: ``rows`` (k,) int64."""
    recombined: Mapping[str, Recombined]
    """Judged column to the scores of recombined chunks."""


@dataclass(frozen=True)
class Limit:
    """The values that separate good from bad in one column; None: that side never flags."""

    column: str
    rule: str
    """``iqr``, ``card``, ``calibrated``, ``profile``, ``given`` or ``none``."""
    source: str
    """Where it comes from, in words."""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Calibration:
    """What recombinations of this corpus say about one column."""

    column: str
    limit: float | None
    """The bad side's limit; None where it flags nothing or cannot tell."""
    measured: int
    documents: int
    auroc: float | None = None
    """Corpus against mixes, corrected for the share."""
    auroc_ci: tuple[float, float] | None = None
    auroc_splice: float | None = None
    share: float | None = None
    share_ci: tuple[float, float] | None = None
    share_mix: float | None = None
    share_splice: float | None = None
    why: str | None = None
    """Why it cannot tell, None where it can."""

    @property
    def tells(self) -> bool:
        """Whether the limit may be used."""
        return self.why is None


@dataclass(frozen=True)
class Judgement:
    """One analyzer's limits on one corpus."""

    measure: Measure
    limit: Limit
    """In use."""
    card: Limit | None
    """The published rule, for ``flag_<analyzer>_card``; None where the analyzer has none or it does not apply."""
    calibration: Calibration | None
    quartiles: tuple[float, float, float] | None = None
    """Q1, median, Q3 of the column, where the rule is the IQR."""
    notes: tuple[str, ...] = ()
    """Loud lines: fixed-size chunks, a card that flags more than half, …"""


@dataclass(frozen=True)
class Scores:
    """Numbers, one row a chunk in the input's order, and the state that gave them."""

    frame: pd.DataFrame
    state: State
    chunks: ChunkFile
    settings: Mapping[str, Any]
    """Every setting that can change a number."""
    seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Flags:
    """Judgements: the scores' frame with the flag columns of DESIGN's outputs, and the limits behind them."""

    frame: pd.DataFrame
    judgements: tuple[Judgement, ...]
    scores: Scores
    settings: Mapping[str, Any]
    """Settings of the limits."""
