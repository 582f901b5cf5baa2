"""Freezes what Lucene's tokenizers know about code points: ``make_lucene_tables.py CLASSES.json``.

Writes ``chunkeval/text/lucene/codepoints.txt``. Newer Unicode data differ from Lucene's in hundreds of ranges, so the
tokenizers read this table and not the running Python's ``unicodedata``. Sections:

- ``standard``: UAX #29 word break classes as Lucene 9 has them, one letter each (see ``chunkeval.text.lucene.classes``).
  ``CLASSES.json`` gives, per range of code points, the tokens that Lucene makes of four probes: the character alone,
  between two letters, between two digits, doubled. What four probes cannot tell apart is listed here by name.
- ``letter``: ``Character.isLetter`` of Java 17, which knows Unicode 13.
- ``classic_letter``, ``classic_digit``: letters and decimal digits of Unicode 3.0, the version of ``ClassicTokenizer``.
- ``word``: beyond ASCII, what UTS #18 calls a word character, in Unicode 12.1, the version of ``UAX29URLEmailTokenizer``.

The last four are derived from Unicode 14 and 3.2, hence Python 3.11.
"""

from __future__ import annotations

import ast
import json
import sys
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path

TABLE = Path(__file__).parents[1] / "chunkeval" / "text" / "lucene" / "codepoints.txt"

# What Lucene makes of c, aca, 1c1, cc, as types; None where the tokens do not join, "" where there are none.
LETTER_OF = {
    ("", None, None, ""): "o",
    ("", "ALPHANUM", "NUM", ""): "x",
    ("", None, "NUM", ""): ",",
    ("", "ALPHANUM", None, ""): ":",
    ("NUM", "ALPHANUM", "NUM", "NUM"): "n",
    ("ALPHANUM", "ALPHANUM", "ALPHANUM", "ALPHANUM"): "a",
    ("HANGUL", "ALPHANUM", "ALPHANUM", "HANGUL"): "a",
    ("EMOJI", None, None, None): "p",
    ("EMOJI", "ALPHANUM", "ALPHANUM", "ALPHANUM"): "g",
    ("EMOJI", "ALPHANUM", "NUM", "EMOJI"): "m",
    ("SOUTHEAST_ASIAN", None, None, "SOUTHEAST_ASIAN"): "s",
    ("SOUTHEAST_ASIAN", "ALPHANUM", "NUM", "SOUTHEAST_ASIAN"): "y",
    ("IDEOGRAPHIC", None, None, None): "i",
    ("HIRAGANA", None, None, None): "i",
    ("KATAKANA", None, None, "KATAKANA"): "k",
    ("", None, None, "EMOJI"): "R",
}

# UAX #29 and UTS #51 properties that act alike in the four probes: (letter, letter by probes, code points).
NAMED = [
    (".", "x", "002E 2018-2019 2024 FE52 FF07 FF0E"),  # MidNumLet
    ("'", "x", "0027"),  # Single_Quote
    ("_", "x", "005F 202F 203F-2040 2054 FE33-FE34 FE4D-FE4F FF3F"),  # ExtendNumLet
    ("z", "x", "200D"),  # ZWJ
    ("e", "x", "FE0E"),  # text presentation selector
    ("f", "x", "FE0F"),  # emoji presentation selector
    ("c", "x", "20E3"),  # enclosing keycap
    ("t", "x", "E0020-E007E"),  # tag characters
    ("r", "x", "E007F"),  # cancel tag
    ('"', "o", "0022"),  # Double_Quote
    ("h", "o", "0023 002A"),  # keycap bases that are no digits
    (
        "b",
        "a",
        "05D0-05EA 05EF-05F2 FB1D FB1F-FB28 FB2A-FB36 FB38-FB3C FB3E FB40-FB41 FB43-FB44 FB46-FB4F",
    ),  # Hebrew_Letter
]

LETTERS_SINCE_14 = (
    "0870-0887 0889-088E 08B5 08C8-08C9 0C5D 0CDD 170D 171F 1B4C 2C2F 2C5F 9FFD-9FFF A7C0-A7C1 A7D0-A7D1 A7D3 A7D5-A7D9 "
    "A7F2-A7F4 10570-1057A 1057C-1058A 1058C-10592 10594-10595 10597-105A1 105A3-105B1 105B3-105B9 105BB-105BC "
    "10780-10785 10787-107B0 107B2-107BA 10F70-10F81 11071-11072 11075 11740-11746 11AB0-11ABF 12F90-12FF0 16A70-16ABE "
    "1AFF0-1AFF3 1AFF5-1AFFB 1AFFD-1AFFE 1B11F-1B122 1DF00-1DF1E 1E290-1E2AD 1E7E0-1E7E6 1E7E8-1E7EB 1E7ED-1E7EE "
    "1E7F0-1E7FE 2A6DE-2A6DF 2B735-2B738"
)
LETTERS_SINCE_3_1 = (
    "0220 03D8-03D9 03F4-03F5 048A-048B 04C5-04C6 04C9-04CA 04CD-04CE 0500-050F 066E-066F 07B1 10F7-10F8 1700-170C "
    "170E-1711 1720-1731 1740-1751 1760-176C 176E-1770 2071 213D-213F 2145-2149 303B-303C 3095-3096 309F 30FF 31F0-31FF "
    "FA30-FA6A FE73 0B83 17D7 17DC"
)

