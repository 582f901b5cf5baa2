"""Duplicates in the page: copies stay flagged wherever the limit on near ones goes, and an opened chunk names its like."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from outliers import everywhere
from pages import ROOT, Real
from playwright.sync_api import Browser
from test_trial import move
from watch import Tab


@pytest.fixture(scope="module")
def doubled(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Real:
    """English chunks of which three come again as they are, and three with a sentence more."""
    run = Real(tmp_path_factory.mktemp("doubled"), "run")
    frame = pd.read_csv(ROOT / "datasets/en/chunks.csv").iloc[:30][["chunk_id", "doc_id", "content"]]
    again = frame.iloc[:6].assign(doc_id="zz", chunk_id=[f"again-{i}" for i in range(6)])
    again.loc[again.index[3:], "content"] += " This was printed once more."
    pd.concat([frame, again]).to_csv(run.folder / "chunks.csv", index=False)
    done = run.call("audit", "chunks.csv", "--analyzers", "tokens,duplicates", "--out", run.name, "--no-progress")
    assert done.returncode == 0, done.stderr
    return run


def test_copies_stay_flagged_under_a_moved_limit(tab: Tab, doubled: Real) -> None:
    page = tab.show(doubled.page)
    move(page, "duplicates", "high", 0.995)
    page.wait_for_timeout(400)
    listed = everywhere(page)
    assert {30, 31, 32} <= set(listed)
    line = page.locator("#trial-command").inner_text()
    assert "near_duplicate_similarity=0.995" in line
    done = doubled.shell(f"{line} --out again --overwrite --json")
    assert done.returncode == 0, done.stderr
    again = pd.read_parquet(doubled.folder / "again" / "scores.parquet")
    flagged = np.flatnonzero(again["flagged"].to_numpy(bool))
    order = np.argsort(-again["severity"].to_numpy(float)[flagged], kind="stable")
    assert listed == flagged[order].tolist()
    assert again["flag_duplicates"].tolist() == [False] * 30 + [True] * 3 + [False] * 3
    assert json.loads(done.stdout)["flagged"] == len(listed)


def test_an_opened_chunk_names_what_it_repeats(tab: Tab, doubled: Real) -> None:
    page = tab.show(doubled.page)
    page.goto(f"{page.url.partition('#')[0]}#chunk=again-1")
    article = page.locator("article.chunk").first
    article.wait_for()
    said = article.inner_text()
    first = doubled.frame["chunk_id"].iloc[1]
    assert "same or nearly the same as" in said and f"{first}, again-1" in said
    assert "the same as another chunk" in said or "duplicate" in said.lower()
