"""The chunk table: one row a chunk. A first pass checks the whole source and makes a plan, a second applies it.

Columns are ``chunk_id``, ``doc_id``, ``position``, ``text``, ``start``, ``end``, ``spans``, then the source's other
columns untouched.
"""

from chunkeval.table.checking import check
from chunkeval.table.chunks import (
    RawBatch,
    TablePlan,
    batch_of,
    chunk_batches,
    chunk_id,
    chunk_tables,
    frame_of,
)
from chunkeval.table.columns import CORE, DOC_NAMES, ID_NAMES, TEXT_NAMES
from chunkeval.table.planning import plan

__all__ = [
    "CORE",
    "DOC_NAMES",
    "ID_NAMES",
    "TEXT_NAMES",
    "RawBatch",
    "TablePlan",
    "batch_of",
    "check",
    "chunk_batches",
    "chunk_id",
    "chunk_tables",
    "frame_of",
    "plan",
]
