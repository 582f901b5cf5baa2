from __future__ import annotations

import random

import pytest

from chunkeval.analyzers.families import families


@pytest.mark.parametrize(
    "documents, groups, expected",
    [
        ([], [], []),
        (["b", "a"], [None, None], ["b", "a"]),
        (["b", "a"], ["g", "g"], ["a", "a"]),
        # one chunk in three is not most of a document
        (["a", "a", "a", "b", "b", "b"], ["g", None, None, "g", None, None], ["a", "a", "a", "b", "b", "b"]),
        # an extract is of the family of the whole
        (["a", "a", "a", "a", "b"], ["g", None, None, None, "g"], ["a"] * 5),
        # a third document links two
        (["c", "c", "b", "b", "a", "a"], ["1", "2", "1", "3", "3", "4"], ["c", "c", "b", "b", "a", "a"]),
        (["c", "b", "b", "a"], ["1", "1", "2", "2"], ["a", "a", "a", "a"]),
        # what repeats inside a document makes no family
        (["a", "a", "b"], ["g", "g", None], ["a", "a", "b"]),
    ],
)
def test_documents_that_share_most_of_their_chunks(
    documents: list[str], groups: list[str | None], expected: list[str]
) -> None:
    found = families(documents, groups)
    assert [found.get(document, document) for document in documents] == expected
    assert all(document != family for document, family in found.items())


def test_many_versions_are_one_family_in_any_order() -> None:
    rows = [(f"판 {version:03}", f"g{chunk}") for version in range(120) for chunk in range(5)]
    random.Random(3).shuffle(rows)
    found = families(*zip(*rows, strict=True))
    assert len(found) == 119
    assert set(found.values()) == {"판 000"}


def test_a_notice_in_every_document_joins_none() -> None:
    rows = [(f"d{number}", "notice" if chunk == 0 else None) for number in range(200) for chunk in range(4)]
    documents = [document for document, _ in rows]
    assert families(documents, [group for _, group in rows]) == {}
