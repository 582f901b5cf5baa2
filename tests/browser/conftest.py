"""A browser a session, a context a test, and pages written to files once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from chromium import started
from pages import ROOT, Real, Shown, Write
from playwright.sync_api import Browser
from views import whole
from watch import Tab, visit

from chunkeval.report.page import render
from chunkeval.report.view import View


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with started() as browser:
        yield browser


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    """One visit with a wide screen."""
    with visit(browser) as tab:
        yield tab


@pytest.fixture(scope="session")
def written(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Render a view to a file."""

    def write(view: View, **options: Any) -> Shown:
        path = tmp_path_factory.mktemp("page") / "report.html"
        path.write_text(render(view, **options), "utf-8", errors="replace")
        return Shown(view, path)

    return write


@pytest.fixture(scope="session")
def korean(written: Write) -> Shown:
    """A Korean audit of 1,600 chunks: more flagged ones than a page of the table holds."""
    return written(whole("ko"))


@pytest.fixture(scope="session")
def english(written: Write) -> Shown:
    """An English audit of the same size."""
    return written(whole("en"))


@pytest.fixture(scope="session")
def real(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Real:
    """The English demo corpus audited by the command, into a folder with a space in its name."""
    run = Real(tmp_path_factory.mktemp("real"), "my run")
    done = run.call("audit", str(ROOT / "datasets/en/chunks.csv"), "--out", run.name, "--no-progress")
    assert done.returncode == 0, done.stderr
    return run
