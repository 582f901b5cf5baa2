from __future__ import annotations

from pathlib import Path

import pytest

from chunkeval.compare.documents import Corpus, Row, check, pieced
from chunkeval.errors import TableError

TEXT = "판다는 대나무를 먹는다. 곰이다."


def rows(*spans: tuple[int, int], doc: str | None = "판다", known: bool = True) -> list[Row]:
    return [Row(f"c{at}", doc, TEXT[a:b], ((a, b),) if known else None) for at, (a, b) in enumerate(spans)]


def test_documents_are_pieced_together_where_chunks_tile_them(tmp_path: Path) -> None:
    found = pieced({"a": rows((0, 9)), "b": rows((0, 8), (5, 14), (14, len(TEXT)))}, tmp_path)
    assert found is not None
    assert found.texts == {"판다": TEXT}
    assert found.exact == {"판다"}
    assert [document.text for document in found.stored] == [TEXT]


def test_a_gap_or_no_place_leaves_the_texts_joined(tmp_path: Path) -> None:
    found = pieced({"a": rows((0, 5), (7, 9)), "b": rows((0, 5), known=False)}, tmp_path)
    assert found is not None
    assert found.texts["판다"] == TEXT[0:5] + TEXT[7:9]
    assert not found.exact


def test_nothing_is_pieced_together_without_names(tmp_path: Path) -> None:
    assert pieced({"a": rows((0, 5), doc=None)}, tmp_path) is None


def corpus(tmp_path: Path, *names: str) -> Corpus:
    found = pieced({"a": [row for name in names for row in rows((0, len(TEXT)), doc=name)]}, tmp_path)
    assert found is not None
    return found


def test_chunks_of_other_documents_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"table 'new' has chunks of documents that are not among those given: '곰'"):
        check({"new": rows((0, 4), doc="곰")}, corpus(tmp_path, "판다"), given=True)


def test_offsets_that_give_another_text_are_refused(tmp_path: Path) -> None:
    wrong = [Row("c7", "판다", "대나무", ((0, 3),))]
    with pytest.raises(TableError, match=r"table 'new', chunk 'c7': its offsets do not give its text"):
        check({"new": wrong}, corpus(tmp_path, "판다"), given=False)


def test_documents_without_chunks_are_named(tmp_path: Path) -> None:
    known = corpus(tmp_path, "판다", "곰")
    assert check({"new": rows((0, 4))}, known, given=True) == ["new: no chunk of 1 document ('곰')"]
    with pytest.raises(
        TableError, match="table 'new' has none of the documents that the tables before it have in common"
    ):
        check({"now": rows((0, 4)), "new": rows((0, 4), doc="소")}, known, given=False)
