"""Parts put together of what was read before are the parts that reading again would give."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from chunkeval import loaders
from chunkeval.cache import Cache
from chunkeval.config import LoadConfig, ScoreConfig
from chunkeval.features import FeatureStore
from chunkeval.progress import Silent
from chunkeval.text import embeddings

OLD = [
    "훈민정음은 세종이 만들었다. 각 글자는 소리를 나타낸다.",
    "",
    "One cat sat. Two dogs ran away.",
    "\u1112\u1161\u11ab\u1100\u1173\u11af 분해형 글이다. 👩‍🎨 끝.",
    "훈민정음은 세종이 만들었다. 각 글자는 소리를 나타낸다.",
    "| 가 | 나 |\n|---|---|\n| 1 | 2 |\n\n표가 있다.",
]
NEW = ["새 글이다. 고양이가 잔다.", OLD[3], OLD[0], "", OLD[2], "Two dogs ran away.", OLD[5], OLD[3]]


def store(texts: Sequence[str], cache: Cache, folder: Path, earlier: FeatureStore | None = None) -> FeatureStore:
    folder.mkdir()
    frame = pd.DataFrame({"text": texts})
    chunks = loaders.write_frame(frame, folder / "chunks.parquet", LoadConfig())
    needs = frozenset({"words", "sentences"})
    made = FeatureStore(chunks, ScoreConfig(), needs, embeddings.load("lsa"), cache, earlier)  # type: ignore[arg-type]
    made.compute(1, Silent())
    return made


@pytest.mark.parametrize("new", [NEW, OLD[::-1], ["전혀 다른 글이다."], [""]])
def test_nothing_differs_from_reading_again(new: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path / "cache")
    earlier = store(OLD, cache, tmp_path / "old")
    read: list[str] = []
    analyse = FeatureStore._analyse
    monkeypatch.setattr(
        FeatureStore,
        "_analyse",
        lambda self, texts, skip, known, jobs: read.extend(texts) or analyse(self, texts, skip, known, jobs),
    )
    made = store(new, cache, tmp_path / "new", earlier)
    assert set(read) == set(new) - set(OLD)
    plain = store(new, Cache(tmp_path / "other"), tmp_path / "plain")
    for ours, theirs in zip(made.shards(), plain.shards(), strict=True):
        assert ours.arrays.keys() == theirs.arrays.keys()
        for name, values in theirs.arrays.items():
            np.testing.assert_array_equal(ours.arrays[name], values, err_msg=name)
            assert ours.arrays[name].dtype == values.dtype, name


def test_parts_that_have_left_the_cache_are_read_again(tmp_path: Path) -> None:
    earlier = store(OLD, Cache(tmp_path / "gone"), tmp_path / "old")
    earlier.cache = Cache(tmp_path / "cache")
    made = store(NEW, Cache(tmp_path / "cache"), tmp_path / "new", earlier)
    plain = store(NEW, Cache(tmp_path / "other"), tmp_path / "plain")
    assert made.fingerprint() == plain.fingerprint()
