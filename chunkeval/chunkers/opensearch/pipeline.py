"""An ingest pipeline of ``text_chunking`` processors, as OpenSearch takes it, run over JSON lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chunkeval.chunkers.opensearch import exact_json
from chunkeval.chunkers.opensearch.java import parsed_int
from chunkeval.chunkers.opensearch.processor import DEPTH_LIMIT, MAX_TOKEN_COUNT, Processor
from chunkeval.chunkers.opensearch.settings import algorithm, construction
from chunkeval.errors import PipelineError

_KIND = "text_chunking"
_MISSING = object()


@dataclass(frozen=True)
class Pipeline:
    """Processors that run one after the other over each document."""

    processors: tuple[Processor, ...]
    description: str | None = None

    def run(
        self, document: dict[str, Any], *, max_token_count: int = MAX_TOKEN_COUNT, depth_limit: int = DEPTH_LIMIT
    ) -> list[str]:
        """Process a document in place; see `Processor.run`."""
        lost: list[str] = []
        for processor in self.processors:
            try:
                lost += processor.run(document, max_token_count=max_token_count, depth_limit=depth_limit)
            except PipelineError:
                if not processor.ignore_failure:
                    raise
        return lost


def read_pipeline(settings: Mapping[str, Any]) -> Pipeline:
    """Make a pipeline from the JSON that OpenSearch takes.

    Parameters
    ----------
    settings
        ``{"description": …, "processors": [{"text_chunking": {…}}, …]}``.

    Raises
    ------
    PipelineError
        Something is missing, of the wrong type or not known; the message names its place.
    MissingExtraError
        The tokenizer ``thai`` without Java.

    Examples
    --------
    >>> pipeline = read_pipeline({"processors": [{"text_chunking": {
    ...     "field_map": {"body": "chunks"}, "algorithm": {"fixed_char_length": {"char_limit": 4}}}}]})
    >>> document = {"body": "가나다라마바사"}
    >>> pipeline.run(document)
    []
    >>> document["chunks"]
    ['가나다라', '마바사']
    """
    rest = dict(_object(settings, "the pipeline", "pipeline"))
    description = _taken(rest, "description", str, None, "the pipeline")
    _version(rest.pop("version", None))
    given = _taken(rest, "processors", list, _MISSING, "the pipeline")
    processors = []
    for number, entry in enumerate(given):
        for kind, inner in _object(entry, f"processors[{number}]", "processor").items():
            if kind != _KIND:
                raise construction(
                    f"unknown_processor:{kind}", f"processors[{number}]: only {_KIND} is known, not {kind}"
                )
            place = f"processors[{number}].{kind}"
            processors.append(read_processor(_object(inner, place, "processor"), place))
    _nothing_left(rest, "the pipeline")
    return Pipeline(tuple(processors), description)


def read_processor(settings: Mapping[str, Any], place: str = _KIND) -> Processor:
    """Make a processor from its settings.

    Raises
    ------
    PipelineError, MissingExtraError
        As `read_pipeline` does.
    """
    rest = dict(settings)
    description = _taken(rest, "description", str, None, place)
    ignore_failure = _taken(rest, "ignore_failure", bool, False, place)
    tag = _taken(rest, "tag", str, None, place)
    field_map = _taken(rest, "field_map", dict, _MISSING, place)
    chosen = _taken(rest, "algorithm", dict, _MISSING, place)
    ignore_missing = _taken(rest, "ignore_missing", bool, False, place)
    made = algorithm(chosen, f"{place}.algorithm")
    _nothing_left(rest, place)
    return Processor(field_map, made, ignore_missing, tag, description, ignore_failure)


def run_pipeline(
    pipeline: Mapping[str, Any],
    lines: Iterable[str],
    *,
    max_token_count: int = MAX_TOKEN_COUNT,
    depth_limit: int = DEPTH_LIMIT,
    warn: Callable[[str], None] | None = None,
) -> Iterator[str]:
    r"""Run a pipeline over documents, one a line of JSON, one at a time.

    Keys keep their order, strings and numbers their value to the last digit (numbers are copied as they are written);
    lone surrogates are written as ``\uXXXX``, all other text as it is.

    Parameters
    ----------
    pipeline
        As `read_pipeline` takes it; checked before the first line is read.
    lines
        JSON objects; blank lines are passed over.
    max_token_count, depth_limit
        As `Processor.run` takes them.
    warn
        Called with a sentence about each parameter that is ignored, and at the end about text that is in no chunk.

    Returns
    -------
    iterator of str
        The processed documents as JSON, without line ends.

    Raises
    ------
    PipelineError
        The pipeline cannot be made; or, while iterating, a line is no JSON object or its document is refused: the
        message names the line.
    MissingExtraError
        The tokenizer ``thai`` without Java.

    Examples
    --------
    >>> pipeline = {"processors": [{"text_chunking": {"field_map": {"body": "out"}, "algorithm": {"delimiter": {
    ...     "delimiter": "다."}}}}]}
    >>> list(run_pipeline(pipeline, ['{"id": 1.10, "body": "갔다. 왔다."}']))
    ['{"id": 1.10, "body": "갔다. 왔다.", "out": ["갔다.", " 왔다."]}']
    """
    made = read_pipeline(pipeline)
    say = warn or (lambda sentence: None)
    for number, processor in enumerate(made.processors):
        for name in processor.algorithm.unknown:
            say(f"processors[{number}]: {processor.algorithm.name} has no parameter {name!r}; it is ignored")
    return _run(made, lines, max_token_count, depth_limit, say)


def _run(
    pipeline: Pipeline, lines: Iterable[str], max_token_count: int, depth_limit: int, say: Callable[[str], None]
) -> Iterator[str]:
    lost, first = 0, ""
    for number, line in enumerate(lines, 1):
        text = line.removeprefix("\ufeff") if number == 1 else line
        if not text.strip():
            continue
        try:
            document = exact_json.read_object(text)
            fields = pipeline.run(document, max_token_count=max_token_count, depth_limit=depth_limit)
            written = exact_json.write(document)
        except PipelineError as error:
            raise PipelineError(f"line {number}: {error}", error.kind, error.code) from None
        except RecursionError:
            raise PipelineError(f"line {number}: nested too deeply", "document_validation", "nesting") from None
        if fields and not lost:
            first = f"line {number}, field {fields[0]!r}"
        lost += len(fields)
        yield written
    if lost:
        say(f"{lost} strings have text but no token, so fixed_token_length gives no chunk of them: first in {first}")


def _object(value: Any, place: str, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise construction(f"must_be_object:{what}", f"{place} must be an object, not {value!r}")
    return value


_NAMES = {str: "string", int: "whole number", list: "list", dict: "object", bool: "boolean"}
_CODES = {str: "string", int: "integer", list: "list", dict: "map", bool: "boolean"}


def _taken(rest: dict[str, Any], name: str, kind: type, default: Any, place: str) -> Any:
    value = rest.pop(name, None)
    if value is None:
        if default is _MISSING:
            raise construction(f"missing:{name}", f"{place} needs {name}: give {_article(_NAMES[kind])}")
        return default
    if not isinstance(value, Mapping if kind is dict else kind) or (kind is int and isinstance(value, bool)):
        raise construction(
            f"must_be_{_CODES[kind]}:{name}", f"{place}.{name} must be {_article(_NAMES[kind])}, not {value!r}"
        )
    return value


def _version(version: Any) -> None:
    if version is not None and parsed_int(version) is None:
        raise construction("must_be_integer:version", f"the pipeline.version must be a whole number, not {version!r}")


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _nothing_left(rest: Mapping[str, Any], place: str) -> None:
    if rest:
        name = next(iter(rest))
        raise construction(f"unsupported_parameter:{name}", f"{place} has a setting that is not supported: {name}")
