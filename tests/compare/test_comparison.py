"""Tables side by side without questions: figures, verdict, files, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from cut_tables import DOCUMENTS, every, halves, line_of, table

import chunkeval as ce
from chunkeval.compare import Comparison
from chunkeval.compare.facts import COLUMNS
from chunkeval.errors import ConfigError, InputError, TableError

QUICK: dict[str, Any] = {"analyzers": "tokens", "embedder": "lsa"}


def test_baselines_of_each_size_stand_beside_the_strategies(compared: tuple[Comparison, Path]) -> None:
    done, _ = compared
    lines = done.facts["strategies"]
    assert [one["name"] for one in lines if not one["baseline"]] == ["halves", "=thirty <b>"]
    for name in ("halves", "=thirty <b>"):
        assert sorted(one["baseline"] for one in lines if name in one["size_of"]) == ["fixed", "random"]
        size = line_of(done, name)["characters"]["mean"]
        for one in lines:
            if name in one["size_of"]:
                assert one["characters"]["mean"] == pytest.approx(size, rel=0.25)


def test_cuts_at_topics_have_contrast_and_cuts_by_size_break_sentences(compared: tuple[Comparison, Path]) -> None:
    good, bad = (line_of(compared[0], name) for name in ("halves", "=thirty <b>"))
    assert good["contrast"] > bad["contrast"]
    assert good["broken"] == 0 < bad["broken"]
    assert good["reused"] == bad["reused"] == 0
    assert good["documents"] == len(DOCUMENTS)


def test_every_document_has_a_value_of_the_declared_metric(compared: tuple[Comparison, Path]) -> None:
    facts = compared[0].facts
    assert facts["metric"] == {"name": "flagged", "better": "lower"}
    assert set(facts["values"]) == {one["name"] for one in facts["strategies"]}
    assert set(facts["values"]["halves"]) == set(DOCUMENTS)
    assert facts["statistics"]["documents"] == len(DOCUMENTS)
    for one in facts["strategies"]:
        values = list(facts["values"][one["name"]].values())
        assert one["mean"] == pytest.approx(sum(values) / len(values), abs=1e-5)


def test_the_files_say_the_same(compared: tuple[Comparison, Path]) -> None:
    done, out = compared
    assert json.loads((out / "comparison.json").read_text("utf-8")) == done.facts
    text = (out / "comparison.csv").read_text("utf-8-sig")
    assert set(text.splitlines()[0].split(",")) <= set(COLUMNS)
    assert "'=thirty <b>" in text
    assert {path.name for path in (out / "plots").iterdir()} == {"differences.png", "cost.png", "sizes.png"}


def test_the_page_is_korean_safe_and_needs_nothing(compared: tuple[Comparison, Path]) -> None:
    page = (compared[1] / "report.html").read_text("utf-8")
    assert '<html lang="ko">' in page
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert "=thirty &lt;b&gt;" in page and "=thirty <b>" not in page
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)
    assert 'id="compare_lanes"' in page and 'class="lanes strip"' in page


def test_the_same_twice_is_no_difference_and_the_same_bytes(cache: Path) -> None:
    def twice() -> Comparison:
        return ce.compare({"a": table(halves), "b": table(halves)}, cache=str(cache), **QUICK)

    first, again = twice(), twice()
    assert first.facts["winner"] is None
    pair = next(one for one in first.facts["statistics"]["pairs"] if {one["first"], one["second"]} == {"a", "b"})
    assert not pair["decided"] and pair["difference"] == 0
    for one in (*first.facts["strategies"], *again.facts["strategies"]):
        one.pop("seconds")
    assert {**first.facts, "seconds": 0} == {**again.facts, "seconds": 0}


def test_one_strategy_is_compared_with_cuts_of_its_size(cache: Path) -> None:
    done = ce.compare({"only": table(halves)}, cache=str(cache), **QUICK)
    assert any("only is the only strategy" in note for note in done.facts["notes"])
    assert len(done.facts["strategies"]) == 3


def test_few_documents_name_no_winner(cache: Path) -> None:
    few = {name: DOCUMENTS[name] for name in list(DOCUMENTS)[:5]}
    done = ce.compare(
        {"a": table(halves, few), "b": table(every(9), few)},
        metric="broken",
        cache=str(cache),
        lang="en",
        analyzers="tokens,boundaries",
        embedder="lsa",
    )
    assert done.facts["outcome"] == "too_few_documents"
    assert done.facts["winner"] is None
    assert "5 documents are too few" in done.facts["verdict"]


def test_known_boundaries_decide_where_asked(tmp_path: Path, cache: Path) -> None:
    gold = {name: [0, halves(text)[0]] for name, text in DOCUMENTS.items()}
    (tmp_path / "gold.json").write_text(json.dumps(gold), "utf-8")
    done = ce.compare(
        {"halves": table(halves), "fine": table(every(10))},
        boundaries=str(tmp_path / "gold.json"),
        metric="boundary_f1",
        cache=str(cache),
        lang="en",
        **QUICK,
    )
    best = line_of(done, "halves")
    assert best["boundary_f1"] == best["boundary_similarity"] == 1
    assert best["pk"] == best["window_diff"] == 0
    assert done.facts["winner"] == "halves"
    assert done.facts["verdict"].startswith("halves is the best way to cut these documents by boundary F1")
    assert line_of(done, "fine")["number"] in best["beats"]


def test_chunks_without_documents_or_places_are_compared_as_far_as_that_goes(cache: Path) -> None:
    texts = table(halves)[["text"]]
    done = ce.compare({"a": texts, "b": texts}, cache=str(cache), **QUICK)
    assert done.facts["outcome"] == "no_data"
    assert len(done.facts["strategies"]) == 2
    named = ce.compare({"a": table(halves)[["doc_id", "text"]]}, cache=str(cache), **QUICK)
    assert len(named.facts["strategies"]) == 3
    assert any("pieced together" in note for note in named.facts["notes"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "nothing to compare"),
        ({"chunkers": "sentence"}, "--chunkers cuts documents"),
        ({"chunkers": " ; ", "docs": "x"}, "names no chunker"),
        ({"chunkers": "sentnce", "docs": "x"}, "did you mean 'sentence'"),
        ({"chunkers": "sentence; sentence", "docs": "x"}, "'sentence' twice"),
        ({"metric": "recall"}, "give --questions"),
        ({"metric": "pk"}, "give --boundaries"),
        ({"metric": "flaged"}, "did you mean 'flagged'"),
        ({"k": 3}, "give --questions"),
        ({"k": 3, "budget": 9}, "give one of them"),
        ({"fail_on_regression": "none.json"}, "cannot be read"),
    ],
)
def test_bad_settings_are_refused_before_any_work(given: dict[str, Any], said: str, tmp_path: Path) -> None:
    tables = {"a": table(halves)} if given and "chunkers" not in given else None
    with pytest.raises(InputError, match=said):
        ce.compare(tables, out=tmp_path / "out", **{**QUICK, **given})
    assert not (tmp_path / "out").exists()


def test_tables_of_other_documents_are_refused(documents: Path, tmp_path: Path) -> None:
    other = pd.DataFrame({"doc_id": ["없는 문서"], "text": ["글이다."]})
    with pytest.raises(
        TableError, match="table 'b' has chunks of documents that are not among those given: '없는 문서'"
    ):
        ce.compare({"a": table(halves), "b": other}, docs=documents, out=tmp_path / "out", **QUICK)
    with pytest.raises(
        TableError, match="table 'b' has none of the documents that the tables before it have in common"
    ):
        ce.compare({"a": table(halves), "b": other}, out=tmp_path / "out", **QUICK)
    (tmp_path / "gold.json").write_text('{"다른 문서": [0, 9]}', "utf-8")
    with pytest.raises(TableError, match="its documents .'다른 문서'. are none of those compared"):
        ce.compare({"a": table(halves)}, boundaries=str(tmp_path / "gold.json"), **QUICK)
    with pytest.raises(ConfigError, match="two strategies are called"):
        ce.compare({"sentence": table(halves)}, docs=documents, chunkers="sentence", **QUICK)
    assert not (tmp_path / "out").exists()


def test_sizes_are_held_against_a_target(cache: Path) -> None:
    given: dict[str, Any] = {**QUICK, "limit": {"tokens": "5:12"}, "metric": "on_target", "lang": "en"}
    done = ce.compare({"halves": table(halves), "ten": table(every(10))}, cache=str(cache), **given)
    assert done.facts["target"] == {"low": 5.0, "high": 12.0, "unit": "tokens"}
    for name in ("halves", "ten"):
        one = line_of(done, name)
        assert one["on_target"] + sum(one["beside_target"].values()) == pytest.approx(1)
    assert line_of(done, "halves")["beside_target"]["above"] == 1
    assert line_of(done, "ten")["on_target"] > 0
    assert "on_target" in done.frame
    with pytest.raises(ConfigError, match="give one, as --limit tokens=200:400"):
        ce.compare({"a": table(halves)}, metric="on_target", **QUICK)
