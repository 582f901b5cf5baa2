"""The page: one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from chunkeval.report.phrases import say
from chunkeval.report.view import View
from chunkeval.report.visible import plain, visible

SECTIONS = ("first", "measures", "groups", "documents", "chunks", "left_out", "facts")
"""In the order of the page; each names a module of ``sections`` and a template."""

_TEMPLATES = Path(__file__).parent / "templates"


def render(view: View) -> str:
    """Write the report's page.

    Parameters
    ----------
    view
        The audit.

    Returns
    -------
    str
        A whole HTML document in the view's language, without scripts and without links to anything outside it.
        The same view gives the same text.
    """
    sections = [(name, import_module(f"chunkeval.report.sections.{name}").build(view)) for name in SECTIONS]
    style = (_TEMPLATES / "style.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            lang=view.lang,
            t=partial(say, view.lang),
            source=str(view.summary.get("input", {}).get("source") or ""),
            sections=[(name, facts) for name, facts in sections if facts is not None],
            style=Markup(style),
            style_hash=f"sha256-{digest}",
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["visible"] = visible
    return environment


def _finalize(value: Any) -> Any:
    # Every value that a template writes passes here, also where its author forgot about hidden characters.
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value
