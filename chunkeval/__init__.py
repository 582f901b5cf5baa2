"""Audits the chunks of a RAG store: which are bad, why, and what to do about them.

Nothing heavy is imported before it is used.

Examples
--------
>>> import chunkeval as ce
>>> chunks = ce.load("chunks.csv", text="content")  # doctest: +SKIP
>>> flags = ce.flag(ce.score(chunks))  # doctest: +SKIP
>>> ce.report(flags, "reports/mine")  # doctest: +SKIP
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chunkeval.api import audit, calibrate, compare, flag, index, judge, load, rechunk, report, scan, score
    from chunkeval.errors import (
        ChunkevalError,
        ConfigError,
        GateError,
        InputError,
        MissingExtraError,
        RunError,
        SourceError,
        TableError,
    )

__version__ = "0.1.0"

__all__ = [
    "ChunkevalError",
    "ConfigError",
    "GateError",
    "InputError",
    "MissingExtraError",
    "RunError",
    "SourceError",
    "TableError",
    "__version__",
    "audit",
    "calibrate",
    "compare",
    "flag",
    "index",
    "judge",
    "load",
    "rechunk",
    "report",
    "scan",
    "score",
]

_API = frozenset(
    {"audit", "calibrate", "compare", "flag", "index", "judge", "load", "rechunk", "report", "scan", "score"}
)


class _Package(ModuleType):
    """Keeps a public function in its place when a subpackage of the same name (``report``) is imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _API and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'chunkeval' has no attribute {name!r}")
    value = getattr(import_module("chunkeval.api" if name in _API else "chunkeval.errors"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


sys.modules[__name__].__class__ = _Package
