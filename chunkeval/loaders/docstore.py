"""LlamaIndex's docstore: ``{"docstore/data": {id: {"__data__": {...}, "__type__": "1"}}}``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from chunkeval.errors import SourceError
from chunkeval.loaders.records import Record

if TYPE_CHECKING:
    from chunkeval.loaders.json_stream import JsonStream
    from chunkeval.loaders.source import SourceFile

KEY = "docstore/data"
"""Member that holds the nodes."""
_DOCUMENT = "4"
"""Type of an entry that is a whole document."""
_SOURCE = "1"
"""Relationship of a node to the document that it was cut from."""
_OURS = ("id_", "text", "text_resource", "start_char_idx", "end_char_idx")


def is_node(entry: Any) -> bool:
    """Whether an entry is a chunk, not the document it was cut from."""
    return isinstance(entry, dict) and "__data__" in entry and str(entry.get("__type__")) != _DOCUMENT


def records(stream: JsonStream, file: SourceFile, *, nodes_only: bool) -> Iterator[Record]:
    """Nodes as rows: chunk_id, doc_id, text, start, end, then whatever else a node holds."""
    for key in stream.members():
        entry = stream.value()
        data = entry.get("__data__") if isinstance(entry, dict) else None
        if isinstance(data, str):
            # old versions wrote the node as a string of JSON
            try:
                data = json.loads(data)
            except ValueError:
                data = None
        if not isinstance(data, dict):
            raise SourceError(f"{file.name}: node {key[:80]!r} has no '__data__': persist the docstore again")
        if is_node(entry) or not nodes_only:
            row = _row(key, data)
            yield Record(row, f"node {key[:80]!r}", len(str(row["text"])) + 500)


def _row(key: str, data: Mapping[str, Any]) -> dict[str, Any]:
    resource = data.get("text_resource")
    text = data.get("text")
    if text is None and isinstance(resource, dict):
        text = resource.get("text")
    rest = {name: value for name, value in data.items() if name not in _OURS}
    return {
        **rest,
        "chunk_id": data.get("id_") or key,
        "doc_id": _document(data),
        "text": text,
        "start": data.get("start_char_idx"),
        "end": data.get("end_char_idx"),
    }


def _document(data: Mapping[str, Any]) -> Any:
    relationships, metadata = data.get("relationships"), data.get("metadata")
    source = relationships.get(_SOURCE) if isinstance(relationships, dict) else None
    if isinstance(source, dict) and source.get("node_id"):
        return source["node_id"]
    if isinstance(metadata, dict):
        return metadata.get("file_path") or metadata.get("file_name")
    return None
