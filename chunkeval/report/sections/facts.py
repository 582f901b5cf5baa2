"""What was read, with what settings and versions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from chunkeval.report.numerals import DASH, whole
from chunkeval.report.phrases import known
from chunkeval.report.view import View

COUNTS = frozenset({"rows", "skipped_null", "surrogates"})


def build(view: View) -> Mapping[str, Any]:
    """Gather the facts of the input, the notes made while reading it, settings and versions."""
    source = view.summary.get("input", {})
    rows = [
        (known(view.lang, f"input_{name}", name), whole(value) if name in COUNTS else written(value))
        for name, value in source.items()
        if name != "notes" and value not in (None, 0, {}, [])
    ]
    return {
        "input": rows,
        # Notes quote what chunks open with.
        "notes": []
        if view.redact
        else list(
            dict.fromkeys(str(note) for note in [*(view.summary.get("notes") or ()), *(source.get("notes") or ())])
        ),
        "settings": [(name, written(value)) for name, value in view.summary.get("settings", {}).items()],
        "versions": [(name, written(value)) for name, value in view.summary.get("versions", {}).items()],
    }


def written(value: object) -> str:
    """Write a value of a JSON object as a reader would.

    Examples
    --------
    >>> written({"text": "내용"}), written(["a", 1]), written(None)
    ('text: 내용', 'a, 1', '\u2013')
    """
    if value is None:
        return DASH
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {written(part)}" for key, part in value.items()) or DASH
    if isinstance(value, (list, tuple)):
        return ", ".join(written(part) for part in value) or DASH
    return json.dumps(value, ensure_ascii=False)
