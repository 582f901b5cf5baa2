"""What two texts have in common when one was typed, saved or set in another way: one form for all of them."""

from __future__ import annotations

import re
import unicodedata

_WIDE = {
    code: unicodedata.decomposition(chr(code)).split()[1]
    for code in (0x3000, *range(0xFF00, 0xFFF0))
    if unicodedata.decomposition(chr(code)).startswith(("<wide>", "<narrow>"))
}
_FORMS = {
    **{code: chr(int(plain, 16)) for code, plain in _WIDE.items()},
    **dict.fromkeys((0x00AD, 0x200B, 0x2060, 0xFEFF)),
}
"""Full-width and half-width forms to ordinary ones; soft hyphens, spaces without width and byte order marks to nothing."""
_FORMED = re.compile(f"[{''.join(map(chr, _FORMS))}]")


def fold(text: str) -> str:
    r"""Bring a text to the form in which equal texts are equal.

    Composed (NFC), without case, full-width and half-width forms as ordinary ones, any white space as one space, none
    at the ends. Marks that change what is read (superscripts, circled numbers, emoji parts) stay.

    Examples
    --------
    >>> fold("  ＡＢＣ\u3000김치는\n\n맛있다 ") == fold("abc 김치는 맛있다") == fold("Abc \u1100\u1175\u11b7치는 맛있다")
    True
    """
    if not text.isascii() and _FORMED.search(text):
        text = text.translate(_FORMS)
    return " ".join(caseless(text).split())


def caseless(text: str) -> str:
    r"""Composed (NFC) and without case, nothing else changed: lower-cased in the widest sense, ``ß`` as ``ss``.

    Examples
    --------
    >>> caseless("STRASSE") == caseless("Straße"), caseless("\u1112\u1161\u11ab글") == "한글"
    (True, True)
    """
    if text.isascii():
        return text.lower()
    # Folding may take apart what was composed.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def closed(text: str) -> str:
    """Leave out white space: where words are parted differs in Korean from writer to writer.

    Examples
    --------
    >>> closed("할 수 있다")
    '할수있다'
    """
    return "".join(text.split())
