"""The first pass over a source: every rule of the chunk table is checked before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from chunkeval.config import LoadConfig
from chunkeval.errors import TableError
from chunkeval.plurals import many
from chunkeval.table.cells import as_spans, as_whole, cells, has_surrogates
from chunkeval.table.chunks import MetadataColumn, RawBatch, TablePlan, kept, keys_of, texts_of, with_document
from chunkeval.table.columns import CORE, Roles, assign, text_candidates, two_texts
from chunkeval.table.keys import NOTHING, hashes, paired, repeated_rows, repeats, running_number
from chunkeval.table.metadata import Kinds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.uint64]

NO_DOCUMENTS = "No column names the documents."
"""Said of a table of chunks; a table of documents may name them by its ids."""


@dataclass
class _Seen:
    """What the batches so far hold; every array has a part a batch."""

    rows: int = 0
    skipped: int = 0
    surrogates: int = 0
    misfits: int = 0
    """Rows whose offsets span another length than the text has."""
    ids: list[Codes] = field(default_factory=list)
    docs: list[Codes] = field(default_factory=list)
    pairs: list[Codes] = field(default_factory=list)
    """Hashes of ``doc_id:id``."""
    positions: dict[str, list[NDArray[np.int64]] | None] = field(default_factory=dict)
    """Candidate to its values; None: not all of them are whole numbers."""
    offsets: bool = True
    spans: bool = True
    columns: dict[str, Kinds] = field(default_factory=dict)


def plan(batches: Iterable[RawBatch], config: LoadConfig) -> TablePlan:
    """Check the whole table and decide what each column is.

    Parameters
    ----------
    batches
        The source's rows; iterated once, and again only to tell apart ids whose hashes collide.
    config
        Columns named by the caller, and what to do with null texts.

    Raises
    ------
    TableError
        The message names the row, the column and the fix.
    """
    roles: Roles | None = None
    seen = _Seen()
    for raw in batches:
        if roles is None:
            roles = assign(raw.frame, text=config.text, doc=config.doc, chunk_id=config.id)
            seen.positions = {name: [] for name in roles.positions}
        elif config.text is None:
            _one_text(raw, roles)
        _look(raw, roles, config, seen)
    if roles is None or not seen.rows + seen.skipped:
        raise TableError("there are no rows, only a header at most: give a table with at least one chunk")
    if not seen.rows:
        raise TableError(f"the text in column {roles.text!r} is null in every row: name another column with --text")
    return _decide(batches, roles, seen)


def _one_text(batch: RawBatch, roles: Roles) -> None:
    found = [name for name in text_candidates(str(c) for c in batch.frame.columns) if name != roles.text]
    if found:
        row = next((i for i, cell in enumerate(cells(batch.frame, found[0])) if cell is not None), 0)
        raise TableError(f"{batch.place(row)}: {two_texts([roles.text, *found])}")


def _look(raw: RawBatch, roles: Roles, config: LoadConfig, seen: _Seen) -> None:
    found = texts_of(raw, roles.text)
    nulls = [i for i, text in enumerate(found) if text is None]
    if nulls and config.on_null == "error":
        raise TableError(
            f"{raw.place(nulls[0])}: the text in column {roles.text!r} is null: "
            f"fill it in, or leave such rows out with --on-null skip"
        )
    seen.skipped += len(nulls)
    for name in raw.frame.columns:
        if name != roles.text:
            seen.columns.setdefault(str(name), Kinds()).add(raw.frame, name)
    batch = kept(raw, found)
    texts = [text for text in found if text is not None]
    if not texts:
        return
    seen.rows += len(texts)
    seen.surrogates += sum(map(has_surrogates, texts))
    docs, ids = keys_of(batch, roles.doc_id, "--doc"), keys_of(batch, roles.chunk_id, "--id")
    seen.docs.append(hashes(docs))
    if roles.chunk_id is not None:
        seen.ids.append(hashes(ids))
        if roles.doc_id is not None:
            seen.pairs.append(hashes([with_document(doc, name) for doc, name in zip(docs, ids, strict=True)]))
    for name, parts in seen.positions.items():
        if parts is None:
            continue
        whole = [number for cell in cells(batch.frame, name) if (number := as_whole(cell)) is not None]
        if len(whole) == len(texts):
            parts.append(np.array(whole, dtype=np.int64))
        else:
            seen.positions[name] = None
    if roles.offsets is not None and seen.offsets:
        _look_at_offsets(batch, roles.offsets, texts, seen)
    if roles.spans is not None and seen.spans:
        seen.spans = all(cell in (None, "") or as_spans(cell) is not None for cell in cells(batch.frame, roles.spans))


def _look_at_offsets(batch: RawBatch, names: tuple[str, str], texts: list[str], seen: _Seen) -> None:
    starts, ends = (cells(batch.frame, name) for name in names)
    for start_cell, end_cell, text in zip(starts, ends, texts, strict=True):
        start, end = as_whole(start_cell), as_whole(end_cell)
        empty = start_cell in (None, "") and end_cell in (None, "")
        if not empty and (start is None or end is None or not 0 <= start <= end):
            seen.offsets = False
            return
        seen.misfits += start is not None and end is not None and end - start != len(text)


def _decide(batches: Iterable[RawBatch], roles: Roles, seen: _Seen) -> TablePlan:
    notes: list[str] = []
    whole = {name: np.concatenate(parts) for name, parts in seen.positions.items() if parts is not None}
    docs = np.concatenate(seen.docs)
    id_rule, roles = _id_rule(batches, roles, seen, whole, notes)
    if id_rule == "made" and roles.doc_id is not None and seen.ids and roles.chunk_id is None:
        docs = np.concatenate(seen.ids)
    columns = {"text": roles.text, "chunk_id": roles.chunk_id, "doc_id": roles.doc_id}
    positions, columns["position"] = _position(docs, roles, whole, notes)
    if roles.offsets is not None and seen.offsets:
        columns["start"], columns["end"] = roles.offsets
        if seen.misfits:
            notes.append(f"In {many(seen.misfits, 'row')} the text is not as long as its start and end say.")
    elif roles.offsets is not None:
        names = " and ".join(map(repr, roles.offsets))
        notes.append(f"Columns {names} are no offsets (not whole numbers in order): kept as metadata.")
    if roles.spans is not None and seen.spans:
        columns["spans"] = roles.spans
    elif roles.spans is not None:
        notes.append(f"Column {roles.spans!r} is no list of [start, end]: kept as metadata.")
    used = {core: name for core, name in columns.items() if name is not None}
    if roles.doc_id is None:
        notes.append(NO_DOCUMENTS)
    elif missing := int((docs == NOTHING).sum()):
        notes.append(f"No document is named in column {roles.doc_id!r} by {many(missing, 'row')}.")
    if seen.surrogates:
        notes.append(f"Lone surrogates in {many(seen.surrogates, 'text')} became U+FFFD.")
    if seen.skipped:
        notes.append(f"Left out for a null text: {many(seen.skipped, 'row')}.")
    return TablePlan(
        columns=used,
        id_rule=id_rule,
        rows=seen.rows,
        skipped_null=seen.skipped,
        surrogates=seen.surrogates,
        positions=positions,
        metadata=_metadata(seen.columns, set(used.values()), notes),
        notes=tuple(notes),
    )


def _id_rule(
    batches: Iterable[RawBatch], roles: Roles, seen: _Seen, whole: dict[str, NDArray[np.int64]], notes: list[str]
) -> tuple[Literal["given", "with_document", "made"], Roles]:
    name = roles.chunk_id
    if name is None:
        return "made", roles
    ids = np.concatenate(seen.ids)
    missing = int((ids == NOTHING).sum())
    if missing:
        notes.append(f"No id is in column {name!r} of {many(missing, 'row')}: made from document, position and text.")
    repeat = _confirmed(batches, roles, ids, lambda batch: keys_of(batch, name, "--id"))
    if repeat is None:
        return "given", roles
    if roles.doc_id is not None and not repeats(np.concatenate(seen.pairs)):
        notes.append(f"Ids in column {name!r} repeat across documents: chunk_id is doc_id:id.")
        return "with_document", roles
    if not roles.id_given and not roles.doc_given and not missing:
        for position, numbers in whole.items():
            if not repeats(paired(ids, numbers)):
                instead = "" if roles.doc_id is None else f", column {roles.doc_id!r} does not"
                notes.append(
                    f"Ids in column {name!r} repeat ({many(repeated_rows(ids, 1)[1], 'row')}) and are unique together with {position!r}: "
                    f"they name the document{instead}. If they are to name chunks, --id {name!r} says which rows to mend."
                )
                kept_positions = (position, *(other for other in roles.positions if other != position))
                return "made", replace(roles, chunk_id=None, doc_id=name, positions=kept_positions)
    first, second, value = repeat
    again = repeated_rows(ids, 1)[1]
    more = f" ({many(again, 'row')} repeat an earlier id)" if again > 1 else ""
    fix = "name another column with --id"
    if roles.doc_id is None:
        fix = "name the documents' column with --doc if they are unique within one"
    raise TableError(
        f"{first} and {second} have the same id {value[:80]!r} in column {name!r}{more}: make ids unique, or {fix}"
    )


def _confirmed(
    batches: Iterable[RawBatch], roles: Roles, codes: Codes, values: Callable[[RawBatch], list[str | None]]
) -> tuple[str, str, str] | None:
    """Read rows whose hashes repeat again: two places and the value they share, None if only the hashes are equal."""
    if not repeats(codes):
        return None
    pairs, _ = repeated_rows(codes)
    wanted = {int(row) for row in pairs.ravel()}
    found: dict[int, tuple[str, str | None]] = {}
    done = 0
    for raw in batches:
        batch = kept(raw, texts_of(raw, roles.text))
        here = [row for row in wanted if done <= row < done + len(batch.frame)]
        if here:
            keys = values(batch)
            found |= {row: (batch.place(row - done), keys[row - done]) for row in here}
        done += len(batch.frame)
        for one, other in pairs.tolist():
            if one in found and other in found and found[one][1] == found[other][1]:
                return found[one][0], found[other][0], str(found[one][1])
        if len(found) == len(wanted):
            break
    return None


def _position(
    docs: Codes, roles: Roles, whole: dict[str, NDArray[np.int64]], notes: list[str]
) -> tuple[NDArray[np.int64], str | None]:
    for name in roles.positions:
        if name not in whole:
            notes.append(f"Column {name!r} is not the position (not all whole numbers): kept as metadata.")
        elif repeats(paired(docs, whole[name])):
            notes.append(f"Column {name!r} is not the position (it repeats within a document): kept as metadata.")
        else:
            return whole[name], name
    return running_number(docs), None


def _metadata(columns: dict[str, Kinds], used: set[str], notes: list[str]) -> tuple[MetadataColumn, ...]:
    names = [name for name in columns if name not in used]
    taken = {*CORE, *(name for name in names if name not in CORE)}
    items: list[MetadataColumn] = []
    written: list[Any] = []
    for name in names:
        output = name
        if name in CORE:
            output = next(new for n in count(1) if (new := f"{name} (source{'' if n == 1 else f' {n}'})") not in taken)
            taken.add(output)
            notes.append(f"Column {name!r} of the source is kept as {output!r}.")
        items.append(MetadataColumn(name, output, kind := columns[name].arrow_type()))
        written += [name] if kind is None else []
    if written:
        notes.append(f"Stored as JSON, since a column has one type: {', '.join(map(repr, written[:20]))}.")
    return tuple(items)
