"""Whatever the text, the page does nothing, loads nothing, and shows what is there."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hostile_strings import HOSTILE
from reading import Element, held, read

from chunkeval.report.page import render
from chunkeval.report.view import View
from chunkeval.report.visible import plain

pytest_plugins = ["view_fixtures"]

EVERYDAY_TAGS = re.compile(
    "html|head|meta|title|style|body|a|header|nav|ul|li|main|section|h1|h2|h3|p|div|dl|dt|dd|table|caption|thead|tbody|"
    "tr|th|td|figure|picture|source|img|figcaption|span|bdi|code|strong|svg|rect|ol|form|label|select|option|input|datalist|"
    "button|output|details|summary|aside|noscript|script"
)


def hostile(strings: tuple[str, ...], lang: str = "en") -> View:
    """An audit in which every field that comes from outside holds a hostile string."""
    number = len(strings)
    first = strings[0]
    frame = pd.DataFrame(
        {
            "chunk_id": strings,
            "doc_id": strings,
            "position": range(number),
            "token_count": np.arange(number, dtype=float),
            "flag_tokens": True,
            "flagged": True,
            "reasons": [["incoherent", string] for string in strings],
            "severity": 0.5,
            "suggestion": strings,
            "suggested_cuts": [[1] for _ in strings],
            "weakest_cut": pd.array([None] * number, dtype="Int64"),
            "cut_gap": 0.25,
        }
    )
    summary: dict[str, Any] = {
        "chunks": number,
        "documents": number,
        "flagged": number,
        "analyzers": {
            "tokens": {
                "measured": number,
                "flagged": number,
                "limit": {"column": "token_count", "low": 50.0, "high": None, "rule": first, "source": first},
                "calibrated": {"auroc": None, "share": None, "why": first},
                "notes": [first],
            },
            first: {"measured": 0, "flagged": 0, "limit": None},
        },
        "by": {"column": first, "groups": [{"value": string, "chunks": 1, "flagged": 1} for string in strings]},
        "settings": {string: string for string in strings},
        "versions": {first: first},
        "input": {
            "source": first,
            "rows": number,
            "encoding": first,
            "notes": list(strings),
            "columns": {first: first},
        },
        "run": {"out": first},
    }
    documents = pd.DataFrame({"doc_id": strings, "chunks": 1, "flagged": 1, "worst": strings, "worst_severity": 0.5})
    return View(
        summary=summary,
        frame=frame,
        recombined={},
        documents=documents,
        texts=lambda rows: [strings[row] for row in rows],
        sentences=lambda row: [(0, len(strings[row]))],
        lang="ko" if lang == "ko" else "en",
    )


def test_the_page_stands_alone(korean_page: str) -> None:
    text = korean_page
    page = read(text)
    policy = next(meta for meta in page.all("meta") if meta.attributes.get("http-equiv") == "Content-Security-Policy")
    style = page.one("style").text
    script = next(one for one in page.all("script") if one.attributes["type"] == "module").text
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    assert policy.attributes["content"] == (
        f"default-src 'none'; img-src data:; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; "
        "require-trusted-types-for 'script'; trusted-types 'none'; base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", script)
    assert "url(" not in style and "@import" not in style and "http" not in style
    assert_inert(page)


def assert_inert(page: Element) -> None:
    """One script, no handler, no inline style, nothing from elsewhere; links stay in the page."""
    assert [one.attributes["type"] for one in page.all("script")] == ["application/json", "module"]
    ids = [element.attributes["id"] for element in page.all() if "id" in element.attributes]
    assert len(set(ids)) == len(ids)
    for element in page.all():
        assert EVERYDAY_TAGS.fullmatch(element.tag)
        for name, value in element.attributes.items():
            assert not name.startswith("on") and name not in ("style", "srcdoc", "action")
            if name in ("src", "srcset"):
                assert value is not None and value.startswith("data:image/svg+xml;base64,")
            if name == "href":
                assert value is not None and (
                    value.removeprefix("#") in ids or re.fullmatch(r"#chunk=[\w.~%-]*", value)
                )


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("strings", [HOSTILE[:20], HOSTILE[20:]], ids=["first", "second"])
def test_hostile_text_is_inert_in_every_field(strings: tuple[str, ...]) -> None:
    text = render(hostile(strings))
    page = read(text)
    assert_inert(page)
    assert not set(text) & set("\x00\x07\x1b\x7f\x85\x9b\r\u202e\u2028\u2066\u2069\u200e\u200f\u061c\ufeff\uffff")
    wanted = [plain(string) for string in strings]
    found = held(page)
    assert found.head["ids"] == list(strings) and found.head["documents"] == list(strings)
    assert [passage["row"] for passage in found.passages] == list(range(len(strings)))
    assert [card.all("bdi")[0].text for card in page.one("ol", cls="worst").all("li")] == wanted[:3]
    assert [row.one("th").text for row in page.one(id="groups").one("tbody").all("tr")] == wanted
    assert [row.one("th").text for row in page.one(id="documents").one("tbody").all("tr")][:3] == wanted[:3]
    assert [row.one("td").text for row in page.one(id="facts").all("table")[-1].all("tr")] == wanted
    for passage, string in zip(found.passages, strings, strict=True):
        if len(string) < 4_000:
            assert "".join(words for _, _, words in passage["pieces"]) == (string if string.strip() else "")
    assert page.one("title").text == f"Chunk audit · {wanted[0]}"


def test_same_input_gives_the_same_bytes(korean_page: str, remade: Callable[..., View]) -> None:
    assert korean_page == render(remade("ko"))
