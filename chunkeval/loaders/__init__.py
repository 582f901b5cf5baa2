"""Sources to chunk tables: one module a kind, read in batches, any number of times."""

from chunkeval.loaders.source import Content, Loader, OpenedSource, SourceFile, open_source
from chunkeval.loaders.write import load, scan, write_chunks, write_frame
from chunkeval.table import RawBatch

__all__ = [
    "Content",
    "Loader",
    "OpenedSource",
    "RawBatch",
    "SourceFile",
    "load",
    "open_source",
    "scan",
    "write_chunks",
    "write_frame",
]
