"""Names to loaders, analyzers, chunkers and embedders; third parties come in by entry points.

Built-in entries name their module by string (``"package.module:attribute"``), so that nothing heavy is imported before it is used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from chunkeval.errors import ConfigError, unknown_name

Kind = Literal["loaders", "analyzers", "chunkers", "embedders"]

BUILT_IN: Mapping[Kind, Mapping[str, str]] = {
    "loaders": {
        "csv": "chunkeval.loaders.delimited:CSV",
        "tsv": "chunkeval.loaders.delimited:TSV",
        "json": "chunkeval.loaders.json_document:JSON",
        "jsonl": "chunkeval.loaders.json_lines:JSONL",
        "parquet": "chunkeval.loaders.parquet:PARQUET",
        "xlsx": "chunkeval.loaders.xlsx:XLSX",
        "text": "chunkeval.loaders.text:TEXT",
    },
    "analyzers": {
        "tokens": "chunkeval.analyzers.tokens:TokensAnalyzer",
        "similarity": "chunkeval.analyzers.similarity:SimilarityAnalyzer",
        "topics": "chunkeval.analyzers.topics:TopicsAnalyzer",
        "boundaries": "chunkeval.analyzers.boundaries:BoundariesAnalyzer",
        "duplicates": "chunkeval.analyzers.duplicates:DuplicatesAnalyzer",
        "coherence": "chunkeval.analyzers.coherence:CoherenceAnalyzer",
    },
    "chunkers": {
        "fixed_token_length": "chunkeval.chunkers.fixed_token_length:FixedTokenLength",
        "fixed_char_length": "chunkeval.chunkers.fixed_char_length:FixedCharLength",
        "delimiter": "chunkeval.chunkers.delimiter:Delimiter",
        "cascade": "chunkeval.chunkers.cascade:Cascade",
        "recursive": "chunkeval.chunkers.recursive:RecursiveChunker",
        "sentence": "chunkeval.chunkers.sentence:SentenceChunker",
        "langchain": "chunkeval.chunkers.langchain:LangchainChunker",
        "chonkie": "chunkeval.chunkers.chonkie:ChonkieChunker",
        "semantic": "chunkeval.chunkers.semantic:SemanticChunker",
        "agentic": "chunkeval.chunkers.agentic:AgenticChunker",
        "proposition": "chunkeval.chunkers.proposition:PropositionChunker",
    },
    "embedders": {
        "use-multilingual": "chunkeval.text.use:UseEmbedder",
        "lsa": "chunkeval.text.lsa:LsaEmbedder",
    },
}

RESERVED: Mapping[Kind, frozenset[str]] = {"analyzers": frozenset({"text", "sample", "embedder"})}
"""Names that nobody may register: a run keeps an analyzer's arrays under its name, and others beside them."""


@dataclass(frozen=True)
class Entry:
    """One registered name: where it lives and who brought it."""

    kind: Kind
    name: str
    target: str
    package: str


def entries(kind: Kind) -> dict[str, Entry]:
    """All registered names of a kind, built-in first.

    Raises
    ------
    ConfigError
        Two packages register the same name, or one registers a name that a run's own files have.
    """
    found = {name: Entry(kind, name, target, "chunkeval") for name, target in BUILT_IN[kind].items()}
    for point in _points(f"chunkeval.{kind}", tuple(sys.path), entry_points):
        package = _package(point)
        if point.name in found:
            raise ConfigError(
                f"{kind[:-1]} {point.name!r} is registered twice, by {found[point.name].package} and by {package}: "
                f"uninstall one of them or ask its author to rename it"
            )
        if point.name in RESERVED.get(kind, ()):
            raise ConfigError(
                f"{kind[:-1]} {point.name!r}, registered by {package}: a run keeps something else under this name: "
                f"uninstall the package or ask its author to rename it"
            )
        found[point.name] = Entry(kind, point.name, point.value, package)
    return found


@cache
def _points(group: str, path: tuple[str, ...], read: Callable[..., Iterable[EntryPoint]]) -> list[EntryPoint]:
    """Read a group once for each search path: it takes a look into every installed package."""
    return sorted(read(group=group), key=lambda p: (p.name, p.value))


def find(kind: Kind, name: str) -> Any:
    """Import what is registered under a name.

    Raises
    ------
    ConfigError
        The name is not registered; the message gives the nearest that is.
    """
    known = entries(kind)
    if name not in known:
        raise unknown_name(kind[:-1], name, known)
    module, _, attribute = known[name].target.partition(":")
    return getattr(import_module(module), attribute)


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value
