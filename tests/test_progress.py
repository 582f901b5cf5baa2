"""Progress on a terminal and off it."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

from chunkeval import progress


def test_stages_at_the_same_time_share_one_display() -> None:
    bars = progress.Bars()

    def work(name: str) -> int:
        with bars.step(name, 5) as step:
            for _ in range(5):
                step.advance()
        return 5

    with bars.step("문장 벡터", 3) as outer, ThreadPoolExecutor(3) as pool:
        assert sum(pool.map(work, ["topics", "scores", "주제"])) == 15
        outer.advance(3)
    with bars.step("again", 1) as step:
        step.advance()


def test_lines_come_now_and_then(monkeypatch) -> None:
    clock = iter(range(0, 1000, 4))
    monkeypatch.setattr("chunkeval.progress.time.monotonic", lambda: next(clock))
    stream = io.StringIO()
    with progress.Lines(stream, every=10).step("scores", 5000) as step:
        for _ in range(5):
            step.advance(1000)
    assert stream.getvalue().splitlines() == ["scores: 3,000/5,000"]


def test_quiet_says_nothing_and_no_progress_keeps_notes() -> None:
    assert isinstance(progress.choose(quiet=True, no_progress=False), progress.Silent)
    stream = io.StringIO()
    lines = progress.Lines(stream, every=0, stages=False)
    lines.note("a note")
    with lines.step("scores", 2) as step:
        step.advance(2)
    assert stream.getvalue() == "a note\n"
