"""The sentence chunker: whole sentences, as many as fit; headings stay with what follows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise

from chunkeval.chunkers.base import Chunk, Span, check_size, chunks
from chunkeval.chunkers.cuts import Cuts
from chunkeval.chunkers.separators import LEVELS
from chunkeval.chunkers.units import Ruler, Units
from chunkeval.text import sentences
from chunkeval.text.graphemes import is_boundary
from chunkeval.text.markup import line_kind

NAME = "sentence"
_TITLE = 60
"""Code points of a line before a blank one, from which it is a paragraph and no heading."""
_ENDED = (*".!?。！？…,;:，；：、", "다", "요", "죠", "까")
"""How a line ends that is a sentence, or goes on."""


class SentenceChunker:
    r"""Packs whole sentences, as many as fit a size; what is between two sentences stays with the first.

    A table or code fence is a sentence (see `sentences.split`). A heading, by its mark or as a short line before a blank
    one, is not the last of a chunk, unless what follows fits only without it. A sentence larger than the size is cut at
    its coarsest separators, at worst between two graphemes.

    Parameters
    ----------
    size
        The most units a chunk holds, counted on the document (see `units.Ruler`); a grapheme that alone holds more
        stays whole.
    overlap
        The most units of whole sentences that a chunk repeats.
    unit
        ``tokens``, ``chars`` or ``words``.
    tokenizer
        As for the recursive chunker; the default embedder's unless given.

    Raises
    ------
    ConfigError
        A size below 1, an overlap not below it, an unknown unit or tokenizer.

    Examples
    --------
    >>> text = "# One\nA cat sat. It slept.\n\nTwo\n\nDogs ran."
    >>> [chunk.text(text) for chunk in SentenceChunker(size=5, unit="words").split(text)]
    ['# One\nA cat sat. ', 'It slept.\n\nTwo\n\nDogs ran.']
    """

    def __init__(self, size: int = 1000, overlap: int = 0, unit: str = "tokens", tokenizer: str | None = None) -> None:
        check_size(NAME, size, overlap)
        self.size, self.overlap = size, overlap
        self._units = Units(unit, tokenizer, NAME)

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; see `base.Chunker.split`."""
        if not text:
            return []
        bounds, headings = _bounds(text)
        ruler = self._units.ruler(text)
        cuts = Cuts(text, LEVELS["plain"], ruler, self.size, markdown=True)
        return chunks(_Packing(cuts, ruler, bounds, headings, self.size, self.overlap).spans())


class _Packing:
    """One way through a document.

    ``bounds`` are the sentences' starts and the document's end; ``headings[i]`` tells of the sentence at
    ``bounds[i]``. ``start`` is where the chunk under way begins, ``new`` where what no chunk has yet does.
    """

    def __init__(
        self, cuts: Cuts, ruler: Ruler, bounds: list[int], headings: list[bool], size: int, overlap: int
    ) -> None:
        self.cuts, self.ruler, self.size, self.overlap = cuts, ruler, size, overlap
        self.bounds, self.headings = bounds, headings
        self.start = self.new = 0

    def spans(self) -> list[Span]:
        found: list[Span] = []
        while self.new < self.ruler.length:
            limit = self.ruler.limit(self.start, self.size)
            cut = self._whole(limit)
            if cut is None and self.start < self.new:
                self.start = self._repeated(self.ruler.earliest(self._following(), self.size), self.new)
                continue
            if cut is None:
                cut = self._broken(limit)
            found.append((self.start, cut))
            earliest = max(self.ruler.earliest(cut, self.overlap), self.start + 1)
            between = self.bounds[bisect_left(self.bounds, cut)] == cut
            self.start = self._repeated(earliest, cut) if self.overlap and between else cut
            self.new = cut
        return found

    def _whole(self, limit: int) -> int | None:
        """Give the last end of a sentence, but of a heading, up to a limit."""
        at = bisect_right(self.bounds, limit) - 1
        last = len(self.bounds) - 1
        while at > 0 and self.bounds[at] > self.new:
            if at == last or not self.headings[at - 1]:
                return self.bounds[at]
            at -= 1
        return None

    def _following(self) -> int:
        """Give the end of the next sentence that is no heading."""
        at = bisect_right(self.bounds, self.new)
        while at < len(self.bounds) - 1 and self.headings[at - 1]:
            at += 1
        return self.bounds[at]

    def _broken(self, limit: int) -> int:
        """Cut where not even one sentence with its headings fits."""
        following = self._following()
        body = self.bounds[bisect_left(self.bounds, following) - 1]
        if self.new < body <= limit and self.ruler.size(body, following) <= self.size:
            return body
        if body > limit and (heading := self.bounds[bisect_right(self.bounds, limit) - 1]) > self.new:
            return heading
        after = body if self.new < body <= limit else self.new
        for least in (max(after, (self.new + limit) // 2), after):
            for level in range(len(self.cuts.levels)):
                cut = self.cuts.last(level, least, limit)
                if cut is not None:
                    return cut
        cut = self.cuts.last_between_graphemes(after, limit) if limit > after else None
        if cut is None:
            cut = after if after > self.new else self.cuts.next_between_graphemes(self.new, self.new + 1)
        return cut

    def _repeated(self, earliest: int, until: int) -> int:
        """Give the first sentence's start from a place on, at most ``until``."""
        return min(self.bounds[bisect_left(self.bounds, earliest)], until)


def _bounds(text: str) -> tuple[list[int], list[bool]]:
    """Find where sentences start, the document's end, and which sentences are headings."""
    found = sentences.split(text)
    kept = [0]
    headings: list[bool] = []
    ended = 0
    for (start, end), (following, _) in pairwise([*found, (len(text), len(text))]):
        if start > kept[-1] and headings and is_boundary(text, start, kept[-1]):
            kept.append(start)
        else:
            headings = headings[:-1]
        headings.append(_is_heading(text, start, end, text[ended:start], text[end:following]))
        ended = end
    return [*kept, len(text)], headings or [False]


def _is_heading(text: str, start: int, end: int, before: str, behind: str) -> bool:
    line = text[start:end]
    if len(line.splitlines()) > 1:
        return False
    kind = line_kind(line)
    apart = (start == 0 or "\n" in before) and behind.count("\n") > 1
    return kind == "heading" or (kind == "prose" and apart and len(line) <= _TITLE and not line.endswith(_ENDED))
