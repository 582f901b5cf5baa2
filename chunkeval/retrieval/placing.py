"""Texts that someone quoted, found in the documents again: as they are, else composed and with white space passed over."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkeval.text.normal import composed

if TYPE_CHECKING:
    from chunkeval.results import Ints

_QUOTED = 40
"""Code points of a text that a message shows."""


class Place(NamedTuple):
    """Code points ``[start, end)`` of a document."""

    doc_id: str
    start: int
    end: int


class NoPlaceError(Exception):
    """A reference has no place; the message says why and is shown to the user."""


class Places:
    """Documents to find places in.

    Parameters
    ----------
    documents
        Id to text.
    """

    def __init__(self, documents: Mapping[str, str]) -> None:
        self.documents = documents
        self._squeezed: dict[str, tuple[str, Ints]] = {}
        self._found: dict[tuple[str, str | None], Place | NoPlaceError] = {}
        self._alike: dict[str, set[str]] = defaultdict(set)
        for doc_id in documents:
            for name in _names(doc_id):
                self._alike[name].add(doc_id)

    def document(self, name: str) -> str:
        """Give the id of the document that a name means.

        Raises
        ------
        NoPlaceError
            There is none, or more than one.
        """
        if name in self.documents:
            return name
        for known in _names(name):
            if len(found := self._alike.get(known, set())) == 1:
                return next(iter(found))
            if found:
                raise NoPlaceError(f"{name!r} may mean {' or '.join(map(repr, sorted(found)[:3]))}")
        raise NoPlaceError(f"there is no document {name!r}")

    def meant(self, name: str) -> str | None:
        """Give the id of the document that a name means, None where there is none or more than one."""
        try:
            return self.document(name)
        except NoPlaceError:
            return None

    def find(self, text: str, doc_id: str | None = None) -> Place:
        """Find where a text stands.

        Parameters
        ----------
        text
            What was quoted.
        doc_id
            Where; in any document, where None.

        Raises
        ------
        NoPlaceError
            It is nowhere, or in more than one place.
        """
        key = text, doc_id
        if key not in self._found:
            try:
                self._found[key] = self._search(text, doc_id)
            except NoPlaceError as error:
                self._found[key] = error
        found = self._found[key]
        if isinstance(found, NoPlaceError):
            raise found
        return found

    def _search(self, text: str, doc_id: str | None) -> Place:
        if not text.strip():
            raise NoPlaceError("a reference has no text")
        within = list(self.documents) if doc_id is None else [doc_id]
        for search in (self._exact, self._loose):
            places = [place for name in within for place in search(text, name)]
            if len(places) == 1:
                return places[0]
            if places:
                raise NoPlaceError(
                    f"{_shown(text)} stands in {len(places)} places of {_of(doc_id)}: give start and end"
                )
        raise NoPlaceError(f"{_shown(text)} is not in {_of(doc_id)}")

    def _exact(self, text: str, doc_id: str) -> Iterator[Place]:
        for at in _occurrences(self.documents[doc_id], text):
            yield Place(doc_id, at, at + len(text))

    def _loose(self, text: str, doc_id: str) -> Iterator[Place]:
        if doc_id not in self._squeezed:
            self._squeezed[doc_id] = _squeeze(self.documents[doc_id])
        form, origin = self._squeezed[doc_id]
        wanted = _squeeze(text)[0]
        for at in _occurrences(form, wanted):
            last = at + len(wanted) - 1
            first, behind = origin[:, at], origin[:, last]
            yield Place(
                doc_id, *self._within(doc_id, wanted, range(first[0], first[1]), range(behind[1], behind[0], -1))
            )

    def _within(self, doc_id: str, wanted: str, starts: range, ends: range) -> tuple[int, int]:
        """Leave out what is composed with the ends but was not quoted: a vowel that stands alone behind a syllable."""
        text = self.documents[doc_id]
        for start in starts:
            for end in ends:
                if start < end and _squeeze(text[start:end])[0] == wanted:
                    return start, end
        return starts[0], ends[0]


def _squeeze(text: str) -> tuple[str, Ints]:
    """Compose a text and leave white space out; (2, n): where the group of each code point begins and ends in the text."""
    form, origin = composed(text)
    starts = np.arange(len(text) + 1) if origin is None else origin
    ends = starts[np.searchsorted(starts, starts[:-1], side="right")]
    kept = [number for number, character in enumerate(form) if not character.isspace()]
    return "".join(form[number] for number in kept), np.stack([starts[:-1][kept], ends[kept]])


def _occurrences(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def _names(doc_id: str) -> Iterator[str]:
    """Names that a document may be called by, the fullest first."""
    whole = unicodedata.normalize("NFC", doc_id)
    last = PurePosixPath(whole)
    yield from dict.fromkeys((whole, last.name or whole, last.stem or whole))


def _of(doc_id: str | None) -> str:
    return "the documents" if doc_id is None else f"document {doc_id!r}"


def _shown(text: str) -> str:
    return repr(text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…")
