"""Where there is nothing to find, nothing is found: random cuts of one size, the same table under two names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from cut_tables import DOCUMENTS, halves, table

import chunkeval as ce
from chunkeval.compare.baselines import RandomBorders, sentence_borders

SIZE = 45
QUICK: dict[str, Any] = {"analyzers": "tokens", "embedder": "lsa", "lang": "ko", "budget": 20}


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One about each sentence of every document but the first two, which all have in some form."""
    path = tmp_path_factory.mktemp("asked") / "questions.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for name, text in DOCUMENTS.items():
            for number, sentence in enumerate(text.split(". ")[1:6:2]):
                start = text.index(sentence)
                place = {"doc_id": name, "start": start, "end": start + len(sentence)}
                asked = {"id": f"{name}-{number}", "question": f"{name[-2:]}번: {sentence}?", "references": [place]}
                file.write(json.dumps(asked, ensure_ascii=False) + "\n")
    return path


def at_random(seed: int) -> pd.DataFrame:
    cut = RandomBorders(SIZE, sentence_borders(1), seed)
    return table(lambda text: [chunk.spans[0][0] for chunk in cut.split(text)])


def test_two_random_cuts_of_one_size_are_undecided(questions: Path, cache: Path) -> None:
    one, other = at_random(1), at_random(2)
    assert len(one) == len(other) and not one["start"].equals(other["start"])
    done = ce.compare({"한 번": one, "또 한 번": other}, questions=questions, cache=str(cache), **QUICK)
    statistics = done.facts["statistics"]
    assert statistics["documents"] == len(DOCUMENTS) >= 20
    assert (done.facts["outcome"], done.facts["winner"]) == ("undecided", None)
    (pair,) = (one for one in statistics["pairs"] if {one["first"], one["second"]} == {"한 번", "또 한 번"})
    assert pair["low"] < 0 < pair["high"] and not pair["decided"]
    assert "판가름 나지 않았습니다" in done.facts["verdict"]


def test_a_table_under_two_names_is_undecided_on_questions(questions: Path, cache: Path) -> None:
    done = ce.compare(
        {"a": table(halves), "b": table(halves)}, questions=questions, metric="iou", cache=str(cache), **QUICK
    )
    assert done.facts["winner"] is None
    (pair,) = (one for one in done.facts["statistics"]["pairs"] if {one["first"], one["second"]} == {"a", "b"})
    assert (pair["difference"], pair["low"], pair["high"], pair["decided"]) == (0, 0, 0, False)