WORDS_SINCE_13 = (
    "0870-0887 0889-088E 0898-089F 08B5 08BE-08D2 0B55 0C3C 0C5D 0CDD 0D04 0D81 170D 1715 171F 180F 1ABF-1ACE "
    "1B4C 1DFA 2C2F 2C5F 31BB-31BF 4DB6-4DBF 9FF0-9FFF A7C0-A7C1 A7C7-A7CA A7D0-A7D1 A7D3 A7D5-A7D9 A7F2-A7F6 "
    "A82C AB68-AB69 10570-1057A 1057C-1058A 1058C-10592 10594-10595 10597-105A1 105A3-105B1 105B3-105B9 "
    "105BB-105BC 10780-10785 10787-107B0 107B2-107BA 10E80-10EA9 10EAB-10EAC 10EB0-10EB1 10F70-10F85 10FB0-10FC4 "
    "11070-11075 110C2 11147 111CE-111CF 11460-11461 11740-11746 11900-11906 11909 1190C-11913 11915-11916 "
    "11918-11935 11937-11938 1193B-11943 11950-11959 11AB0-11ABF 11FB0 12F90-12FF0 16A70-16ABE 16AC0-16AC9 16FE4 "
    "16FF0-16FF1 18AF3-18CD5 18D00-18D08 1AFF0-1AFF3 1AFF5-1AFFB 1AFFD-1AFFE 1B11F-1B122 1CF00-1CF2D 1CF30-1CF46 "
    "1DF00-1DF1E 1E290-1E2AE 1E7E0-1E7E6 1E7E8-1E7EB 1E7ED-1E7EE 1E7F0-1E7FE 1FBF0-1FBF9 2A6D7-2A6DF 2B735-2B738 "
    "30000-3134A"
)


def standard(probed: dict[str, object]) -> list[str]:
    """Give the word break letter of every code point."""
    behaviours = {int(number): ast.literal_eval(str(told)) for number, told in dict(probed["behaviours"]).items()}
    letters = ["o"] * 0x110000
    for first, last, number in probed["ranges"]:
        told = behaviours[number]
        wide = told[0] == "S"  # in the supplementary planes a character is two UTF-16 units
        tokens = told[1] if wide else told
        letter = LETTER_OF[tuple(_joined(found, units) for found, units in zip(tokens, _units(wide), strict=True))]
        for code in range(int(first, 16), int(last, 16) + 1):
            letters[code] = letter
    for letter, probe, ranges in NAMED:
        for code in _codes(ranges):
            if letters[code] != probe:
                raise SystemExit(f"U+{code:04X} acts as {letters[code]!r} in Lucene, not as {probe!r}: see NAMED")
            letters[code] = letter
    return letters


def _units(wide: bool) -> tuple[int, int, int, int]:
    return (2, 4, 4, 4) if wide else (1, 3, 3, 2)


def _joined(tokens: tuple[tuple[int, int, str], ...], units: int) -> str | None:
    if not tokens:
        return ""
    start, end, kind = tokens[0]
    return kind if (start, end) == (0, units) else None


def _codes(ranges: str) -> Iterable[int]:
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


_OTHER_ALPHABETIC = frozenset(_codes("24B6-24E9 1F130-1F149 1F150-1F169 1F170-1F189"))  # letters in circles and squares


def _is_word(code: int) -> bool:
    category = unicodedata.category(chr(code))
    return category[0] in "LM" or category in ("Nd", "Nl", "Pc") or code in _OTHER_ALPHABETIC


def _ranges(value_of: Callable[[int], str]) -> Iterable[str]:
    """Give ``FIRST-LAST VALUE`` for all runs of one value that is not empty."""
    start, running = 0, ""
    for code in range(0x110001):
        value = value_of(code) if code < 0x110000 else ""
        if value != running:
            if running:
                yield f"{start:X}-{code - 1:X} {running}"
            start, running = code, value


def main() -> None:
    if unicodedata.unidata_version != "14.0.0":
        raise SystemExit(f"needs the Unicode 14 of Python 3.11, not {unicodedata.unidata_version}")
    probed = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    word_break = standard(probed)
    late, later = set(_codes(LETTERS_SINCE_14)), set(_codes(LETTERS_SINCE_3_1))
    latest = set(_codes(WORDS_SINCE_13))
    old = unicodedata.ucd_3_2_0
    sections = {
        "standard": lambda code: word_break[code] if word_break[code] != "o" else "",
        "letter": lambda code: "L" if unicodedata.category(chr(code))[0] == "L" and code not in late else "",
        "classic_letter": lambda code: (
            "L" if code < 0x10000 and old.category(chr(code))[0] == "L" and code not in later else ""
        ),
        "word": lambda code: "W" if code > 0x7F and _is_word(code) and code not in latest else "",
        "classic_digit": lambda code: "D" if code < 0x10000 and old.category(chr(code)) == "Nd" else "",
    }
    lines = [
        f"# Made by scripts/make_lucene_tables.py: Lucene {probed['lucene']}, Java 17, Unicode 3.0. FIRST-LAST CLASS."
    ]
    for name, value_of in sections.items():
        lines += [f"[{name}]", *_ranges(value_of)]
    TABLE.write_text("\n".join(lines) + "\n", "ascii")
    print(f"{TABLE}: {len(lines)} lines")


if __name__ == "__main__":
    main()
