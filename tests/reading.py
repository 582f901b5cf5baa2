"""Read a rendered page back, as strictly as a browser is lenient."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import numpy as np

VOID = frozenset({"meta", "img", "source", "br", "hr", "link", "input", "rect"})


@dataclass
class Element:
    """One element with what it holds."""

    tag: str
    attributes: dict[str, str | None]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text within."""
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, tag: str = "", *, cls: str = "", id: str = "") -> list[Element]:
        """Elements below that match, in order."""
        found = []
        for child in self.children:
            if isinstance(child, str):
                continue
            classes = (child.attributes.get("class") or "").split()
            if (
                (not tag or child.tag == tag)
                and (not cls or cls in classes)
                and (not id or child.attributes.get("id") == id)
            ):
                found.append(child)
            found += child.all(tag, cls=cls, id=id)
        return found

    def one(self, tag: str = "", *, cls: str = "", id: str = "") -> Element:
        """The only element that matches."""
        (found,) = self.all(tag, cls=cls, id=id)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute is given twice: {tag} {attrs}"
        element = Element(tag, dict(attrs))
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"the page holds a comment: {data}")


def read(page: str) -> Element:
    """Parse a page; anything not well nested fails."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == [reader.root]
    return reader.root


@dataclass(frozen=True)
class Held:
    """What the page's data block holds, unpacked as its script does."""

    head: dict[str, Any]
    columns: dict[str, list[float | None]]
    passages: list[dict[str, Any]]


def held(page: Element) -> Held:
    """Unpack the data block."""
    block = json.loads(page.one("script", id="data").text)
    assert set("".join(block.values())) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
    parts = {name: gzip.decompress(base64.b64decode(text)) for name, text in block.items()}
    head, at = json.loads(parts["head"]), 0
    columns = {}
    for kind in head["arrays"]:
        size = head["rows"] * (4 if kind["kind"] == "i32" else 8)
        stored = np.frombuffer(
            parts["arrays"][at : at + size], dtype="<i4" if kind["kind"] == "i32" else "<f8"
        ).tolist()
        none = -(2**31) if kind["kind"] == "i32" else None
        columns[kind["name"]] = [
            None if value in (none,) or value != value else value / kind["scale"] for value in stored
        ]
        at += size
    assert at == len(parts["arrays"])
    return Held(head, columns, json.loads(parts["passages"]))
