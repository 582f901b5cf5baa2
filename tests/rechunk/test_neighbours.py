"""Which chunks stand beside one another in their document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from made_rechunk import judged_rows

import chunkeval as ce
from chunkeval.cache import Cache
from chunkeval.cli.rechunk import _told
from chunkeval.config import RunConfig
from chunkeval.rechunk.changes import pieces_of
from chunkeval.rechunk.merging import neighbours
from chunkeval.rechunk.trial import Trial

TEXTS = ["가 나.", "다 라.", "마 바."]


def pairs(folder: Path, positions: list[int], **columns: list[Any]) -> list[bool]:
    flags = judged_rows(TEXTS, folder, doc_id=["d"] * 3, position=positions, **columns)
    _, pieces = pieces_of(flags.scores.chunks.path)
    return [neighbours(pieces, (at, at + 1)) for at in range(2)]


@pytest.mark.parametrize(
    ("positions", "columns", "expected"),
    [
        ([0, 1, 2], {}, [True, True]),
        ([0, 1, 3], {}, [True, False]),
        # Positions that count something else, as lines or pages do, say nothing about what is missing.
        ([0, 10, 20], {}, [True, True]),
        # The places in the document meet, whatever the numbers say.
        ([0, 1, 3], {"start": [0, 5, 9], "end": [4, 9, 13]}, [True, True]),
        ([0, 1, 3], {"start": [0, 5, 50], "end": [4, 9, 54]}, [True, False]),
    ],
)
def test_a_hole_parts_two_chunks(
    tmp_path: Path, positions: list[int], columns: dict[str, list[Any]], expected: list[bool]
) -> None:
    assert pairs(tmp_path, positions, **columns) == expected


def test_nothing_is_merged_over_a_hole(tmp_path: Path) -> None:
    texts = ["가 나 다 라.", "마.", "바 사 아 자."]
    for position, merged in ([0, 1, 2], 1), ([0, 4, 5], 1), ([0, 1, 5], 1), ([0, 3, 6], 1):
        flags = judged_rows(texts, tmp_path, chunk_id=list("abc"), doc_id=["d"] * 3, position=position)
        done = ce.rechunk(flags, decisions={"b": "merge"}, max_size=50)
        assert done.facts["changes"]["merge"] == merged
        (made,) = done.chunks.loc[done.chunks["parent_ids"].notna(), "parent_ids"]
        if position == [0, 4, 5]:
            assert list(made) == ["b", "c"]
        if position == [0, 1, 5]:
            assert list(made) == ["a", "b"]


@pytest.mark.parametrize(("analyzers", "unit"), [("tokens,boundaries", "tokens"), ("boundaries", "characters")])
def test_a_chunk_weighs_the_same_whether_it_is_there_or_tried(tmp_path: Path, analyzers: str, unit: str) -> None:
    texts = ["짧다.", "가나다라마바사아자차카타파하가나다라마바사아자차. 또 한 문장이 길게 이어지고 있으", "며 끝난다."]
    table = pd.DataFrame({"text": texts, "doc_id": "d"})
    flags = ce.flag(ce.score(table, analyzers=analyzers))
    trial = Trial(flags, RunConfig(), Cache(tmp_path))
    weights = [one.weight for one in trial.read(flags)]
    assert weights == [one.weight for one in trial(texts, ["d"] * 3)]
    assert (weights == list(map(len, texts))) is (unit == "characters")
    assert len(set(weights)) == 3
    facts = ce.rechunk(flags).facts
    assert facts["weighed_by"] == unit
    assert any("counted no tokens" in line for line in _told(facts)) is (unit == "characters")
