"""How neighbours meet."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from chunkeval import loaders
from chunkeval.config import LoadConfig
from chunkeval.text.edges import BIT, MARKS, edges
from chunkeval.text.seams import joined, neighbours

WHOLE = "첫 문장은 여기서 끝난다. 흔들리지 않도록 볼트가 끼워져 있다."


def met(texts: list[str], gap: float) -> list[set[str]]:
    bits = edges(texts, np.zeros(len(texts), np.int64)).bits
    gaps = np.full(len(texts), float(gap))
    gaps[0] = np.nan
    return [{name for name in MARKS if one & BIT[name]} for one in joined(bits, np.arange(len(texts)) - 1, gaps)]


@pytest.mark.parametrize("cut", [3, 6, 20, 25, 31])
@pytest.mark.parametrize("gap", [0.0, np.nan])
def test_a_start_shows_in_the_chunk_before(cut: int, gap: float) -> None:
    left, right = f"앞 문장이 있다. 또 있다. {WHOLE[:cut]}", WHOLE[cut:]
    before, after = met([left, right], gap)
    assert before == {"ends_mid_sentence"}
    assert after == {"starts_mid_sentence"}


@pytest.mark.parametrize(
    ("left", "right", "gap"),
    [
        ("첫 문장이다. ", "둘째 문장이다.", 0),
        ("첫 문장이다.\n", "which is The name.", 0),
        ("첫 문장이다. 둘째도 있다.\n\n플레이그라운드에서 해 보기\n\n", "둘째 문장이다.", 0),
        ("첫 문장이다. 둘째도 있다.\n\n셋째 줄은 여기서 끝이며 마침표가 없는 제목", "# 새 절\n\n글이다.", 2),
        ("첫 문장이다. 둘째도", "다른 곳의 글이다.", 900),
        ("첫 문장이다. 둘째도", "둘째도 길다. 셋째 문장이다.", -3),
    ],
)
def test_nothing_is_said_of_a_start_where_the_neighbour_is_closed_or_far(left: str, right: str, gap: float) -> None:
    assert "starts_mid_sentence" not in met([left, right], gap)[1]


def test_a_word_cut_in_two() -> None:
    assert met(["문을 열고 나갔다. 사람", "들이 왔다. 모두 갔다."], 0) == [
        {"ends_mid_sentence"},
        {"starts_mid_sentence"},
    ]
    assert met(["공지 사", "항"], 0) == [{"ends_mid_sentence"}, {"starts_mid_sentence"}]


def test_neighbours_are_those_of_the_document(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "chunk_id": list("abcdef"),
            "doc_id": ["x", "y", "x", "x", None, None],
            "position": [1, 0, 0, 3, 4, 5],
            "start": [10, 0, 0, 30, 0, 0],
            "end": [20, 9, 10, 40, 1, 1],
            "text": ["가" * 10, "나" * 9, "다" * 10, "라" * 10, "마", "바"],
        }
    )
    chunks = loaders.write_frame(frame, tmp_path / "chunks.parquet", LoadConfig())
    before, gap = neighbours(chunks)
    assert before.tolist() == [2, -1, -1, -1, -1, -1]
    assert gap[0] == 0 and np.isnan(gap[1:]).all()


def test_no_rows() -> None:
    nothing = np.zeros(0, np.int32)
    assert len(joined(nothing, np.zeros(0, np.int64), np.zeros(0))) == 0
