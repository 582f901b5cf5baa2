"""Which values mean good, which bad, and what is said where neither is meant."""

import unicodedata

import pandas as pd
import pytest

from chunkeval import labels, loaders
from chunkeval.config import LoadConfig
from chunkeval.errors import TableError


def marks(tmp_path, values, column="label", name=None, **others):
    rows = len(values)
    frame = pd.DataFrame({"text": [f"문장 {i}." for i in range(rows)], column: values, **others})
    return labels.of_table(loaders.write_frame(frame, tmp_path / "chunks.parquet", LoadConfig()), name)


@pytest.mark.parametrize(
    "values",
    [
        ["good", "bad", None],
        [" Good ", "BAD", ""],
        [1, 0, None],
        [1.0, 0.0, float("nan")],
        ["1", "0", " "],
        ["1.0", "0.0", ""],
        [True, False, None],
        ["true", "False", None],
        ["keep", "drop", None],
        ["keep", "split", None],
        ["keep", "merge", None],
        ["좋음", "나쁨", None],
        ["정상", "불량", None],
        [unicodedata.normalize("NFD", "좋음"), unicodedata.normalize("NFD", "나쁨"), ""],
        ["예", "아니오", None],
    ],
)
def test_values_that_people_write(tmp_path, values):
    found = marks(tmp_path, values)
    assert found.good.tolist() == [True, False, False]
    assert found.bad.tolist() == [False, True, False]


@pytest.mark.parametrize("column", ["bad", "is_bad", "불량", unicodedata.normalize("NFD", "불량"), "Bad"])
def test_yes_means_bad_in_a_column_that_asks_for_bad(tmp_path, column):
    found = marks(tmp_path, [1, 0, None], column)
    assert found.bad.tolist() == [True, False, False]
    assert found.column == column and found.read_as == {"0": "good", "1": "bad"}


@pytest.mark.parametrize("column", ["label", "Quality", "라벨", unicodedata.normalize("NFD", "라벨"), "판정"])
def test_columns_are_guessed(tmp_path, column):
    assert marks(tmp_path, ["good", "bad"], column).column == column


def test_an_unknown_label_is_an_error_that_names_rows_and_words(tmp_path):
    with pytest.raises(TableError, match=r"column 'label', row 2, 3, 4 …: 'so so' is no label: write good or bad"):
        marks(tmp_path, ["good", "so so", "meh", "?", "!"])


def test_no_column_and_two_columns_are_errors_that_list_them(tmp_path):
    with pytest.raises(TableError, match="no label column among .*'mood'.*--label COLUMN"):
        marks(tmp_path, ["good", "bad"], "mood")
    with pytest.raises(TableError, match="columns 'label' and 'quality' could each be the label"):
        marks(tmp_path, ["good", "bad"], quality=["a", "b"])
    assert marks(tmp_path, ["good", "bad"], "mood", "mood").column == "mood"
    with pytest.raises(TableError, match="no column 'nosuch' for --label"):
        marks(tmp_path, ["good", "bad"], name="nosuch")


@pytest.mark.parametrize(("good", "bad", "fine"), [(20, 20, True), (19, 20, False), (50, 3, False), (0, 0, False)])
def test_too_few_of_a_kind_are_refused_with_both_numbers(tmp_path, good, bad, fine):
    found = marks(tmp_path, ["good"] * good + ["bad"] * bad + [None])
    if fine:
        found.check()
    else:
        with pytest.raises(TableError, match=f"{good} good and {bad} bad chunks, at least 20 of each are needed"):
            found.check()


def test_decisions_are_labels():
    found = labels.of_decisions("x", ["a", "b", "c", "d"], {"a": "keep", "b": "drop", "d": "merge"})
    assert found.good.tolist() == [True, False, False, False]
    assert found.bad.tolist() == [False, True, False, True]
