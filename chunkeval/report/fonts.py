"""Fonts for the plots: Korean glyphs on any machine, and no warning whatever the text."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from chunkeval.report.visible import plain

INSTALLED = (
    "NanumGothic",
    "Noto Sans CJK KR",
    "Noto Sans KR",
    "Noto Sans CJK JP",
    "Pretendard",
    "Apple SD Gothic Neo",
    "AppleGothic",
    "Malgun Gothic",
    "NanumBarunGothic",
    "Source Han Sans KR",
    "UnDotum",
    "Baekmuk Gulim",
)
"""Families with Korean glyphs that systems ship, the preferred first."""

EXTRA = ("Noto Sans CJK JP", "Noto Sans CJK SC", "WenQuanYi Zen Hei", "Noto Sans Symbols2", "Noto Sans Symbols", "Noto Emoji", "Segoe UI Symbol")
"""Families that fill in what the first lacks, where they are installed."""

_PROBE = "가힣다읽"


@cache
def families() -> tuple[str, ...]:
    """Font families for matplotlib, in the order in which glyphs are looked for.

    An installed family with Korean glyphs comes first, else NanumGothic as the package ``koreanize-matplotlib`` ships it; then
    DejaVu Sans, which matplotlib always has, and what else is installed for Han and symbols.

    Examples
    --------
    >>> "DejaVu Sans" in families()
    True
    """
    from matplotlib import font_manager

    known = {entry.name for entry in font_manager.fontManager.ttflist}
    first = next((name for name in INSTALLED if name in known and set(map(ord, _PROBE)) <= _glyphs(name)), None) or _packaged()
    names = [first] if first else []
    return tuple([*names, "DejaVu Sans", *(name for name in EXTRA if name in known and name != first)])


def korean() -> bool:
    """Whether Korean can be drawn at all."""
    return drawable(_PROBE) == _PROBE


def drawable(text: str) -> str:
    r"""Replace what no font at hand can draw by a box, so that nothing warns and nothing silently vanishes.

    Examples
    --------
    >>> drawable("a\x00\U0010fffd")
    'a□□'
    """
    covered = _covered()
    return "".join(_drawable(character, covered) for character in unicodedata.normalize("NFC", plain(text)))


def _drawable(character: str, covered: frozenset[int]) -> str:
    if ord(character) in covered:
        return character
    # Joiners and variation selectors have no look of their own.
    return "" if unicodedata.category(character) in ("Cf", "Mn") else "□"


@cache
def _covered() -> frozenset[int]:
    return frozenset[int]().union(*(_glyphs(name) for name in families()))


@cache
def _glyphs(family: str) -> frozenset[int]:
    from matplotlib import font_manager

    path = font_manager.findfont(font_manager.FontProperties(family=[family]), fallback_to_default=False)
    return frozenset(font_manager.get_font(path).get_charmap())


@cache
def _packaged() -> str | None:
    from matplotlib import font_manager

    # The package changes matplotlib's settings when it is imported: only its files are wanted.
    spec = find_spec("koreanize_matplotlib")
    folders = spec.submodule_search_locations if spec is not None else None
    paths = [Path(folder) / "fonts" / name for folder in folders or () for name in ("NanumGothic.ttf", "NanumGothicBold.ttf")]
    found = [path for path in paths if path.is_file()]
    for path in found:
        font_manager.fontManager.addfont(path)
    return font_manager.get_font(found[0]).family_name if found else None
