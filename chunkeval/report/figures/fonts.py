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

EXTRA = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "WenQuanYi Zen Hei",
    "Noto Sans Symbols2",
    "Noto Sans Symbols",
    "Segoe UI Symbol",
)
"""Families that fill in what the first lacks, where they are installed."""

NORMAL = 400

_PROBE = "가힣다읽"


def families() -> tuple[str, ...]:
    """Font families for matplotlib, in the order in which glyphs are looked for.

    An installed family with Korean glyphs comes first, else NanumGothic as the package ``koreanize-matplotlib`` ships
    it; then DejaVu Sans, which matplotlib always has, and what else is installed for Han and symbols.

    Examples
    --------
    >>> "DejaVu Sans" in families()
    True
    """
    return _families(NORMAL)


def heavy(text: str) -> tuple[tuple[str, ...], int]:
    """Families and weight for a heading: bold where bold fonts have all its glyphs, else normal.

    matplotlib complains about a weight that a family lacks, and so only families with exactly this weight are named.
    """
    weights = {weight for name, weight in _known() if name == families()[0] and weight > NORMAL}
    for weight in sorted(weights, key=lambda weight: (abs(weight - 700), weight)):
        named = _families(weight)
        if set(map(ord, text)) <= _covered(named, weight):
            return named, weight
    return families(), NORMAL


def korean() -> bool:
    """Whether Korean can be drawn at all."""
    return drawable(_PROBE) == _PROBE


def drawable(text: str) -> str:
    r"""Replace what no font at hand can draw by a box, so that nothing warns and nothing silently vanishes.

    Examples
    --------
    >>> drawable("a\U0010fffd")
    'a□'
    """
    covered = _covered(families(), NORMAL)
    return "".join(_drawable(character, covered) for character in unicodedata.normalize("NFC", plain(text)))


def _drawable(character: str, covered: frozenset[int]) -> str:
    if ord(character) in covered or character == "\n":
        return character
    # Joiners and variation selectors have no look of their own.
    return "" if unicodedata.category(character) in ("Cf", "Mn") else "□"


@cache
def _families(weight: int) -> tuple[str, ...]:
    _packaged()
    known = {name for name, has in _known() if has == weight}
    first = [name for name in INSTALLED if name in known and set(map(ord, _PROBE)) <= _glyphs(name, weight)][:1]
    rest = [name for name in ("DejaVu Sans", *EXTRA) if name in known and name not in first]
    return tuple(first + rest)


def _known() -> set[tuple[str, int]]:
    from matplotlib import font_manager

    weights = font_manager.weight_dict
    entries = font_manager.fontManager.ttflist
    return {
        (entry.name, weights.get(entry.weight, 0) if isinstance(entry.weight, str) else entry.weight)
        for entry in entries
    }


@cache
def _covered(named: tuple[str, ...], weight: int) -> frozenset[int]:
    return frozenset[int]().union(*(_glyphs(name, weight) for name in named))


@cache
def _glyphs(family: str, weight: int) -> frozenset[int]:
    from matplotlib import font_manager

    wanted = font_manager.FontProperties(family=[family], weight=weight)
    return frozenset(font_manager.get_font(font_manager.findfont(wanted, fallback_to_default=False)).get_charmap())


@cache
def _packaged() -> None:
    """Make the packaged font known where no Korean one is installed."""
    from matplotlib import font_manager

    known = {name for name, weight in _known() if weight == NORMAL}
    if any(name in known and set(map(ord, _PROBE)) <= _glyphs(name, NORMAL) for name in INSTALLED):
        return
    # The package changes matplotlib's settings when it is imported: only its files are wanted.
    spec = find_spec("koreanize_matplotlib")
    folders = spec.submodule_search_locations if spec is not None else None
    for folder in folders or ():
        for name in ("NanumGothic.ttf", "NanumGothicBold.ttf"):
            path = Path(folder) / "fonts" / name
            if path.is_file():
                font_manager.fontManager.addfont(path)
