"""Metadata of every type that a DataFrame can hold goes through, whatever parquet thinks of it."""

from __future__ import annotations

import decimal
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from chunkeval.config import LoadConfig
from chunkeval.loaders.write import write_frame

LOOP: list[object] = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    ("values", "stored"),
    [
        ([1 + 2j, 3j], ['"(1+2j)"', '"3j"']),
        (pd.interval_range(0, 2), None),
        (pd.period_range("2020", periods=2, freq="D"), None),
        (pd.Categorical(["가", None]), ["가", None]),
        (pd.to_timedelta(["1D", None]), None),
        ([{("가", 1): 2}, None], ["\"{('가', 1): 2}\"", None]),
        ([LOOP, None], ['"[[...]]"', None]),
        ([{1}, {2}], ['"{1}"', '"{2}"']),
        ([decimal.Decimal("1.1"), None], ['"1.1"', None]),
        ([b"\xff", "가"], None),
        ([object, 1], None),
    ],
)
def test_a_column_of_any_type_is_kept(tmp_path: Path, values: object, stored: list[object] | None) -> None:
    frame = pd.DataFrame({"text": ["하나이다.", "둘이다."], "x": pd.Series(values)})
    write_frame(frame, tmp_path / "chunks.parquet", LoadConfig())
    found = pq.read_table(tmp_path / "chunks.parquet")["x"].to_pylist()
    assert len(found) == 2
    assert stored is None or found == stored
