"""What every chunker gives and takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from chunkeval.cache import Cache
from chunkeval.errors import ConfigError, unknown_name

Span = tuple[int, int]

UNITS = ("chars", "words", "tokens")
"""What sizes are counted in: code points, words, tokens of a tokenizer."""


@dataclass(frozen=True)
class Chunk:
    """A chunk of a document: where its text is, not the text.

    Examples
    --------
    >>> chunk = Chunk(((0, 4),))
    >>> chunk.text("한국어 글입니다")
    '한국어 '
    """

    spans: tuple[Span, ...]
    """Code points ``[start, end)`` of the document, in the order in which their texts are joined; not empty."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What the chunker says about it besides: ``title``, ``summary``, …; numbers and True are counted and told."""
    derived: str | None = None
    """Text that was rewritten; the spans are then where it comes from."""

    def text(self, document: str) -> str:
        """Give its text: what was rewritten, else that of its spans, joined."""
        if self.derived is not None:
            return self.derived
        return "".join(document[start:end] for start, end in self.spans)


class Chunker(Protocol):
    """Cuts a document. Settings are given, and checked, when it is made; the same text gives the same chunks.

    A chunker whose chunks carry something that belongs into a table says so by ``columns``: names of their metadata, and
    ``derived`` where texts may be rewritten. See `columns_of`.
    """

    def split(self, text: str) -> list[Chunk]:
        """Cut a document.

        Parameters
        ----------
        text
            The document, taken as it is: not stripped, not normalised.

        Returns
        -------
        list of Chunk
            In the document's order; none for an empty text. Without overlap their texts joined are the document; with
            it, their union covers it; of chunks with several spans all spans together cover every code point once.
        """
        ...


def columns_of(chunker: Chunker) -> tuple[str, ...]:
    """Give the columns that a table of its chunks has besides those of every table."""
    columns: tuple[str, ...] = getattr(chunker, "columns", ())
    return columns


@runtime_checkable
class CutsMany(Protocol):
    """A chunker that does better with many documents at once, as one whose model reads big batches."""

    def split_many(self, texts: Sequence[str], *, jobs: int = 1, cache: Cache | None = None) -> list[list[Chunk]]:
        """Cut documents; the same as each by itself.

        Parameters
        ----------
        texts
            Documents.
        jobs
            Threads at most.
        cache
            Keeps what is costly to make; the default folder where None.
        """
        ...


@runtime_checkable
class AsksModel(Protocol):
    """A chunker that asks a language model, which costs, and whose replies may be of no use."""

    def watch(self, told: Callable[[str], None]) -> None:
        """Have what was used so far told after each reply, from any thread."""
        ...

    def report(self) -> dict[str, Any]:
        """Say what was asked since it was made, what it took (``usage``), and how much ``fell_back``; plain values."""
        ...


@runtime_checkable
class CutsByEmbedder(Protocol):
    """A chunker that looks at vectors: whether its cuts are good is not for the same embedder to say."""

    @property
    def embedders(self) -> tuple[str, ...]:
        """Names of the embedders that decide where it cuts."""
        ...


def embedders_of(chunker: Chunker) -> tuple[str, ...]:
    """Names of the embedders that decide where a chunker cuts; none for most."""
    return chunker.embedders if isinstance(chunker, CutsByEmbedder) else ()


def split_all(
    chunker: Chunker, texts: Sequence[str], *, jobs: int = 1, cache: Cache | None = None
) -> list[list[Chunk]]:
    """Cut documents: together where the chunker knows how, else one by one."""
    if isinstance(chunker, CutsMany):
        return chunker.split_many(texts, jobs=jobs, cache=cache)
    return [chunker.split(text) for text in texts]


def chunks(spans: list[Span]) -> list[Chunk]:
    """Make chunks of one span each."""
    nothing: Mapping[str, Any] = {}
    return [Chunk((span,), nothing) for span in spans]


def check_size(name: str, size: int, overlap: int = 0) -> None:
    """Refuse a size below 1, a negative overlap, and an overlap that is not below the size.

    Raises
    ------
    ConfigError
        The message names the chunker, the parameter and the fix.
    """
    if type(size) is not int or size < 1:
        raise ConfigError(f"{name}: size must be a whole number from 1, not {size!r}")
    if type(overlap) is not int or overlap < 0:
        raise ConfigError(f"{name}: overlap must be a whole number from 0, not {overlap!r}")
    if overlap >= size:
        raise ConfigError(f"{name}: overlap {overlap} must be below the size {size}: every chunk has to bring new text")


def check_unit(name: str, unit: str) -> None:
    """Refuse a unit that sizes are not counted in.

    Raises
    ------
    ConfigError
        The message gives the nearest that is known.
    """
    if unit not in UNITS:
        raise unknown_name(f"{name} unit", unit, UNITS)
