"""Every error chunkeval raises on purpose.

::

    ChunkevalError                 3   something inside went wrong
    ├── InputError                 2   the caller can mend it; the message names the place and the fix
    │   ├── SourceError            2   a file, folder or stream that cannot be read
    │   ├── TableError             2   a row or column of the chunk table
    │   ├── ConfigError            2   an option, a TOML key, a registered name
    │   ├── MissingExtraError      2   an optional package that is not installed
    │   ├── PipelineError          2   an ingest pipeline, or a document that it refuses
    │   ├── RunError               2   a run's folder: exists, is missing, or does not match
    │   └── ToolError              2   a call of a retrieval tool with arguments that it cannot take
    ├── GateError                  1   a stated gate failed (``--max-flagged`` and the like)
    ├── ServerLost                 3   a model's server cannot be reached, or gives up in the middle
    └── BudgetSpent                3   as many calls or tokens were used as the caller allowed

The number is the exit code of the command line.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import ClassVar


class ChunkevalError(Exception):
    """Base of all errors raised on purpose."""

    exit_code: ClassVar[int] = 3


class InputError(ChunkevalError):
    """The input or the configuration is at fault; nothing was written."""

    exit_code: ClassVar[int] = 2


class SourceError(InputError):
    """A source cannot be read: missing, broken, of an unknown kind, refused."""


class TableError(InputError):
    """The chunk table breaks a rule: a column is missing or ambiguous, an id repeats, a text is null."""


class ConfigError(InputError):
    """An option, a key or a name that is not known or not valid."""


class MissingExtraError(InputError):
    """An optional package is needed and not installed."""


class PipelineError(InputError):
    """An ingest pipeline cannot be made, or refuses a document, as OpenSearch would.

    Attributes
    ----------
    kind
        ``construction`` (the pipeline's JSON), ``document_validation`` (a document) or ``analyzer`` (too many tokens).
    code
        What is wrong, and with which parameter or field: ``must_be_positive:token_limit``.
    """

    def __init__(self, message: str, kind: str, code: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.code = code


class RunError(InputError):
    """A run's folder exists already, is missing, or was made with other settings."""


class ToolError(InputError):
    """A retrieval tool was called with arguments that it cannot take; an agent reads the message and calls again."""


class GateError(ChunkevalError):
    """A gate that the caller stated was not met."""

    exit_code: ClassVar[int] = 1


class ServerLost(ChunkevalError):
    """A model's server cannot be reached, or did not answer after all tries; what was finished is kept."""


class BudgetSpent(ChunkevalError):
    """The calls or tokens that the caller allowed are used up; what was finished is kept."""


def unknown_name(kind: str, name: str, known: Iterable[str]) -> ConfigError:
    """Build the error for a name that is not registered, with the nearest one that is.

    Examples
    --------
    >>> str(unknown_name("embedder", "use-multilingal", ["lsa", "use-multilingual"]))
    "unknown embedder 'use-multilingal': did you mean 'use-multilingual'? (known: lsa, use-multilingual)"
    >>> str(unknown_name("limit", "bogus", ["similarity", "tokens"]))
    "unknown limit 'bogus' (known: similarity, tokens)"
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    hint = f": did you mean {near[0]!r}?" if near else ""
    return ConfigError(f"unknown {kind} {name!r}{hint} (known: {', '.join(names)})")
