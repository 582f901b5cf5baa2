"""What stands at a chunk's start and is not its own: a contextual prefix, the neighbour's end."""

from __future__ import annotations

import mmap
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chunkeval.plurals import many
from chunkeval.text.sentences import VISIBLE, Span
from chunkeval.text.traits import BIT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chunkeval.results import ChunkFile

    Hashes = NDArray[np.uint64]
    Rows = NDArray[np.int64]

_ODD = np.uint64(0x9E3779B97F4A7C15)
"""Spreads small numbers over 64 bits."""
_LEVELS = 4
"""Openings of a chunk that are looked at."""
_REACH = 400
"""Code points within which an opening ends."""
_INLINE_LEAST, _LINE_LEAST = 8, 3
"""Code points that an opening has at least, within a line and as whole lines."""
_DIFFERENT = 3
"""Different chunks that an opening must start."""
_OVERLAP_LEAST, _OVERLAP_MOST = 20, 4_000
"""Code points of an overlap."""
_SPOKEN_LEAST = 8
"""Letters and digits of an overlap: rules and table borders are none."""

_LABEL = re.compile(
    r"\W{0,4}(?:document|doc|title|(?:sub)?section|source|chapter|heading|header|file ?(?:name|path)?"
    r"|path|breadcrumbs?|context|page|url|article"
    r"|문서(?: ?(?:명|제목))?|(?:소|대)?제목|출처|섹션|파일(?:명)?|경로|맥락|문맥|목차|분류|페이지"
    r"|文档|标题|来源|章节|文書|タイトル|出典|見出し)\W{0,3}[:：].{1,200}\n",
    re.IGNORECASE,
)
_INLINE = re.compile(r"[\])】]\s*(?=\S)|\s[|>›»–—-]\s+|[:：]\s+")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_SPOKEN = re.compile(r"[^\W_]")


@dataclass(frozen=True)
class Context:
    """What is known of n chunks beyond their texts."""

    skip: NDArray[np.int32]
    """(n,): code points at the start that are not the chunk's own."""
    prefix: NDArray[np.int32]
    """(n,): those of them that are a contextual prefix."""
    traits: NDArray[np.uint16]
    """(n,): bits ``prefix`` and ``overlap`` of `results.TRAITS`."""
    notes: tuple[str, ...]
    """What is left out, one sentence each."""
    sentences: Sequence[Sequence[Span] | None] | None = None
    """Of each chunk, as code points of its text, where they are known, as those of the document that it is cut from; None
    for a chunk whose sentences are to be found in its text."""


def nothing(rows: int) -> Context:
    """Leave nothing out."""
    return Context(np.zeros(rows, np.int32), np.zeros(rows, np.int32), np.zeros(rows, np.uint16), ())


def contextual(chunks: ChunkFile) -> Context:
    """Find what each chunk repeats from its context, reading the table in streams.

    A contextual prefix is the same opening (whole lines, or a bracket or a label within the first line) of at least
    three different chunks and of more than half of a document's or of all chunks (where documents are unknown: of
    three neighbours), or labelled first lines (``Document: …``) where more than half of all chunks have one. An
    overlap is what ends the chunk before and starts this one, after its prefix: at least 20 code points and at most
    half of the chunk. No chunk is left out whole.

    Parameters
    ----------
    chunks
        n rows. Their order does not matter where documents and positions are known.

    Returns
    -------
    Context
    """
    if chunks.rows == 0:
        return nothing(0)
    document, before = order(chunks)
    prefix = _prefixes(chunks, document)
    skip, example = _overlaps(chunks, before, prefix)
    overlap = skip > prefix
    traits = np.where(prefix > 0, BIT["prefix"], 0) | np.where(overlap, BIT["overlap"], 0)
    notes = []
    if example:
        notes.append(
            f"{many(int(np.count_nonzero(prefix)), 'chunk', 'start')} with an opening that others share, such as {example!r}: "
            f"it is left out of similarity, topics and duplicates."
        )
    if overlap.any():
        share = float(np.median((skip - prefix)[overlap]))
        notes.append(
            f"{many(int(np.count_nonzero(overlap)), 'chunk', 'start')} with the end of the chunk before ({share:.0f} characters in "
            f"the median): it is left out of similarity, topics and duplicates."
        )
    return Context(skip, prefix, traits.astype(np.uint16), tuple(notes))


