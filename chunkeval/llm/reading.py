"""A server's answer, read without trust: whatever it holds, it becomes a text, calls of tools, or a trouble with a name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chunkeval.llm.account import estimated
from chunkeval.text.offsets import encodable

_TRIES = 64
"""Places at which JSON is looked for in a text."""
_THOUGHT = "</think>"
"""What comes before it, the model said to itself."""


@dataclass(frozen=True)
class Answer:
    """One chat completion."""

    text: str
    message: Mapping[str, Any] = field(default_factory=dict)
    """The assistant's message as it came."""
    finish: str = ""
    """Why it ends: ``stop``, ``length``, ``tool_calls``, …"""
    trouble: str | None = None
    tokens: tuple[int, int] | None = None
    """Of the prompt and of the completion; None where the server names none."""


def answer(body: bytes) -> Answer:
    """Read a server's answer.

    Examples
    --------
    >>> answer(b'{"choices": []}').trouble
    'no choices'
    >>> answer(b'{"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}').text
    'yes'
    """
    try:
        read = json.loads(body)
    except (ValueError, RecursionError):
        return Answer("", trouble="no JSON from the server")
    if not isinstance(read, dict):
        return Answer("", trouble="no chat completion from the server")
    tokens = _tokens(read.get("usage"))
    choices = read.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return Answer("", trouble="no choices", tokens=tokens)
    text = message.get("content")
    text = encodable(text) if isinstance(text, str) else ""
    finish = choice.get("finish_reason")
    trouble = None
    if isinstance(message.get("refusal"), str) and message["refusal"]:
        trouble = "refused by the model"
    elif finish == "content_filter":
        trouble = "stopped by the server's filter"
    elif finish == "length":
        trouble = "cut off at the most tokens allowed"
    elif not text.strip() and not message.get("tool_calls"):
        trouble = "empty reply"
    return Answer(text, message, finish if isinstance(finish, str) else "", trouble, tokens)


def used(found: Answer, prompt: str) -> tuple[int, int]:
    """Tokens of prompt and completion: as the server counts, else estimated."""
    return found.tokens if found.tokens is not None else (estimated(prompt), estimated(found.text))


def value(text: str, schema: Mapping[str, object]) -> object | None:
    """Find the JSON in a reply: the whole of it, or, among other words, the longest object that has what the schema requires.

    Examples
    --------
    >>> value('Sure! ```json {"ids": [1, 2]}```', {"required": ["ids"]})
    {'ids': [1, 2]}
    >>> value('{"ids": [{"a": 1}, {', {"required": ["ids"]}) is None
    True
    """
    text = text.rpartition(_THOUGHT)[2].strip()
    try:
        return _whole(_DECODER.decode(text))
    except (ValueError, RecursionError):
        pass
    required = schema.get("required")
    wanted = set(required) if isinstance(required, list) else set()
    best: tuple[int, object] | None = None
    at = text.find("{")
    for _ in range(_TRIES):
        if at < 0:
            break
        try:
            found, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if wanted <= found.keys() and (best is None or end - at > best[0]):
                best = end - at, found
        at = text.find("{", end)
    return None if best is None else _whole(best[1])


def shown(message: Mapping[str, Any]) -> dict[str, Any]:
    """Make a chat's message such that it can be sent: without lone surrogates."""
    return {name: encodable(part) if isinstance(part, str) else part for name, part in message.items()}


def tool_calls(message: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Id, name and arguments of the calls of tools in an assistant's message; what is none is left out.

    Examples
    --------
    >>> tool_calls({"tool_calls": [{"id": "a", "function": {"name": "search", "arguments": "{}"}}, {"id": "b"}]})
    [('a', 'search', '{}')]
    """
    given = message.get("tool_calls")
    found = []
    for call in given if isinstance(given, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            arguments = function.get("arguments")
            written = arguments if isinstance(arguments, str) else json.dumps(arguments)
            found.append((str(call.get("id", "")), encodable(function["name"]), encodable(written)))
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


# Small models put line breaks into strings, which is not allowed but plain enough.
_DECODER = json.JSONDecoder(strict=False, parse_constant=_refuse)


def _whole(found: object) -> object:
    """Put U+FFFD for lone surrogates, which JSON may spell and no file can hold."""
    if isinstance(found, str):
        return encodable(found)
    if isinstance(found, list):
        return [_whole(part) for part in found]
    if isinstance(found, dict):
        return {encodable(name): _whole(part) for name, part in found.items()}
    return found


def _tokens(usage: object) -> tuple[int, int] | None:
    if not isinstance(usage, dict):
        return None
    asked, answered = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if type(asked) is int and type(answered) is int and min(asked, answered) >= 0 and max(asked, answered) < 2**40:
        return asked, answered
    return None
