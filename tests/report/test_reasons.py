"""Every reason why nothing could be learned is said in the report's language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkeval
from chunkeval.report.reasons import in_words
from chunkeval.report.wording import cannot, verdict

PACKAGE = Path(chunkeval.__file__).parent
SAID_BY = (
    "calibration.py",
    "limits.py",
    "analyzers/coherence.py",
    "analyzers/bert_topics.py",
    "analyzers/lda.py",
    "analyzers/topics.py",
)
TELL = {"_too_little", "_too_uneven"}
KEEP = {"_cannot", "_nothing", "Calibration", "get"}
BY_NUMBERS = {
    "7 chunks could": {"measured": 7},
    "7 different": {"measured": 7},
    "AUROC": {"auroc": 0.6},
    "90% of the corpus": {"share": 0.99},
}


def reasons() -> Iterator[str]:
    """The reasons as the modules that say them have them, with numbers in their blanks."""
    for name in SAID_BY:
        for node in ast.walk(ast.parse((PACKAGE / name).read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name in TELL:
                yield from texts(node)
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "why":
                yield from (text for text in texts(node) if "calibrated:" not in text)
            elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in KEEP:
                yield from texts(node)


def texts(node: ast.AST) -> Iterator[str]:
    """Sentences in a piece of code, those in f-strings once."""
    if isinstance(node, ast.JoinedStr):
        filled = [part.value if isinstance(part, ast.Constant) else blank(ast.unparse(part)) for part in node.values]
        yield "".join(map(str, filled))
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str) and " " in node.value and not node.value.endswith("."):
            yield node.value
    else:
        for child in ast.iter_child_nodes(node):
            yield from texts(child)


def blank(code: str) -> str:
    return "mixes" if "name" in code else "90%" if "%" in code else "0.60" if ".2f" in code else "7"


@pytest.mark.parametrize("why", sorted({*reasons(), "7 splices of its sentences could be measured, 7 are needed"}))
def test_every_reason_is_said_in_korean(why: str) -> None:
    calibrated: dict[str, Any] = {"share": None, "measured": 4000, "documents": 40, "why": why}
    for words, told in BY_NUMBERS.items():
        calibrated |= told if why.startswith(words) else {}
    facts = {"measured": 4000, "calibrated": calibrated, "limit": {"rule": "none"}}
    summary = {"chunks": 4000, "documents": 40, "flagged": 0, "analyzers": {"coherence": facts}}
    said = verdict(summary, "ko")
    assert re.findall("[A-Za-z]{2,}", said.replace("AUROC", "").replace("BERTopic", "")) == []
    assert cannot(facts, summary, "en")


def test_there_are_as_many_as_are_known() -> None:
    assert len(set(reasons())) >= 11


def test_a_reason_of_another_package_is_left_as_it_is() -> None:
    assert in_words("too few vowels", "ko") == "too few vowels"
