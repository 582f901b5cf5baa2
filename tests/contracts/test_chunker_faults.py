"""What others got wrong, with the settings nearest to theirs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from chunker_contract import Case, check, in_tokens, in_words

VECTORS = Path(os.environ.get("CHUNKEVAL_VECTORS", Path(__file__).parents[2] / "../shared/vectors"))
FAULTS = VECTORS / "chunker_faults.json"

NEAREST = {
    21475: Case("recursive:size=5,overlap=4,separators=[' ', '']", 5, overlap=4),
    17642: Case("recursive:size=10,overlap=5,unit=tokens", 10, in_tokens, 5),
    40071: Case("recursive:size=12,kind=markdown", 12),
    20908: Case("recursive:size=8,separators=['다. ']", 8),
    31136: Case("recursive:size=8,separators=[' ']", 8),
    16894: Case("recursive:size=4,unit=tokens", 4, in_tokens),
    116: Case("recursive:size=3,unit=words,separators=[]", 3, in_words),
    170: Case("sentence:size=10,unit=chars", 10),
    431: Case("recursive:size=5,separators=[' ']", 5),
    453: Case("recursive:size=4,unit=tokens", 4, in_tokens),
    25: Case("recursive:size=4,overlap=2", 4, overlap=2),
    716: Case("recursive:size=2,separators=['.']", 2),
    895: Case("recursive:size=2", 2),
    11710: Case("sentence:size=6,unit=words,overlap=3", 6, in_words, 3),
    22046: Case("recursive:size=5,separators=['。']", 5),
}


@pytest.mark.parametrize("thread", NEAREST)
def test_no_fault_of_other_chunkers(thread: int) -> None:
    if not FAULTS.exists():
        pytest.skip("the list of faults is not here")
    fault = next(fault for fault in json.loads(FAULTS.read_text("utf-8")) if fault["thread"] == thread)
    text = fault["input"] if isinstance(fault["input"], str) else json.dumps(fault["input"])
    check(NEAREST[thread], text)
    check(NEAREST[thread], text * 7)


def test_every_listed_fault_is_tested() -> None:
    if not FAULTS.exists():
        pytest.skip("the list of faults is not here")
    assert {fault["thread"] for fault in json.loads(FAULTS.read_text("utf-8"))} == set(NEAREST)
