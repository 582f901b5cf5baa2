"""Made-up audits, and their pages rendered once: a plugin, so that no second conftest is needed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from made_views import build

from chunkeval.report.page import render
from chunkeval.report.sections import measures
from chunkeval.report.view import View


@pytest.fixture(scope="session")
def korean() -> View:
    """A Korean audit."""
    return build("ko")


@pytest.fixture(scope="session")
def english() -> View:
    """An English audit."""
    return build("en")


@pytest.fixture(scope="session")
def korean_page(korean: View) -> str:
    """The Korean audit's page, rendered once."""
    return render(korean)


@pytest.fixture(scope="session")
def english_page(english: View) -> str:
    """The English audit's page, rendered once."""
    return render(english)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave figures out of the page, for tests that only read it."""
    monkeypatch.setattr(measures, "pictures", lambda view, analyzer: [])


@pytest.fixture(scope="session")
def remade() -> Callable[..., View]:
    """Make another audit: ``remade(lang, chunks)``."""
    return build
