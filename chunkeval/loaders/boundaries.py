"""Known section boundaries of documents: what cuts are compared with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chunkeval.errors import SourceError


def read_boundaries(path: Path) -> Mapping[str, tuple[int, ...]]:
    """Read where the sections of documents begin.

    Parameters
    ----------
    path
        JSON: an object of document to its sections, each ``{"start": …, "end": …}``, or to the code points at which they
        begin.

    Returns
    -------
    mapping of str to tuple of int
        For each document the starts of its sections but the one at 0, ascending; in code points.

    Raises
    ------
    SourceError
        It cannot be read, or is of another shape; the message names the document.
    """
    try:
        found = json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror or error}: name a file of boundaries") from None
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path}: is no JSON of boundaries: {error}: give {{document: [start, …]}}") from None
    if not isinstance(found, dict):
        raise SourceError(f"{path}: is no object of document to boundaries: give {{document: [start, …]}}")
    return {name: _starts(f"{path}: document {name!r}", sections) for name, sections in found.items()}


def _starts(where: str, sections: Any) -> tuple[int, ...]:
    if not isinstance(sections, list):
        raise SourceError(f"{where}: has no list of boundaries: give [start, …] or [{{start, end}}, …]")
    places: set[int] = set()
    for section in sections:
        place = section.get("start") if isinstance(section, dict) else section
        if type(place) is not int or place < 0:
            raise SourceError(f"{where}: a boundary is a whole number of code points from 0, not {place!r}")
        places.add(place)
    return tuple(sorted(places - {0}))
