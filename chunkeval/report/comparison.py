"""A comparison as page and figures, made of the same pieces as an audit's report."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from chunkeval.report.figures import compared
from chunkeval.report.lanes import Strips
from chunkeval.report.page import whole
from chunkeval.report.view import Lang

SECTIONS = ("first", "table", "cost", "sizes", "lanes", "apart", "flags", "facts")
"""In the order of the page; each names a module of ``sections`` and a template, with ``compare_`` before it."""


@dataclass(frozen=True)
class View:
    """A comparison as its report sees it."""

    facts: dict[str, Any]
    """What ``comparison.json`` holds."""
    lanes: Strips | None
    lang: Lang = "ko"
    redact: bool = False
    """Leave the questions' texts out."""


def render(view: View) -> str:
    """Write the page: a whole HTML document without scripts, which needs nothing else."""
    sections = [
        (
            f"compare_{name}" if name != "facts" else name,
            import_module(f"chunkeval.report.sections.compare_{name}").build(view),
        )
        for name in SECTIONS
    ]
    return whole("compare_title", "", sections, view.lang)


def draw(view: View, folder: Path) -> list[Path]:
    """Save every figure as PNG.

    Raises
    ------
    OSError
        The folder cannot be made or written.
    """
    return compared.draw(view.facts, view.lang, folder)
