"""A text's first and last sentences and lines: what may be the same in many chunks and says nothing, such as a footer."""

from __future__ import annotations

import re
from hashlib import blake2b

from chunkeval.text.folding import closed, fold

LINES = 3
"""Lines at either end that may belong together."""
RIMS = LINES + 1
"""Candidates an end: the first sentence, and the first one to three lines; likewise the last."""
_LEAST = 8
"""Letters and digits from which an opening or closing counts."""
_SPOKEN = re.compile(r"[^\W_]")


def rims(text: str, sentences: list[tuple[int, int]]) -> tuple[list[int], list[float]]:
    r"""Give what a text may share with others at its ends.

    Parameters
    ----------
    text
        What is the chunk's own.
    sentences
        Its sentences, in code points of it.

    Returns
    -------
    hashes, shares : lists of 2 × `RIMS`
        The opening's candidates, then the closing's: what it is, 0 for none, and its share of the visible characters.

    Examples
    --------
    >>> hashes, shares = rims("첫 문장이다.\n둘째 문장이다.\n무단 전재와 재배포 금지", [(0, 7), (8, 16), (17, 31)])
    >>> [round(share, 2) for share in shares[RIMS:]]
    [0.43, 0.43, 0.74, 0.0]
    """
    size = len(closed(fold(text)))
    lines = [line for line in text.splitlines() if line.strip()]
    head, tail = ([closed(fold(line)) for line in some] for some in (lines[:LINES], lines[-LINES:]))
    spoken = [closed(fold(text[a:b])) for a, b in (sentences[0], sentences[-1])] if sentences else ["", ""]
    opening = [spoken[0], *("".join(head[:n]) for n in range(1, LINES + 1))]
    closing = [spoken[1], *("".join(tail[-n:]) for n in range(1, LINES + 1))]
    found = [_rim(form, size) for form in (*opening, *closing)]
    return [hashed for hashed, _ in found], [share for _, share in found]


def _rim(form: str, size: int) -> tuple[int, float]:
    if len(form) >= size or len(_SPOKEN.findall(form)) < _LEAST:
        return 0, 0.0
    hashed = int.from_bytes(blake2b(form.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
    return hashed or 1, len(form) / size
