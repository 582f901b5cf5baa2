"""Composed forms of a text, with the way back to its own code points."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import regex

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CLUSTER = regex.compile(r".[\p{M}\u1160-\u11FF\uD7B0-\uD7FF]*", regex.DOTALL)
"""A code point and all that canonical composition could join to it: marks, and Hangul vowels and finals."""
_SURROGATE = regex.compile(r"[\uD800-\uDFFF]")


def composed(text: str) -> tuple[str, NDArray[np.int64] | None]:
    r"""Return the composed (NFC) form of a text, and where its code points come from.

    Parameters
    ----------
    text
        Any string.

    Returns
    -------
    form : str
        NFC, with lone surrogates as U+FFFD.
    origin : array (len(form) + 1,) of int64, or None
        Offset in ``text`` of the group that each code point of ``form`` was made of; None where the offsets are the
        same.

    Examples
    --------
    >>> form, origin = composed("\u1100\u1161나다")
    >>> form, origin.tolist()
    ('가나다', [0, 2, 3, 4])
    """
    if text.isascii():
        return text, None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = _SURROGATE.sub("\ufffd", text)
    if unicodedata.is_normalized("NFC", text):
        return text, None
    clusters = _CLUSTER.findall(text)
    forms = [_form(cluster) for cluster in clusters]
    starts = np.cumsum([0, *map(len, clusters)])
    return "".join(forms), np.repeat(starts, [*map(len, forms), 1])


@lru_cache(maxsize=20_000)
def _form(cluster: str) -> str:
    return unicodedata.normalize("NFC", cluster)
