"""What an answer cites, held against what was read."""

from __future__ import annotations

import re
from collections.abc import Collection

CITED = re.compile(r"\[([^\[\]\n]{1,200})\](?!\()")


def citations(answer: str, read: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the ids that an answer cites in square brackets: those of chunks that were read, and the others.

    Examples
    --------
    >>> citations("1905년이다 [c_3]. 베른에서 [c_4, c_9].", ["c_3", "c_4"])
    (('c_3', 'c_4'), ('c_9',))
    """
    cited = dict.fromkeys(
        name for found in CITED.findall(answer) for name in ([found] if found in read else _parted(found))
    )
    return tuple(name for name in cited if name in read), tuple(name for name in cited if name not in read)


def without(answer: str, ids: Collection[str]) -> str:
    """Leave the citations of these ids out of an answer; brackets round anything else stay.

    Examples
    --------
    >>> without("1905년이다 [c_3]. [베른]에서.", ["c_3"])
    '1905년이다  . [베른]에서.'
    """
    return CITED.sub(lambda found: " " if all(name in ids for name in _parted(found[1])) else found[0], answer)


def _parted(found: str) -> list[str]:
    return [name for part in re.split(r"[,;]", found) if (name := part.strip())]
