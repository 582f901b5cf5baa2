"""The questions on which the strategies differ most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from chunkeval.report.compare_wording import metric_of, value_of
from chunkeval.report.numerals import whole
from chunkeval.report.phrases import say
from chunkeval.report.sections.compare_table import ASKED

if TYPE_CHECKING:
    from chunkeval.report.comparison import View


def build(view: View) -> Mapping[str, Any] | None:
    """Gather the questions; nothing where none were asked."""
    facts, lang = view.facts, view.lang
    if facts["questions"] is None:
        return None
    name = facts["metric"]["name"] if facts["metric"]["name"] in ASKED else "recall"
    own = [one["name"] for one in facts["strategies"] if not one["baseline"]]
    key = "cmp_apart_lead" if facts["apart"] else "cmp_apart_none"
    return {
        "lead": say(lang, key, n=whole(len(facts["apart"])), metric=metric_of(name, lang)),
        "heads": own,
        "rows": [
            {
                "question": say(lang, "ui_redacted") if view.redact else one["question"],
                "doc": one["doc_id"],
                "values": [value_of(one["values"].get(strategy), name) for strategy in own],
            }
            for one in facts["apart"]
        ],
    }
