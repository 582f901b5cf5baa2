"""One ``text_chunking`` processor, run over documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chunkeval.chunkers.opensearch.java import as_text, in_units, is_blank, of_units
from chunkeval.chunkers.opensearch.settings import Algorithm
from chunkeval.chunkers.windows import NO_LIMIT
from chunkeval.errors import PipelineError

MAX_TOKEN_COUNT = 10_000
"""Tokens of a string that OpenSearch analyses at most (``index.analyze.max_token_count``)."""
DEPTH_LIMIT = 20
"""Levels of a document that OpenSearch goes down (``index.mapping.depth.limit``)."""


@dataclass
class _Budget:
    """Chunks that a document may still get, and strings that have yet to be cut: one for all its fields."""

    limit: int
    pending: int

    def most(self) -> int | None:
        """Tell how many chunks the next string may give; None where there is no limit."""
        return None if self.limit == NO_LIMIT else max(self.limit - self.pending + 1, 1)

    def spend(self, chunks: int) -> None:
        self.pending -= 1
        # Upstream the running limit can come to NO_LIMIT, and then limits nothing any more.
        if self.limit != NO_LIMIT:
            self.limit -= chunks


@dataclass(frozen=True)
class Processor:
    """Cuts the strings under ``field_map`` and writes the chunks next to them.

    Source: the behaviour of OpenSearch's neural-search plug-in and its documentation of ``text_chunking``. All is
    counted in UTF-16 code units; a pair of surrogates may be cut.
    """

    field_map: Mapping[str, Any]
    algorithm: Algorithm
    ignore_missing: bool = False
    tag: str | None = None
    description: str | None = None
    ignore_failure: bool = False

    def run(
        self, document: dict[str, Any], *, max_token_count: int = MAX_TOKEN_COUNT, depth_limit: int = DEPTH_LIMIT
    ) -> list[str]:
        """Process a document in place.

        Parameters
        ----------
        document
            A JSON object; numbers may be of any type that is no string, list or dict.
        max_token_count
            Tokens a string may have.
        depth_limit
            Levels that are gone down; a list of objects counts twice.

        Returns
        -------
        list of str
            Fields of which a string had text but no token: its text is in no chunk.

        Raises
        ------
        PipelineError
            The document is not of the shape that ``field_map`` says, or a string has too many tokens. Only in the
            second case the document may have been changed already.
        """
        _validate("field_map", document, self.field_map, 1, depth_limit)
        lost: list[str] = []
        budget = _Budget(self.algorithm.max_chunk_limit, _strings(document, self.field_map))
        for field, holder, target in _leaves(document, self.field_map):
            value = holder.get(field)
            if value is None and self.ignore_missing:
                continue
            chunks: list[str] = []
            for text in _texts(value):
                units = in_units(text)
                spans = self.algorithm.cut(of_units(units), units, budget.most(), max_token_count)
                budget.spend(len(spans))
                chunks += [of_units(units[start:end]) for start, end in spans]
                if not spans and not is_blank(text):
                    lost.append(field)
            holder[target] = chunks
        return lost


def _texts(value: Any) -> list[str]:
    """Give the strings to cut: a blank one only where it is in a list."""
    if isinstance(value, str):
        return [] if is_blank(value) else [value]
    return [text for text in value if text] if isinstance(value, list) and _all_strings(value) else []


def _leaves(document: dict[str, Any], field_map: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Give every field to cut, the object it is in, and the name of its chunks, in ``field_map``'s order."""
    for field, target in field_map.items():
        if isinstance(target, Mapping):
            inner = document.get(field)
            for element in inner if isinstance(inner, list) else [inner]:
                if isinstance(element, dict):
                    yield from _leaves(element, target)
        else:
            yield field, document, as_text(target)


def _strings(document: dict[str, Any], field_map: Mapping[str, Any]) -> int:
    """Count the strings that are not empty, blank ones among them."""
    count = 0
    for field, holder, _ in _leaves(document, field_map):
        value = holder.get(field)
        if isinstance(value, str):
            count += bool(value)
        elif isinstance(value, list) and _all_strings(value):
            count += sum(map(bool, value))
    return count


def _all_strings(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _validate(field: str, value: Mapping[str, Any], field_map: Any, depth: int, limit: int) -> None:
    _check_depth(field, depth, limit)
    if not isinstance(field_map, Mapping):
        raise _refused(
            f"configuration_mismatch:{field}", f"field {field!r} holds an object where field_map has no object"
        )
    for key, target in field_map.items():
        inner = value.get(key)
        if isinstance(inner, list):
            _check_depth(key, depth + 1, limit)
            for element in inner:
                _validate_element(key, element, target, depth + 2, limit)
        elif isinstance(inner, dict):
            _validate(key, inner, target, depth + 1, limit)
        elif inner is not None and not isinstance(inner, str):
            raise _refused(f"neither_string_nor_nested:{key}", f"field {key!r} holds neither text nor objects")


def _validate_element(field: str, element: Any, target: Any, depth: int, limit: int) -> None:
    if element is None:
        raise _refused(f"list_has_null:{field}", f"the list in field {field!r} has a null")
    if isinstance(element, list):
        raise _refused(f"nested_list:{field}", f"the list in field {field!r} has a list in it")
    if isinstance(element, dict):
        _validate(field, element, target, depth, limit)
    elif not isinstance(element, str):
        raise _refused(f"list_non_string:{field}", f"the list in field {field!r} has an element that is no text")


def _check_depth(field: str, depth: int, limit: int) -> None:
    if depth > limit:
        raise _refused(f"max_depth:{field}", f"field {field!r} is deeper than {limit} levels")


def _refused(code: str, message: str) -> PipelineError:
    return PipelineError(message, "document_validation", code)