def _texts(chunks: ChunkFile) -> Iterator[tuple[int, str]]:
    import pyarrow.parquet as pq

    row = 0
    with pq.ParquetFile(chunks.path) as file:
        for batch in file.iter_batches(batch_size=1024, columns=["text"]):
            for text in batch.column(0).to_pylist():
                yield row, text
                row += 1


def order(chunks: ChunkFile) -> tuple[Hashes, Rows]:
    """Give each row's document (hashed, 0 where unknown), and the row before it in that document, else -1."""
    import pandas as pd
    import pyarrow.parquet as pq

    rows = chunks.rows
    document, position = np.zeros(rows, np.uint64), np.zeros(rows, np.int64)
    first = 0
    with pq.ParquetFile(chunks.path) as file:
        for batch in file.iter_batches(batch_size=65_536, columns=["doc_id", "position"]):
            names = pd.Series(batch.column(0).to_pylist(), dtype=object)
            here = slice(first, first + len(names))
            known = names.notna().to_numpy()
            document[here][known] = pd.util.hash_array(
                names[known].to_numpy(dtype=object), categorize=True
            ) | np.uint64(1)
            position[here] = batch.column(1).to_numpy(zero_copy_only=False)
            first += len(names)
    position = np.where(document == 0, np.arange(rows), position)
    order = np.lexsort((position, document))
    before = np.full(rows, -1, np.int64)
    follows = document[order[1:]] == document[order[:-1]]
    before[order[1:][follows]] = order[:-1][follows]
    unknown = document == 0
    before[unknown & (before != np.arange(rows) - 1)] = -1
    return document, before


def _prefixes(chunks: ChunkFile, document: Hashes) -> NDArray[np.int32]:
    """(n,): code points of each chunk's contextual prefix."""
    rows = len(document)
    # 10 million rows: 500 MB.
    opening, length = np.zeros((_LEVELS, rows), np.uint64), np.zeros((_LEVELS, rows), np.int16)
    content, label = np.zeros(rows, np.uint64), np.zeros(rows, np.int16)
    for row, text in _texts(chunks):
        content[row] = _hash(text)
        label[row] = labelled(text)
        for level, end in enumerate(_openings(text)):
            opening[level, row], length[level, row] = _hash(text[:end]), end
    prefix = (
        label.astype(np.int32)
        if 2 * np.count_nonzero(label) > rows and np.count_nonzero(label) >= _DIFFERENT
        else np.zeros(rows, np.int32)
    )
    _, number, sizes = np.unique(document, return_inverse=True, return_counts=True)
    for level in range(_LEVELS):
        group, size = _neighbours(document, opening[level], sizes[number])
        shared = _repeated(opening[level] ^ group, content, size) | _repeated(opening[level], content, rows)
        prefix = np.where(shared & (length[level] > prefix), length[level], prefix)
    return prefix


def _repeated(key: Hashes, content: Hashes, size: Rows | int) -> NDArray[np.bool_]:
    """Whether an opening starts enough different chunks, and more than half of the ``size`` of its group."""
    order = np.lexsort((content, key))
    changes = np.r_[True, key[order][1:] != key[order][:-1]]
    starts = np.flatnonzero(changes)
    fresh = changes | np.r_[True, content[order][1:] != content[order][:-1]]
    counts = np.diff(np.r_[starts, len(key)])
    different = np.add.reduceat(fresh.astype(np.int64), starts)
    found, many = np.zeros(len(key), np.bool_), np.zeros(len(key), np.int64)
    found[order], many[order] = np.repeat(different >= _DIFFERENT, counts), np.repeat(counts, counts)
    return found & (2 * many > size)


def _neighbours(document: Hashes, opening: Hashes, size: Rows) -> tuple[Hashes, Rows]:
    """Give groups (n,) and their sizes (n,): where documents are unknown, neighbouring rows with the same opening."""
    unknown = document == 0
    goes_on = (opening[1:] == opening[:-1]) & unknown[1:] & unknown[:-1]
    run = np.cumsum(np.r_[False, ~goes_on])
    group = np.where(unknown, run.astype(np.uint64) * _ODD, document)
    return group, np.where(unknown, np.bincount(run)[run], size)


