"""Numbers and texts packed for a page: arrays of whole numbers in few bytes, gzipped, in base64."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SCALE = 1_000_000
"""Scores have six decimals, so that a millionth is their unit."""

NONE = -(2**31)
"""Stands for a score that was not measured."""


def pack(data: bytes) -> str:
    """Compress bytes and write them in characters; the same bytes give the same text."""
    return base64.b64encode(gzip.compress(data, compresslevel=9, mtime=0)).decode("ascii")


def pack_json(value: Any) -> str:
    """Pack a value as JSON; lone surrogates become escapes, which JSON can hold and UTF-8 cannot."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return pack(text.encode("utf-8"))
    except UnicodeEncodeError:
        return pack(json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii"))


def pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> tuple[list[dict[str, Any]], str]:
    """Pack columns of equal length one behind the other.

    Parameters
    ----------
    arrays
        Name to ``(n,)`` numbers: whole ones, or scores with six decimals and NaN where not measured.

    Returns
    -------
    list of dict, str
        What each is (``name``, ``kind`` ``i32`` or ``f64``, ``scale``), in order, and all of them packed.
        A value is the number stored divided by ``scale``; `NONE` or NaN where there is none.

    Examples
    --------
    >>> kinds, _ = pack_arrays({"similarity": np.array([0.25, np.nan]), "row": np.array([3, 4])})
    >>> kinds
    [{'name': 'similarity', 'kind': 'i32', 'scale': 1000000}, {'name': 'row', 'kind': 'i32', 'scale': 1}]
    """
    kinds, parts = [], []
    # Doubles first: a typed array on eight bytes must begin at a multiple of eight.
    ready = [(name, *_whole(values)) for name, values in arrays.items()]
    for name, values, scale in sorted(ready, key=lambda item: item[2] != 0):
        kinds.append({"name": name, "kind": "i32" if scale else "f64", "scale": scale or 1})
        parts.append(values.astype("<i4" if scale else "<f8").tobytes())
    return kinds, pack(b"".join(parts))


def _whole(values: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Bring values to whole numbers of 32 bits; 0 for the scale where they do not fit."""
    if not np.issubdtype(values.dtype, np.floating):
        return values, 1
    finite = np.isfinite(values)
    for scale in (1, SCALE):
        with np.errstate(over="ignore"):
            scaled = np.round(values * scale)
        fits = np.abs(scaled, where=finite, out=np.zeros(len(values))).max(initial=0) < 2**31 - 1
        if fits and bool((scaled / scale == values)[finite].all()):
            return np.where(finite, scaled, NONE).astype(np.int64), scale
    return values, 0


def codes(values: Sequence[Any]) -> tuple[NDArray[np.int64], list[Any]]:
    """Number distinct values in the order they come; None is -1.

    Examples
    --------
    >>> codes(["b", None, "a", "b"])
    (array([ 0, -1,  1,  0]), ['b', 'a'])
    """
    names: dict[Any, int] = {}
    numbers = [-1 if value is None else names.setdefault(value, len(names)) for value in values]
    return np.array(numbers, dtype=np.int64), list(names)
