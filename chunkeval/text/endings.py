"""Whether a text ends inside a sentence, as far as its last words tell."""

from __future__ import annotations

from typing import Literal

import regex

from chunkeval.text.markup import line_kind

Ending = Literal["closed", "open", "unmarked", "unknown"]
"""``unmarked``: open since the text marks its sentences' ends and the last one has no mark, but nothing else says so."""

_TAIL = regex.compile(
    r"(?r)(?:\s|[*_~`]|</?\w+/?>|\[\^?\w{1,4}\]|[¹²³⁰-⁹†‡]|[\p{Extended_Pictographic}--[0-9#*©®]]\p{M}*|[\u200B-\u200F\uFE0F\u2060\uFEFF])+\Z",
    regex.V1,
)
"""White space, markup, notes and emoji behind the last word."""
_MARK = r"[.!?。！？．…‥｡।؟۔⋯][\"'”’」』》〉)\]）】>*_`]*"
_MARKED = regex.compile(rf"{_MARK}(?:\s[\"'”’])?\s*\Z|[ㅋㅎㅠㅜ♡♥★☆~^]{{1,9}}\Z|(?<=[다요죠까])[\"'”’」』)]+\Z")
_ASIDE = regex.compile(r"[.!?。！？]\s*[(（\[][^()（）\[\]]{1,80}[)）\]]\Z")
"""A note in brackets behind a sentence."""
_FIELD = regex.compile(r"(?:\A|[.!?。！？)>\s])\s*[^\s:：.]{1,12}(?: [^\s:：.]{1,12})?\s?[:：]\s?[^\s:：]{1,20}\Z")
"""A name and its value."""
_MARKS = regex.compile(rf"{_MARK}(?:\s|\Z|(?<=[。！？])\S)")
_BARE_MARKER = regex.compile(r"\s*(?:\(?\d{1,3}[.)]|\(?[가-힣A-Za-z][.)]|[-*+•·])\s*\Z")
_SHORTENED = regex.compile(
    r"(?<![\p{L}.])(?:Dr|Mr|Mrs|Ms|Prof|St|vs|cf|Fig|Eq|No|e\.g|i\.e|Sr|Jr(?= )|approx|Vol|Sec|Ch|pp?)\.\Z"
)
_OPEN = regex.compile(r"[,，、(（\[{「『《〈【“‘&]\Z|(?<![다요까죠]);\Z|(?:\A|[ (])\"\Z|\w-\Z|\A[-–—/+·]\Z")
_SECOND = regex.compile(
    r"(?:를|[가-힣]는|에서|에게|[가-힣]에|으로|[가-힣]{2}와|[가-힣]며|지만|는데|면서|[하되있없이했었았]고|므로|니까|거나|려고|도록|하여|되어|해서|[하되있없않]게"
    r"|[하되않]지|[하되으다]면|라는|라고|위해|대해|따라|통해|및|또는|혹은|던|까지|부터|습|었|았|겠|했|됐|였"
    r"|(?<![마가노고])을|[가-힣](?<![권제기상하시무북대])한|[가-힣](?<![역분관])할|[가-힣]{2}[된될]|때)\Z"
)
"""Endings and particles that no sentence ends with, as the last of several words."""
_THIRD = regex.compile(
    r"[가-힣]은\Z|[가-힣](?<![회정주의논강합협문동결심모창편임유예호상하내외고제질토거발건선악성경신열탈])의\Z"
    r"|[가-힣](?<![결효성통초학사경교부투외내치과수전이문])과\Z|[가-힣](?<![도경진통피선항수회세가제활원관난청미말기])로\Z|[가-힣](?<![창사보광경최재신원참피충권예선냉국금출중])고\Z"
)
"""Those that end nouns too, as the last of three words or more."""
_LITTLE = regex.compile(
    r"the|a|an|of|to|in|on|at|by|for|with|from|and|or|but|nor|as|is|are|was|were|be|been|has|have|had|that"
    r"|which|who|whose|when|where|while|if|because|than|its|their|his|our|your|my|into|through|between|can"
    r"|could|will|would|should|may|might|must|not|very|such|under|over|after|before|during|within|without"
    r"|about|against|among|upon|including|whether|although|though|since|until|per|via|these|those"
)
_KANA = regex.compile(r"[をはがにのとでもてへ]\Z")
_HAN = regex.compile(r"[的和与在是把被对从及或并但而为與對從為]\Z")
_FINAL = regex.compile(r"[가-힣](?:다|요|죠|까|음|함|됨|임|시오)\Z")
_EAST = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]\Z")
_ITEM = regex.compile(r"[ \t>]*(?:[-*+•·▪]|\d{1,3}[.)])[ \t]")
_REACH, _SEEN = 4_000, 60
"""Code points before the end in which other sentences are looked at, and those that tell whether it is one."""
_LONG, _WORDS = 25, 8
"""Code points of a Korean line, words of one in another language, that is prose rather than a title."""