def _hash(text: str) -> int:
    return hash(text) & 0xFFFF_FFFF_FFFF_FFFF


def labelled(text: str) -> int:
    """Code points of the labelled lines that a text starts with, 0 if it has none or nothing else."""
    end = 0
    while end < _REACH and (found := _LABEL.match(text, end)):
        end = found.end()
    return end if end and VISIBLE.search(text, end) else 0


def _openings(text: str) -> list[int]:
    """Give the ends of what may be an opening, ascending, in and behind the first lines; something follows."""
    if text.startswith(("```", "~~~")):
        return []
    line = text.find("\n", 0, _REACH)
    ends = (
        []
        if text.startswith("|")
        else [found.end() for found in _INLINE.finditer(text, 0, line if line >= 0 else _REACH)]
    )
    ends = [end for end in ends if end >= _INLINE_LEAST and end != line][: _LEVELS // 2]
    while line >= 0 and len(ends) < _LEVELS:
        if line >= _LINE_LEAST:
            ends.append(line + 1)
        line = text.find("\n", line + 1, _REACH)
    return [end for end in ends if _LETTERS.search(text, 0, end) and VISIBLE.search(text, end)]


def _overlaps(chunks: ChunkFile, before: Rows, prefix: NDArray[np.int32]) -> tuple[NDArray[np.int32], str]:
    """Give each chunk's skip, prefix and overlap together, and one prefix to show."""
    rows = len(before)
    after = np.full(rows, -1, np.int64)
    after[before[before >= 0]] = np.flatnonzero(before >= 0)
    # Neighbours that are not next to each other in the table are compared with a copy of their heads on disk.
    apart = (before >= 0) & (before != np.arange(rows) - 1)
    skip, example, previous = prefix.copy(), "", ""
    with tempfile.TemporaryFile(dir=chunks.path.parent) as spool:
        bounds, leads = np.zeros(rows + 1, np.int64), np.zeros(rows, np.int32)
        if apart.any():
            for row, text in _texts(chunks):
                leads[row], head = _head(text, prefix[row]) if apart[row] else (0, "")
                bounds[row + 1] = bounds[row] + spool.write(head.encode())
            spool.flush()
        heads = mmap.mmap(spool.fileno(), 0, access=mmap.ACCESS_READ) if bounds[-1] else b""
        for row, text in _texts(chunks):
            if before[row] == row - 1 and row:
                lead, head = _head(text, prefix[row])
                overlap = _overlap(previous, head)
                skip[row] += lead + overlap if overlap else 0
            follower = after[row]
            if follower >= 0 and apart[follower]:
                overlap = _overlap(text, heads[bounds[follower] : bounds[follower + 1]].decode())
                skip[follower] += leads[follower] + overlap if overlap else 0
            if prefix[row] and not example:
                example = text[: prefix[row]].strip()[:80]
            previous = text
    return skip, example


def _head(text: str, prefix: int) -> tuple[int, str]:
    """White space after a chunk's prefix, and what follows, as far as an overlap may go."""
    body = text[prefix : prefix + 2 * _OVERLAP_MOST].strip()
    lead = len(text) - prefix - len(text[prefix:].lstrip())
    half = len(body) // 2
    return (lead, body[:half]) if VISIBLE.search(body, half) else (0, "")


def _overlap(previous: str, head: str) -> int:
    """Measure the longest end of a chunk that the next one's head starts with; 0 where that is too short to tell."""
    if len(head) < _OVERLAP_LEAST:
        return 0
    tail = previous.rstrip()[-len(head) :]
    seed = head[:_OVERLAP_LEAST]
    at = tail.find(seed)
    while at >= 0:
        if head.startswith(tail[at:]):
            return len(tail) - at if len(_SPOKEN.findall(tail, at)) >= _SPOKEN_LEAST else 0
        at = tail.find(seed, at + 1)
    return 0
