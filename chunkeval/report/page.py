"""The page: one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from chunkeval.report.payload import payload
from chunkeval.report.phrases import say
from chunkeval.report.sections import chunks, first, left_out
from chunkeval.report.view import Lang, View, stated
from chunkeval.report.visible import plain, visible

SECTIONS = ("first", "rechunk", "findings", "measures", "groups", "documents", "chunks", "left_out", "facts")
"""In the order of the page; each names a module of ``sections`` and a template."""

_HERE = Path(__file__).parent


def render(view: View) -> str:
    """Write the report's page.

    Parameters
    ----------
    view
        The audit.

    Returns
    -------
    str
        A whole HTML document in the view's language, without links to anything outside it. Its one script reads the
        data block and writes text only. The same view gives the same text.
    """
    view = replace(view, summary=stated(view))
    data, held = payload(view)
    knowing = {"chunks": chunks.build, "left_out": left_out.build}
    sections = [
        (
            name,
            knowing[name](view, held)
            if name in knowing
            else import_module(f"chunkeval.report.sections.{name}").build(view),
        )
        for name in SECTIONS
    ]
    source = str(view.summary.get("input", {}).get("source") or "")
    return whole("title", source, sections, view.lang, data=data if len(view.frame) else "")


def whole(title: str, source: str, sections: Sequence[tuple[str, Any]], lang: Lang, *, data: str = "") -> str:
    """Write a whole page of sections.

    Parameters
    ----------
    title
        Phrase that says what the page is.
    source
        What it is about.
    sections
        Name of the section's template, and what it shows; those that show nothing are left out.
    data
        The script's data block; without it the page has no script.
    """
    script, style = script_and_style()
    return _render(
        "page.html.j2",
        lang,
        title=say(lang, title),
        source=source,
        sections=[(name, facts) for name, facts in sections if facts is not None],
        style=Markup(style),
        style_hash=_digest(style),
        script=Markup(script),
        script_hash=_digest(script),
        data=Markup(data),
        linked=True,
    )


def first_screen(view: View) -> str:
    """Write the first screen alone, for a notebook: a piece of HTML with its own style and without scripts."""
    view = replace(view, summary=stated(view))
    colours, style = (_source("style", f"{name}.css") for name in ("1-colours", "2-first"))
    return _render(
        "notebook.html.j2",
        view.lang,
        facts=first.build(view),
        colours=Markup(colours),
        style=Markup(style),
        linked=False,
    )


def script_and_style() -> tuple[str, str]:
    """Give the page's one script and its one style, the same in every page."""
    return _joined("script", "js"), _joined("style", "css")


def _render(template: str, lang: Lang, **values: Any) -> str:
    return _environment().get_template(template).render(lang=lang, t=partial(say, lang), **values)


def _source(folder: str, name: str) -> str:
    return (_HERE / folder / name).read_text(encoding="utf-8")


@cache
def _joined(folder: str, ending: str) -> str:
    """All files of a folder in the order of their names: they share one scope, as one file would."""
    return "\n".join(_source(folder, path.name) for path in sorted((_HERE / folder).glob(f"*.{ending}")))


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
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
