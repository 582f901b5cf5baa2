"""What an embedder learned is taken from the cache only where the same would be learned again."""

from __future__ import annotations

import doctest
import unicodedata
from pathlib import Path

import numpy as np
import pytest

from chunkeval.cache import Cache
from chunkeval.text import learned as module
from chunkeval.text.learned import learned
from chunkeval.text.lsa import LsaEmbedder

SENTENCES = [
    "김치는 배추로 담근다.",
    unicodedata.normalize("NFD", "한강은 서울을 지난다."),
    "띄어쓰기없이이어쓴문장이다.",
    "가족 👩‍👩‍👧 사진이다.",
    "ＦＵＬＬ 전각 문자도 있다.",
]


def test_the_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


def test_it_learns_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    first = learned(LsaEmbedder(), SENTENCES, 1, cache)
    others = [
        learned(LsaEmbedder(), SENTENCES, 2, cache),
        learned(LsaEmbedder(), SENTENCES[:-1], 1, cache),
        learned(LsaEmbedder(), ["".join(SENTENCES)], 1, cache),
    ]
    monkeypatch.setattr(LsaEmbedder, "fit", lambda *_: pytest.fail("learned again"))
    again = learned(LsaEmbedder(), SENTENCES, 1, cache)
    assert again.fingerprint == first.fingerprint
    assert np.array_equal(again.encode(SENTENCES, 8), first.encode(SENTENCES, 8))
    assert again.fingerprint not in {other.fingerprint for other in others[1:]}


def test_one_without_a_source_is_not_kept(tmp_path: Path) -> None:
    class Written(LsaEmbedder):
        pass

    Written.__module__ = "written_in_a_notebook"
    assert learned(Written(), SENTENCES, 1, Cache(tmp_path)).encode(SENTENCES, 8).shape[0] == len(SENTENCES)
    assert not (tmp_path / "embedders").exists()
