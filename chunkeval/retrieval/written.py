"""Calls of tools that a model writes into its text, as those do that were taught another protocol than their server speaks."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

_TRIES = 200
"""Places at which a call is looked for."""
_LONGEST = 2_000
"""Characters of a call that is written as Python has it."""
_BEFORE = 80
"""Characters before an object in which the tool's name may stand."""
_ARGUMENTS = ("arguments", "parameters", "args", "input")
_MARKS = re.compile(r"<tool_call>|<\|?tool_call|<function|\[TOOL_CALLS\]|<\|python_tag\|>")
_DECODER = json.JSONDecoder(strict=False)


class Written(NamedTuple):
    """A call found in a text."""

    name: str
    arguments: str
    """JSON."""
    start: int
    """Where in the text it begins."""


def calls(text: str, names: Collection[str]) -> list[Written]:
    """Give the calls of known tools in a text, in their order.

    Objects that name a tool are calls, whatever is written round them, and objects behind the name of one; also calls as
    Python has them.

    Parameters
    ----------
    text
        What the model wrote.
    names
        Of the tools; what names another is no call.

    Examples
    --------
    >>> calls('<tool_call>{"name": "look", "arguments": {"word": "김치"}}</tool_call>', ["look"])
    [Written(name='look', arguments='{"word": "김치"}', start=11)]
    >>> [call.arguments for call in calls("look(word='김치')", ["look"])]
    ['{"word": "김치"}']
    >>> calls('{"name": "김치", "price": 3}', ["look"])
    []
    """
    return list(_objects(text, names)) or list(_expressions(text, names))


def attempted(text: str, names: Collection[str]) -> bool:
    """Say whether a text looks like the call of a tool that cannot be read.

    Examples
    --------
    >>> attempted('look({"word": "김', ["look"]), attempted("I had a look (twice).", ["look"])
    (True, False)
    """
    return bool(_MARKS.search(text) or re.search(rf"\b(?:{_any(names)})\(|[\"'](?:{_any(names)})[\"']\s*,", text))


def _objects(text: str, names: Collection[str]) -> Iterator[Written]:
    named = re.compile(rf"\b({_any(names)})\b(?:\W|Action Input|arguments|parameters)*$")
    at = text.find("{")
    for _ in range(_TRIES):
        if at < 0:
            return
        end, found = at + 1, None
        after = end
        with suppress(ValueError, RecursionError):
            found, after = _DECODER.raw_decode(text, at)
        if isinstance(found, dict):
            call = _named(found, names)
            start = at
            if call is None and (before := named.search(text, max(at - _BEFORE, 0), at)):
                call, start = (before[1], _json(found)), before.start()
            if call is not None:
                yield Written(*call, start)
                end = after
        at = text.find("{", end)


def _named(found: Mapping[str, Any], names: Collection[str]) -> tuple[str, str] | None:
    inner = found.get("function")
    found = inner if isinstance(inner, dict) else found
    name = next((found[key] for key in ("tool", "name", "function") if isinstance(found.get(key), str)), "")
    if name not in names:
        return None
    given: Any = next((found[key] for key in _ARGUMENTS if key in found), {})
    return name, given if isinstance(given, str) else _json(given)


def _expressions(text: str, names: Collection[str]) -> Iterator[Written]:
    begun = tries = 0
    for found in re.finditer(rf"\b({_any(names)})\(", text):
        if found.start() < begun:
            continue
        for close in re.finditer(r"\)", text[found.start() : found.start() + _LONGEST]):
            if (tries := tries + 1) > _TRIES:
                return
            end = found.start() + close.end()
            given = _keywords(text[found.start() : end])
            if given is not None:
                yield Written(found[1], given, found.start())
                begun = end
                break


def _keywords(expression: str) -> str | None:
    """Read a call's arguments by name: literals only, nothing is run."""
    try:
        tree = ast.parse(expression, mode="eval").body
        if not isinstance(tree, ast.Call) or tree.args:
            return None
        return _json({str(word.arg): ast.literal_eval(word.value) for word in tree.keywords})
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def _any(names: Collection[str]) -> str:
    return "|".join(map(re.escape, names))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
