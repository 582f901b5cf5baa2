"""JSON that comes out as it went in: numbers to the last digit, keys in order, lone surrogates as escapes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import Any, NoReturn

from chunkeval.errors import PipelineError

_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Number:
    """A number as it is written."""

    text: str


def read_object(text: str) -> dict[str, Any]:
    """Read a JSON object; numbers become `Number`.

    Raises
    ------
    PipelineError
        It is no JSON, or no object, or a key is in an object twice.
    """
    try:
        document = _DECODER.decode(text.strip(" \t\r\n"))
    except ValueError as error:
        raise PipelineError(f"no valid JSON: {error}", "document_validation", "invalid_json") from None
    if not isinstance(document, dict):
        raise PipelineError("a document must be a JSON object", "document_validation", "not_an_object")
    return document


def read_settings(text: str) -> Any:
    """Read JSON of a person's, numbers as Python's; as strict as `read_object`, and as OpenSearch.

    Raises
    ------
    PipelineError
        It is no JSON, or a key is in an object twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_number)
    except PipelineError as error:
        raise PipelineError(str(error), "construction", error.code) from None
    except RecursionError:
        raise PipelineError("nested too deeply", "construction", "nesting") from None
    except ValueError as error:
        raise PipelineError(f"no valid JSON: {error}", "construction", "invalid_json") from None


def write(value: Any) -> str:
    r"""Write a value that `read_object` has read.

    Examples
    --------
    >>> write(read_object('{"가": [1e2, 12345678901234567890, -0.10, null, true, "\\ud83d", "👍"]}'))
    '{"가": [1e2, 12345678901234567890, -0.10, null, true, "\\ud83d", "👍"]}'
    """
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", "".join(_parts(value)))


def _parts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield encode_basestring(value)
    elif isinstance(value, Number):
        yield value.text
    elif isinstance(value, dict):
        between = "{"
        for key, inner in value.items():
            yield f"{between}{encode_basestring(key)}: "
            yield from _parts(inner)
            between = ", "
        yield "}" if value else "{}"
    elif isinstance(value, list):
        between = "["
        for inner in value:
            yield between
            yield from _parts(inner)
            between = ", "
        yield "]" if value else "[]"
    else:
        yield json.dumps(value)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise PipelineError(f"key {key!r} is there twice", "document_validation", f"duplicate_key:{key}")
            seen.add(key)
    return made


def _no_number(text: str) -> NoReturn:
    raise PipelineError(f"{text} is no JSON number", "document_validation", "invalid_json")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_float=Number, parse_int=Number, parse_constant=_no_number, strict=True
)
