"""Known boundaries: two shapes, and what is neither."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunkeval.errors import SourceError
from chunkeval.loaders.boundaries import read_boundaries

KO = Path(__file__).resolve().parents[2] / "datasets" / "ko"


def test_sections_and_starts_say_the_same(tmp_path: Path) -> None:
    sections = json.loads((KO / "boundaries.json").read_text("utf-8"))
    plain = tmp_path / "plain.json"
    plain.write_text(json.dumps({name: [s["start"] for s in found] for name, found in sections.items()}), "utf-8-sig")
    assert read_boundaries(plain) == read_boundaries(KO / "boundaries.json")
    for name, starts in read_boundaries(plain).items():
        document = (KO / "docs" / f"{name}.md").read_text("utf-8")
        assert len(starts) == len(sections[name]) - 1
        assert all(document[start:].startswith("## ") for start in starts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1, 2]", "is no object of document to boundaries"),
        ("{", "is no JSON of boundaries"),
        ('{"가": 3}', "document '가': has no list of boundaries"),
        ('{"가": [1.5]}', "document '가': a boundary is a whole number of code points from 0, not 1.5"),
        ('{"가": [true]}', "not True"),
        ('{"가": [-1]}', "not -1"),
        ('{"가": [{"begin": 1}]}', "not None"),
    ],
)
def test_other_shapes_are_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "gold.json"
    path.write_text(text, "utf-8")
    with pytest.raises(SourceError, match=said):
        read_boundaries(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        read_boundaries(tmp_path / "none.json")
