"""What was compared, with what settings and versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkeval.report.sections.facts import written

if TYPE_CHECKING:
    from chunkeval.report.comparison import View


def build(view: View) -> Mapping[str, Any]:
    """Gather sources, notes, settings and versions."""
    facts = view.facts
    sources = [(one["name"], one["input"]["source"]) for one in facts["strategies"] if one["spec"] is None]
    asked = facts["questions"]
    listed = asked["skipped"]["questions"] if asked is not None else []
    skipped = [] if view.redact else [f"{one['question_id']}: {one['why']}" for one in listed]
    return {
        "input": [(name, source) for (name, source), one in zip(sources, _tables(facts), strict=True) if not one],
        "notes": [*facts["notes"], *skipped],
        "settings": [(name, written(value)) for name, value in facts["settings"].items()],
        "versions": [(name, written(value)) for name, value in facts["versions"].items()],
    }


def _tables(facts: Mapping[str, Any]) -> list[bool]:
    """Whether each that has no spec is a baseline."""
    return [bool(one["baseline"]) for one in facts["strategies"] if one["spec"] is None]
