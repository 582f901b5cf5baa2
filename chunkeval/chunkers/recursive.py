"""The recursive chunker: coarse separators first, finer ones only within what is too large."""

from __future__ import annotations

from collections.abc import Sequence

from chunkeval.chunkers import separators as marks
from chunkeval.chunkers.base import Chunk, Span, check_size, chunks
from chunkeval.chunkers.cuts import Breaks, Cuts
from chunkeval.chunkers.like_langchain import LikeLangchain
from chunkeval.chunkers.units import Ruler, Units
from chunkeval.errors import ConfigError, unknown_name

NAME = "recursive"
COMPAT = ("langchain",)


class RecursiveChunker:
    r"""Cuts at the coarsest separators that do, and joins neighbouring pieces up to a size.

    Pieces between a level's separators are joined, from the first on, while they fit; a piece that is too large by
    itself is cut by the next level, and what no level cuts, between two graphemes. Separators stay with the text before
    them (headings begin a piece), so that the chunks joined are the document.

    Parameters
    ----------
    size
        The most units a chunk holds, counted on the document (see `units.Ruler`); a grapheme that alone holds more
        stays whole.
    overlap
        The most units of what is before that a chunk repeats, as whole pieces: of the level that was cut at where one
        fits, else of a finer one.
    unit
        ``chars`` (code points), ``words`` or ``tokens``.
    kind
        Whose separators: ``plain``, ``markdown`` (headings; a code fence, table or table row is not cut where it fits),
        ``html``, ``code``; ``auto`` tells the first three apart by content.
    separators
        The caller's own instead: a list of strings, coarse ones first, or of lists of strings that count the same. An
        empty list cuts windows of exactly ``size`` units, ``overlap`` of them repeated.
    tokenizer
        For ``tokens``: an embedder's name, a tiktoken encoding, a tokenizer's folder or hub name; the default
        embedder's unless given.
    compat
        ``langchain``: the chunk texts of LangChain's RecursiveCharacterTextSplitter with the same separators, size,
        overlap and length function; its chunks leave out the white space that it strips.
    special_tokens
        With ``compat`` and ``tokens``: lengths hold what the tokenizer adds to a text by itself, as [CLS] and [SEP].

    Raises
    ------
    ConfigError
        A size below 1, an overlap not below it, an unknown unit, kind, tokenizer or compat.

    Examples
    --------
    >>> text = "첫 문단이다. 둘째 문장이다.\n\n다음 문단이다."
    >>> [chunk.text(text) for chunk in RecursiveChunker(size=12).split(text)]
    ['첫 문단이다. ', '둘째 문장이다.\n\n', '다음 문단이다.']
    """

    def __init__(
        self,
        size: int = 1000,
        overlap: int = 0,
        unit: str = "chars",
        kind: str = "auto",
        separators: Sequence[str | Sequence[str]] | None = None,
        tokenizer: str | None = None,
        compat: str | None = None,
        special_tokens: bool = False,
    ) -> None:
        check_size(NAME, size, overlap)
        marks.check_kind(NAME, kind)
        if compat is not None and compat not in COMPAT:
            raise unknown_name(f"{NAME} compat", compat, COMPAT)
        if compat is not None and kind != "auto":
            raise ConfigError(f"{NAME}: compat={compat} knows no kinds; give it separators instead of kind={kind}")
        if special_tokens and (compat is None or unit != "tokens"):
            raise ConfigError(
                f"{NAME}: special_tokens count with compat=langchain and unit=tokens only: leave them out"
            )
        self.size, self.overlap, self.kind = size, overlap, kind
        self._given = None if separators is None else marks.given(NAME, separators)
        self._units = None if compat else Units(unit, tokenizer, NAME)
        self._like = LikeLangchain(size, overlap, unit, separators, tokenizer, special_tokens) if compat else None

    def split(self, text: str) -> list[Chunk]:
        """Cut a document; see `base.Chunker.split`."""
        if self._like is not None:
            return chunks(self._like.spans(text))
        assert self._units is not None
        kind = marks.kind_of(text) if self.kind == "auto" else self.kind
        levels = marks.LEVELS[kind] if self._given is None else self._given
        ruler = self._units.ruler(text)
        cuts = Cuts(text, levels, ruler, self.size, markdown=kind == "markdown")
        return chunks(spans(cuts, ruler, self.size, self.overlap))


def spans(cuts: Breaks, ruler: Ruler, size: int, overlap: int) -> list[Span]:
    """Cut a whole document.

    Parameters
    ----------
    cuts, ruler
        The document's.
    size, overlap
        In the ruler's units.
    """
    return _Walk(cuts, ruler, size, overlap).spans()


class _Walk:
    """One way through a document.

    ``start`` is where the chunk under way begins, ``new`` where what no chunk has yet does: before it lies the overlap.
    ``ends`` are the ends of the pieces that the place is in, the outermost first: one a level.
    """

    def __init__(self, cuts: Breaks, ruler: Ruler, size: int, overlap: int) -> None:
        self.cuts, self.ruler, self.size, self.overlap = cuts, ruler, size, overlap
        self.start = self.new = 0
        self.ends = [ruler.length]

    def spans(self) -> list[Span]:
        found: list[Span] = []
        while self.new < self.ruler.length:
            cut = self._cut()
            if cut is None:
                continue
            found.append((self.start, cut))
            level = len(self.ends) - 1
            while len(self.ends) > 1 and cut >= self.ends[-1]:
                self.ends.pop()
            if self.overlap and cut < self.ruler.length:
                self.start = self._repeated(max(self.ruler.earliest(cut, self.overlap), self.start + 1), cut, level)
            else:
                self.start = cut
            self.new = cut
        return found

    def _cut(self) -> int | None:
        """Find where the chunk ends; None where first less has to be repeated, or the next level has to cut."""
        cuts, new, end = self.cuts, self.new, self.ends[-1]
        level = len(self.ends) - 1
        limit = self.ruler.limit(self.start, self.size)
        if end <= limit:
            return end
        if level == len(cuts.levels):
            cut = cuts.last_between_graphemes(new, limit) if limit > new else None
            if cut is None and self.start < new:
                self.start = new
            elif cut is None:
                cut = cuts.next_between_graphemes(new, new + 1)
            return cut
        cut = cuts.last(level, new, limit)
        if cut is not None:
            return cut
        following = cuts.first(level, new, end)
        if self.start < new and following <= self.ruler.limit(new, self.size):
            self.start = self._repeated(self.ruler.earliest(following, self.size), new, level)
        else:
            self.ends.append(following)
        return None

    def _repeated(self, earliest: int, until: int, level: int) -> int:
        """Give where the overlap begins: the first piece from a place on, of the coarsest level that has one there."""
        levels = len(self.cuts.levels)
        for finer in range(level, levels):
            at = self.cuts.first(finer, earliest - 1, until)
            if at < until:
                return at
        if level < levels:
            return until
        return min(self.cuts.next_between_graphemes(self.start, self.ruler.unit_from(earliest)), until)
