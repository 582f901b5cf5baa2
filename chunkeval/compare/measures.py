"""What is measured of a strategy without questions: in all, and document by document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval.compare.cohesion import contrast
from chunkeval.compare.gold import COLUMNS, against_gold
from chunkeval.text import embeddings

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from chunkeval.cache import Cache
    from chunkeval.compare.documents import Corpus, Row
    from chunkeval.compare.judging import Judge
    from chunkeval.results import Flags, Floats, Ints, Limit
    from chunkeval.text.context import Context

Better = Literal["higher", "lower"]

INTRINSIC: Mapping[str, Better] = {
    "flagged": "lower",
    "broken": "lower",
    "contrast": "higher",
    "reused": "lower",
    "duplicated": "lower",
    "on_target": "higher",
}
"""Measures that need nothing but the chunks, and which end of them is good."""

GOLD: Mapping[str, Better] = {
    "pk": "lower",
    "window_diff": "lower",
    "boundary_similarity": "higher",
    "boundary_precision": "higher",
    "boundary_recall": "higher",
    "boundary_f1": "higher",
}
"""Those that need known section boundaries."""

BROKEN = frozenset({"starts_mid_sentence", "ends_mid_sentence", "cut_table", "cut_code"})
"""Reasons of a chunk that was cut inside something."""

DUPLICATED = frozenset({"duplicate", "near_duplicate"})


@dataclass(frozen=True)
class Measured:
    """A strategy's figures."""

    facts: dict[str, Any]
    documents: pd.DataFrame
    """A row a document, by name: the measures, NaN where there is nothing to measure."""


def measured(
    rows: Sequence[Row],
    order: Sequence[int],
    flags: Flags,
    judge: Judge,
    context: Context,
    corpus: Corpus | None,
    gold: Mapping[str, Sequence[int]] | None,
    cache: Cache,
    target: Limit | None = None,
) -> Measured:
    """Measure a strategy.

    Parameters
    ----------
    rows
        Its chunks in the order of their documents.
    order
        Their places in the table.
    flags
        The table, judged.
    judge
        What judged it.
    context
        What was left out of its chunks.
    corpus
        The documents; None where no table names any.
    gold
        Document to the starts of its sections but the first.
    target
        Token counts that chunks are to have.
    """
    import pandas as pd

    frame = flags.frame.iloc[list(order)].reset_index(drop=True)
    lengths = np.array([len(row.text) for row in rows], dtype=np.float64)
    names = list(dict.fromkeys(row.doc_id for row in rows))
    number = {name: at for at, name in enumerate(names)}
    document = np.array([number[row.doc_id] for row in rows], dtype=np.int64)
    reasons = [frozenset(found) for found in frame["reasons"]]
    masks = {
        "flagged": frame["flagged"].to_numpy(dtype=bool),
        "broken": np.array([bool(found & BROKEN) for found in reasons], dtype=bool),
        "duplicated": np.array([bool(found & DUPLICATED) for found in reasons], dtype=bool),
    }
    chunks = np.bincount(document, minlength=len(names)).astype(np.float64)
    characters = np.bincount(document, lengths, minlength=len(names)).astype(np.float64)
    own = _own(rows, order, context)
    within, across = _cohesion(rows, order, document, flags, judge, cache, len(names))
    table = pd.DataFrame(
        {
            "doc_id": names,
            "chunks": chunks,
            "flagged": _share(document, masks["flagged"] * lengths, characters),
            "broken": _share(document, masks["broken"], chunks),
            "contrast": within - across,
            "reused": _share(document, lengths - own, characters),
            "duplicated": _share(document, masks["duplicated"], chunks),
        }
    )
    known = against_gold(rows, corpus, gold) if gold is not None and corpus is not None else {}
    for name in COLUMNS if known else ():
        table[name] = [known.get(str(doc), {}).get(name, np.nan) for doc in names]
    tokens = frame["token_count"].to_numpy(np.float64, na_value=np.nan) if "token_count" in frame else None
    aims: dict[str, float] = {}
    if target is not None and tokens is not None:
        below, above = _beside(tokens, target)
        table["on_target"] = _share(document, ~(below | above), chunks)
        aims = {name: _ratio(mask.sum(), len(rows)) for name, mask in (("below", below), ("above", above))}
    facts: dict[str, Any] = {
        "chunks": len(rows),
        "documents": int(sum(name is not None for name in names)),
        "characters": _spread(lengths),
        "tokens": None if tokens is None else {**_spread(tokens), "total": int(np.nansum(tokens))},
        "flagged_chunks": int(masks["flagged"].sum()),
        "reasons": _counts(found for found, bad in zip(reasons, masks["flagged"], strict=True) if bad),
        "flagged": _ratio(float(lengths[masks["flagged"]].sum()), float(lengths.sum())),
        "broken": _ratio(masks["broken"].sum(), len(rows)),
        "cohesion": {"within": _mean(within), "across": _mean(across)},
        "contrast": _mean(within - across),
        "reused": _ratio((lengths - own).sum(), lengths.sum()),
        "duplicated": _ratio(masks["duplicated"].sum(), len(rows)),
        "on_target": _rounded(1 - sum(aims.values())) if aims else None,
        "beside_target": aims or None,
        **{name: _mean(table[name].to_numpy(np.float64)) for name in COLUMNS if known},
    }
    table = table[[name is not None for name in names]].set_index("doc_id")
    return Measured(facts, table)


