"""The bounded sample, and a table cut down to a random one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from synthetic import make_chunks

from chunkeval import sampling
from chunkeval.config import SHARD

IDS = [f"청크 {i}" for i in range(3000)]


def test_all_chunks_are_the_sample_in_an_order_of_its_own() -> None:
    rows = sampling.sampled_rows(IDS, "hash")
    assert sorted(rows.tolist()) == list(range(3000))
    shuffled = np.random.default_rng(0).permutation(3000)
    again = sampling.sampled_rows([IDS[i] for i in shuffled], "hash")
    assert [IDS[i] for i in rows] == [IDS[shuffled[i]] for i in again]
    assert sampling.sampled_rows(IDS, "table").tolist() == list(range(3000))


def test_beyond_the_bound_membership_hangs_on_the_id_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "SAMPLE", 500)
    chosen = {IDS[i] for i in sampling.sampled_rows(IDS, "hash")}
    assert 400 < len(chosen) < 600
    assert {IDS[::-1][i] for i in sampling.sampled_rows(IDS[::-1], "hash")} == chosen


def test_unknown_documents_are_blocks_of_neighbours() -> None:
    documents = sampling.documents_of([None] * 41 + ["문서"])
    assert len(set(documents[:20])) == 1
    assert len(set(documents)) == 4


@pytest.mark.parametrize("count", [1, SHARD - 1, SHARD, SHARD + 7])
def test_a_random_sample_keeps_order_and_row_groups(tmp_path: Path, count: int) -> None:
    chunks = make_chunks(tmp_path / "chunks.parquet", 2500)
    before = pd.read_parquet(chunks.path)
    kept = sampling.restrict(chunks, count, seed=1)
    after = pd.read_parquet(kept.path)
    assert kept.rows == len(after) == count
    assert kept.info.rows == 2500
    wanted = before[before["chunk_id"].isin(after["chunk_id"])].reset_index(drop=True)
    pd.testing.assert_frame_equal(after, wanted)
    file = pq.ParquetFile(kept.path)
    sizes = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
    assert sizes == [SHARD] * (count // SHARD) + ([count % SHARD] if count % SHARD else [])


def test_a_sample_as_large_as_the_table_is_the_table(tmp_path: Path) -> None:
    chunks = make_chunks(tmp_path / "chunks.parquet", 30)
    assert sampling.restrict(chunks, 30, seed=1) is chunks
