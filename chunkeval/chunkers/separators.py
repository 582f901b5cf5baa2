"""Where each kind of document is cut: separators in levels, coarse ones first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from chunkeval.errors import ConfigError, unknown_name

KINDS = ("auto", "plain", "markdown", "html", "code")


class Separator(NamedTuple):
    """A string at which a text may be cut: ``cut`` code points behind its beginning."""

    mark: str
    cut: int


class Level(NamedTuple):
    """Separators that count the same."""

    separators: tuple[Separator, ...]
    outside_code: bool = False
    """Not cut at within a code fence, however large: ``# `` begins a comment there."""


def after(*marks: str) -> Level:
    """Make a level of separators that stay with the text before them."""
    return Level(tuple(Separator(mark, len(mark)) for mark in marks))


def before(*marks: str, outside_code: bool = False) -> Level:
    """Make a level of separators that stay with the text behind them, line breaks at their beginning left out."""
    return Level(tuple(Separator(mark, len(mark) - len(mark.lstrip("\n"))) for mark in marks), outside_code)


_ENDINGS = ("다. ", "요. ", "죠. ", "까? ", "요? ", "죠? ", "요! ", '다." ', "다.” ", '요." ', "요.” ", "다.) ")
_PARAGRAPHS = after("\n\n", "\n\r\n", "\u2029", "\x0c")
_LINES = after("\n", "\r", "\u2028", "\x0b", "\x85")
_SENTENCES = (
    after(*_ENDINGS, "。", "！", "？", "。」", "。』", "！」", "？」"),
    after(". ", "? ", "! ", "… ", "…", '." ', '?" ', '!" ', ".” ", "?” ", "!” ", ".) "),
)
_CLAUSES = after("; ", ": ", ", ", "；", "：", "，", "、")
_WORDS = after(" ", "\t", "\u3000", "\u200b")
_PROSE = (*_SENTENCES, _CLAUSES, _WORDS)
_TAGS = ("section", "article", "main", "table", "ul", "ol", "dl", "pre", "blockquote", "div", "p")
_ITEMS = ("li", "tr", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6")
_DEFINITIONS = (
    "class ", "def ", "async def ", "@", "function ", "async function ", "export ", "interface ", "enum ", "struct ",
    "impl ", "fn ", "pub ", "func ", "type ", "public ", "private ", "protected ", "static ", "module ", "namespace ",
)  # fmt: skip


def _cased(*tags: str) -> list[str]:
    return [form for tag in tags for form in (tag, tag.upper())]


_HTML = (
    *(before(*_cased(f"<h{depth}")) for depth in (1, 2, 3)),
    after(*_cased(*(f"</{tag}>" for tag in _TAGS))),
    after(*_cased(*(f"</{tag}>" for tag in _ITEMS), "<br>", "<br/>", "<br />", "<hr>")),
    _PARAGRAPHS,
    _LINES,
    *_SENTENCES,
    after(">"),
    _CLAUSES,
    _WORDS,
)
LEVELS: dict[str, tuple[Level, ...]] = {
    "plain": (_PARAGRAPHS, _LINES, *_PROSE),
    "markdown": (
        *(before(f"\n{'#' * depth} ", outside_code=True) for depth in range(1, 7)),
        after("\n---\n", "\n***\n", "\n___\n"),
        _PARAGRAPHS,
        _LINES,
        *_PROSE,
    ),
    "html": _HTML,
    "code": (
        before(*(f"\n{word}" for word in _DEFINITIONS)),
        _PARAGRAPHS,
        before(*(f"\n{indent}{word}" for indent in ("  ", "    ", "\t") for word in ("def ", "async def ", "@"))),
        _LINES,
        after("; ", "{ ", "} "),
        *_PROSE,
    ),
}
"""Levels by kind. What no level cuts is cut between two graphemes."""

_MARKDOWN = re.compile(r"^(?: {0,3}#{1,6} \S| {0,3}(?:```|~~~)|[ \t]*+\|?[ \t]*+:?-{3,}+:?[ \t]*+\|)", re.MULTILINE)
_MARKUP = re.compile(r"<(?:!doctype|html|body|div|p|table|ul|ol|h[1-6]|section|article)\b[^<>]*>", re.IGNORECASE)
_SEEN = 100_000
"""Code points that tell a document's kind."""


def kind_of(text: str) -> str:
    r"""Tell plain text, Markdown and HTML apart by how a document begins; code has to be named.

    Examples
    --------
    >>> kind_of("제목\n\n본문이다."), kind_of("# 제목\n\n본문이다."), kind_of("<p>본문이다.</p><p>끝.</p>")
    ('plain', 'markdown', 'html')
    """
    head = text[:_SEEN]
    if "<" in head and _MARKUP.match(head.lstrip("\ufeff \t\r\n")):
        return "html"
    return "markdown" if _MARKDOWN.search(head) else "plain"


def check_kind(name: str, kind: str) -> None:
    """Refuse a kind that has no separators.

    Raises
    ------
    ConfigError
        The message gives the nearest that has.
    """
    if kind not in KINDS:
        raise unknown_name(f"{name} kind", kind, KINDS)


def given(name: str, separators: object) -> tuple[Level, ...]:
    r"""Make levels of the caller's separators: a string each, or a list of strings that count the same.

    Raises
    ------
    ConfigError
        They are no such list.

    Examples
    --------
    >>> [len(level.separators) for level in given("recursive", ["\n\n", ["。", ". "], ""])]
    [1, 2]
    """
    levels: list[Level] = []
    for entry in separators if isinstance(separators, Sequence) and not isinstance(separators, str) else [None]:
        marks = [entry] if isinstance(entry, str) else entry
        if not isinstance(marks, Sequence) or not all(isinstance(mark, str) for mark in marks):
            raise ConfigError(
                f"{name}: separators must be a list of strings, or of lists of strings that count the same, "
                f"not {separators!r}"
            )
        kept = [mark for mark in marks if mark]
        if kept:
            levels.append(after(*kept))
    return tuple(levels)
