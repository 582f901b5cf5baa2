"""Results show themselves in a notebook, and give JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
from made_scores import made_scores

from chunkeval.flags import flag
from chunkeval.results import Flags, Scores

HOSTILE = "<script>alert('한글')</script>" + "긴" * 10_000


class Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def shown(result: Scores | Flags) -> Cells:
    cells = Cells()
    cells.feed(result._repr_html_())
    return cells


def hostile() -> Scores:
    scores = made_scores(rows=300)
    ids = [HOSTILE, *scores.frame["chunk_id"].tolist()[1:]]
    similarity = scores.frame["similarity"].where(scores.frame.index > 1)
    cuts = pd.array([None, *scores.frame["weakest_cut"].tolist()[1:]], dtype="Int64")
    return replace(scores, frame=scores.frame.assign(chunk_id=ids, similarity=similarity, weakest_cut=cuts))


def test_scores_show_facts_and_the_first_rows():
    page = shown(hostile())
    assert page.texts[0] == "Scores of 300 chunks by use-multilingual"
    assert "similarity 298" in page.texts[1]
    assert page.tags.count("tr") == 6 and "script" not in page.tags
    assert len(hostile()._repr_html_()) < 10_000


def test_flags_show_the_first_screen():
    flags = flag(hostile())
    page = shown(flags)
    assert f"청크 300개 가운데 {int(flags.frame['flagged'].sum())}개" in "".join(page.texts)
    worst = flags.frame.sort_values("severity", ascending=False, kind="stable").iloc[0]
    assert worst["chunk_id"][:20] in "".join(page.texts)
    assert "script" not in page.tags and "link" not in page.tags
    assert page.tags.count("li") == 3


def test_results_without_rows_show_themselves():
    scores = made_scores(rows=300)
    assert shown(replace(scores, frame=scores.frame.iloc[:0])).tags.count("tr") == 1


def test_json_has_a_chunk_an_object_and_null_where_not_measured():
    scores = hostile()
    rows = json.loads(scores.to_json(), parse_constant=lambda name: 1 / 0)
    assert len(rows) == 300 and rows[0]["chunk_id"] == HOSTILE
    assert rows[0]["similarity"] is None and rows[0]["weakest_cut"] is None
    np.testing.assert_allclose(rows[5]["similarity_centred"], scores.frame["similarity_centred"][5], atol=1e-9)
    judged = flag(scores)
    rows = json.loads(judged.to_json())
    assert [row["reasons"] for row in rows] == judged.frame["reasons"].tolist()
    assert [row["flagged"] for row in rows] == judged.frame["flagged"].tolist()
