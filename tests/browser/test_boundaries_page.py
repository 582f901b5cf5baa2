"""Chunks cut inside sentences in the page: reasons stand wherever the limit on their score goes."""

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
def cut(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Real:
    """English chunks of a fixed length."""
    run = Real(tmp_path_factory.mktemp("cut"), "run")
    pd.read_csv(ROOT / "datasets/en/chunks.csv").iloc[:40].to_csv(run.folder / "chunks.csv", index=False)
    done = run.call("audit", "chunks.csv", "--analyzers", "tokens,boundaries", "--out", run.name, "--no-progress")
    assert done.returncode == 0, done.stderr
    return run


def test_a_moved_limit_flags_what_the_command_flags(tab: Tab, cut: Real) -> None:
    page = tab.show(cut.page)
    before = everywhere(page)
    move(page, "boundaries", "low", 0.3)
    page.wait_for_timeout(400)
    listed = everywhere(page)
    line = page.locator("#trial-command").inner_text()
    done = cut.shell(f"{line} --out again --overwrite --json")
    assert done.returncode == 0, done.stderr
    again = pd.read_parquet(cut.folder / "again" / "scores.parquet")
    flagged = np.flatnonzero(again["flagged"].to_numpy(bool))
    order = np.argsort(-again["severity"].to_numpy(float)[flagged], kind="stable")
    assert listed == flagged[order].tolist()
    assert 0 < len(listed) < len(before) and json.loads(done.stdout)["flagged"] == len(listed)


def test_an_opened_chunk_says_where_it_was_cut(tab: Tab, cut: Real) -> None:
    page = tab.show(cut.page)
    row = next(i for i, reasons in enumerate(cut.frame["reasons"]) if "ends_mid_sentence" in list(reasons))
    page.goto(f"{page.url.partition('#')[0]}#chunk={cut.frame['chunk_id'].iloc[row]}")
    article = page.locator("article.chunk").first
    article.wait_for()
    said = article.inner_text().lower()
    assert "ends in the middle of a sentence" in said and "boundary score" in said
    assert "boundary_marks" not in said and "heading_cut" not in said
