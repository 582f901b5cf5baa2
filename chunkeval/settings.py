"""Flat settings (options, TOML keys, presets) to the stages' dataclasses.

A setting has one name everywhere: the dataclass field ``max_flagged`` is the option ``--max-flagged`` and the TOML key ``max-flagged``.
"""

from __future__ import annotations

import ast
import inspect
import tomllib
from collections.abc import Mapping
from dataclasses import Field, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from chunkeval import config, config_compare, config_search
from chunkeval.bounds import a_share
from chunkeval.config import AuditConfig
from chunkeval.errors import ConfigError, unknown_name
from chunkeval.presets import PRESETS

STAGES: Mapping[str, type] = {
    "load": config.LoadConfig,
    "score": config.ScoreConfig,
    "flag": config.FlagConfig,
    "report": config.ReportConfig,
    "run": config.RunConfig,
    "chunk": config.ChunkConfig,
    "rechunk": config.RechunkConfig,
    "compare": config_compare.CompareConfig,
    "calibrate": config.CalibrateConfig,
    "judging": config.JudgeConfig,
    "search": config_search.SearchConfig,
    "ask": config_search.AskConfig,
    "agent": config_search.AgentConfig,
    "console": config.ConsoleConfig,
}

SHARES = ("max_flagged", "false_flags")
"""Settings that are a share, ``5%`` or ``0.05``; TOML and callers may give a number."""

_WORK = ("jobs", "batch", "cache")

CALLS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "score": (("load", "score"), ("preset", *_WORK)),
    "calibrate": (("load", "score", "calibrate"), ("preset", *_WORK)),
    "judge": ((), ("embedder", "tokenizer", "context", "limit", "jobs", "batch")),
    "rechunk": (("rechunk",), ("chunker", "overwrite", "lang", "embed", "redact", *_WORK)),
    "rechunk without out": (("rechunk",), ("chunker", *_WORK)),
}
"""What the functions of `chunkeval.api` look at: whole stages, and single settings besides."""


@cache
def names() -> Mapping[str, tuple[str, Any]]:
    """Every setting's name to its stage and type."""
    found: dict[str, tuple[str, Any]] = {"preset": ("", get_type_hints(AuditConfig)["preset"])}
    for stage, kind in STAGES.items():
        hints = get_type_hints(kind)
        found |= {field.name: (stage, hints[field.name]) for field in fields(kind)}
    return found


