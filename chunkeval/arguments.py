"""What the package's functions are handed, checked before anything is done."""

from __future__ import annotations

from pathlib import Path

from chunkeval.errors import TableError
from chunkeval.results import Flags, Scores


def check_table(name: str, value: object) -> None:
    """Refuse what is neither a table nor a place to read one from.

    Raises
    ------
    TableError
        The message names the argument and its type.
    """
    import pandas as pd

    if not isinstance(value, str | Path | pd.DataFrame):
        raise TableError(f"{name} must be a DataFrame or a path, not {type(value).__name__}")


def check_scores(value: object) -> None:
    """Refuse what are no scores.

    Raises
    ------
    TableError
        The message says what gives them.
    """
    if not isinstance(value, Scores):
        raise TableError(f"scores must be what chunkeval.score gives, not {type(value).__name__}")


def check_flags(value: object) -> None:
    """Refuse what are no judged scores.

    Raises
    ------
    TableError
        The message says what gives them.
    """
    if not isinstance(value, Flags):
        raise TableError(f"flags must be what chunkeval.flag gives, not {type(value).__name__}")
