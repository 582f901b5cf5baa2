"""Which chunks a person called good and which bad: a column of a table, or the decisions about a run's outliers."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from chunkeval import csvs
from chunkeval.errors import TableError
from chunkeval.evidence import FEWEST
from chunkeval.table.columns import listing, matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import ChunkFile

NAMES = (
    "label", "labels", "quality", "verdict", "decision", "good", "is_good", "bad", "is_bad",
    "라벨", "레이블", "품질", "판정", "정상", "양호", "불량",
)  # fmt: skip
"""Columns that may hold the label; two of them are an error."""

ASK_FOR_BAD = ("bad", "is_bad", "불량")
"""Columns in which yes means bad."""

GOOD = ("good", "ok", "keep", "pass", "좋음", "정상", "양호", "적합", "유지")
BAD = ("bad", "drop", "split", "merge", "fail", "나쁨", "불량", "비정상", "부적합", "삭제")
YES = ("1", "true", "yes", "y", "예", "참")
NO = ("0", "false", "no", "n", "아니요", "아니오", "거짓")

ROWS_NAMED = 3
"""Rows that an error about values names."""


@dataclass(frozen=True)
class Marks:
    """A label a chunk, and where it comes from."""

    source: str
    column: str
    good: NDArray[np.bool_]
    """(n,)"""
    bad: NDArray[np.bool_]
    """(n,) Chunks that are neither carry no label."""
    read_as: Mapping[str, str]
    """Each value that was found, to ``good`` or ``bad``."""

    @property
    def counts(self) -> tuple[int, int]:
        """Good and bad chunks."""
        return int(self.good.sum()), int(self.bad.sum())

    def check(self) -> None:
        """Refuse labels that are too few to read a limit off.

        Raises
        ------
        TableError
            Under 20 good or 20 bad chunks; the message gives both numbers.
        """
        good, bad = self.counts
        if min(good, bad) < FEWEST:
            raise TableError(
                f"{self.source}, column {self.column!r}: {good} good and {bad} bad chunks, at least {FEWEST} of each "
                f"are needed to read limits off them: label more"
            )


def of_table(chunks: ChunkFile, name: str | None) -> Marks:
    """Read the labels of a chunk table.

    Parameters
    ----------
    chunks
        The table on disk, its label among its other columns.
    name
        The label's column; guessed where not given.

    Returns
    -------
    Marks
        A null or an empty label is none. Good are good, ok, keep, pass, 좋음, 정상, …; bad are bad, drop, split, merge,
        나쁨, 불량, …; 1, true, yes mean good (bad in a column called bad, is_bad or 불량) and 0, false, no the other.

    Raises
    ------
    TableError
        No column, or more than one, could be the label; or a label is none of these. The message names column and rows.
    """
    import pyarrow.parquet as pq

    names = pq.read_schema(chunks.path).names
    column = _named(name, names) if name is not None else _guessed(names)
    values = pq.read_table(chunks.path, columns=[column]).column(0).to_pylist()
    words = [_word(value) for value in values]
    yes_is_good = _plain(column) not in ASK_FOR_BAD
    meaning = {**dict.fromkeys((*GOOD, *(YES if yes_is_good else NO)), "good")}
    meaning |= dict.fromkeys((*BAD, *(NO if yes_is_good else YES)), "bad")
    unknown = [row for row, word in enumerate(words, start=1) if word and word not in meaning]
    if unknown:
        first = words[unknown[0] - 1]
        rows = ", ".join(map(str, unknown[:ROWS_NAMED])) + (" …" if len(unknown) > ROWS_NAMED else "")
        raise TableError(
            f"{chunks.info.source}, column {column!r}, row {rows}: {first[:60]!r} is no label: write good or bad (1 or 0, "
            f"keep or drop, 좋음 or 나쁨), leave it empty where not judged, or name another column with --label"
        )
    kinds = np.array([meaning.get(word, "") for word in words], dtype=object)
    found = sorted({word for word in words if word})
    return Marks(chunks.info.source, column, kinds == "good", kinds == "bad", {word: meaning[word] for word in found})


def of_decisions(source: str, identities: Sequence[str], decisions: Mapping[str, str]) -> Marks:
    """Take decisions for labels: keep is good; drop, split and merge are bad.

    Parameters
    ----------
    source
        Names them in messages.
    identities
        chunk_ids of the run, in its order.
    decisions
        Filled decisions by chunk_id.
    """
    made = np.array([decisions.get(identity, "") for identity in identities], dtype=object)
    counts = Counter(decisions.values())
    read_as = {decision: "good" if decision == "keep" else "bad" for decision in sorted(counts)}
    return Marks(source, "decision", made == "keep", (made != "keep") & (made != ""), read_as)


def holds_decisions(path: Path) -> bool:
    """Whether a file is an outlier list: a CSV with the columns chunk_id and decision.

    Examples
    --------
    >>> holds_decisions(Path("datasets/ko/chunks.csv"))
    False
    """
    if path.suffix.lower() not in (".csv", ".tsv") or not path.is_file():
        return False
    try:
        first = next(islice(csvs.read(path), 1), {})
    except TableError:
        return False
    return {"chunk_id", "decision"} <= first.keys()


def _guessed(columns: Sequence[str]) -> str:
    by_plain = {_plain(column): column for column in columns}
    found = [by_plain[name] for name in matches(NAMES, list(by_plain))]
    if not found:
        raise TableError(f"no label column among {listing(columns)}: name it with --label COLUMN")
    if len(found) > 1:
        listed = " and ".join(repr(name) for name in found)
        raise TableError(f"columns {listed} could each be the label: choose one, e.g. --label {found[0]}")
    return found[0]


def _named(name: str, columns: Sequence[str]) -> str:
    alike = [column for column in columns if column == name] or [c for c in columns if _plain(c) == _plain(name)]
    if len(alike) != 1:
        raise TableError(f"no column {name!r} for --label (columns: {listing(columns)})")
    return alike[0]


def _word(value: Any) -> str:
    if value is None or value != value:
        return ""
    # pandas writes whole numbers as 1.0 where some are missing.
    return _plain(str(value)).removesuffix(".0")


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().casefold()