def read_toml(path: str) -> dict[str, Any]:
    """Read a settings file; keys come back with underscores, values checked.

    Raises
    ------
    ConfigError
        The file is missing or is no TOML, a key is not known (the message gives the nearest), a value is of the wrong type.
    """
    try:
        raw = tomllib.loads(Path(path).read_text("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"cannot read the settings {path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is no valid TOML: {error}") from None
    values: dict[str, Any] = {}
    for key, value in raw.items():
        name = key.replace("-", "_")
        if name not in names():
            raise ConfigError(f"{path}: {unknown_name('key', key, (n.replace('_', '-') for n in names()))}")
        if name in values:
            raise ConfigError(f"{path}: {key!r} is given twice, once with a dash and once with an underscore")
        values[name] = check(name, value, f"{path}: {key}")
    return values


def check(name: str, value: Any, place: str) -> Any:
    """Give a value the type its setting has.

    Parameters
    ----------
    name
        A setting's name, with underscores.
    value
        As TOML or a caller gives it: lists may be comma-separated strings, limits a table or ``NAME=VALUE`` strings.
    place
        Names the value in errors.

    Raises
    ------
    ConfigError
        The value is of the wrong type or none of the choices.

    Examples
    --------
    >>> check("analyzers", "tokens, similarity", "--analyzers")
    ('tokens', 'similarity')
    >>> check("limit", ["tokens=50:800"], "--limit")
    {'tokens': '50:800'}
    """
    if name not in names():
        raise unknown_name("setting", name, names())
    hint = names()[name][1]
    kinds = [kind for kind in get_args(hint) if kind is not type(None)] if type(None) in get_args(hint) else [hint]
    kind = kinds[0]
    if any(get_origin(other) is Literal for other in kinds[1:]):
        return _count_or_word(value, get_args(kinds[1]), place)
    if get_origin(kind) is Literal:
        return _choice(value, get_args(kind), place)
    if get_origin(kind) is tuple:
        return _list(value, place)
    if name == "tables":
        return _tables(value, place)
    if kind not in (str, int, bool, float):
        return _limits(value, place)
    if kind is float and type(value) is int:
        return float(value)
    if name in SHARES and isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if value is not None and type(value) is not kind:
        words = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}
        raise ConfigError(f"{place} must be {words[kind]}, not {value!r}")
    if kind is str and value is not None and not value.strip():
        raise ConfigError(f"{place} is empty: give a value or leave it out")
    if name == "false_flags" and value is not None:
        a_share(place, value)
    return value


def _choice(value: Any, choices: tuple[str, ...], place: str) -> Any:
    if value not in choices:
        raise ConfigError(f"{place}: {unknown_name('value', str(value), choices)}")
    return value


def _count_or_word(value: Any, words: tuple[str, ...], place: str) -> Any:
    if value in words or (type(value) is int):
        return value
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        return int(value)
    raise ConfigError(f"{place} must be a whole number or {' or '.join(words)}, not {value!r}")


def _list(value: Any, place: str) -> tuple[str, ...]:
    items = value.split(",") if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise ConfigError(f"{place} must be a list of names, not {value!r}")
    return tuple(dict.fromkeys(item.strip() for item in items if item.strip()))


def _limits(value: Any, place: str) -> dict[str, str]:
    if isinstance(value, Mapping):
        for name, limit in value.items():
            if isinstance(limit, bool) or not isinstance(limit, str | int | float):
                raise ConfigError(f"{place}.{name} must be a number or LOW:HIGH, not {limit!r}")
        return {name: str(limit) for name, limit in value.items()}
    if not isinstance(value, str | list | tuple):
        raise ConfigError(f"{place} must be a table of limits by name, not {value!r}")
    found: dict[str, str] = {}
    for item in [value] if isinstance(value, str) else value:
        name, sign, limit = str(item).partition("=")
        if not (name.strip() and sign and limit.strip()):
            raise ConfigError(f"{place} {item!r}: write NAME=VALUE or NAME=LOW:HIGH, as in --limit tokens=50:800")
        found[name.strip()] = limit.strip()
    return found


def _tables(value: Any, place: str) -> dict[str, str]:
    if isinstance(value, Mapping):
        pairs = [(str(name), path) for name, path in value.items()]
    elif isinstance(value, str | list | tuple):
        parts = [str(item).partition("=") for item in ([value] if isinstance(value, str) else value)]
        pairs = [(name.strip(), path.strip() if sign else None) for name, sign, path in parts]
    else:
        raise ConfigError(f"{place} must be a table of paths by name, not {value!r}")
    found: dict[str, str] = {}
    for name, path in pairs:
        if not name or not isinstance(path, str) or not path:
            raise ConfigError(f"{place} {name or path!r}: write NAME=TABLE, as in --tables now=a.parquet new=b.parquet")
        if name in found:
            raise ConfigError(f"{place}: {name!r} is named twice: give each table a name of its own")
        found[name] = path
    return found


def build(given: Mapping[str, Any], file: Mapping[str, Any] | None = None) -> tuple[AuditConfig, config.ConsoleConfig]:
    """Settle every setting: given over file over preset over default.

    Parameters
    ----------
    given
        What the caller states, by name; None counts as not stated.
    file
        What `read_toml` gave.

    Returns
    -------
    tuple of AuditConfig and ConsoleConfig
        Limits given by hand are merged name by name; of anything else the nearest source's value holds.
    """
    stated = {name: value for name, value in given.items() if value is not None}
    stated = {name: check(name, value, "--" + name.replace("_", "-")) for name, value in stated.items()}
    file = file or {}
    preset = stated.get("preset", file.get("preset"))
    values = {**(PRESETS[preset] if preset else {}), **file, **stated}
    if "limit" in values:
        values["limit"] = {**file.get("limit", {}), **stated.get("limit", {})}
    stages = {stage: kind(**_of(kind, values)) for stage, kind in STAGES.items()}
    console = stages.pop("console")
    return AuditConfig(**stages, preset=preset), console


def of_call(call: str, options: Mapping[str, Any]) -> AuditConfig:
    """Settle the options of a Python call, and refuse those that it would not look at.

    Parameters
    ----------
    call
        One of `CALLS`.
    options
        Settings by name; None counts as not stated.

    Raises
    ------
    ConfigError
        A setting is not known, has no such value, or changes nothing here.

    Examples
    --------
    >>> of_call("score", {"seed": 7}).score.seed
    7
    """
    stages, others = CALLS[call]
    taken = {*others, *(field.name for stage in stages for field in fields(STAGES[stage]))} - {"dry_run", "decisions"}
    for name, value in options.items():
        if value is not None and name in names() and name not in taken:
            raise ConfigError(f"{name} changes nothing in {call}, leave it out; it takes {', '.join(sorted(taken))}")
    return build(options)[0]


def _of(kind: type, values: Mapping[str, Any]) -> dict[str, Any]:
    return {field.name: values[field.name] for field in fields(kind) if field.name in values}


@cache
def documentation() -> Mapping[str, str]:
    """Every setting's name to the sentence written under its field, from the source of the dataclasses."""
    found = {"preset": "A published recipe: article."}
    modules = (config, config_compare, config_search)
    for node in (node for module in modules for node in ast.parse(inspect.getsource(module)).body):
        if not isinstance(node, ast.ClassDef):
            continue
        for line, below in zip(node.body, node.body[1:], strict=False):
            if not (isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)):
                continue
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                found.setdefault(line.target.id, inspect.cleandoc(str(below.value.value)))
    return found


def default(field: Field[Any]) -> Any:
    """The value a setting has when nobody states it; None where there is none to show."""
    value = field.default
    return value if isinstance(value, str | int | tuple) and value not in (False, ()) else None
