"""What each step returns: frozen dataclasses over tables and plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from chunkeval.head import Head

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


INTEGERS = (
    "token_count",
    "sentences",
    "weakest_cut",
    "content_words",
    "boundary_marks",
    "heading_cut",
    "earlier_copies",
    "competitors",
    "boilerplate_chunks",
)
"""Score columns that hold whole numbers."""


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

    @property
    def rows(self) -> int:
        """Chunks in the file: fewer than the source's where only a sample was kept."""
        import pyarrow.parquet as pq

        return int(pq.read_metadata(self.path).num_rows)


@dataclass(frozen=True)
class Mark:
    """A reason that a measure gives beside the one of its limit."""

    reason: str
    column: str
    """Column of the analyzer that it stands on. A limit given by hand on that column takes its place."""
    above: float | None = None
    """Value above which it holds; None: only under a limit given by hand."""
    bit: int | None = None
    """Bit of the column that says whether it holds, instead of ``above``."""
    flags: bool = True
    """Whether it flags by itself, with severity 1; else it only explains."""


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
    fixed: float | None = None
    """The bad side's limit in every mode, where neither a corpus nor a published rule sets one."""
    marks: tuple[Mark, ...] = ()
    """Reasons besides that of the limit."""
    probability: bool = False
    """Whether the column is the probability that a chunk is good."""


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
    """``iqr``, ``card``, ``calibrated``, ``profile``, ``labelled``, ``fixed``, ``given`` or ``none``."""
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
    auroc_observed: float | None = None
    """Corpus against mixes as it is, not corrected."""
    auroc_splice: float | None = None
    share: float | None = None
    share_ci: tuple[float, float] | None = None
    share_mix: float | None = None
    share_splice: float | None = None
    why: str | None = None
    """Why it cannot tell, None where it can."""
    documents_before: int | None = None
    """Where too few ``documents`` are left since those that share most of their sentences count as one: how many there are."""

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
    head: Head | None = None
    """Where labels judge by all columns together: what makes the judged column of the others."""


@dataclass(frozen=True)
class FalseFlags:
    """How much is flagged though it is none of the bad kinds, as far as recombined chunks tell."""

    allowed: float
    """Share of the chunks."""
    estimated: float
    """Share of the chunks that calibrated limits flag wrongly, all together; at most, since a bad chunk is counted as found by
    the one of them that finds most of its kind."""
    certainty: float
    """Probability of being bad from which a chunk is flagged: 0.5, more where that would be too many."""
    share_mix: float
    """Shares of the two kinds that the estimate stands on."""
    share_splice: float
    by_analyzer: Mapping[str, float]
    """The same of each calibrated limit alone."""


@dataclass(frozen=True)
class Scores:
    """Numbers, one row a chunk in the input's order, and the state that gave them."""

    frame: pd.DataFrame
    state: State
    chunks: ChunkFile
    settings: Mapping[str, Any]
    """Every setting that can change a number."""
    seconds: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> str:
        """Give the frame as JSON text: a list with an object a chunk, null where not measured."""
        return _records(self.frame)

    def _repr_html_(self) -> str:
        columns = [c for c in self.frame.columns if c not in ("doc_id", "position", "start", "end")]
        measured = ", ".join(f"{c} {int(self.frame[c].notna().sum()):,}" for c in columns if c != "chunk_id")
        facts = [f"Scores of {len(self.frame):,} chunks by {self.state.meta.get('embedder')}", f"measured: {measured}"]
        return _html(facts, self.frame[columns])


@dataclass(frozen=True)
class Flags:
    """Judgements: the scores' frame with the flag columns of DESIGN's outputs, and the limits behind them."""

    frame: pd.DataFrame
    judgements: tuple[Judgement, ...]
    scores: Scores
    settings: Mapping[str, Any]
    """Settings of the limits."""
    false_flags: FalseFlags | None = None
    """What the limits learned here cost; None where none was learned from this corpus, or they are an earlier run's."""

    def to_json(self) -> str:
        """Give the frame as JSON text: a list with an object a chunk, null where not measured."""
        return _records(self.frame)

    def _repr_html_(self) -> str:
        # By name, as the registry finds what lies above: results are below the report that draws them.
        shown: str = import_module("chunkeval.outputs").first_screen(self)
        return shown


_SHOWN = 5
_CELL = 60


def _records(frame: pd.DataFrame) -> str:
    text: str = frame.to_json(orient="records", force_ascii=False)
    return text


def _html(facts: list[str], frame: pd.DataFrame) -> str:
    """Facts and the first rows for a notebook: small, and nothing of the data is taken for markup."""

    def cell(value: Any) -> str:
        if isinstance(value, list):
            return escape(", ".join(map(str, value)))
        missing = value is None or type(value).__name__ == "NAType" or value != value
        text = "" if missing else str(value)
        return escape(text if len(text) <= _CELL else text[:_CELL] + "…")

    head = "".join(f"<th>{escape(str(c))}</th>" for c in frame.columns)
    rows = [[cell(v) for v in row] for row in frame.head(_SHOWN).astype(object).itertuples(index=False, name=None)]
    body = "".join("<tr>" + "".join(f"<td>{v}</td>" for v in row) + "</tr>" for row in rows)
    said = "<br>".join(map(escape, facts))
    return f"<p>{said}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
