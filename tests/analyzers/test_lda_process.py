"""The fit in a process of its own: it ends with whoever waits for it, and knows no module of the user's folder."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from chunkeval.analyzers import lda
from chunkeval.errors import ChunkevalError


class NoStep:
    """Hears of nothing."""

    def advance(self, count: int = 1) -> None:
        """Ignore it."""


def bows(documents: int) -> lda.Bows:
    rng = np.random.default_rng(1)
    ids = np.concatenate([np.sort(rng.choice(500, 40, replace=False)) for _ in range(documents)])
    return lda.Bows(np.arange(documents + 1) * 40, ids, np.ones(len(ids)))


def test_a_module_where_the_user_stands_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gensim.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    found = lda.fit_elsewhere(bows(5), 500, num_topics=3, seed=1, step=NoStep())
    np.testing.assert_array_equal(found["exp_elog_beta"], lda.fit(bows(5), 500, num_topics=3, seed=1)["exp_elog_beta"])


def test_a_fit_that_is_stopped_lets_its_caller_go() -> None:
    caught: list[BaseException] = []

    def wait() -> None:
        try:
            lda.fit_elsewhere(bows(3000), 500, num_topics=400, seed=1, step=NoStep())
        except ChunkevalError as error:
            caught.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    while thread.is_alive() and not lda._AT_WORK:
        time.sleep(0.01)
    lda.stop()
    thread.join(30)
    assert not thread.is_alive() and "LDA fit ended" in str(caught[0])


def test_a_fit_ends_when_its_caller_is_gone(tmp_path: Path) -> None:
    source = tmp_path / "bows.npz"
    b = bows(3000)
    np.savez(source, offsets=b.offsets, ids=b.ids, counts=b.counts, sizes=np.array([500, 400, 1]))
    words = [sys.executable, "-m", "chunkeval.analyzers.lda", str(source), str(tmp_path / "model.npz")]
    with subprocess.Popen(words, stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 1
    assert not (tmp_path / "model.npz").exists()
