"""Text from anywhere, made safe to look at: what is invisible or would reorder its surroundings becomes a sign."""

from __future__ import annotations

import re
import shlex

from markupsafe import Markup, escape

# Controls (but for tab and line feed), bidirectional marks, line separators, byte order mark, surrogates.
# Joiners stay: emoji and several scripts need them.
HIDDEN = (
    r"\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
)
"""Ranges of a character class, as Python's and JavaScript's regular expressions both read them."""

_HIDDEN = re.compile(f"[{HIDDEN}]")
# Letters, since many fonts lack the pictures of controls.
_CODES = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI "
    "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
)
_NAMES = _CODES.split()
_CONTROL = re.compile("[\x00-\x1f\x7f]")


def sign(character: str) -> str:
    r"""Give the sign that stands for a hidden character.

    Examples
    --------
    >>> sign("\x00"), sign("\x7f"), sign("\u202e")
    ('[NUL]', '[DEL]', '[U+202E]')
    """
    code = ord(character)
    if code < 0x20:
        return f"[{_NAMES[code]}]"
    return "[DEL]" if code == 0x7F else f"[U+{code:04X}]"


def plain(text: str) -> str:
    r"""Put signs in place of hidden characters.

    Examples
    --------
    >>> plain("a\u202eb\x00")
    'a[U+202E]b[NUL]'
    """
    return _HIDDEN.sub(lambda match: sign(match[0]), text)


def visible(text: object) -> Markup:
    r"""Escape for HTML, with the signs marked as such.

    Examples
    --------
    >>> visible("<b>\x00")
    Markup('&lt;b&gt;<span class="hidden">[NUL]</span>')
    """
    if isinstance(text, Markup):
        return text
    parts, at, source = [], 0, str(text)
    for match in _HIDDEN.finditer(source):
        parts += [escape(source[at : match.start()]), Markup('<span class="hidden">{}</span>').format(sign(match[0]))]
        at = match.end()
    return Markup("").join([*parts, escape(source[at:])])


def shell_word(text: str) -> str | None:
    r"""Quote an argument for a POSIX shell in visible characters; None where none can pass it (NUL, lone surrogates).

    Examples
    --------
    >>> shell_word("a b"), shell_word("a\tb"), shell_word("\x00")
    ("'a b'", "$'a\\tb'", None)
    """
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        return None
    if not _HIDDEN.search(text) and not _CONTROL.search(text):
        return shlex.quote(text)
    named = {"\t": r"\t", "\n": r"\n", "\r": r"\r", "\\": r"\\", "'": r"\'"}
    return "$'" + "".join(named.get(character) or _escaped(character) for character in text) + "'"


def _escaped(character: str) -> str:
    if not _HIDDEN.match(character):
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}"
