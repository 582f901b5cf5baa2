"""Whether an answer holds the one that is known to be right."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from chunkeval.retrieval.citations import without
from chunkeval.text.folding import closed, fold

_LETTER = r"[^\W\d_\u1100-\U0010ffff]"
_ALONE = {
    "digit": (r"(?<!\d)(?<!\d[.,])", r"(?!\d)(?![.,]\d)"),
    "letter": (f"(?<!{_LETTER})", f"(?!{_LETTER})"),
    "": ("", ""),
}
"""What must not stand before and behind: more of a number, and of a word where words are parted by spaces."""


def contains(answer: str, right: Collection[str], ids: Collection[str] = ()) -> bool | None:
    """Say whether an answer holds any of the right ones; None where none of them says anything.

    Both are compared in composed form, without case, white space passed over, the answer's citations left out. Digits
    and Latin letters are not taken out of the middle of a number or a word: ``5`` is not in ``1905``.

    Parameters
    ----------
    answer
        In any words.
    right
        Short answers, any of which will do.
    ids
        What may be cited.

    Examples
    --------
    >>> contains("그것은 1905년이다 [c 5].", ["1905 년"]), contains("1905년이다 [c 5].", ["5"], ["c 5"]), contains("?", ["."])
    (True, False, None)
    """
    wanted = [bare for one in right if (bare := _bare(one))]
    if not wanted:
        return None
    said = fold(without(answer, ids))
    return any(_pattern(one).search(said) for one in wanted)


def _bare(text: str) -> str:
    """Take what stands round an answer off it: quotation marks, a full stop."""
    text = closed(fold(text))
    kept = [i for i, mark in enumerate(text) if unicodedata.category(mark)[0] not in "PZC"]
    return text[kept[0] : kept[-1] + 1] if kept else ""


def _pattern(wanted: str) -> re.Pattern[str]:
    inner = r"\s*".join(map(re.escape, wanted))
    return re.compile(_ALONE[_kind(wanted[0])][0] + inner + _ALONE[_kind(wanted[-1])][1])


def _kind(mark: str) -> str:
    return "digit" if mark.isdigit() else "letter" if mark.isalpha() and mark < "\u1100" else ""
