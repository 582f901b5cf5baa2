"""The tools as a model sees them: JSON schemas made from the functions, and calls with the arguments that a model writes."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

from docstring_parser import parse

from chunkeval.errors import ToolError

_KINDS: Mapping[Any, Mapping[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    list[str]: {"type": "array", "items": {"type": "string"}},
}


def parameters_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Make the JSON schema of a function's parameters from its types, its defaults and its docstring.

    Examples
    --------
    >>> def greet(name: str, times: int = 1) -> None:
    ...     '''Greet.
    ...
    ...     Parameters
    ...     ----------
    ...     name
    ...         Whom.
    ...     times
    ...         How often.
    ...     '''
    >>> parameters_of(greet)["properties"]["times"], parameters_of(greet)["required"]
    ({'type': 'integer', 'description': 'How often.', 'default': 1}, ['name'])
    """
    hints = get_type_hints(function)
    words = {told.arg_name: " ".join((told.description or "").split()) for told in parse(function.__doc__ or "").params}
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        properties[name] = {**_KINDS[hints[name]], "description": words[name]}
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
        else:
            properties[name]["default"] = parameter.default
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def description_of(function: Callable[..., Any]) -> str:
    """Give what a function's docstring says before its parameters."""
    told = parse(function.__doc__ or "")
    return " ".join(f"{told.short_description or ''} {told.long_description or ''}".split())


def functions_of(functions: Mapping[str, Callable[..., Any]]) -> list[dict[str, Any]]:
    """Describe functions as OpenAI-compatible servers take tools.

    Examples
    --------
    >>> from chunkeval.retrieval.tools import Tools
    >>> [tool["function"]["name"] for tool in functions_of({"chunk_read": Tools.chunk_read.__get__(0)})]
    ['chunk_read']
    """
    return [
        {
            "type": "function",
            "function": {"name": name, "description": description_of(f), "parameters": parameters_of(f)},
        }
        for name, f in functions.items()
    ]


def call(functions: Mapping[str, Callable[..., Any]], name: str, arguments: Any) -> Any:
    """Call a function as a model asks for it.

    Parameters
    ----------
    functions
        By name.
    name
        Of the function.
    arguments
        By name; or JSON of such.

    Raises
    ------
    ToolError
        There is no such function, or it does not take these arguments; the message says what it takes.

    Examples
    --------
    >>> call({"double": lambda number: 2 * number}, "double", '{"number": 2}')
    4
    >>> call({"double": lambda number: 2 * number}, "double", {"nmber": 2})
    Traceback (most recent call last):
    chunkeval.errors.ToolError: double takes number: missing a required argument: 'number'
    """
    if name not in functions:
        raise ToolError(f"there is no tool {name!r}: the tools are {', '.join(functions)}")
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except ValueError as error:
            raise ToolError(f"the arguments of {name} are no valid JSON ({error}): write an object") from error
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        raise ToolError(f"the arguments of {name} must be a JSON object, not {type(arguments).__name__}")
    takes = inspect.signature(functions[name])
    try:
        bound = takes.bind(**arguments)
    except TypeError as error:
        raise ToolError(f"{name} takes {', '.join(takes.parameters)}: {error}") from error
    return functions[name](*bound.args, **bound.kwargs)