def ending(text: str, start: int, end: int) -> Ending:
    r"""Tell how a text ends.

    A mark, with what closes behind it, ends a sentence; a comma, an open bracket, a particle, a connective ending or a
    little word does not; a colon may, or not. Without either, a text that marks its other sentences was cut; one that marks none (titles,
    lists, chats) says nothing.

    Parameters
    ----------
    text
        The text, in composed form.
    start, end
        What of it is looked at: whole lines, the last of them prose or a list item.

    Examples
    --------
    >>> [ending(text, 0, len(text)) for text in ("끝났다.", "비가 오지만", "비가 왔다. 그래서 우산", "공지 사항")]
    ['closed', 'open', 'unmarked', 'unknown']
    """
    body = text[max(start, end - _REACH) : end]
    tail = _TAIL.search(body)
    body = body[: tail.start()] if tail else body
    line = body[body.rfind("\n") + 1 :]
    if _BARE_MARKER.fullmatch(line):
        return "open"
    if _ASIDE.search(body[-2 * _SEEN :]):
        return "closed"
    if _marked(body):
        return "open" if _SHORTENED.search(body[-_SEEN:]) else "closed"
    if body.endswith((":", "：")):
        return "unknown"
    words = line.split()
    last, count = words[-1][-_SEEN:] if words else "", len(words)
    if _OPEN.search(last) or (count > 1 and _SECOND.search(last)) or (count > 2 and _THIRD.search(last)):
        return "open"
    if count > 2 and _LITTLE.fullmatch(last):
        return "open"
    east = _EAST.search(line) is not None
    if east and len(line) > 8 and (_KANA.search(line) or _HAN.search(line)):
        return "open"
    korean = "가" <= body[-1:] <= "힣"
    paragraph = body[body.rfind("\n\n") + 1 :]
    if _ITEM.match(line):
        return _item(body, line)
    if (korean and _FINAL.search(line)) or _FIELD.search(body[-_SEEN:]):
        return "unknown"
    if _MARKS.search(paragraph) and not _titled(paragraph, line):
        return "unmarked"
    if not _marked_elsewhere(body):
        return "unknown"
    long = len(line) >= _LONG if korean else len(line) >= _LONG // 2 if east else count >= _WORDS
    return "unmarked" if long else "unknown"


def _item(body: str, line: str) -> Ending:
    """A list item without a mark is open where it has sentences, or where the other items end with marks."""
    if _MARKS.search(_ITEM.sub("", line, 1)):
        return "unmarked"
    others = [other for other in body.split("\n")[:-1] if _ITEM.match(other)]
    marked = sum(_marked(other.rstrip()) for other in others)
    return "unmarked" if others and 2 * marked > len(others) else "unknown"


def _titled(paragraph: str, line: str) -> bool:
    """Whether the last line is a short one behind a line that ended with its sentence: a title, a caption, an entry."""
    before = paragraph[: len(paragraph) - len(line)].rstrip()
    return bool(before) and _marked(before) and len(line) < _LONG


def _marked_elsewhere(body: str) -> bool:
    """Whether most long lines before the last end with a mark."""
    lines = [one.rstrip() for one in body.split("\n")[:-1] if len(one) >= _LONG and line_kind(one) == "prose"]
    marked = sum(_marked(one) for one in lines)
    return bool(lines) and 2 * marked > len(lines)


def _marked(text: str) -> bool:
    return _MARKED.search(text[-_SEEN:]) is not None
