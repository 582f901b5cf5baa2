"""The page's data: packed exactly, neighbours right, the same bytes for the same input."""

from __future__ import annotations

import base64
import gzip

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.report.packed import NONE, codes, pack, pack_arrays, pack_json
from chunkeval.report.passages import neighbours


def unpacked(text: str) -> bytes:
    return gzip.decompress(base64.b64decode(text))


def column(values: list[float]) -> list[float]:
    """Values of one column after packing and unpacking."""
    array = np.array(values, dtype=np.float64)
    ((kind,), text) = pack_arrays({"x": array})
    if kind["kind"] == "f64":
        return np.frombuffer(unpacked(text), dtype="<f8").tolist()
    stored = np.frombuffer(unpacked(text), dtype="<i4")
    return np.where(stored == NONE, np.nan, stored / kind["scale"]).tolist()


@given(st.lists(st.one_of(st.just(float("nan")), st.integers(-(10**9), 10**9).map(lambda n: n / 1e6)), max_size=50))
def test_scores_of_six_decimals_come_back_exactly(values: list[float]) -> None:
    np.testing.assert_array_equal(column(values), values)


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), max_size=50))
def test_any_number_comes_back_exactly(values: list[float]) -> None:
    back = column(values)
    finite = [value if abs(value) != float("inf") else back[at] for at, value in enumerate(values)]
    np.testing.assert_array_equal(back, finite)


def test_columns_lie_one_behind_the_other_doubles_first() -> None:
    kinds, text = pack_arrays(
        {"a": np.array([1, 2]), "b": np.array([0.1234567891, 1e300]), "c": np.array([0.5, np.nan])}
    )
    assert [(kind["name"], kind["kind"]) for kind in kinds] == [("b", "f64"), ("a", "i32"), ("c", "i32")]
    raw = unpacked(text)
    assert np.frombuffer(raw[:16], "<f8").tolist() == [0.1234567891, 1e300]
    assert np.frombuffer(raw[16:], "<i4").tolist() == [1, 2, 500_000, NONE]


def test_the_same_bytes_give_the_same_text_whenever_it_is_made() -> None:
    assert pack("청크".encode()) == pack("청크".encode())
    assert unpacked(pack("청크".encode()))[4:8] != b"" and base64.b64decode(pack(b"a"))[4:8] == b"\0\0\0\0"


def test_lone_surrogates_pass_as_escapes() -> None:
    assert unpacked(pack_json({"a": "\ud800한"})) == b'{"a":"\\ud800\\ud55c"}'
    assert unpacked(pack_json({"a": "한"})).decode() == '{"a":"한"}'


def test_codes_number_values_as_they_come() -> None:
    numbers, names = codes([("b",), None, ("a",), ("b",)])
    assert numbers.tolist() == [0, -1, 1, 0] and names == [("b",), ("a",)]


rows = st.lists(st.tuples(st.sampled_from(["가", "나", None]), st.integers(0, 5)), min_size=1, max_size=30)


@given(rows)
def test_neighbours_are_the_next_by_position_in_the_document(table: list[tuple[str | None, int]]) -> None:
    frame = pd.DataFrame(table, columns=["doc_id", "position"])
    before, after = neighbours(frame)
    for name in ("가", "나"):
        order = frame[frame["doc_id"] == name].sort_values("position", kind="stable").index.tolist()
        assert [after[row] for row in order] == [*order[1:], -1][: len(order)]
        assert [before[row] for row in order] == [-1, *order[:-1]][: len(order)]
    for row in frame.index[frame["doc_id"].isna()]:
        follows = row + 1 < len(frame) and pd.isna(frame["doc_id"][row + 1])
        assert after[row] == (row + 1 if follows else -1)
