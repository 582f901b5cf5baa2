"""Which language a text is in, by its scripts and, for Latin letters, by its little words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal, cast

Language = Literal["ko", "en", "zh", "ja", "other"]

_SEEN = 20_000
"""Code points looked at: the head of a text tells its language."""
_LITTLE = 2_000
"""Code points in which little words are counted."""
_HANGUL = re.compile(r"[가-힣\u1100-\u11FF\u3131-\u318E]+")
_KANA = re.compile(r"[\u3041-\u30FF\u31F0-\u31FF\uFF66-\uFF9F]+")
_HAN = re.compile(r"[\u2E80-\u2FDF\u3005\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\U00020000-\U0003FFFF]+")
_LATIN = re.compile(r"[A-Za-z\u00C0-\u024F\u1E00-\u1EFF]+")
_LETTER = re.compile(r"[^\W\d_]+")

_LISTS = {
    "en": "the of and to in is that for it with as was on are be by this at from or an not have you we",
    "de": "der die das und ist nicht ein eine zu den von mit sich des auf für im dem wird auch als bei es wir",
    "fr": "le la les et des est une du que dans qui pour pas sur par au ce il elle avec sont nous vous aux",
    "es": "el la los las de que y en un una por con para del se es su al como más pero lo fue son",
    "it": "il la di che e un una per non con del della sono si gli le al da nel è anche come più ha",
    "pt": "o a os as de que e em um uma para com não do da dos das no na por se mais foi são ao",
    "nl": "de het een en van is dat op te in niet zijn met voor die er aan ook als bij door maar om wordt",
}
LITTLE_WORDS: Mapping[str, frozenset[str]] = {code: frozenset(words.split()) for code, words in _LISTS.items()}
"""Words that give a language away and say nothing about a subject."""


def language(text: str) -> Language:
    """Tell the language of a text.

    Korean wherever about a third of what is written is Hangul (a Hangul syllable weighs as much as three Latin
    letters), since Korean prose about technology is full of English names.

    Parameters
    ----------
    text
        Any string; the first 20,000 code points count.

    Returns
    -------
    str
        ``ko``, ``en``, ``zh``, ``ja`` or ``other`` (also where there are no letters).

    Examples
    --------
    >>> language("React의 useState 훅을 사용한다."), language("Der Hund und die Katze"), language("今日は晴れ")
    ('ko', 'other', 'ja')
    """
    code = locale(text)
    return cast(Language, code) if code in ("ko", "en", "zh", "ja") else "other"


def locale(text: str) -> str:
    """Tell the two-letter code of a text's language, also of some that `language` calls other.

    Parameters
    ----------
    text
        Any string; the first 20,000 code points count.

    Returns
    -------
    str
        ``ko``, ``zh``, ``ja``; ``en`` for Latin letters unless the little words are those of another language;
        ``und`` where it cannot be told.

    Examples
    --------
    >>> locale("Der Hund und die Katze"), locale("走吧。"), locale("12.5 %")
    ('de', 'zh', 'und')
    """
    head = text[:_SEEN]
    if head.isascii():
        return _western(head)
    hangul, kana, han = _amount(_HANGUL, head), _amount(_KANA, head), _amount(_HAN, head)
    letters = _amount(_LETTER, head)
    east, total = 3 * hangul + 2 * kana + 3 * han, letters + 2 * hangul + kana + 2 * han
    if 10 * east < 3 * total or not east:
        return _western(head) if 2 * _amount(_LATIN, head) >= letters else "und"
    if hangul >= kana + han:
        return "ko"
    return "ja" if 20 * kana >= kana + han else "zh"


def corpus_language(counts: Mapping[str, int]) -> Language:
    """Tell the language of most chunks; ``other`` where three quarters or more have none that is known.

    Parameters
    ----------
    counts
        Language to number of chunks.

    Examples
    --------
    >>> corpus_language({"ko": 10, "en": 3, "other": 12})
    'ko'
    """
    named = {name: count for name, count in counts.items() if count and name != "other"}
    most = max(named.values(), default=0)
    if not named or 4 * most < sum(counts.values()):
        return "other"
    return cast(Language, min(name for name, count in named.items() if count == most))


def _western(text: str) -> str:
    words = Counter(_LATIN.findall(text[:_LITTLE].lower()))
    if not words:
        return "und"
    best, most = "en", 1
    for code, little in LITTLE_WORDS.items():
        hits = sum(words[word] for word in little if word in words)
        if hits > most:
            best, most = code, hits
    return best


def _amount(pattern: re.Pattern[str], text: str) -> int:
    return sum(map(len, pattern.findall(text)))
