"""What is odd about a text as a text: nothing to see, broken characters, no spaces."""

from __future__ import annotations

import re

from chunkeval.results import TRAITS
from chunkeval.text.sentences import VISIBLE

BIT = {name: 1 << number for number, name in enumerate(TRAITS)}
"""Name of a trait to its bit."""

_RUN = 200
"""Letters without white space from which a text has no spaces."""
_LONG = re.compile(rf"\S{{{_RUN},}}")
_SPACED = re.compile(r"[A-Za-z\u00C0-\u024F\u1100-\u11FF가-힣]")
_UNSPACED = re.compile(r"[\u3041-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\U00020000-\U0003FFFF]")

_SIGN = "\u0080-\u009f€‚ƒ„†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ¡-¿"
_QUOTE = "‘’“”…–—"
_TRAIL = f"[{_SIGN}{_QUOTE}]"
_MOJIBAKE = re.compile(
    # UTF-8 read as Latin-1 or CP1252: two bytes; behind a capital it may be a word's last letter and a mark (MANHÃ”).
    rf"(?<![A-ZÀ-Þ])[ÃÂ](?![»«·])[{_SIGN}]|(?<=[a-zà-ÿ])[ÃÂ]{_TRAIL}"
    # three bytes: a quote or dash; Hangul, Kana or Han, two in a row; four bytes: emoji; the mark of order, U+FFFD.
    rf"|â€[{_SIGN}{_QUOTE}]|(?:[à-ï]{_TRAIL}{{2}}){{2}}|ð[Ÿ\x9f]{_TRAIL}{{2}}|ï»¿|ï¿½"
    # CP949 read as Latin-1: pairs of a Hangul lead and a trail, three in a row.
    r"|(?:[°-È][¡-þ]){3}"
    # UTF-8 read as CP949: U+FFFD twice, and the middle dot, which is no syllable but in 어쨌든.
    r"|占[쏙싼쎌]|(?<![어가-힣])쨌(?![든거건])"
)
_SUSPECT = re.compile("[°-ÿ占쨌]")
"""What every pattern above begins with."""
_HANGUL = re.compile(r"[가-힣]+")
_RARE = 4
"""Syllables outside EUC-KR from which, if they are a fifth of all, Hangul is misread UTF-8."""


def traits_of(text: str) -> int:
    r"""Tell the traits that the characters show: blank, nul_bytes, replacement_chars, mojibake, no_spaces.

    Parameters
    ----------
    text
        The text in composed form.

    Returns
    -------
    int
        Bits of `results.TRAITS`.

    Examples
    --------
    >>> traits_of("\ufeff \u200b") == BIT["blank"], traits_of("cafÃ©") == BIT["mojibake"], traits_of("NÃO, AMANHÃ.")
    (True, True, 0)
    """
    if VISIBLE.search(text) is None:
        return BIT["blank"] | (BIT["nul_bytes"] if "\x00" in text else 0)
    found = 0
    if "\x00" in text:
        found |= BIT["nul_bytes"]
    if len(text) >= _RUN and _crowded(text):
        found |= BIT["no_spaces"]
    if not text.isascii():
        if "\ufffd" in text:
            found |= BIT["replacement_chars"]
        if (_SUSPECT.search(text) and _MOJIBAKE.search(text)) or _misread(text):
            found |= BIT["mojibake"]
    return found


def _crowded(text: str) -> bool:
    for run in _LONG.finditer(text):
        letters = len(_SPACED.findall(run[0]))
        if letters >= _RUN and letters > len(_UNSPACED.findall(run[0])):
            return True
    return False


def _misread(text: str) -> bool:
    """Whether much of the Hangul is outside the 2,350 syllables of EUC-KR, which real Korean hardly needs."""
    hangul = "".join(_HANGUL.findall(text))
    # Python's EUC-KR writes any other syllable as four pairs of letters: 8 bytes instead of 2.
    rare = (len(hangul.encode("euc_kr")) - 2 * len(hangul)) // 6
    return rare >= _RARE and 5 * rare >= len(hangul)
