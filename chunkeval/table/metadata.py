"""Metadata goes through untouched: a type for every column that parquet can hold, JSON for what it cannot."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chunkeval.table.cells import cells, scrub

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_EXACT = 2**53
"""Whole numbers up to here are exact as floats."""


@dataclass
class Kinds:
    """What a column was seen to hold; grows batch by batch."""

    types: set[type] = field(default_factory=set)
    inner: set[type] = field(default_factory=set)
    """Types within lists."""
    largest: int = 0
    zoned: bool = False
    """Whether a date has a time zone."""
    arrow: list[Any] = field(default_factory=list)
    """Distinct types of batches that come with one."""

    def add(self, frame: pd.DataFrame, column: str) -> None:
        """Take a batch's cells into account."""
        import pyarrow as pa

        if frame[column].dtype != object:
            try:
                kind = pa.array(frame[column], from_pandas=True).type
            except (pa.ArrowNotImplementedError, pa.ArrowInvalid, pa.ArrowTypeError):
                self.types.add(object)  # complex numbers and the like: JSON holds them as words
                return
            if kind not in self.arrow:
                self.arrow.append(kind)
            return
        values = cells(frame, column)
        seen = set(map(type, values)) - {type(None)}
        self.types |= seen
        if list in seen:
            for value in values:
                if isinstance(value, list):
                    self.inner |= set(map(type, value))
                    self._measure(value, self.inner)
        if datetime.datetime in seen:
            self.zoned |= any(isinstance(value, datetime.datetime) and value.tzinfo is not None for value in values)
        self._measure(values, seen)

    def _measure(self, values: Iterable[Any], seen: set[type]) -> None:
        if int in seen:
            self.largest = max([self.largest, *(abs(value) for value in values if type(value) is int)])

    def arrow_type(self) -> pa.DataType | None:
        """Type that holds every cell exactly; None: JSON it is."""
        import pyarrow as pa

        if self.arrow:
            return _united(self.arrow) if not self.types else None
        if self.types == {list}:
            inner = _scalar(self.inner - {type(None)}, self.largest)
            return pa.list_(inner) if inner is not None else None
        if self.types == {datetime.datetime} and not self.zoned:
            return pa.timestamp("us")
        return _scalar(self.types, self.largest)


def _scalar(types: set[type], largest: int) -> pa.DataType | None:
    import pyarrow as pa

    if types <= {str}:
        return pa.large_string()
    if types == {bool}:
        return pa.bool_()
    if types == {int}:
        return pa.int64() if largest < 2**63 else None
    if types <= {int, float}:
        return pa.float64() if largest <= _EXACT else None
    if types == {datetime.date}:
        return pa.date32()
    return None


def _united(kinds: Sequence[pa.DataType]) -> pa.DataType | None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        field_ = pa.unify_schemas([pa.schema([("x", kind)]) for kind in kinds], promote_options="permissive").field("x")
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return None
    kind = field_.type
    while isinstance(kind, pa.BaseExtensionType | pa.DictionaryType):
        kind = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind.value_type
    if pa.types.is_string(kind) or pa.types.is_string_view(kind) or pa.types.is_null(kind):
        return pa.large_string()
    try:
        # the one sure way to learn whether parquet holds a type
        pq.write_table(pa.schema([("x", kind)]).empty_table(), pa.BufferOutputStream())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return None
    return kind


def column(frame: pd.DataFrame, name: str, kind: pa.DataType | None) -> pa.Array | pa.ChunkedArray:
    """Cells of one batch under the type of the whole column; ``kind`` None writes them as JSON."""
    import pyarrow as pa

    if name not in frame.columns:
        return pa.nulls(len(frame), kind if kind is not None else pa.large_string())
    series = frame[name]
    if kind is not None and series.dtype != object:
        array = pa.array(series, from_pandas=True)
        while isinstance(array.type, pa.BaseExtensionType):
            array = array.cast(array.type.storage_type)
        return array.cast(kind) if array.type != kind else array
    values = cells(frame, name)
    if kind is None:
        return _strings([None if value is None else _json(value) for value in values])
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return pa.array([_scrubbed(value) for value in values], kind)


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError):  # keys that are no strings, an object within itself
        return json.dumps(str(value), ensure_ascii=False)


def _strings(texts: list[str | None]) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(texts, pa.large_string())
    except UnicodeEncodeError:
        return pa.array([None if text is None else scrub(text) for text in texts], pa.large_string())


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return scrub(value)
    return [_scrubbed(part) for part in value] if isinstance(value, list) else value
