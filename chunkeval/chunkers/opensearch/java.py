"""Values as Java reads and writes them: where OpenSearch's plug-in says ``decode``, Python's ``int`` takes other text."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from chunkeval.text.lucene.runs import JAVA_WHITESPACE

_DOUBLE = re.compile(r"[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)", re.ASCII)
_HEX_DOUBLE = re.compile(r"([+-]?0[xX](?:[\da-fA-F]+\.?|[\da-fA-F]*\.[\da-fA-F]+)[pP][+-]?\d+)[fFdD]?", re.ASCII)
_INTS = range(-(1 << 31), 1 << 31)


def decoded_int(value: object) -> int | None:
    """Read an ``int`` as ``Integer.decode(value.toString())`` does; None where that fails.

    Decimal, ``0x`` or ``#`` for hexadecimal, a leading 0 for octal, a sign before; no white space.

    Examples
    --------
    >>> [decoded_int(value) for value in (10, "10", "0x0A", "010", "-1", 10.0, True, "1_0", " 1", 1 << 31)]
    [10, 10, 10, 8, -1, None, None, None, None, None]
    """
    sign, digits = _sign_and_digits(value)
    radix = 10
    if digits[:2] in ("0x", "0X"):
        radix, digits = 16, digits[2:]
    elif digits[:1] == "#":
        radix, digits = 16, digits[1:]
    elif digits[:1] == "0" and len(digits) > 1:
        radix, digits = 8, digits[1:]
    return _int(sign, digits, radix)


def parsed_int(value: object) -> int | None:
    """Read an ``int`` as ``Integer.parseInt(value.toString())`` does, decimal alone; None where that fails.

    Examples
    --------
    >>> [parsed_int(value) for value in (10, "10", "-010", "0x0A", 10.0, True)]
    [10, 10, -10, None, None, None]
    """
    return _int(*_sign_and_digits(value), 10)


def _sign_and_digits(value: object) -> tuple[str, str]:
    if isinstance(value, bool) or not (isinstance(value, str) or (isinstance(value, int) and value in _INTS)):
        return "", ""
    text = str(value)
    return (text[:1], text[1:]) if text[:1] in ("+", "-") else ("", text)


def _int(sign: str, digits: str, radix: int) -> int | None:
    plain = [_digit(char, radix) for char in digits]
    if not plain or None in plain:
        return None
    number = 0
    for digit in plain:
        number = number * radix + (digit or 0)
        if number > 1 << 31:
            return None
    number = -number if sign == "-" else number
    return number if number in _INTS else None


def _digit(char: str, radix: int) -> int | None:
    """Read one digit as ``Character.digit`` does: of any script, and full-width letters."""
    digit: int | None
    if "a" <= (letter := unicodedata.normalize("NFKC", char).lower()) <= "f" and (char.isascii() or char >= "\uff21"):
        digit = ord(letter) - ord("a") + 10
    else:
        digit = unicodedata.decimal(char, None) if char <= "\uffff" else None
    return digit if digit is not None and digit < radix else None


def decoded_double(value: object) -> float | None:
    """Read a ``double`` as ``Double.valueOf(value.toString())`` does; None where that fails.

    Examples
    --------
    >>> [decoded_double(value) for value in (0.2, "0.2", 0, " 1e-1 ", "0.2f", "0x1p-2", True, "x")]
    [0.2, 0.2, 0.0, 0.1, 0.2, 0.25, None, None]
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, float):
        return value
    text = str(value).strip("".join(map(chr, range(33))))
    if _DOUBLE.fullmatch(text):
        return float(text.rstrip("fFdD") if text[-1:] in ("f", "F", "d", "D") else text)
    if hexadecimal := _HEX_DOUBLE.fullmatch(text):
        try:
            return float.fromhex(hexadecimal[1])
        except OverflowError:
            return -math.inf if hexadecimal[1].startswith("-") else math.inf
    return None


def is_blank(text: str) -> bool:
    r"""Whether all of a text is ``Character.isWhitespace``: U+3000 is, NBSP and U+0085 are not.

    Examples
    --------
    >>> is_blank("\u3000\n"), is_blank("\xa0"), is_blank("")
    (True, False, True)
    """
    return JAVA_WHITESPACE.issuperset(text)


def as_text(value: Any) -> str:
    """Write a value as ``String.valueOf`` does.

    Examples
    --------
    >>> as_text("c"), as_text(None), as_text(True), as_text(["a", 1]), as_text({})
    ('c', 'null', 'true', '[a, 1]', '{}')
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(as_text, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}={as_text(inner)}" for key, inner in value.items()) + "}"
    return str(value)


def in_units(text: str) -> str:
    r"""Write a text with one character a UTF-16 code unit, as Java counts.

    Examples
    --------
    >>> len(in_units("a👍")), of_units(in_units("a👍")) == "a👍"
    (3, True)
    """
    if text.isascii():
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    return text if len(units) == 2 * len(text) else "".join(map(chr, memoryview(units).cast("H")))


def of_units(units: str) -> str:
    """Undo `in_units`: pairs of surrogates become characters, lone ones stay."""
    if units.isascii() or not _SURROGATE.search(units):
        return units
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


_SURROGATE = re.compile("[\ud800-\udfff]")
