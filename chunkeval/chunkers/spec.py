"""Chunkers as one word on a command line: ``recursive:size=300,unit="words"``."""

from __future__ import annotations

import inspect
import tomllib
from typing import Any

from chunkeval import registry
from chunkeval.chunkers.base import Chunker
from chunkeval.config import ChunkConfig
from chunkeval.errors import ConfigError, unknown_name

ADAPTERS = ("langchain", "chonkie")
"""Chunkers whose parameter is another's name: ``langchain:NAME:key=value,…``."""

_CLOSES = {"[": "]", "{": "}"}


def make(spec: str) -> Chunker:
    """Make the chunker that a spec names.

    Parameters
    ----------
    spec
        ``NAME`` or ``NAME:key=value,…``; values are TOML, and what is no valid TOML is a string up to the next comma
        outside quotes and brackets.

    Raises
    ------
    ConfigError
        The name or a parameter is not known (the message gives the nearest that is), a parameter is given twice or
        lacks a value, or the chunker refuses a value.

    Examples
    --------
    >>> parse("recursive:size=300,unit=words,separators=['; ', ' ']")
    ('recursive', {'size': 300, 'unit': 'words', 'separators': ['; ', ' ']})
    """
    name, given = parse(spec)
    build = registry.find("chunkers", name)
    parameters = inspect.signature(build).parameters.values()
    known = [p.name for p in parameters if p.kind is not p.VAR_KEYWORD]
    open_ended = any(p.kind is p.VAR_KEYWORD for p in parameters)
    for key in given:
        if key not in known and not open_ended:
            raise unknown_name(f"parameter of {name}", key, known)
    lacks = [p.name for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD and p.name not in given]
    if lacks:
        form = f"{name}:NAME" if name in ADAPTERS else f"{name}:{lacks[0]}=…"
        raise ConfigError(f"chunker {spec!r} lacks its {lacks[0]}: give {form}")
    try:
        chunker: Chunker = build(**given)
    except TypeError as error:
        raise ConfigError(f"chunker {spec!r}: {error}") from None
    return chunker


def chosen(config: ChunkConfig) -> str | None:
    """Give the spec of a configuration's chunker, with what other settings say about it; None where none is named.

    Raises
    ------
    ConfigError
        There is a fallback for a chunker that asks no language model.

    Examples
    --------
    >>> chosen(ChunkConfig(chunker="agentic:model=m", fallback="none"))
    'agentic:model=m,fallback=none'
    """
    spec = config.chunker
    if config.fallback == ChunkConfig.fallback:
        return spec
    name, given = parse(spec) if spec is not None else ("recursive", {})
    if "fallback" not in inspect.signature(registry.find("chunkers", name)).parameters:
        raise ConfigError(f"--fallback is for chunkers that ask a language model, and {name} does not: leave it out")
    if "fallback" in given:
        raise ConfigError(f"chunker {spec!r} names a fallback, and --fallback another: give one of them")
    return f"{spec}{',' if given else ':'}fallback={config.fallback}"


def parse(spec: str) -> tuple[str, dict[str, Any]]:
    """Take a spec apart; see `make`."""
    name, _, rest = spec.strip().partition(":")
    name = name.strip()
    if name in ADAPTERS and rest.strip():
        inner, _, rest = rest.partition(":")
        return name, {"name": inner.strip(), **_parameters(spec, rest)}
    if not name:
        raise ConfigError(f"chunker {spec!r} has no name: give NAME or NAME:key=value,…")
    return name, _parameters(spec, rest)


def several(specs: str) -> list[str]:
    """Part specs at the semicolons outside quotes and brackets; empty ones are left out.

    Examples
    --------
    >>> several("recursive:separators=[';']; sentence;")
    ["recursive:separators=[';']", 'sentence']
    """
    return [part for part in _parted(specs, ";") if part]


def _parameters(spec: str, text: str) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for part in _parted(text, ","):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key:
            raise ConfigError(f"chunker {spec!r}: {part!r} is no key=value")
        if key in given:
            raise ConfigError(f"chunker {spec!r}: {key} is given twice")
        given[key] = _value(value.strip())
    return given


def _value(text: str) -> Any:
    try:
        read = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return read["value"] if len(read) == 1 else text


def _parted(text: str, mark: str) -> list[str]:
    parts, part, quote, depth = [], "", "", []
    escaped = False
    for character in text:
        if quote:
            if character == quote and not escaped:
                quote = ""
            escaped = quote == '"' and character == "\\" and not escaped
        elif character in "\"'":
            quote = character
        elif character in _CLOSES:
            depth.append(_CLOSES[character])
        elif depth and character == depth[-1]:
            depth.pop()
        elif character == mark and not depth:
            parts.append(part.strip())
            part = ""
            continue
        part += character
    last = part.strip()
    return [*parts, last] if last or parts else []
