"""Which encoding a text file is in: a BOM's, else UTF-8 where the whole file is, else what a sample looks like."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chunkeval.errors import SourceError
from chunkeval.loaders.signatures import HEAD, refuse_binary

_BLOCK = 1 << 20
_SAMPLE = 32768
"""Bytes that the guess sees."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ENOUGH = 8
"""Characters of several bytes after which a file that stops being UTF-8 is broken UTF-8 and not another encoding."""
_FREQUENT = frozenset(
    "이다는에의가을를은고하지로기도한사인대리시정나자어그해아들과있상서라수일부보제적주전으성만장면게원동구공"
)
"""Syllables that make up about half of any Korean text and next to none of other text misread as Korean."""


@dataclass(frozen=True)
class Inspection:
    """What one pass over a file's bytes tells."""

    sha256: str
    size: int
    encoding: str | None
    """Python's name; None where the file was not read as text."""


def fingerprint(path: Path) -> Inspection:
    """Hash a binary file."""
    digest, size = hashlib.sha256(), 0
    for block in _blocks(path):
        digest.update(block)
        size += len(block)
    return Inspection(digest.hexdigest(), size, None)


def inspect(path: Path, name: str) -> Inspection:
    """Hash a text file and find its encoding; every byte of it is then known to decode.

    Parameters
    ----------
    path
        File to read.
    name
        What messages call it.

    Raises
    ------
    SourceError
        The file is binary, or not wholly in any one encoding; the message names the line.

    Notes
    -----
    Surrogates that stand alone in UTF-8 or UTF-16 are let through: the chunk table makes them U+FFFD and counts them.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    stated = next((encoding for bom, encoding in _BOMS if head.startswith(bom)), None) or _bare_utf16(head)
    encoding = stated or "utf-8"
    digest, size, broken = _decode(path, encoding)
    if broken is None:
        if stated is None:
            refuse_binary(head, name, valid_utf8=True)
        return Inspection(digest, size, encoding)
    if stated is None and broken.multibyte < _ENOUGH:
        refuse_binary(head, name, valid_utf8=False)
        guess = _guess(path, broken)
        if guess is not None:
            return Inspection(digest, size, guess)
        raise SourceError(f"{name}: line {broken.line}: no encoding fits these bytes: save the file as UTF-8")
    raise SourceError(
        f"{name}: line {broken.line}: byte {broken.offset:,} is not {encoding.upper()} although what precedes it is: "
        f"mend it, or save the file as UTF-8 again"
    )


@dataclass(frozen=True)
class _Broken:
    """Where decoding stopped."""

    offset: int
    line: int
    multibyte: int
    """Characters of several bytes before."""


def _decode(path: Path, encoding: str) -> tuple[str, int, _Broken | None]:
    decoder = codecs.getincrementaldecoder(encoding)("surrogatepass" if encoding.startswith("utf") else "strict")
    digest, size, line, multibyte = hashlib.sha256(), 0, 1, 0
    broken: _Broken | None = None
    for block in _blocks(path):
        digest.update(block)
        if broken is None:
            pending = len(decoder.getstate()[0])
            try:
                text = decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                before = error.object[: error.start].decode(encoding, "ignore")
                multibyte += len(before) - len(before.encode("ascii", "ignore"))
                broken = _Broken(size - pending + error.start, line + before.count("\n"), multibyte)
            else:
                line += text.count("\n")
                if multibyte < _ENOUGH and not text.isascii():
                    multibyte += len(text) - len(text.encode("ascii", "ignore"))
        size += len(block)
    return digest.hexdigest(), size, broken


def _blocks(path: Path) -> Iterator[bytes]:
    """Blocks of a file, and an empty one at its end."""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block
    yield b""


def _bare_utf16(head: bytes) -> str | None:
    """UTF-16 without a BOM: in text with any ASCII every second byte of some pairs is NUL, always on the same side."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if max(even, odd) < max(2, len(head) // 50) or min(even, odd) * 20 > max(even, odd):
        return None
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    try:
        text = head[: len(head) // 2 * 2].decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        return None
    # a UTF-8 text that holds NULs would turn into characters that nobody has a table of
    likely = sum(ch.isascii() or "가" <= ch <= "힣" or "\u3000" <= ch <= "\u9fff" or ch < "\u0250" for ch in text)
    return encoding if likely >= 0.8 * len(text) and "\n" in text else None


def _guess(path: Path, broken: _Broken) -> str | None:
    """Guess the encoding of a file that is not UTF-8, from lines around the first byte that told."""
    from charset_normalizer import from_bytes

    with path.open("rb") as file:
        file.seek(max(0, broken.offset - 512))
        sample = file.read(_SAMPLE)
    if broken.offset > 512:
        sample = sample[sample.find(b"\n") + 1 :] if b"\n" in sample[:512] else sample[512:]
    if len(sample) >= _SAMPLE // 2 and b"\n" in sample:
        sample = sample[: sample.rfind(b"\n") + 1]
    found = [match.encoding for match in from_bytes(sample)]
    names = ["cp949" if name in ("euc_kr", "johab") else name for name in found]
    if _looks_korean(sample):
        # in tables of a few Korean cells the library's statistics have too little to go by
        names = ["cp949", *names]
    return next((name for name in dict.fromkeys(names) if _decode(path, name)[2] is None), None)


def _looks_korean(sample: bytes) -> bool:
    try:
        text = sample.decode("cp949")
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 1:
            return False
        text = sample[: error.start].decode("cp949")
    letters = [ch for ch in text if ch.isalpha() and not ch.isascii()]
    hangul = [ch for ch in letters if "가" <= ch <= "힣"]
    # EUC-KR's syllables are the common ones; those that only CP949 has are what other encodings turn into
    common = len("".join(hangul).encode("euc_kr", "ignore")) // 2
    if not hangul or common < 0.7 * len(hangul):
        return False
    frequent = sum(ch in _FREQUENT for ch in hangul)
    return len(hangul) >= 0.9 * len(letters) or frequent >= 0.25 * len(hangul)
