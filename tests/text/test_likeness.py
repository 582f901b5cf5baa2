"""One form for equal texts, sets of runs, signatures, and ends."""

from __future__ import annotations

import doctest
import unicodedata
from importlib import import_module

import numpy as np
import pytest
from hostile_strings import HOSTILE
from hypothesis import given
from hypothesis import strategies as st

from chunkeval.text import shingles as runs
from chunkeval.text.folding import closed, fold
from chunkeval.text.likeness import likeness
from chunkeval.text.rims import RIMS, rims
from chunkeval.text.shingles import LENGTH, jaccard, shingles, signatures

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=8)


@pytest.mark.parametrize(
    "name",
    ["text.folding", "text.shingles", "text.rims", "analyzers.copies", "analyzers.near", "analyzers.families"],
)
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(import_module(f"chunkeval.{name}")).failed == 0


@given(text=st.text())
def test_folding_twice_is_folding_once_and_composition_does_not_count(text: str) -> None:
    form = fold(text)
    assert fold(form) == form
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@given(texts=TEXTS)
def test_runs_are_those_of_each_text_alone(texts: list[str]) -> None:
    offsets, hashes = shingles(texts)
    for i, text in enumerate(texts):
        own = hashes[offsets[i] : offsets[i + 1]]
        assert own.tolist() == shingles([text])[1].tolist()
        assert len(own) == len({text[a : a + LENGTH] for a in range(len(text) - LENGTH + 1)})


def test_large_texts_are_read_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["가나다라마바사" * 3, "", "abcdefgh", "네", "가나다라마바사"]
    whole = shingles(texts)
    monkeypatch.setattr(runs, "_AT_ONCE", 10)
    for one, other in zip(whole, shingles(texts), strict=True):
        assert one.tolist() == other.tolist()


@given(one=st.sets(st.integers(0, 99)), other=st.sets(st.integers(0, 99)))
def test_jaccard_is_that_of_sets(one: set[int], other: set[int]) -> None:
    share = jaccard(*(np.array(sorted(some), np.uint32) for some in (one, other)))
    assert share == (len(one & other) / len(one | other) if one and other else 0)


def test_signatures_estimate_the_share_in_common() -> None:
    rng = np.random.default_rng(0)
    for share in (0.3, 0.6, 0.9):
        common = round(400 * 2 * share / (1 + share))
        sets = []
        for _ in range(50):
            pool = rng.choice(2**32, 800 - common, replace=False).astype(np.uint32)
            sets += [np.sort(pool[:400]), np.sort(pool[400 - common :])]
        found = signatures(np.arange(101) * 400, np.concatenate(sets))
        estimate = (found[::2] == found[1::2]).mean()
        assert estimate == pytest.approx(share, abs=0.02)


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_has_its_likeness(text: str) -> None:
    found = likeness([text], np.zeros(1, np.int64), np.array([0, 1]), np.array([0]), np.array([len(text)]))
    assert {name: len(values) for name, values in found.items()} == dict.fromkeys(found, 1)
    assert found["exact"].any() == bool(fold(text)) and found["rims"].shape == (1, 2 * RIMS)


def test_a_skipped_prefix_is_not_looked_at() -> None:
    texts, skip = ["문서: 가\n본문은 같은 글이다.", "문서: 나 다\n본문은 같은 글이다."], np.array([6, 8])
    ends = np.array([len(text) for text in texts])
    found = likeness(texts, skip, np.arange(3), skip, ends)
    assert found["exact"][0].tolist() == found["exact"][1].tolist()


def test_a_whole_text_and_a_rule_are_no_ends() -> None:
    assert rims("한 줄뿐인 글이다. 아주 짧다.", [(0, 17)])[0] == [0] * 2 * RIMS
    hashes, _ = rims("---\n본문이 여기에 온다, 길게.\n***", [(0, 3), (4, 20), (21, 24)])
    assert hashes[1] == 0 and hashes[RIMS + 1] == 0
    assert closed("a b\u3000c") == "abc"