def _beside(tokens: Floats, target: Limit) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which chunks have fewer tokens than they are to have, and which have more."""
    below = tokens < (-np.inf if target.low is None else target.low)
    return below, tokens > (np.inf if target.high is None else target.high)


def _own(rows: Sequence[Row], order: Sequence[int], context: Context) -> Floats:
    """Characters of each chunk that no earlier one of its document has: by its place, else without the repeated start."""
    repeated = (context.skip - context.prefix)[list(order)]
    own = np.array([len(row.text) for row in rows], dtype=np.float64) - repeated
    reached: dict[str | None, int] = {}
    for at, row in enumerate(rows):
        if row.spans is not None and len(row.spans) == 1:
            start, end = row.spans[0]
            own[at] = max(0, end - max(start, reached.get(row.doc_id, 0)))
            reached[row.doc_id] = max(end, reached.get(row.doc_id, 0))
    return own


def _cohesion(
    rows: Sequence[Row],
    order: Sequence[int],
    document: Ints,
    flags: Flags,
    judge: Judge,
    cache: Cache,
    documents: int,
) -> tuple[Floats, Floats]:
    state = flags.scores.state
    if "similarity" not in state.arrays or "mean" not in state.arrays["similarity"]:
        return np.full(documents, np.nan), np.full(documents, np.nan)
    embedder = judge.embedder
    if isinstance(embedder, embeddings.Fittable):
        embedder = embedder.fitted(state.arrays["embedder"])
    store = embeddings.opened(cache, embedder)
    text = state.arrays["text"]
    offsets, starts, ends = (text[name].tolist() for name in ("sentence_offsets", "sentence_start", "sentence_end"))
    chunk: list[int] = []
    sentences: list[str] = []
    for at, (row, place) in enumerate(zip(rows, order, strict=True)):
        for number in range(offsets[place], offsets[place + 1]):
            sentences.append(row.text[starts[number] : ends[number]])
            chunk.append(at)
    keys = embeddings.keys_of(sentences)
    held = np.array(chunk, dtype=np.int64)
    return contrast(
        held,
        document[held],
        lambda some: store.gather(keys[some], embedder.dimension),
        state.arrays["similarity"]["mean"].astype(np.float64),
        documents,
    )


def _share(document: Any, amounts: Any, totals: Floats) -> Floats:
    sums = np.bincount(document, amounts, minlength=len(totals))
    found: Floats = np.where(totals > 0, sums / np.where(totals > 0, totals, 1), np.nan)
    return found


def _spread(values: Floats) -> dict[str, float | None]:
    known = values[np.isfinite(values)]
    if not len(known):
        return dict.fromkeys(("min", "q1", "median", "q3", "max", "mean"))
    ends = np.percentile(known, [0, 25, 50, 75, 100])
    names = ("min", "q1", "median", "q3", "max")
    return {**{name: round(float(v), 3) for name, v in zip(names, ends, strict=True)}, "mean": _rounded(known.mean())}


def _counts(found: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for reasons in found:
        for reason in reasons:
            counts[reason] = counts.get(reason, 0) + 1
    return {name: counts[name] for name in sorted(counts, key=lambda name: (-counts[name], name))}


def _ratio(part: float, total: float) -> float:
    return _rounded(part / total) if total else 0.0


def _mean(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return _rounded(known.mean()) if len(known) else None


def _rounded(value: float) -> float:
    return round(float(value), 6)
