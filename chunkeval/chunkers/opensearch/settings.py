"""The settings of a ``text_chunking`` processor, checked in OpenSearch's order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from chunkeval.chunkers.base import Span
from chunkeval.chunkers.delimiter import delimited
from chunkeval.chunkers.opensearch.java import decoded_double, decoded_int, in_units
from chunkeval.chunkers.windows import NO_LIMIT, overlap_of, windows
from chunkeval.errors import PipelineError
from chunkeval.text import lucene

Cut = Callable[[str, str, int | None, int], list[Span]]
"""A string, the same in UTF-16 units, chunks at most (None: no limit) and tokens at most to spans of its units."""


@dataclass(frozen=True)
class Algorithm:
    """A chunking algorithm, ready to cut strings."""

    name: str
    max_chunk_limit: int
    cut: Cut
    unknown: tuple[str, ...]
    """Parameters that it does not have, and ignores."""


def construction(code: str, message: str) -> PipelineError:
    """Make the error for a pipeline that cannot be made."""
    return PipelineError(message, "construction", code)


def algorithm(settings: Mapping[str, Any], place: str) -> Algorithm:
    """Read ``algorithm``: nothing, or one name with its parameters.

    Parameters
    ----------
    settings
        The JSON object as it is in the pipeline.
    place
        Where that is, for errors.

    Raises
    ------
    PipelineError
        A setting is wrong: of several the one that OpenSearch complains about.
    MissingExtraError
        The tokenizer ``thai`` without Java.

    Examples
    --------
    >>> made = algorithm({"delimiter": {"delimiter": "다."}}, "algorithm")
    >>> made.name, made.max_chunk_limit, made.cut("갔다. 왔다.", "갔다. 왔다.", None, 10000)
    ('delimiter', 100, [(0, 3), (3, 7)])
    """
    if len(settings) > 1:
        raise construction("multiple_algorithms", f"{place} names {', '.join(settings)}: give one algorithm")
    name, parameters = next(iter(settings.items()), ("fixed_token_length", {}))
    place = f"{place}.{name}"
    if not isinstance(parameters, Mapping):
        raise construction("parameters_must_be_object", f"{place} must be an object of parameters, not {parameters!r}")
    if name not in _KNOWN:
        raise construction("unsupported_algorithm", f"{place}: not an algorithm (known: {', '.join(_KNOWN)})")
    read = _Parameters(parameters, place)
    limit = read.integer("max_chunk_limit", 100)
    if limit <= 0 and limit != NO_LIMIT:
        raise construction(
            "max_chunk_limit_range", f"{place}.max_chunk_limit must be from 1, or -1 for none, not {limit}"
        )
    made, known = _KNOWN[name]
    cut = made(read)
    return Algorithm(name, limit, cut, tuple(key for key in parameters if key not in ("max_chunk_limit", *known)))


@dataclass(frozen=True)
class _Parameters:
    given: Mapping[str, Any]
    place: str

    def integer(self, name: str, default: int) -> int:
        if name not in self.given:
            return default
        number = decoded_int(self._present(name))
        if number is None:
            raise construction(
                f"must_be_integer:{name}", f"{self.place}.{name} must be a whole number, not {self.given[name]!r}"
            )
        return number

    def positive(self, name: str, default: int) -> int:
        number = self.integer(name, default)
        if number <= 0:
            raise construction(f"must_be_positive:{name}", f"{self.place}.{name} must be from 1, not {number}")
        return number

    def double(self, name: str, default: float) -> float:
        if name not in self.given:
            return default
        number = decoded_double(self._present(name))
        if number is None:
            raise construction(
                f"must_be_double:{name}", f"{self.place}.{name} must be a number, not {self.given[name]!r}"
            )
        return number

    def string(self, name: str, default: str) -> str:
        text = self.given.get(name, default)
        if not isinstance(text, str):
            raise construction(f"must_be_string:{name}", f"{self.place}.{name} must be a string, not {text!r}")
        if not text:
            raise construction(f"must_not_be_empty:{name}", f"{self.place}.{name} must not be empty")
        return text

    def in_half(self, name: str, number: float) -> float:
        if number < 0 or number > 0.5:
            raise construction(f"{name}_range", f"{self.place}.{name} must be from 0 to 0.5, not {number}")
        return 0.0 if number != number else number  # Java floors what is not a number to 0

    def _present(self, name: str) -> Any:
        if self.given[name] is None:
            raise construction(f"null_pointer:{name}", f"{self.place}.{name} is null: leave it out or give a value")
        return self.given[name]


def _fixed_token_length(read: _Parameters) -> Cut:
    size = read.positive("token_limit", 384)
    rate = read.double("overlap_rate", 0.0)
    tokenizer = read.string("tokenizer", "standard")
    overlap = overlap_of(size, read.in_half("overlap_rate", rate))
    if tokenizer not in lucene.TOKENIZERS:
        raise construction(
            "unsupported_tokenizer",
            f"{read.place}.tokenizer {tokenizer!r} is not known (known: {', '.join(lucene.TOKENIZERS)})",
        )
    lucene.check_tokenizer(tokenizer)

    def cut(text: str, units: str, most: int | None, max_token_count: int) -> list[Span]:
        starts = lucene.token_spans(text, tokenizer, unit="utf16")[:, 0].tolist()
        if len(starts) > max_token_count:
            raise PipelineError(
                f"a string has {len(starts)} tokens of the tokenizer {tokenizer!r}, more than max_token_count "
                f"{max_token_count}: cut it first, say by delimiter, or raise --max-token-count",
                "analyzer",
                "max_token_count_exceeded",
            )
        starts[:1] = [0] * bool(starts)
        starts.append(len(units))
        return [(starts[first], starts[last]) for first, last in windows(len(starts) - 1, size, overlap, most)]

    return cut


def _fixed_char_length(read: _Parameters) -> Cut:
    size = read.positive("char_limit", 2048)
    overlap = overlap_of(size, read.in_half("overlap_rate", read.double("overlap_rate", 0.0)))
    return lambda text, units, most, max_token_count: windows(len(units), size, overlap, most)


def _delimiter(read: _Parameters) -> Cut:
    delimiter = read.string("delimiter", "\n\n")
    return lambda text, units, most, max_token_count: list(delimited(units, in_units(delimiter), most))


_KNOWN: Mapping[str, tuple[Callable[[_Parameters], Cut], tuple[str, ...]]] = {
    "fixed_token_length": (_fixed_token_length, ("token_limit", "tokenizer", "overlap_rate")),
    "delimiter": (_delimiter, ("delimiter",)),
    "fixed_char_length": (_fixed_char_length, ("char_limit", "overlap_rate")),
}
