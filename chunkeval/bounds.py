"""What values a setting may have."""

from __future__ import annotations

from chunkeval.errors import ConfigError, unknown_name


def within(name: str, value: int | None, low: int, high: int | None = None) -> None:
    """Refuse a number out of its range.

    Raises
    ------
    ConfigError
        The message gives the range.
    """
    if value is not None and (value < low or (high is not None and value > high)):
        span = f"at least {low}" if high is None else f"between {low} and {high}"
        raise ConfigError(f"{name} must be {span}, not {value}")


def one_of(name: str, value: str | None, choices: tuple[str | None, ...]) -> None:
    """Refuse a word that is no choice.

    Raises
    ------
    ConfigError
        The message gives the nearest that is.
    """
    if value not in choices:
        raise unknown_name(f"value of {name}", str(value), [choice for choice in choices if choice is not None])


def a_share(name: str, value: str) -> None:
    """Refuse what is no share.

    Raises
    ------
    ConfigError
        The message gives the range.
    """
    if share_of(value) is None:
        raise ConfigError(f"{name} must be a share from 0% to 100% (5% or 0.05), not {value!r}")


def share_of(text: str) -> float | None:
    """Read a share; None where it is none.

    Examples
    --------
    >>> share_of("5%"), share_of("0.05"), share_of("200")
    (0.05, 0.05, None)
    """
    words = text.strip()
    try:
        share = float(words[:-1]) / 100 if words.endswith("%") else float(words)
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None
